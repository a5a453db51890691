// A spider walks over any meshes, wherever its keys send it.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { Creature, Ground } from "limbik-ik/three";
import * as spider from "./spider.mjs";
import { course, keys, stage } from "./stage.js";

const { scene, camera, controls, follow, run } = stage();
const { ground: terrain } = course(0.35);
scene.add(terrain);
const gltf = await new GLTFLoader().loadAsync("spider.gltf");
gltf.scene.traverse((one) => {
  one.castShadow = one.receiveShadow = true;
  one.frustumCulled = false;
});
scene.add(gltf.scene);

const creature = new Creature(gltf.scene, spider, new Ground(terrain));
creature.begin();
camera.position.set(-0.9, 0.7, -1);
controls.target.set(0, 0.15, 0);

const pressed = keys();
const state = document.getElementById("state");
const auto = new URLSearchParams(location.search).has("frames");
const place = new THREE.Vector3();
run((seconds) => {
  const ahead = controls.target.clone().sub(camera.position).setY(0).normalize();
  const [x, z] = auto ? [0, 0] : [pressed.x, pressed.z];
  const velocity = ahead.clone().multiplyScalar(z).addScaledVector(new THREE.Vector3(-ahead.z, 0, ahead.x), x);
  if (auto) velocity.set(0, 0, 1);
  velocity.normalize().multiplyScalar(creature.cruise);
  creature.go(velocity.x, velocity.z);
  creature.update(seconds);
  state.textContent = creature.blocked ? "It cannot go on." : "";
  follow(place.fromArray(creature.place));
});
