import { Quaternion, Vector3 } from "three";
import { TwoBoneBend } from "./bending.js";
import { Component } from "./component.js";

const goal = new Vector3();
const pole = new Vector3();
const goalTurn = new Quaternion();
const kept = new Quaternion();
const wanted = new Quaternion();

/** An arm or a leg of two bones that reaches for a target. */
export class TwoBoneLimb extends Component {
  /**
   * @param bones root, middle and tip: bones, or their names
   * @param options target: an Object3D, or a Vector3 in the world; pole: likewise, the middle joint lies on its side (default:
   *   the bend of the animation is kept); soften: fraction of the limb's length at which reaching begins to ease; rotationWeight:
   *   how far the tip takes the target's rotation (0: it keeps the animation's)
   */
  constructor(bones, { target = null, pole = null, soften = 1, rotationWeight = 0, weight = 1 } = {}) {
    super({ weight });
    Object.assign(this, { bones, target, pole, soften, rotationWeight });
    this.bend = new TwoBoneBend();
  }

  find() {
    return this.chain([0, 1, 2].map((k) => this.bones[k]), ["root", "middle", "tip"]);
  }

  ready() {
    return this.target !== null && this.target !== undefined;
  }

  /** What became of the last target: status, residual, joints in the rig's space. */
  get solution() {
    return this.bend.solution;
  }

  solve() {
    const { rig, joints } = this;
    const [root, , tip] = joints;
    kept.copy(tip.rotation);
    rig.locally(this.target, goal);
    if (this.pole) rig.locally(this.pole, pole).sub(root.position);
    this.bend.reach(rig, joints, goal, this.pole ? pole : null, this.soften);
    if (this.rotationWeight > 0 && this.target.isObject3D) {
      this.target.matrixWorld.decompose(goal, wanted, pole);
      kept.slerp(wanted.premultiply(goalTurn.copy(rig.rotation).invert()), this.rotationWeight);
    }
    rig.turn(tip, kept);
  }

  reset() {
    this.bend.reset();
  }
}
