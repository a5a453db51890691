import { Quaternion, Vector3 } from "three";
import * as aim from "../aim.js";
import { Component } from "./component.js";

const target = new Vector3();
const up = new Vector3();
const wanted = new Quaternion();
const before = new Quaternion();

/** A head, an eye or a turret that looks at a target, upright, by the shorter way and at a bounded rate. */
export class LookAt extends Component {
  /**
   * @param bone the bone, or its name
   * @param options target: an Object3D, or a Vector3 in the world; axis: the direction in which the bone looks, in its own frame
   *   (+z); upAxis: what stays up (+y); maxAngle: largest turn from the animation, radians; speed: of turning, radians a second
   */
  constructor(bone, { target = null, axis = [0, 0, 1], upAxis = [0, 1, 0], maxAngle = 1.4, speed = 6, weight = 1 } = {}) {
    super({ weight });
    Object.assign(this, { bone, target, axis, upAxis, maxAngle, speed });
    this.turned = new Quaternion(); // from the animation, so far
    this.aimed = aim.newAimed();
    this.arrays = [[0, 0, 0, 1], [0, 0, 0], [0, 0, 0], [0, 1, 0]];
  }

  find() {
    return this.chain([this.bone], ["bone"]);
  }

  ready() {
    return this.target !== null && this.target !== undefined;
  }

  solve(seconds) {
    const { rig } = this;
    const [joint] = this.joints;
    const [rotation, position, seen, pole] = this.arrays;
    before.copy(joint.rotation);
    before.toArray(rotation);
    joint.position.toArray(position);
    rig.locally(this.target, target).toArray(seen);
    up.set(0, 1, 0).transformDirection(rig.toRig).toArray(pole);
    aim.look(rotation, position, seen, this.axis, this.upAxis, pole, this.maxAngle, this.aimed);
    wanted.fromArray(this.aimed.rotation);
    if (Number.isNaN(wanted.x)) wanted.copy(before);
    wanted.multiply(before.invert());
    this.turned.rotateTowards(wanted, this.speed * seconds);
    rig.turn(joint, wanted.copy(joint.rotation).premultiply(this.turned));
  }

  reset() {
    this.turned.identity();
  }
}
