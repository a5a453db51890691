import { Matrix4, Quaternion, Vector3 } from "three";
import { TwoBoneBend } from "./bending.js";
import { Footing } from "./footing.js";
import { Sole } from "./sole.js";

const UP = new Vector3(0, 1, 0);
const BLEND = 0.012; // leg lengths: parts of the sole whose heights differ by this share the contact
const KEEP_STANDING = 1.5; // a standing foot is released at this multiple of the height and the speed at which one is planted
const NORMAL_TIME = 0.05; // seconds in which a free foot takes the slope below it
const HURRY = 1.6; // how much faster than others a foot is that is too low for a step
const FREE_TIME = 0.1; // seconds that a foot which was released is free
const STEP_ARC = 0.12; // how high a foot is lifted when it is put elsewhere, of the way
const STEP_TIME = 0.3; // seconds

const a = new Vector3();
const b = new Vector3();
const turn = new Quaternion();
const tilt = new Quaternion();
const carry = new Matrix4();
const carried = new Quaternion();

const LOOK_AHEAD = 0.15; // seconds before a step up in which a free foot begins to rise

/** A foot: where the animation has it, whether it stands, and where it goes. Places are in the world. */
export class Foot {
  constructor(rig, joints, toes) {
    this.rig = rig;
    this.joints = joints;
    this.sole = new Sole(rig, joints[0], joints[2], toes);
    this.bend = new TwoBoneBend();
    const pose = () => ({ position: new Vector3(), rotation: new Quaternion() });
    this.animated = pose();
    this.before = pose(); // the animated pose a frame ago
    this.path = pose(); // where it goes if it does not stand
    this.plant = pose(); // where it stands
    this.goal = pose();
    this.points = this.sole.points.map(() => new Vector3()); // of the animated sole: heel, ball, tip and others
    this.offsets = this.sole.points.map(() => new Vector3()); // the same in the foot's frame
    this.contact = new Vector3(); // likewise: the lowest part
    this.shifted = [new Vector3(), new Vector3(), new Vector3()];
    this.heading = new Vector3();
    this.plantHeading = new Vector3();
    this.velocity = new Vector3(); // of the animated contact point over the ground
    this.goalVelocity = new Vector3();
    this.offset = new Vector3(); // of the goal, from where the foot should be; it fades
    this.drift = new Vector3(); // its change a second
    this.turned = new Quaternion(); // the same of the rotation
    this.normal = new Vector3(); // of the ground below a free foot, smoothed
    this.footing = new Footing(); // under the animated foot
    this.support = new Footing(); // under the standing foot
    this.last = new Footing();
    this.object = null; // what it stands on, or is above
    this.objectInverse = new Matrix4();
    this.reset();
  }

  reset() {
    this.seen = false;
    this.planted = false;
    this.free = FREE_TIME; // seconds since it was released
    this.stepping = 0;
    this.stride = 0;
    this.sloped = false;
    this.object = null;
    this.bend.reset();
  }

  /** Reads the animated pose. level: the height on which the animation stands. */
  read(level) {
    this.risen = level - (this.level ?? level);
    this.level = level;
    const { rig, joints, animated, points, offsets, sole } = this;
    const ankle = joints[2];
    this.before.position.copy(animated.position);
    this.before.rotation.copy(animated.rotation);
    animated.position.copy(ankle.position).applyMatrix4(rig.matrix);
    animated.rotation.multiplyQuaternions(rig.rotation, ankle.rotation);
    this.length = rig.scale * (joints[0].position.distanceTo(joints[1].position) + joints[1].position.distanceTo(ankle.position));
    turn.copy(animated.rotation).invert();
    this.low = Infinity;
    for (let k = 0; k < points.length; k++) {
      sole.locate(sole.points[k], points[k]).applyMatrix4(rig.matrix);
      offsets[k].subVectors(points[k], animated.position).applyQuaternion(turn);
      this.low = Math.min(this.low, points[k].y - level);
    }
    this.contact.set(0, 0, 0);
    let total = 0;
    for (let k = 0; k < points.length; k++) {
      const weight = Math.exp((this.low - (points[k].y - level)) / (BLEND * this.length));
      this.contact.addScaledVector(offsets[k], weight);
      total += weight;
    }
    this.contact.divideScalar(total);
    this.heading.subVectors(points[1], points[0]).setY(0).normalize();
  }

  /** Looks for ground below the foot and, where it moves, before it. */
  look(level, seconds, { ground, reachUp, reachDown, maxAngle }) {
    const { animated, before, footing, points } = this;
    const { x, z } = animated.position;
    const top = level + reachUp * this.length;
    const bottom = level - reachDown * this.length;
    footing.look(ground, this.rig.root, points, x, z, top, bottom, maxAngle);
    if (!footing.found || this.planted || !this.seen || !(seconds > 0)) return;
    b.subVectors(animated.position, before.position).multiplyScalar(LOOK_AHEAD / seconds);
    footing.riseTo(ground, this.rig.root, b.x + points[2].x, b.z + points[2].z, top, bottom);
  }

  /** Goes with what it stands on, where that moves. */
  ride(seconds) {
    const { object } = this;
    if (!object || !this.seen || !(seconds > 0)) return;
    carry.multiplyMatrices(object.matrixWorld, this.objectInverse);
    const { y } = this.before.position;
    carryPose(this.before);
    this.risen -= this.before.position.y - y; // what carries it explains that much
    carryPose(this.plant);
    carryPose(this.goal);
    if (!this.planted) return;
    a.set(this.support.x, this.support.height, this.support.z).applyMatrix4(carry);
    this.support.x = a.x;
    this.support.height = a.y;
    this.support.z = a.z;
    this.support.normal.transformDirection(carry);
    this.plantHeading.transformDirection(carry).setY(0).normalize();
  }

  /** Decides whether it stands, and where it goes. airborne: whether the character is in the air. */
  place(seconds, level, airborne, options, maySteps) {
    const { goal, footing, path } = this;
    if (this.seen && !(seconds > 0)) return;
    const onGround = footing.found && !airborne;
    this.#measureSpeed(seconds);
    this.#followPath(seconds, level, onGround);
    const slack = this.planted ? KEEP_STANDING : 1;
    const speed = this.velocity.length();
    const stands = onGround && this.low < slack * options.plantHeight * this.length && speed < slack * options.plantSpeed * this.length;
    if (this.planted && !stands) this.#release(seconds);
    else if (this.planted && this.#strayed(options) && maySteps) {
      this.#release(seconds);
      this.stepping = STEP_TIME;
      this.stride = a.subVectors(goal.position, path.position).setY(0).length();
    } else if (!this.planted && stands && this.stepping <= 0 && this.free >= FREE_TIME) this.#put(seconds, level, options);
    else if (this.planted) this.#roll();
    this.onGround = onGround;
    this.free += seconds;
    this.stepping = Math.max(0, this.stepping - seconds);
    this.#settle(seconds, options.settleTime);
    if (this.planted) this.#stayAbove(this.support);
    if (this.seen && seconds > 0) this.goalVelocity.subVectors(goal.position, b).divideScalar(seconds);
    else this.goalVelocity.set(0, 0, 0);
    this.object = onGround ? (this.planted ? this.support.object : footing.object) : null;
    if (this.object) this.objectInverse.copy(this.object.matrixWorld).invert();
    this.last.copy(footing);
    this.seen = true;
  }

  // The animated pose, put on the ground below it.
  #followPath(seconds, level, onGround) {
    const { animated, path, footing, last } = this;
    const { x, y, z } = animated.position;
    path.position.copy(animated.position);
    path.rotation.copy(animated.rotation);
    if (!onGround) {
      if (this.seen && this.onGround && !this.planted) this.#continue(seconds, path.position, path.rotation, this.velocity);
      this.sloped = false;
      return;
    }
    if (this.sloped) this.normal.lerp(footing.normal, 1 - Math.exp(-seconds / NORMAL_TIME)).normalize();
    else this.normal.copy(footing.normal);
    path.position.y = footing.height + (y - level) / this.normal.y;
    path.rotation.premultiply(tilt.setFromUnitVectors(UP, this.normal));
    if (this.seen && !this.planted) {
      if (!this.onGround) this.#continue(seconds, path.position, path.rotation, this.velocity);
      else this.offset.y -= step(last, footing, x, z);
    }
    this.sloped = true;
  }

  #measureSpeed(seconds) {
    const { animated, before } = this;
    this.velocity.set(0, 0, 0);
    if (!this.seen || !(seconds > 0)) return;
    a.copy(this.contact).applyQuaternion(animated.rotation).add(animated.position);
    this.velocity.copy(this.contact).applyQuaternion(before.rotation).add(before.position).sub(a).divideScalar(-seconds);
    this.velocity.y -= this.risen / seconds; // steps of the character as a whole are none of the foot's
  }

  // Goes on from where it is and as fast as it is, now towards another pose, which moves with a velocity.
  #continue(seconds, position, rotation, velocity) {
    this.offset.copy(this.goal.position).sub(position).addScaledVector(velocity, seconds);
    this.drift.subVectors(this.goalVelocity, velocity);
    this.turned.copy(rotation).invert().premultiply(this.goal.rotation);
  }

  #release(seconds) {
    this.planted = false;
    this.free = 0;
    this.#continue(seconds, this.path.position, this.path.rotation, this.velocity);
  }

  // Whether the animation has gone too far away from where the foot stands.
  #strayed({ releaseDistance, releaseAngle }) {
    const { plant, path } = this;
    const away = a.subVectors(plant.position, path.position).setY(0).length();
    return away > releaseDistance * this.length || this.heading.angleTo(this.plantHeading) > releaseAngle;
  }

  // Puts the foot on the ground, where it comes to rest if it glides on from where it is.
  #put(seconds, level, { settleTime, ground, maxAngle, reachUp, reachDown }) {
    const { plant, animated, goal, support, shifted, points, path } = this;
    const rate = 2 / settleTime;
    this.planted = true;
    this.plantHeading.copy(this.heading);
    if (this.seen) a.copy(goal.position).addScaledVector(this.goalVelocity, 1 / rate);
    else a.copy(path.position);
    const { x, z } = a;
    for (let k = 0; k < 3; k++) shifted[k].set(points[k].x + x - animated.position.x, points[k].y, points[k].z + z - animated.position.z);
    support.look(ground, this.rig.root, shifted, x, z, level + reachUp * this.length, level - reachDown * this.length, maxAngle);
    if (!support.found) support.copy(this.footing);
    plant.rotation.copy(tilt.setFromUnitVectors(UP, support.normal)).multiply(animated.rotation);
    plant.position.set(x, support.heightAt(x, z), z);
    this.#touch(plant, support);
    if (!this.seen) {
      this.offset.set(0, 0, 0);
      this.drift.set(0, 0, 0);
      this.turned.identity();
      return;
    }
    this.offset.subVectors(goal.position, plant.position);
    this.drift.copy(this.offset).multiplyScalar(-rate); // so that it does not overshoot
    this.drift.y = Math.min(this.goalVelocity.y, 0); // the ground stops it
    this.turned.copy(plant.rotation).invert().premultiply(goal.rotation);
  }

  // The standing foot rolls as in the animation, without sliding where it touches the ground, and does not swivel.
  #roll() {
    const { plant, animated, support, heading, plantHeading } = this;
    a.copy(this.contact).applyQuaternion(plant.rotation).add(plant.position); // the place that stays
    const angle = Math.atan2(heading.z * plantHeading.x - heading.x * plantHeading.z, heading.dot(plantHeading));
    plant.rotation.copy(tilt.setFromUnitVectors(UP, support.normal));
    plant.rotation.multiply(turn.setFromAxisAngle(UP, angle)).multiply(animated.rotation);
    plant.position.copy(this.contact).applyQuaternion(plant.rotation).negate().add(a);
    this.#touch(plant, support);
  }

  // Brings the lowest part of the sole to a plane, straight up or down.
  #touch(pose, support) {
    pose.position.y -= this.#clearance(pose, support);
  }

  #clearance(pose, support) {
    let least = Infinity;
    for (let k = 0; k < this.offsets.length; k++) {
      a.copy(this.offsets[k]).applyQuaternion(pose.rotation).add(pose.position);
      least = Math.min(least, a.y - support.heightAt(a.x, a.z));
    }
    return least;
  }

  // The goal: where the foot should be, and what is left of where it was.
  #settle(seconds, settleTime) {
    const { goal, offset, drift, turned } = this;
    const pose = this.planted ? this.plant : this.path;
    b.copy(goal.position);
    if (!this.seen) {
      offset.set(0, 0, 0);
      drift.set(0, 0, 0);
      turned.identity();
    }
    const rate = 2 / settleTime;
    const fade = Math.exp(-rate * seconds);
    const { y } = offset;
    const speed = drift.y;
    drift.addScaledVector(offset, rate); // the exact step of a critically damped spring
    offset.addScaledVector(drift, seconds).multiplyScalar(fade);
    drift.multiplyScalar(fade).addScaledVector(offset, -rate);
    if (y < 0 && !this.planted) {
      const fast = HURRY * rate;
      const drive = speed + fast * y;
      offset.y = (y + drive * seconds) * Math.exp(-fast * seconds);
      drift.y = drive * Math.exp(-fast * seconds) - fast * offset.y;
    }
    turned.slerp(turn.identity(), 1 - fade);
    goal.position.addVectors(pose.position, offset);
    goal.rotation.multiplyQuaternions(turned, pose.rotation);
    if (this.stepping > 0) {
      const part = this.stepping / STEP_TIME;
      goal.position.y += 4 * part * (1 - part) * STEP_ARC * this.stride;
    }
  }

  #stayAbove(support) {
    const below = this.#clearance(this.goal, support);
    if (below < 0) this.goal.position.y -= below;
  }

  /** Bends the leg to the goal and turns the foot. ahead: where the knee of a straight leg goes, in the rig's space. */
  pose(ahead) {
    const { rig, joints, goal } = this;
    this.bend.reach(rig, joints, b.copy(goal.position).applyMatrix4(rig.toRig), null, 1, ahead);
    rig.turn(joints[2], turn.copy(rig.rotation).invert().multiply(goal.rotation));
  }
}

function carryPose({ position, rotation }) {
  position.applyMatrix4(carry);
  carried.setFromRotationMatrix(carry);
  rotation.premultiply(carried);
}

// By how much the ground steps up between two planes that a moving foot is above: what neither of them explains.
function step(before, now, x, z) {
  const early = now.heightAt(before.x, before.z) - before.height;
  const late = now.heightAt(x, z) - before.heightAt(x, z);
  if (early * late <= 0) return 0;
  return Math.abs(early) < Math.abs(late) ? early : late;
}
