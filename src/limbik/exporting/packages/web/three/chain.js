import { Quaternion, Vector3 } from "three";
import { Arc } from "./arc.js";
import { Component } from "./component.js";

const TURN_RATE = 5; // how far the bending plane may turn for each degree that the target or the pole turns
const FLAT = 1e-9; // a sine below which two directions decide no plane

const goal = new Vector3();
const aim = new Vector3();
const pole = new Vector3();
const side = new Vector3();
const before = new Vector3();
const after = new Vector3();
const swing = new Quaternion();

/** A spine, tail or tentacle of any number of bones, which reaches for a target along an arc. */
export class Chain extends Component {
  /**
   * @param bones from root to tip, two or more links: bones, or their names
   * @param options target: an Object3D, or a Vector3 in the world; pole: likewise, the arc bulges to its side (default: the side to
   *   which the animation bends it)
   */
  constructor(bones, { target = null, pole = null, weight = 1 } = {}) {
    super({ weight });
    Object.assign(this, { bones, target, pole });
    this.side = new Vector3(NaN); // of the arc, at right angles to the aim
    this.aim = new Vector3();
    this.guide = new Vector3();
  }

  find() {
    const joints = this.chain(this.bones, []);
    if (joints && joints.length < 3) {
      this.fail("a chain has two links or more: name three bones at least");
      return null;
    }
    if (!joints) return null;
    this.arc = new Arc(joints.length - 1);
    this.lengths = new Float64Array(joints.length - 1);
    this.posed = joints.map(() => new Vector3());
    this.turns = joints.map(() => new Quaternion());
    return joints;
  }

  ready() {
    return this.target !== null && this.target !== undefined;
  }

  solve() {
    const { rig, joints, arc, lengths, posed, turns } = this;
    const last = joints.length - 1;
    for (let k = 0; k <= last; k++) {
      posed[k].copy(joints[k].position);
      turns[k].copy(joints[k].rotation);
      if (k) lengths[k - 1] = posed[k].distanceTo(posed[k - 1]);
    }
    rig.locally(this.target, goal);
    if (!Number.isFinite(goal.x + goal.y + goal.z) || !this.decideSide(goal)) return;
    arc.solve(lengths, goal.distanceTo(posed[0]));
    for (let k = 0; k < last; k++) {
      before.subVectors(posed[k + 1], posed[k]).normalize();
      const near = k ? k - 1 : 0;
      const along = arc.along[k] - (k ? arc.along[near] : 0);
      const aside = arc.aside[k] - (k ? arc.aside[near] : 0);
      after.copy(this.aim).multiplyScalar(along).addScaledVector(this.side, aside).normalize();
      rig.turn(joints[k], swing.setFromUnitVectors(before, after).multiply(turns[k]));
    }
    rig.turn(joints[last], turns[last]); // what hangs from the tip keeps its rotation
  }

  // The side to which the arc bulges: the pole's, without a jump where the target crosses the pole's line.
  decideSide(target) {
    const { posed } = this;
    const last = posed.length - 1;
    aim.subVectors(target, posed[0]);
    const distance = aim.length();
    if (distance > 0) aim.divideScalar(distance);
    else aim.subVectors(posed[last], posed[0]).normalize();
    if (this.pole) this.rig.locally(this.pole, pole).sub(posed[0]);
    else {
      pole.set(0, 0, 0);
      for (let k = 1; k < last; k++) pole.add(posed[k]).addScaledVector(posed[0], -0.5).addScaledVector(posed[last], -0.5);
    }
    pole.normalize();
    side.copy(pole).addScaledVector(aim, -pole.dot(aim));
    const decided = side.lengthSq() > FLAT;
    side.normalize();
    if (Number.isNaN(this.side.x)) {
      if (!decided) side.set(-aim.z, 0, aim.x).lengthSq() > FLAT ? side.normalize() : side.set(0, 0, 1);
      this.side.copy(side);
    } else {
      const most = TURN_RATE * (aim.angleTo(this.aim) + pole.angleTo(this.guide));
      this.side.applyQuaternion(swing.setFromUnitVectors(this.aim, aim));
      this.side.addScaledVector(aim, -this.side.dot(aim)).normalize();
      if (decided) {
        const angle = this.side.angleTo(side);
        const sense = before.crossVectors(this.side, side).dot(aim) < 0 ? -1 : 1;
        this.side.applyQuaternion(swing.setFromAxisAngle(aim, sense * Math.min(angle, most)));
      }
    }
    this.aim.copy(aim);
    this.guide.copy(pole);
    return Number.isFinite(this.side.x + this.aim.x);
  }

  reset() {
    this.side.set(NaN, 0, 0);
  }
}
