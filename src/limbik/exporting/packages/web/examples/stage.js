// What both pages share: light, a camera that follows, ground of a few kinds, keys.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

export function stage() {
  const renderer = new THREE.WebGLRenderer({ antialias: true });
  renderer.shadowMap.enabled = true;
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  document.body.append(renderer.domElement);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0xdfe6ee);
  scene.fog = new THREE.Fog(0xdfe6ee, 12, 40);
  scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8f96, 1.6));
  const sun = new THREE.DirectionalLight(0xffffff, 2);
  sun.position.set(3, 6, 4);
  sun.castShadow = true;
  sun.shadow.mapSize.set(2048, 2048);
  Object.assign(sun.shadow.camera, { left: -5, right: 5, top: 5, bottom: -5 });
  scene.add(sun, sun.target);
  const camera = new THREE.PerspectiveCamera(40, 1, 0.05, 100);
  const controls = new OrbitControls(camera, renderer.domElement);
  controls.maxPolarAngle = 1.5;
  const fit = () => {
    renderer.setSize(innerWidth, innerHeight);
    camera.aspect = innerWidth / innerHeight;
    camera.updateProjectionMatrix();
  };
  addEventListener("resize", fit);
  fit();

  const follow = (place) => {
    const moved = place.clone().sub(controls.target);
    camera.position.add(moved);
    controls.target.copy(place);
    sun.position.copy(place).add(new THREE.Vector3(3, 6, 4));
    sun.target.position.copy(place);
    controls.update();
  };

  // Calls with the seconds since the last frame, for ever. ?frames=90 shows the ninetieth frame, for pictures.
  const run = (frame) => {
    const frames = Number(new URLSearchParams(location.search).get("frames"));
    if (frames) {
      for (let k = 0; k < frames; k++) frame(1 / 60);
      renderer.render(scene, camera);
      document.body.dataset.done = "yes";
      return;
    }
    let last = performance.now();
    renderer.setAnimationLoop((now) => {
      frame(Math.min((now - last) / 1000, 0.1));
      last = now;
      renderer.render(scene, camera);
    });
  };
  return { scene, camera, controls, follow, run };
}

const stone = new THREE.MeshStandardMaterial({ color: 0xa9b0b8, roughness: 0.95 });
const tread = new THREE.MeshStandardMaterial({ color: 0xc4c9ce, roughness: 0.95 });
const path = new THREE.MeshStandardMaterial({ color: 0xb9b3a6, roughness: 0.95 });

function box(width, height, depth, x, y, z, material = stone) {
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(width, height, depth), material);
  mesh.position.set(x, y, z);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

/** A round course: stairs up, a landing, a ramp down, and rubble. size: of steps, over those for people. */
export function course(size = 1) {
  const ground = new THREE.Group();
  ground.add(box(60, 1, 60, 0, -0.5, 0, path));
  const [rise, run, steps] = [0.15 * size, 0.32 * size, 8];
  const start = 1.5 * size;
  for (let k = 0; k < steps; k++) {
    const depth = (steps - k) * run;
    ground.add(box(3 * size, rise, depth, 0, (k + 0.5) * rise, start + k * run + depth / 2, k % 2 ? stone : tread));
  }
  const top = steps * rise;
  const landing = start + steps * run;
  ground.add(box(3 * size, top, 2 * size, 0, top / 2, landing + size));
  const length = top / Math.tan(0.26);
  const shape = new THREE.Shape([new THREE.Vector2(0, 0), new THREE.Vector2(0, top), new THREE.Vector2(length, 0)]);
  const ramp = new THREE.Mesh(new THREE.ExtrudeGeometry(shape, { depth: 3 * size, bevelEnabled: false }), stone);
  ramp.rotation.y = -Math.PI / 2;
  ramp.position.set(1.5 * size, 0, landing + 2 * size);
  ramp.castShadow = ramp.receiveShadow = true;
  ground.add(ramp);
  const rubble = landing + 2.6 * size + length;
  for (let k = 0; k < 60; k++) {
    const [u, v, w] = [0.618, 0.755, 0.569].map((share) => (k * share) % 1);
    const stoneOf = box(0.5 * size, 0.12 * size, 0.5 * size, (3 * u - 1.5) * size, 0.02 * size * (1 + 2 * w), rubble + 4 * v * size);
    stoneOf.rotation.set(0.25 * (u - 0.5), 3 * w, 0.25 * (v - 0.5));
    ground.add(stoneOf);
  }
  return { ground, end: rubble + 5 * size };
}

/** The keys that are held, as a way to the right and ahead. */
export function keys() {
  const held = new Set();
  addEventListener("keydown", (event) => held.add(event.code));
  addEventListener("keyup", (event) => held.delete(event.code));
  addEventListener("blur", () => held.clear());
  const any = (...codes) => Number(codes.some((code) => held.has(code)));
  return {
    held,
    get x() {
      return any("KeyD", "ArrowRight") - any("KeyA", "ArrowLeft");
    },
    get z() {
      return any("KeyW", "ArrowUp") - any("KeyS", "ArrowDown");
    },
  };
}
