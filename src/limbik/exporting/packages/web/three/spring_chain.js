import { Quaternion, Vector3 } from "three";
import { Component } from "./component.js";

const UNMOVED = 1e-12;

const place = new Vector3();
const bone = new Vector3();
const toward = new Vector3();
const velocity = new Vector3();
const direction = new Vector3();
const carried = new Quaternion();
const turn = new Quaternion();
const whole = new Quaternion();
const identity = new Quaternion();

/**
 * The motion of a damped spring over a time, exactly, whatever the time: position and speed become
 * (a position + b speed, c position + d speed).
 */
class Spring {
  // rate: natural angular frequency, 1/s; damping: of critical
  set(rate, damping, seconds) {
    if (rate === this.rate && damping === this.damping && seconds === this.seconds) return;
    this.rate = rate;
    this.damping = damping;
    this.seconds = seconds;
    const drag = damping * rate;
    let even, slope;
    if (damping < 1) {
      const wave = rate * Math.sqrt(1 - damping * damping);
      const fade = Math.exp(-drag * seconds);
      even = fade * Math.cos(wave * seconds);
      slope = (fade * Math.sin(wave * seconds)) / wave;
    } else {
      const root = Math.sqrt(damping * damping - 1);
      const spread = rate * root;
      const slower = Math.exp((-rate / (damping + root)) * seconds);
      const faster = -Math.expm1(-2 * spread * seconds);
      even = slower * (1 - 0.5 * faster);
      slope = slower * (spread > 0 ? (0.5 * faster) / spread : seconds);
    }
    this.a = even + drag * slope;
    this.b = slope;
    this.c = -rate * rate * slope;
    this.d = even - drag * slope;
  }
}

/** A tail, an ear, hair or a cape that follows the character's motion by springs, the same at any frame rate. */
export class SpringChain extends Component {
  /**
   * @param bones from root to tip: bones, or their names; the last one's length is that to its first child
   * @param options frequency: of the springs, hertz; damping: of critical; maxAngle: largest turn of a bone, radians
   */
  constructor(bones, { frequency = 2, damping = 0.3, maxAngle = 1, weight = 1 } = {}) {
    super({ weight });
    Object.assign(this, { bones, frequency, damping, maxAngle });
    this.spring = new Spring();
    this.fresh = true;
    this.moved = false;
  }

  find() {
    const joints = this.chain(this.bones, []);
    if (!joints?.length) return null;
    const last = joints[joints.length - 1];
    const child = this.rig.joints[last.index + 1];
    this.ends = [...joints.slice(1), ...(child?.parent === last ? [child] : [])];
    this.states = this.ends.map(() => ({ end: new Vector3(), velocity: new Vector3(), lag: new Vector3(), speed: new Vector3() }));
    this.posed = joints.map(() => ({ position: new Vector3(), rotation: new Quaternion() }));
    this.wanted = this.ends.map(() => new Vector3());
    if (!this.ends.length) this.fail("a chain of springs has one link or more: name two bones, or one with a child");
    return joints;
  }

  solve(seconds) {
    const { rig, joints, ends, states, posed, wanted } = this;
    if (seconds > 0) this.spring.set(2 * Math.PI * this.frequency, this.damping, seconds);
    for (let k = 0; k < joints.length; k++) {
      posed[k].position.copy(joints[k].position);
      posed[k].rotation.copy(joints[k].rotation);
    }
    for (let k = 0; k < ends.length; k++) {
      wanted[k].copy(ends[k].position);
      this.follow(states[k], place.copy(wanted[k]).applyMatrix4(rig.matrix), seconds);
    }
    this.fresh = this.fresh && !(seconds > 0);
    this.moved = false;
    carried.identity();
    place.copy(posed[0].position);
    for (let k = 0; k < ends.length; k++) {
      bone.subVectors(wanted[k], posed[k].position);
      const length = bone.length();
      // Where the far end is drawn to: what it lags behind in the world is a vector of the rig's space, too.
      toward.copy(wanted[k]).applyMatrix4(rig.matrix).add(states[k].lag).applyMatrix4(rig.toRig).sub(place);
      this.limited(bone, toward);
      rig.turn(joints[k], carried.copy(turn).multiply(posed[k].rotation));
      place.addScaledVector(bone.applyQuaternion(turn).normalize(), length);
    }
    const last = joints.length - 1;
    if (last >= ends.length) rig.turn(joints[last], carried.copy(turn).multiply(posed[last].rotation));
  }

  // How far a point lags behind one that it follows.
  follow(state, end, seconds) {
    const { a, b, c, d } = this.spring;
    if (this.fresh) {
      state.velocity.set(NaN, 0, 0);
      state.lag.set(0, 0, 0);
      state.speed.set(0, 0, 0);
    } else if (seconds > 0) {
      if (this.moved) velocity.copy(state.velocity);
      else velocity.subVectors(end, state.end).divideScalar(seconds);
      if (!Number.isNaN(state.velocity.x)) state.speed.add(state.velocity).sub(velocity);
      state.velocity.copy(velocity);
      bone.copy(state.lag);
      state.lag.multiplyScalar(a).addScaledVector(state.speed, b);
      state.speed.multiplyScalar(d).addScaledVector(bone, c);
    }
    state.end.copy(end);
  }

  // The turn of a bone towards a direction; large ones ease towards the largest.
  limited(from, to) {
    turn.setFromUnitVectors(direction.copy(from).normalize(), to.normalize());
    const angle = 2 * Math.atan2(Math.sqrt(turn.x ** 2 + turn.y ** 2 + turn.z ** 2), Math.abs(turn.w));
    if (!(angle > UNMOVED)) turn.identity();
    else turn.copy(whole.copy(identity).slerp(turn, (this.maxAngle * Math.tanh(angle / this.maxAngle)) / angle));
  }

  reset() {
    this.fresh = true;
  }

  teleported() {
    this.moved = true;
  }
}
