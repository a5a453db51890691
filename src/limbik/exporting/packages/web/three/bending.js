import { Matrix4, Quaternion, Vector3 } from "three";
import * as threeLink from "../three_link.js";
import * as twoLink from "../two_link.js";

const TURN_RATE = 5; // degrees that the bending plane may turn for each degree that the target or the pole turns
const STRAIGHT = 0.2; // of the first link: where the middle joint is nearer to the line, a guide helps to decide the plane
const GUIDE = 0.3; // of the first link: how much, where the limb is straight

const basis = new Matrix4();
const change = new Quaternion();
const link = new Quaternion();
const bend = new Vector3();
const hinge = new Vector3();
const x = new Vector3();
const y = new Vector3();
const z = new Vector3();

// A solver's links have their own axes (+z along the link, +x the hinge), a rig's bones have others: each bone keeps its rotation
// relative to its link. Everything is in the rig's space.
class Bend {
  constructor(solver, names) {
    this.solver = solver;
    this.names = names; // of the links' rotations
    this.solution = solver.newSolution();
    this.root = [0, 0, 0];
    this.goal = [0, 0, 0];
    this.pole = [0, 0, 0];
    this.direction = [0, 0, 0];
    this.frames = names.map(() => new Quaternion()); // of the links as they are posed
    this.kept = names.map(() => new Quaternion());
    this.reset();
  }

  /** Begins a new track: its state is NaN. */
  reset() {
    for (const part of Object.values(this.solution.state)) part.fill(NaN);
  }

  // Reads the pose: the bend, steadied where the limb is straight, and the frames of the links.
  read(joints, guide) {
    const [root, middle] = joints;
    const end = joints[2];
    bend.addVectors(root.position, end.position).multiplyScalar(-0.5).add(middle.position);
    const first = root.position.distanceTo(middle.position);
    const straight = 1 - bend.length() / (STRAIGHT * first);
    const { side } = this.solution.state;
    if (guide) x.copy(guide);
    else if (Number.isNaN(side[0])) x.set(0, 0, 0);
    else x.fromArray(side);
    if (straight > 0) bend.addScaledVector(x.normalize(), GUIDE * first * straight * straight);
    hinge.crossVectors(bend, z.subVectors(end.position, root.position));
    for (let k = 0; k < this.frames.length; k++) {
      z.subVectors(joints[k + 1].position, joints[k].position).normalize();
      x.copy(hinge).addScaledVector(z, -hinge.dot(z));
      if (x.lengthSq() === 0) x.set(z.y, -z.x, 0).lengthSq() > 0.1 || x.set(0, z.z, -z.y);
      x.normalize();
      this.frames[k].setFromRotationMatrix(basis.makeBasis(x, y.crossVectors(z, x), z));
      this.kept[k].copy(joints[k].rotation);
    }
  }

  turn(rig, joints) {
    for (let k = 0; k < this.names.length; k++) {
      link.fromArray(this.solution[this.names[k]]);
      rig.turn(joints[k], change.copy(this.frames[k]).invert().premultiply(link).multiply(this.kept[k]));
    }
  }
}

/** Two bones that reach, frame by frame. */
export class TwoBoneBend extends Bend {
  constructor() {
    super(twoLink, ["firstRotation", "secondRotation"]);
  }

  /**
   * Brings the tip to a goal; the tip's own rotation follows the second bone.
   * @param pole direction on whose side the middle joint lies; null keeps the bend that the pose has
   * @param guide direction that helps to decide where a straight limb bends; null: as it did
   */
  reach(rig, joints, goal, pole, soften = 1, guide = pole) {
    const [root, middle, tip] = joints;
    this.read(joints, guide);
    root.position.toArray(this.root);
    goal.toArray(this.goal);
    (pole ?? bend).toArray(this.pole);
    const first = root.position.distanceTo(middle.position);
    const second = middle.position.distanceTo(tip.position);
    const { solution } = this;
    twoLink.track(first, second, this.goal, this.pole, this.root, soften, 1, TURN_RATE, solution.state, solution);
    if (solution.status !== twoLink.STATUS_INVALID) this.turn(rig, joints);
    return solution.status;
  }
}

/** Three bones that reach, the last one along a direction. */
export class ThreeBoneBend extends Bend {
  constructor() {
    super(threeLink, ["firstRotation", "secondRotation", "lastRotation"]);
  }

  reach(rig, joints, goal, direction, pole) {
    const [root, middle, ankle, tip] = joints;
    this.read(joints, pole);
    root.position.toArray(this.root);
    goal.toArray(this.goal);
    direction.toArray(this.direction);
    (pole ?? bend).toArray(this.pole);
    const first = root.position.distanceTo(middle.position);
    const second = middle.position.distanceTo(ankle.position);
    const last = ankle.position.distanceTo(tip.position);
    const { solution } = this;
    threeLink.track(first, second, last, this.goal, this.direction, this.root, this.pole, TURN_RATE, solution.state, solution);
    if (solution.status !== threeLink.STATUS_INVALID) this.turn(rig, joints);
    return solution.status;
  }
}
