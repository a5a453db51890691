// Poses the bones of SkinnedMeshes with the package's components, beside three.js's own CCDIKSolver.
// Prints one line of errors for each rig. Run: node trial.js [ROUNDS]
import * as THREE from "three";
import { CCDIKSolver } from "three/addons/animation/CCDIKSolver.js";

import { Chain, LookAt, Rig, ThreeBoneLeg, TwoBoneLimb } from "limbik-ik/three";

let state = 7;
const random = () => ((state = (state * 48271) % 2147483647) / 2147483647) * 2 - 1;
const any = (size = 1) => new THREE.Vector3(random(), random(), random()).multiplyScalar(size);
const turn = () => new THREE.Quaternion().setFromAxisAngle(any().normalize(), 3 * random());
const at = (bone) => bone.getWorldPosition(new THREE.Vector3());

function rig(names) {
  const bones = names.map((name, k) => {
    const bone = new THREE.Bone();
    bone.name = name;
    bone.position.copy(k ? any().normalize().multiplyScalar(0.3 + 0.5 * Math.abs(random())) : any());
    bone.quaternion.copy(turn());
    return bone;
  });
  bones.forEach((bone, k) => k && bones[k - 1].add(bone));
  const mesh = new THREE.SkinnedMesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial());
  const parent = new THREE.Group();
  parent.position.copy(any());
  parent.quaternion.copy(turn());
  parent.add(mesh);
  mesh.add(bones[0]);
  mesh.bind(new THREE.Skeleton(bones));
  parent.updateMatrixWorld(true);
  return mesh;
}

function reachable(bones) {
  const [first, second] = [at(bones[0]).distanceTo(at(bones[1])), at(bones[1]).distanceTo(at(bones[2]))];
  const low = Math.abs(first - second) + 0.01;
  return low + (0.98 * (first + second) - low) * Math.abs(random());
}

for (let k = 0; k < 200; k++) {
  const arm = rig(["a", "b", "c"]);
  const [first, second, hand] = arm.skeleton.bones;
  const target = at(first).addScaledVector(any().normalize(), reachable(arm.skeleton.bones));
  const before = hand.getWorldQuaternion(new THREE.Quaternion());
  const length = at(first).distanceTo(at(second));
  const limb = new TwoBoneLimb(["a", "b", "c"], { target, pole: any(3) });
  pose(arm, limb);
  const turned = hand.getWorldQuaternion(new THREE.Quaternion()).angleTo(before);
  const stretched = Math.abs(at(first).distanceTo(at(second)) - length);
  console.log("arm", at(hand).distanceTo(target), stretched, turned < 1e-7 ? 0 : 1, limb.solution.status);

  const leg = rig(["a", "b", "c", "d"]);
  const bones = leg.skeleton.bones;
  const direction = any().normalize();
  const foot = at(bones[2]).distanceTo(at(bones[3]));
  const toe = at(bones[0]).addScaledVector(any().normalize(), reachable(bones)).addScaledVector(direction, foot);
  const standing = new ThreeBoneLeg(bones, { target: toe, direction });
  pose(leg, standing);
  const pointing = at(bones[3]).sub(at(bones[2])).normalize();
  console.log("leg", at(bones[3]).distanceTo(toe), pointing.distanceTo(direction), 0, standing.solution.status);

  const tail = rig(["a", "b", "c", "d", "e", "f"]);
  const links = tail.skeleton.bones;
  const whole = links.slice(1).reduce((sum, bone, j) => sum + at(bone).distanceTo(at(links[j])), 0);
  const longest = Math.max(...links.slice(1).map((bone, j) => at(bone).distanceTo(at(links[j]))));
  const near = Math.max(0, 2 * longest - whole);
  const end = at(links[0]).addScaledVector(any().normalize(), near + (whole - near) * Math.abs(random()));
  pose(tail, new Chain(links, { target: end }));
  console.log("tail", at(links[5]).distanceTo(end), 0, 0, 0);

  const head = rig(["a", "b"]);
  const [, eye] = head.skeleton.bones;
  const seen = at(eye).addScaledVector(any(), 3);
  pose(head, new LookAt(eye, { target: seen, maxAngle: Math.PI, speed: Infinity }));
  const line = seen.clone().sub(at(eye)).normalize();
  const rotation = eye.getWorldQuaternion(new THREE.Quaternion());
  const up = new THREE.Vector3(0, 1, 0).applyQuaternion(rotation);
  const side = new THREE.Vector3().crossVectors(line, new THREE.Vector3(0, 1, 0)).normalize();
  console.log("look", new THREE.Vector3(0, 0, 1).applyQuaternion(rotation).distanceTo(line), Math.abs(up.dot(side)), 0, 0);
}

function pose(mesh, component) {
  const one = new Rig(mesh.parent);
  one.add(component);
  one.update(1 / 60);
  mesh.updateMatrixWorld(true);
}

// The same limb and targets for CCDIKSolver, whose error and time stand in the docs beside ours.
const mesh = rig(["a", "b", "c", "target"]);
const bones = mesh.skeleton.bones;
bones[3].removeFromParent();
mesh.add(bones[3]);
const solver = new CCDIKSolver(mesh, [{ target: 3, effector: 2, links: [{ index: 1 }, { index: 0 }], iteration: 10 }]);
const targets = Array.from({ length: 2000 }, () => at(bones[0]).addScaledVector(any().normalize(), reachable(bones)));
const best = { limbik: Infinity, CCDIKSolver: Infinity };
const errors = { limbik: [], CCDIKSolver: [] };
const rounds = Number(process.argv[2] ?? 1);
const limbRig = new Rig(mesh);
const limb = limbRig.add(new TwoBoneLimb(bones.slice(0, 3)));
for (let round = 0; round < rounds; round++) {
  for (const kind of ["limbik", "CCDIKSolver"]) {
    errors[kind] = [];
    const start = performance.now();
    for (const target of targets) {
      if (kind === "limbik") {
        limb.target = target;
        limbRig.update(1 / 60);
      } else {
        bones[3].position.copy(mesh.worldToLocal(target.clone()));
        bones[3].updateMatrixWorld(true);
        solver.update();
      }
      mesh.updateMatrixWorld(true);
      errors[kind].push(at(bones[2]).distanceTo(target));
    }
    best[kind] = Math.min(best[kind], (1e3 * (performance.now() - start)) / targets.length);
  }
}
for (const kind of ["limbik", "CCDIKSolver"]) {
  const sorted = errors[kind].sort((a, b) => a - b);
  console.log("beside", kind, sorted[sorted.length >> 1], sorted[sorted.length - 1], best[kind]);
}
