// In a browser: characters of other makers walk up stairs as the sample walks. Their skins say where their feet are.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { FootPlacement, Ground, humanoid, Rig } from "limbik-ik/three";

const query = new URLSearchParams(location.search);
const [kind, file, number] = [query.get("kind"), query.get("file"), Number(query.get("frames"))];
const loader = new GLTFLoader();
const sample = await loader.loadAsync("/limbik-ik/examples/character.gltf");
const gltf = await loader.loadAsync(file);
if (kind === "mixamo") asMixamo(gltf.scene);

const bones = humanoid(kind === "mixamo" ? gltf.scene : gltf);
gltf.scene.updateMatrixWorld(true);
const placeOf = (bone) => bone.getWorldPosition(new THREE.Vector3());
const length = ["Upper", "Lower"].reduce((sum, part) => {
  return sum + placeOf(bones[`left${part}Leg`]).distanceTo(placeOf(bones[part === "Upper" ? "leftLowerLeg" : "leftFoot"]));
}, 0);
const size = length / 0.82; // of the character, over that of the sample
const [rise, run] = [0.15 * size, 0.3 * size];

const scene = new THREE.Scene();
scene.background = new THREE.Color(0xdfe6ee);
const stairs = new THREE.Group();
for (let k = 0; k < 12; k++) {
  const color = k % 2 ? 0xa9b0b8 : 0xc4c9ce;
  const box = new THREE.Mesh(new THREE.BoxGeometry(3 * size, rise, 12 * size), new THREE.MeshStandardMaterial({ color }));
  box.position.set(0, rise * (k + 0.5), k * run + 7 * size);
  box.receiveShadow = true;
  stairs.add(box);
}
const floor = new THREE.Mesh(new THREE.PlaneGeometry(40, 40), new THREE.MeshStandardMaterial({ color: 0xb9b3a6 }));
floor.rotation.x = -Math.PI / 2;
stairs.add(floor);
const height = (z) => (z < size ? 0 : rise * Math.min(12, 1 + Math.floor((z - size) / run)));
scene.add(stairs, new THREE.HemisphereLight(0xffffff, 0x8a8f96, 2));
const sun = new THREE.DirectionalLight(0xffffff, 2);
sun.position.set(3, 6, -4);
scene.add(sun);

const character = new THREE.Group();
gltf.scene.traverse((one) => (one.frustumCulled = false));
character.add(gltf.scene);
scene.add(character);
if (kind === "vrm0") gltf.scene.rotation.y = Math.PI; // VRM 0 faces -z
character.updateMatrixWorld(true);
const copy = copier(sample.scene, humanoid(sample.scene), bones);
const rig = new Rig(character);
const parts = ["UpperLeg", "LowerLeg", "Foot", "Toes"];
const feet = rig.add(new FootPlacement(new Ground(stairs), { bones: { hips: bones.hips, legs: ["left", "right"].map((side) => parts.map((part) => bones[side + part])) } }));
const mixer = new THREE.AnimationMixer(sample.scene);
mixer.clipAction(sample.animations[0]).play();

const skins = ["leftFoot", "rightFoot"].map((name) => verticesOf(bones[name]));
const found = { standing: 0, worst: 0, lowest: 0, leg: length };
const since = [0, 0];
for (let frame = 0; frame < number; frame++) {
  mixer.update(1 / 60);
  character.position.z += size / 60;
  character.position.y = height(character.position.z);
  copy();
  rig.update(1 / 60);
  scene.updateMatrixWorld(true);
  feet.feet.forEach((foot, side) => {
    since[side] = foot.planted ? since[side] + 1 : 0;
    const above = skins[side].map(([mesh, k]) => {
      const point = mesh.getVertexPosition(k, new THREE.Vector3()).applyMatrix4(mesh.matrixWorld);
      return point.y - height(point.z);
    });
    if (!above.length) above.push(0); // this figure has no skin at its feet
    const least = above.reduce((a, b) => Math.min(a, b));
    found.lowest = Math.min(found.lowest, least);
    if (since[side] < 12) return;
    found.standing++;
    found.worst = Math.max(found.worst, Math.abs(least));
  });
}
const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(innerWidth, innerHeight);
document.body.append(renderer.domElement);
const camera = new THREE.PerspectiveCamera(40, innerWidth / innerHeight, 0.05, 60);
camera.position.copy(character.position).add(new THREE.Vector3(-3, 1.3, 1.6).multiplyScalar(size));
camera.lookAt(character.position.clone().add(new THREE.Vector3(0, 0.85 * size, 0)));
renderer.render(scene, camera);
document.body.dataset.found = JSON.stringify(found);

// The turns of one person's bones, from rest and in the world, as another's; and how far the hips sink.
function copier(root, from, to) {
  root.updateMatrixWorld(true);
  const turnOf = (bone) => bone.getWorldQuaternion(new THREE.Quaternion());
  const names = Object.keys(from).filter((name) => from[name] && to[name]);
  const rests = names.map((name) => [turnOf(from[name]).invert(), turnOf(to[name])]);
  const legs = (map) => map.leftUpperLeg.getWorldPosition(new THREE.Vector3()).y - map.leftFoot.getWorldPosition(new THREE.Vector3()).y;
  const size = legs(to) / legs(from);
  const heights = [from.hips, to.hips].map((bone) => bone.getWorldPosition(new THREE.Vector3()));
  return () => {
    root.updateMatrixWorld(true);
    const sunk = size * (from.hips.getWorldPosition(new THREE.Vector3()).y - heights[0].y);
    to.hips.parent.updateWorldMatrix(true, false);
    const place = new THREE.Vector3(character.position.x, character.position.y + heights[1].y + sunk, character.position.z);
    to.hips.position.copy(to.hips.parent.worldToLocal(place));
    for (const [k, name] of names.entries()) {
      const wanted = turnOf(from[name]).multiply(rests[k][0]).multiply(rests[k][1]);
      to[name].quaternion.copy(turnOf(to[name].parent).invert().multiply(wanted));
      to[name].updateWorldMatrix(false, false);
      for (const child of to[name].children) child.updateWorldMatrix(false, true);
    }
  };
}

function verticesOf(ankle) {
  const below = new Set();
  const found = [];
  ankle.traverse((one) => below.add(one));
  scene.traverse((mesh) => {
    if (!mesh.isSkinnedMesh) return;
    const { position, skinIndex, skinWeight } = mesh.geometry.attributes;
    for (let k = 0; k < position.count; k++) {
      let weight = 0;
      for (let j = 0; j < 4; j++) if (below.has(mesh.skeleton.bones[skinIndex.getComponent(k, j)])) weight += skinWeight.getComponent(k, j);
      if (weight > 0.95) found.push([mesh, k]);
    }
  });
  return found;
}

// The names and the scale that Mixamo's files have.
function asMixamo(root) {
  const names = { LowerBack: "Spine", Spine: "Spine1", Spine1: "Spine2" };
  const skeletons = new Set();
  root.traverse((one) => {
    if (one.isSkinnedMesh) skeletons.add(one.skeleton);
  });
  root.traverse((one) => {
    if (!one.isBone) return;
    one.position.multiplyScalar(100);
    one.name = `mixamorig${names[one.name] ?? one.name}`;
  });
  for (const { boneInverses } of skeletons) for (const inverse of boneInverses) inverse.premultiply(new THREE.Matrix4().makeScale(100, 100, 100));
  const armature = new THREE.Group();
  armature.scale.setScalar(0.01);
  for (const child of root.children.filter((one) => one.isBone)) armature.add(child);
  root.add(armature);
}
