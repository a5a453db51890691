import { Vector3 } from "three";
import { Component } from "./component.js";
import { Foot } from "./foot.js";
import { Hit } from "./ground.js";
import { humanoid } from "./humanoid.js";

const LONGEST_STRETCH = 0.99;
const LANDED = 0.4; // of the height from which on a character is in the air: lower than that it has landed
const RISING = 1.3; // leg lengths a second: a character that leaves the ground faster than this jumps
const LEAVING = 0.03; // leg lengths above the ground, and rising
const STEP = 0.04; // leg lengths: a sudden change of the height is a step
const DOWN = new Vector3(0, -1, 0);

const a = new Vector3();
const hit = new Hit();

/**
 * Keeps the feet of an animated character on the ground: on slopes, stairs and rubble they neither float nor sink, and a foot
 * that stands stays where it is, on moving ground, too. The animation is that of a walk on level ground. Heights and speeds are in
 * lengths of the leg, so that they fit characters of any size.
 */
export class FootPlacement extends Component {
  /**
   * @param ground a `Ground`, or anything with `cast(origin, direction, far, hit, ignored)`
   * @param options bones: { hips, legs: [[hip, knee, ankle, toes], …] }, without which a person's are found; level: the height on
   *   which the animation stands, in the rig's space
   */
  constructor(ground, { bones = null, level = 0, weight = 1 } = {}) {
    super({ weight });
    Object.assign(this, { ground, bones, level });
    /** Whether the character is on the ground: true or false, if your game knows; undefined: as its feet find. */
    this.grounded = undefined;
    /** A foot is planted where its animated sole is lower than this above the level, in leg lengths ... */
    this.plantHeight = 0.04;
    /** ... and slower than this, leg lengths a second. */
    this.plantSpeed = 0.45;
    /** A standing foot is put elsewhere when the animation is this far away, leg lengths, or turned by this much, radians. */
    this.releaseDistance = 0.28;
    this.releaseAngle = 0.8;
    /** How far above and below the level ground counts, in leg lengths. */
    this.reachUp = 0.5;
    this.reachDown = 0.6;
    /** Largest tilt of a foot, radians. */
    this.maxAngle = 0.7;
    /** How far the pelvis may be lowered, in leg lengths. */
    this.maxDrop = 0.45;
    /** The height above the ground from which on the character is in the air, in leg lengths. */
    this.airHeight = 0.2;
    /** Seconds in which a foot settles where it lands, and returns to its path when it is released. */
    this.settleTime = 0.1;
    /** Seconds in which the pelvis follows the ground. */
    this.pelvisTime = 0.08;
    /** Fraction of the leg's length from which on the pelvis is lowered. */
    this.comfortableStretch = 0.93;
    this.feet = [];
    this.airborne = false;
    this.ahead = new Vector3();
    this.aheadOfPelvis = new Vector3();
    this.reset();
  }

  find(rig) {
    const { hips, legs } = this.bones ?? legsOf(humanoid(rig.root));
    const found = this.chain([hips], ["hips"]);
    if (!found) return null;
    const joints = [...found];
    for (const [number, leg] of legs.entries()) {
      const names = ["hip", "knee", "ankle"].map((name) => `${name} of leg ${number}`);
      const own = this.chain([hips, ...leg.slice(0, 3)], ["hips", ...names])?.slice(1);
      if (!own) return null;
      const toes = leg[3] ? rig.joint(leg[3]) : null;
      this.feet.push(new Foot(rig, own, toes));
      joints.push(...own);
    }
    // What is ahead: where the feet point at rest, seen from the pelvis, which carries the legs wherever it goes.
    const pelvis = found[0];
    for (const foot of this.feet) {
      foot.read(0);
      this.aheadOfPelvis.add(foot.heading);
    }
    this.aheadOfPelvis.transformDirection(rig.toRig).applyQuaternion(pelvis.rotation.clone().invert());
    return joints.sort((one, other) => one.index - other.index);
  }

  scaled() {
    if (this.rig.even) return super.scaled();
    this.rig.say(`limbik: ${this.name}: the rig's root has a scale that is not the same along x, y and z: feet stay the animation's`);
    return false;
  }

  get pelvis() {
    return this.joints[0];
  }

  solve(seconds) {
    const { rig, feet, ground } = this;
    const level = a.set(0, this.level, 0).applyMatrix4(rig.matrix).y;
    ground.update?.();
    let length = 0;
    for (let k = 0; k < feet.length; k++) {
      const foot = feet[k];
      foot.read(level);
      foot.ride(seconds);
      foot.look(level, seconds, this);
      length = Math.max(length, foot.length);
    }
    this.#decideAir(seconds, level, length);
    let stepping = false;
    for (let k = 0; k < feet.length; k++) stepping ||= feet[k].stepping > 0;
    for (let k = 0; k < feet.length; k++) {
      feet[k].place(seconds, level, this.airborne, this, !stepping);
      stepping ||= feet[k].stepping > 0;
    }
    this.#lowerPelvis(seconds);
    this.ahead.copy(this.aheadOfPelvis).applyQuaternion(this.pelvis.rotation);
    for (let k = 0; k < feet.length; k++) feet[k].pose(this.ahead);
    this.fresh = false;
  }

  // Whether the character is in the air: there is no ground below it, or it rises from it.
  #decideAir(seconds, level, length) {
    const { rig, feet } = this;
    let top = -Infinity;
    for (let k = 0; k < feet.length; k++) top = Math.max(top, feet[k].footing.top);
    const from = a.set(rig.place.x, level + this.reachUp * length, rig.place.z);
    const far = (this.reachUp + this.reachDown) * length;
    if (this.ground.cast(from, DOWN, far, hit, rig.root)) top = Math.max(top, hit.point.y);
    const height = level - top;
    const rising = this.fresh || !(seconds > 0) ? 0 : (level - this.lastLevel - Math.max(top - this.lastTop, 0)) / seconds;
    const climb = this.fresh ? 0 : level - this.lastLevel;
    // Where the character is put on a step at once, its body follows with a delay.
    const sudden = this.fresh ? 0 : climb - this.climb;
    const step = STEP * length;
    if (!this.airborne && Math.abs(sudden) > step && Math.abs(climb) > step) this.dropped += sudden;
    else this.climb = climb;
    this.lastLevel = level;
    this.lastTop = top;
    if (this.grounded !== undefined) this.airborne = !this.grounded;
    else if (this.airborne) this.airborne = height > LANDED * this.airHeight * length || rising > RISING * length;
    else this.airborne = height > this.airHeight * length || (height > LEAVING * length && rising > RISING * length);
  }

  // Lowers the pelvis so that every leg reaches its goal: with delay where a leg is longer than is comfortable, and without delay,
  // but as smoothly, where it would be straight.
  #lowerPelvis(seconds) {
    const { rig, feet } = this;
    let wanted = 0;
    let length = 0;
    for (let k = 0; k < feet.length; k++) {
      const foot = feet[k];
      foot.hip ??= new Vector3();
      foot.hip.copy(foot.joints[0].position).applyMatrix4(rig.matrix);
      foot.comfort = Math.max(this.comfortableStretch, foot.hip.distanceTo(foot.animated.position) / foot.length);
      if (!this.airborne) wanted = together(wanted, drop(foot, 0, foot.comfort));
      length = Math.max(length, foot.length);
    }
    wanted = Math.min(wanted, this.maxDrop * length);
    if (this.fresh) {
      this.dropped = wanted;
      this.dropSpeed = 0;
    } else {
      const rate = 2 / this.pelvisTime;
      const fade = Math.exp(-rate * seconds);
      const drive = this.dropSpeed + rate * (this.dropped - wanted);
      this.dropped = wanted + (this.dropped - wanted + drive * seconds) * fade;
      this.dropSpeed = (this.dropSpeed - rate * seconds * drive) * fade;
    }
    let more = 0;
    for (let k = 0; k < feet.length && !this.airborne; k++) more = together(more, drop(feet[k], this.dropped, eased(feet[k], this.dropped)));
    const down = Math.min(this.dropped + more, this.maxDrop * length); // below 0 where the character has stepped down
    if (Math.abs(down) < 1e-12) return;
    a.copy(this.pelvis.position).applyMatrix4(rig.matrix);
    a.y -= down;
    rig.move(this.pelvis, a.applyMatrix4(rig.toRig));
  }

  reset() {
    this.fresh = true;
    this.airborne = false;
    this.dropped = 0;
    this.dropSpeed = 0;
    this.lastLevel = 0;
    this.lastTop = 0;
    this.climb = 0;
    for (const foot of this.feet) foot.reset();
  }

  teleported() {
    this.reset();
  }
}

/** The hips and legs of a person. */
function legsOf(bones) {
  const side = (name) => ["UpperLeg", "LowerLeg", "Foot", "Toes"].map((part) => bones[name + part]);
  return { hips: bones.hips, legs: [side("left"), side("right")] };
}

// One drop of the pelvis for several legs: the larger, without a corner where another takes over.
function together(one, other) {
  return Math.sqrt(one * one + other * other);
}

// How far the pelvis, already lowered, must go down for a leg to reach with a stretch.
function drop(foot, lowered, stretch) {
  const { x, y, z } = foot.goal.position;
  const square = (x - foot.hip.x) ** 2 + (z - foot.hip.z) ** 2;
  const down = foot.hip.y - lowered - y;
  const length = stretch * foot.length;
  return Math.max(0, down - Math.sqrt(Math.max(0, length * length - square)));
}

// The stretch to which the pelvis leaves a leg: eased above the comfortable one, below the longest.
function eased(foot, lowered) {
  const { x, y, z } = foot.goal.position;
  const square = (x - foot.hip.x) ** 2 + (y - foot.hip.y + lowered) ** 2 + (z - foot.hip.z) ** 2;
  const over = Math.sqrt(square) / foot.length - foot.comfort;
  const room = Math.max(LONGEST_STRETCH - foot.comfort, 1e-4);
  return foot.comfort + (over <= 0 ? over : room * (1 - Math.exp(-over / room)));
}
