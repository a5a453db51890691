import { Vector3 } from "three";
import { ThreeBoneBend } from "./bending.js";
import { Component } from "./component.js";

const goal = new Vector3();
const toward = new Vector3();
const pole = new Vector3();

/** A leg of three bones: the tip reaches a target, and the foot, its last bone, points along a direction. */
export class ThreeBoneLeg extends Component {
  /**
   * @param bones root, middle, ankle and tip: bones, or their names
   * @param options target: an Object3D, whose +z is the direction of the foot, or a Vector3 in the world; direction: a Vector3 in
   *   the world, instead of that; pole: an Object3D or a Vector3, the middle joint lies on its side (default: the animation's bend)
   */
  constructor(bones, { target = null, direction = null, pole = null, weight = 1 } = {}) {
    super({ weight });
    Object.assign(this, { bones, target, direction, pole });
    this.bend = new ThreeBoneBend();
  }

  find() {
    return this.chain([0, 1, 2, 3].map((k) => this.bones[k]), ["root", "middle", "ankle", "tip"])?.slice(0, 4);
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
    rig.locally(this.target, goal);
    if (this.pole) rig.locally(this.pole, pole).sub(joints[0].position);
    if (this.direction) toward.copy(this.direction);
    else if (this.target.isObject3D) toward.setFromMatrixColumn(this.target.matrixWorld, 2);
    else toward.subVectors(joints[3].position, joints[2].position).transformDirection(rig.matrix);
    toward.transformDirection(rig.toRig);
    this.bend.reach(rig, joints, goal, toward, this.pole ? pole : null);
  }

  reset() {
    this.bend.reset();
  }
}
