// A stage for characters: files, grounds, and a referee that looks at skins only and knows nothing of how feet are placed.
import fs from "node:fs";
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { FootPlacement, Ground, humanoid, Rig } from "limbik-ik/three";

globalThis.self ??= globalThis;

export function load(file) {
  const bytes = fs.readFileSync(file);
  return new Promise((resolve, reject) => {
    new GLTFLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), "", resolve, reject);
  });
}

/** A clip on the spot, and where its hips go: [x, z] at a time. */
export function onTheSpot(clip, hips) {
  const track = clip.tracks.find((one) => one.name === `${hips.name}.position`);
  const path = track.clone();
  const still = track.clone();
  for (let k = 0; k < still.values.length; k += 3) still.values[k] = still.values[k + 2] = 0;
  const interpolant = path.createInterpolant();
  const tracks = clip.tracks.map((one) => (one === track ? still : one));
  const at = (time) => {
    const [x, , z] = interpolant.evaluate(time);
    return [x, z];
  };
  return { clip: new THREE.AnimationClip(clip.name, clip.duration, tracks), at };
}

/** Ground of a kind, as a mesh, and its height. */
export function groundOf(kind, size = 1) {
  const [name, number = 0] = kind.split(":");
  const group = new THREE.Group();
  const value = Number(number);
  const plane = new THREE.Mesh(new THREE.PlaneGeometry(60 * size, 60 * size));
  plane.rotation.x = -Math.PI / 2;
  if (name === "slope") plane.rotation.x -= THREE.MathUtils.degToRad(value);
  group.add(plane);
  let height = (x, z) => (name === "slope" ? Math.tan(THREE.MathUtils.degToRad(value)) * z : 0);
  if (name === "stairs") {
    const run = 0.3 * size;
    for (let k = 1; k < 40; k++) {
      const box = new THREE.Mesh(new THREE.BoxGeometry(40 * size, value * size, 60 * size));
      box.position.set(0, (k - 0.5) * value * size, k * run + 30 * size);
      group.add(box);
    }
    height = (x, z) => (z < run ? 0 : Math.min(39, Math.floor(z / run)) * value * size);
  }
  if (name === "wall") {
    const wedge = new THREE.Mesh(new THREE.PlaneGeometry(60 * size, 60 * size));
    wedge.rotation.x = -Math.PI / 2 - THREE.MathUtils.degToRad(value);
    wedge.position.z = 2 * size;
    group.add(wedge);
    height = (x, z) => Math.max(0, Math.tan(THREE.MathUtils.degToRad(value)) * (z - 2 * size));
  }
  group.updateMatrixWorld(true);
  return { group, height };
}

/** A character that walks as a clip does, moved over ground as a game moves it. */
export class Actor {
  constructor(gltf, ground, { weight = 1, fps = 60, size = 1, place = true } = {}) {
    this.scene = new THREE.Scene();
    this.root = new THREE.Group();
    this.inner = gltf.scene;
    this.root.add(this.inner);
    this.scene.add(this.root, ground.group);
    this.size = size;
    this.root.scale.setScalar(size);
    this.ground = ground;
    this.bones = humanoid(gltf.scene);
    const spot = onTheSpot(gltf.animations[0], this.bones.hips);
    this.at = spot.at;
    this.mixer = new THREE.AnimationMixer(gltf.scene);
    this.action = this.mixer.clipAction(spot.clip);
    this.action.play();
    this.rig = new Rig(this.root, { report: (message) => this.messages.push(message) });
    this.messages = [];
    this.seconds = 1 / fps;
    this.time = 0;
    this.origin = new THREE.Vector3(0, 0, 0);
    this.height = 0; // above the ground
    this.shift = new THREE.Vector3();
    this.feet = place ? this.rig.add(new FootPlacement(new Ground(ground.group), { weight })) : null;
    this.every = 1;
    this.frame = 0;
    this.used = Object.values(this.bones);
  }

  /** One frame. */
  step() {
    this.animate();
    this.rig.update(this.seconds);
    this.scene.updateMatrixWorld(true);
  }

  animate() {
    this.time += this.seconds;
    if (this.frame++ % this.every === 0) this.mixer.setTime(Math.min(this.time, this.action.getClip().duration - 1e-6));
    const [x, z] = this.at(Math.min(this.time, this.action.getClip().duration - 1e-6));
    this.root.position.set(x * this.size, 0, z * this.size).add(this.shift);
    const { x: px, z: pz } = this.root.position;
    this.root.position.y = this.ground.height(px, pz) + this.height + this.shift.y;
  }

  /** Local rotations and places of all bones, as numbers. */
  pose() {
    return this.used.flatMap((bone) => [...bone.quaternion.toArray(), ...bone.position.toArray()]);
  }
}

/** The vertices of a foot's skin. */
export class FootSkin {
  constructor(root, ankle) {
    this.parts = [];
    const below = new Set();
    ankle.traverse((one) => below.add(one));
    root.traverse((mesh) => {
      if (!mesh.isSkinnedMesh) return;
      const { position, skinIndex, skinWeight } = mesh.geometry.attributes;
      for (let k = 0; k < position.count; k++) {
        let weight = 0;
        for (let j = 0; j < 4; j++) if (below.has(mesh.skeleton.bones[skinIndex.getComponent(k, j)])) weight += skinWeight.getComponent(k, j);
        if (weight > 0.9) this.parts.push([mesh, k]);
      }
    });
  }

  points() {
    for (const mesh of new Set(this.parts.map(([one]) => one))) mesh.skeleton.update();
    return this.parts.map(([mesh, k]) => mesh.getVertexPosition(k, new THREE.Vector3()).applyMatrix4(mesh.matrixWorld));
  }
}

/** The greatest turn of any bone between two poses, radians. */
export function largestTurn(before, after) {
  let most = 0;
  for (let k = 0; k < before.length; k += 7) {
    const [a, b] = [before, after].map((pose) => new THREE.Quaternion(...pose.slice(k, k + 4)).normalize());
    most = Math.max(most, 2 * Math.atan2(Math.hypot(...a.invert().premultiply(b).toArray().slice(0, 3)), Math.abs(a.w)));
  }
  return most;
}
