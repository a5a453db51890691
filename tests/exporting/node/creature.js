// A creature on meshes, beside its walk on a formula. Prints a JSON object. Run: node creature.js FOLDER-OF-EXAMPLES
import * as THREE from "three";
import { Creature, Ground } from "limbik-ik/three";
import { load } from "./stage.js";

const folder = process.argv[2];
const spider = await import(`${folder}/spider.mjs`);
const results = {};
const slope = 0.2;

// On a slope in a parent that is moved, turned and scaled, beside the formula of that slope.
async function walk(parent, frames, wall = false) {
  const gltf = await load(`${folder}/spider.gltf`);
  const ground = new THREE.Mesh(new THREE.PlaneGeometry(40, 40));
  ground.rotation.x = -Math.PI / 2 - Math.atan(slope);
  parent.add(gltf.scene, ground);
  if (wall) {
    const box = new THREE.Mesh(new THREE.BoxGeometry(20, 8, 1));
    box.position.z = 2;
    parent.add(box);
  }
  parent.updateMatrixWorld(true);
  const creature = new Creature(gltf.scene, spider, new Ground(parent));
  creature.begin();
  const found = [];
  for (let k = 0; k < frames; k++) {
    creature.go(0.1, creature.cruise);
    creature.update(1 / 60);
    found.push([...creature.walker.rotations, ...creature.place]);
  }
  return { creature, found };
}

const Walker = Object.values(spider).find((one) => typeof one === "function");
const plain = new Walker((x, z) => slope * z);
plain.begin();
const wanted = [];
for (let k = 0; k < 240; k++) {
  plain.step(1 / 60, 0.1, spider.CRUISE);
  plain.pose();
  wanted.push([...plain.rotations, ...plain.place]);
}
const apart = (found) => Math.max(...found.map((row, k) => Math.max(...row.map((value, j) => Math.abs(value - wanted[k][j])))));
const level = new THREE.Group();
const { creature, found } = await walk(level, 240);
results.apart = apart(found);
results.place = [...creature.place];
const moved = new THREE.Group();
moved.position.set(3, -2, 7);
moved.rotation.y = 1.1;
moved.scale.setScalar(25);
results.apartInParent = apart((await walk(moved, 240)).found);

// Its bones stand where the walk says.
const tips = spider.FEET.map((joint) => creature.bones[joint]);
level.updateMatrixWorld(true);
results.feet = tips.map((bone, foot) => {
  const { x, y, z } = bone.getWorldPosition(new THREE.Vector3());
  return creature.contacts[foot] ? Math.abs(y - slope * z) + 0 * x : 0;
});

const stopped = await walk(new THREE.Group(), 600, true);
results.blocked = stopped.creature.blocked;
results.stoppedAt = stopped.creature.place[2];

try {
  new Creature(new THREE.Group(), spider, new Ground());
} catch (error) {
  results.refused = error.message;
}
console.log(JSON.stringify(results));
