// Uses every module of the package with its types; tsc --strict must accept it, and reject what is marked.
import { aim, planar, threeLink, twoLink } from "limbik-ik";
import { bonesOf, lookAt, reach, reachAlong } from "limbik-ik/three";
import type { SkinnedMesh, Vector3 } from "three";

const arm: twoLink.Solution = twoLink.solve(0.45, 0.42, [0.3, 0.2, 0.5], [0, 0, 1], new Float32Array(3), 1, 1);
const next = twoLink.track(0.45, 0.42, [0.3, 0.2, 0.5], [0, 0, 1], [0, 0, 0], 1, 1, 5, arm.state);
const rotation: [number, number, number, number] = next.firstRotation;
const leg = threeLink.solve(0.45, 0.42, 0.1, [0.3, 0.2, 0.5], [0, 0, 1], [0, 0, 0], [0, 0, 1], 1);
const singular: boolean = leg.singular;
const flat: number = planar.solve(1, 1, [1, 1], [0, 0], 1).firstAngle;
aim.look(rotation, [0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 0], Math.PI);
// @ts-expect-error: a target is an array of numbers
twoLink.solve(0.45, 0.42, "target", [0, 0, 1], [0, 0, 0], 1, 1);

export function pose(mesh: SkinnedMesh, target: Vector3): number {
  const bones = bonesOf(mesh, "a", "b", "c");
  reachAlong([...bones, bones[0]], target, target, { pole: target });
  lookAt(bones[0], target, { maxAngle: 1 });
  return reach(bones, target, { pole: target, soften: 0.9 }).status + flat + Number(singular);
}
