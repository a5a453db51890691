// A character walks over stairs, a ramp and rubble. Its animation is that of a walk on a level floor.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { FootPlacement, Ground, Hit, humanoid, LookAt, Rig, TwoBoneLimb } from "limbik-ik/three";
import { course, stage } from "./stage.js";

const SPEED = 1; // m/s, of the animation
const GRAVITY = 9.81;

const { scene, camera, controls, follow, run } = stage();
const { ground: terrain, end } = course();
scene.add(terrain);
const ground = new Ground(terrain);

// The character: any file will do whose bones have names of people, such as Mixamo's or a VRM's.
const file = new URLSearchParams(location.search).get("file") ?? "character.gltf";
const gltf = await new GLTFLoader().loadAsync(file);
gltf.scene.traverse((one) => {
  one.castShadow = one.receiveShadow = true;
  one.frustumCulled = false;
});
const character = new THREE.Group(); // what the game moves
character.add(gltf.scene);
scene.add(character);
const bones = humanoid(gltf);
const mixer = new THREE.AnimationMixer(gltf.scene);
if (gltf.animations.length) mixer.clipAction(gltf.animations[0]).play();

const ball = new THREE.Mesh(new THREE.SphereGeometry(0.06), new THREE.MeshStandardMaterial({ color: 0xc8402a }));
scene.add(ball);

const rig = new Rig(character);
const parts = ["UpperLeg", "LowerLeg", "Foot", "Toes"];
const legs = ["left", "right"].map((side) => parts.map((part) => bones[side + part]));
const feet = rig.add(new FootPlacement(ground, { bones: { hips: bones.hips, legs } }));
const look = rig.add(new LookAt(bones.head, { target: ball }));
const hand = rig.add(new TwoBoneLimb([bones.leftUpperArm, bones.leftLowerArm, bones.leftHand], { target: ball, soften: 0.95 }));

for (const [name, component] of Object.entries({ feet, look, hand })) {
  const button = document.getElementById(name);
  const set = () => (component.enabled = button.checked);
  button.addEventListener("change", set);
  set();
}

// The game's own part: it walks on, stands on what is below it, and jumps.
let height = 0;
let speed = 0;
addEventListener("keydown", ({ code }) => code === "Space" && height === 0 && (speed = 4));
const hit = new Hit();
const down = new THREE.Vector3(0, -1, 0);
const from = new THREE.Vector3();
const start = Number(new URLSearchParams(location.search).get("at") ?? 0);
character.position.set(0, 5, start);
camera.position.set(-3.2, 1.8, 2.2 + start);
controls.target.set(0, 0.9, start);
let time = 0;

run((seconds) => {
  time += seconds;
  const { position } = character;
  position.z += SPEED * seconds;
  if (position.z > end) position.z = 0; // a teleport: nothing to do about it
  from.set(position.x, position.y - height + 0.5, position.z); // it climbs steps of half a metre at most
  const floor = ground.cast(from, down, 10, hit, character) ? hit.point.y : 0;
  if (height > 0 || speed > 0) {
    speed -= GRAVITY * seconds;
    height = Math.max(0, height + speed * seconds);
    if (height === 0) speed = 0;
  }
  position.y = floor + height;
  ball.position.set(position.x + 0.5 * Math.sin(0.8 * time) + 0.2, floor + 1.25, position.z + 0.6 + 0.2 * Math.cos(0.8 * time));
  mixer.update(seconds);
  rig.update(seconds);
  follow(from.set(position.x, controls.target.y + (floor + 0.9 - controls.target.y) * Math.min(1, 4 * seconds), position.z));
});
