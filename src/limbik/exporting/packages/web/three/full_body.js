import { Quaternion, Vector3 } from "three";
import { TwoBoneBend } from "./bending.js";
import { Component } from "./component.js";
import { humanoid } from "./humanoid.js";

const ROUNDS = 24; // of projections onto the balls from which limbs reach
const STRETCH = 0.998; // of a limb's length: how far it is straightened before the pelvis follows
const LIMBS = {
  leftHand: ["leftUpperArm", "leftLowerArm", "leftHand"],
  rightHand: ["rightUpperArm", "rightLowerArm", "rightHand"],
  leftFoot: ["leftUpperLeg", "leftLowerLeg", "leftFoot"],
  rightFoot: ["rightUpperLeg", "rightLowerLeg", "rightFoot"],
};

const shift = new Vector3();
const way = new Vector3();
const kept = new Quaternion();

/** Hands and feet at their targets at once: where a limb is too short, the pelvis follows; ends without a target stay. */
export class FullBody extends Component {
  /**
   * @param options bones: { hips, leftHand: [shoulder, elbow, wrist], rightHand, leftFoot: [hip, knee, ankle], rightFoot }, without
   *   which a person's are found; targets: { leftHand, …, hips }, Object3Ds or Vector3s in the world, which may be changed at any
   *   time: feet without one stay where the animation has them, hands without one go with the body; soften: as in TwoBoneLimb
   */
  constructor({ bones = null, targets = {}, soften = 1, weight = 1 } = {}) {
    super({ weight });
    Object.assign(this, { bones, targets, soften });
    this.limbs = [];
  }

  find(rig) {
    let { hips, ...limbs } = this.bones ?? {};
    if (!this.bones) {
      const found = humanoid(rig.root);
      hips = found.hips;
      limbs = Object.fromEntries(Object.entries(LIMBS).map(([name, bones]) => [name, bones.map((bone) => found[bone])]));
    }
    const joints = this.chain([hips], ["hips"]);
    if (!joints) return null;
    for (const [name, bones] of Object.entries(limbs)) {
      const own = this.chain([hips, ...bones], ["hips", ...["root", "middle", "tip"].map((part) => `${part} of ${name}`)]);
      if (!own) return null;
      const [, ...chain] = own;
      this.limbs.push({
        name,
        joints: chain,
        bend: new TwoBoneBend(),
        goal: new Vector3(),
        rotation: new Quaternion(),
        reaches: false,
        length: 0,
        stays: name.endsWith("Foot"),
      });
      joints.push(...chain);
    }
    return joints.sort((one, other) => one.index - other.index);
  }

  ready() {
    for (const name in this.targets) if (this.targets[name]) return true;
    return false;
  }

  /** What became of a limb's last target: status and residual. */
  solution(name) {
    return this.limbs.find((limb) => limb.name === name)?.bend.solution;
  }

  solve() {
    const { rig, limbs, targets } = this;
    const [pelvis] = this.joints;
    shift.set(0, 0, 0);
    if (targets.hips) rig.locally(targets.hips, shift).sub(pelvis.position);
    for (let k = 0; k < limbs.length; k++) {
      const limb = limbs[k];
      const [root, middle, tip] = limb.joints;
      const target = targets[limb.name];
      limb.reaches = Boolean(target) || limb.stays;
      limb.length = root.position.distanceTo(middle.position) + middle.position.distanceTo(tip.position);
      if (target) rig.locally(target, limb.goal);
      else limb.goal.copy(tip.position);
      limb.rotation.copy(tip.rotation);
      // A leg that the animation has straighter than that may stay so.
      limb.stretch = Math.max(STRETCH * limb.length, limb.stays && !target ? root.position.distanceTo(limb.goal) : 0);
    }
    this.#movePelvis();
    if (shift.lengthSq() > 0) rig.move(pelvis, shift.add(pelvis.position));
    for (let k = 0; k < limbs.length; k++) {
      const limb = limbs[k];
      if (!limb.reaches) continue;
      limb.bend.reach(rig, limb.joints, limb.goal, null, this.soften);
      rig.turn(limb.joints[2], kept.copy(limb.rotation));
    }
  }

  // The shift of the pelvis from which every limb reaches: onto the balls around the targets in turn, hands first, so that feet have
  // the last word where not all can be reached.
  #movePelvis() {
    const { limbs } = this;
    for (let round = 0; round < ROUNDS; round++) {
      let moved = 0;
      for (let k = 0; k < limbs.length; k++) {
        const limb = limbs[k];
        if (!limb.reaches) continue;
        way.addVectors(limb.joints[0].position, shift).sub(limb.goal);
        const over = way.length() - limb.stretch;
        if (!(over > 0)) continue;
        shift.addScaledVector(way.normalize(), -over);
        moved = Math.max(moved, over);
      }
      if (!(moved > 1e-9)) return;
    }
  }

  reset() {
    for (const limb of this.limbs) limb.bend.reset();
  }
}
