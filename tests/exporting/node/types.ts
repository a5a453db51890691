// Uses every module of the package with its types; tsc --strict must accept it, and reject what is marked.
import { aim, planar, threeLink, twoLink } from "limbik-ik";
import {
  Chain, Creature, FootPlacement, FullBody, Ground, humanoid, LookAt, Rig, SpringChain, ThreeBoneLeg, TwoBoneLimb,
} from "limbik-ik/three";
import type { Hit, Rays, Walk } from "limbik-ik/three";
import type { Object3D, SkinnedMesh, Vector3 } from "three";

const arm: twoLink.Solution = twoLink.solve(0.45, 0.42, [0.3, 0.2, 0.5], [0, 0, 1], new Float32Array(3), 1, 1);
const next = twoLink.track(0.45, 0.42, [0.3, 0.2, 0.5], [0, 0, 1], [0, 0, 0], 1, 1, 5, arm.state, twoLink.newSolution());
const rotation: [number, number, number, number] = next.firstRotation;
const leg = threeLink.solve(0.45, 0.42, 0.1, [0.3, 0.2, 0.5], [0, 0, 1], [0, 0, 0], [0, 0, 1], 1);
const singular: boolean = leg.singular;
const flat: number = planar.solve(1, 1, [1, 1], [0, 0], 1).firstAngle;
aim.look(rotation, [0, 0, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 0], Math.PI);
// @ts-expect-error: a target is an array of numbers
twoLink.solve(0.45, 0.42, "target", [0, 0, 1], [0, 0, 0], 1, 1);

class Physics implements Rays {
  cast(origin: Vector3, direction: Vector3, far: number, hit: Hit): boolean {
    hit.point.copy(origin).addScaledVector(direction, far);
    return true;
  }
}

export function pose(mesh: SkinnedMesh, root: Object3D, target: Vector3, walk: Walk): number {
  const rig = new Rig(root, { report: (message: string) => message.length });
  const reaching = rig.add(new TwoBoneLimb(["a", "b", "c"], { target, soften: 0.9, rotationWeight: 1 }));
  reaching.pole = mesh;
  rig.add(new ThreeBoneLeg([mesh, "b", "c", "d"], { target: root, direction: target }));
  rig.add(new Chain(["a", "b", "c"], { target, pole: root }));
  rig.add(new SpringChain(["tail"], { frequency: 3, damping: 0.2 })).enabled = false;
  rig.add(new LookAt(humanoid(root).head ?? "Head", { target, maxAngle: 1, speed: 2 })).weight = 0.5;
  rig.add(new FullBody({ targets: { leftHand: target, hips: null } })).targets.rightHand = root;
  const feet = rig.add(new FootPlacement(new Physics(), { level: 0.02, bones: { hips: "hips", legs: [["a", "b", "c", "d"]] } }));
  feet.grounded = feet.airborne ? undefined : feet.feet[0].planted;
  // @ts-expect-error: there is no third foot
  rig.add(new FullBody({ targets: { thirdFoot: target } }));
  const creature = new Creature(root, walk, new Ground([mesh]));
  creature.go(creature.cruise, 0);
  creature.update(1 / 60);
  rig.update(1 / 60);
  rig.reset();
  rig.remove(feet);
  return reaching.solution.status + flat + Number(singular);
}
