// Poses the bones of a SkinnedMesh with the package's three.js helper, beside three.js's own CCDIKSolver.
// Prints one line of errors for each rig. Run: node trial.js PACKAGE
import * as THREE from "three";
import { CCDIKSolver } from "three/addons/animation/CCDIKSolver.js";

const { bonesOf, lookAt, reach, reachAlong } = await import(`${process.argv[2]}/three.js`);
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
  const arm = bonesOf(rig(["a", "b", "c"]), "a", "b", "c");
  const target = at(arm[0]).addScaledVector(any().normalize(), reachable(arm));
  const before = arm[2].getWorldQuaternion(new THREE.Quaternion());
  const lengths = [at(arm[0]).distanceTo(at(arm[1])), at(arm[1]).distanceTo(at(arm[2]))];
  const solution = reach(arm, target, { pole: any() });
  const after = arm[2].getWorldQuaternion(new THREE.Quaternion());
  const stretched = Math.abs(at(arm[0]).distanceTo(at(arm[1])) - lengths[0]);
  console.log("arm", at(arm[2]).distanceTo(target), stretched, after.angleTo(before) < 1e-7 ? 0 : 1, solution.status);

  const leg = bonesOf(rig(["a", "b", "c", "d"]), "a", "b", "c", "d");
  const direction = any().normalize();
  const foot = at(leg[2]).distanceTo(at(leg[3]));
  const toe = at(leg[0]).addScaledVector(any().normalize(), reachable(leg)).addScaledVector(direction, foot);
  const standing = reachAlong(leg, toe, direction);
  const pointing = at(leg[3]).sub(at(leg[2])).normalize();
  console.log("leg", at(leg[3]).distanceTo(toe), pointing.distanceTo(direction), 0, standing.status);

  const [head] = bonesOf(rig(["a", "b"]), "b");
  const seen = at(head).addScaledVector(any(), 3);
  lookAt(head, seen);
  const line = seen.clone().sub(at(head)).normalize();
  const rotation = head.getWorldQuaternion(new THREE.Quaternion());
  const up = new THREE.Vector3(0, 1, 0).applyQuaternion(rotation);
  const side = new THREE.Vector3().crossVectors(line, new THREE.Vector3(0, 1, 0)).normalize();
  console.log("look", new THREE.Vector3(0, 0, 1).applyQuaternion(rotation).distanceTo(line), Math.abs(up.dot(side)), 0, 0);
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
const rounds = Number(process.argv[3] ?? 1);
for (let round = 0; round < rounds; round++) {
  for (const kind of ["limbik", "CCDIKSolver"]) {
    errors[kind] = [];
    const start = performance.now();
    for (const target of targets) {
      if (kind === "limbik") reach(bones.slice(0, 3), target);
      else {
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
