import { Quaternion, Vector3 } from "three";

const between = new Quaternion();

/**
 * What poses some bones of a rig. `weight` 0 leaves the animation as it is, bit for bit; between 0 and 1 rotations (and the
 * pelvis's place) are blended. A component that is disabled or has weight 0 forgets what it remembers.
 */
export class Component {
  constructor({ weight = 1 } = {}) {
    this.weight = weight;
    this.enabled = true;
    this.active = false;
    this.rig = null;
    this.joints = [];
    this.before = [];
    this.broken = false;
  }

  /** Finds the bones in a rig. */
  attach(rig) {
    if (this.rig) throw new Error(`${this.name}: it is in a rig already`);
    this.rig = rig;
    this.joints = this.find(rig) ?? [];
    this.before = this.joints.map(() => ({ position: new Vector3(), quaternion: new Quaternion() }));
  }

  get name() {
    return this.constructor.name;
  }

  /** The joints to which it writes, parents before children. */
  find() {
    return [];
  }

  /** The joints of bones, each below the one before; null, with a report, where one is missing. */
  chain(bones, names) {
    const joints = bones.map((bone, k) => {
      const joint = bone ? this.rig.joint(bone) : null;
      if (!joint) this.fail(`${names[k] ?? `bone ${k}`} is missing: ${this.missing(bone)}`);
      return joint;
    });
    if (joints.includes(null)) return null;
    for (let k = 1; k < joints.length; k++) {
      const [above, below] = [joints[k - 1], joints[k]];
      if (below.index > above.index && below.index < above.end) continue;
      this.fail(`${below.object.name} is not below ${above.object.name}`);
      return null;
    }
    return joints;
  }

  missing(bone) {
    if (!bone) return "no bone was given";
    const known = this.rig.joints.map((joint) => joint.object.name).filter(Boolean).join(", ");
    return typeof bone === "string" ? `no bone named ${bone}; there are ${known}` : `${bone.name || "it"} is not below the rig's root`;
  }

  fail(message) {
    this.broken = true;
    this.rig.say(`limbik: ${this.name}: ${message}`);
  }

  /** Whether scales allow a rotation to mean one. */
  scaled() {
    for (let k = 0; k < this.joints.length; k++) {
      const parent = this.joints[k].parent;
      if (!parent || parent.even) continue;
      this.rig.say(
        `limbik: ${this.name}: ${parent.object.name || "a bone"} or what it hangs from has a scale that is not the same along ` +
          "x, y and z, or negative: rotations would shear its bones. The pose stays the animation's",
      );
      return false;
    }
    return true;
  }

  /** Called in each frame by the rig. */
  run(seconds) {
    if (!this.enabled || !(this.weight > 0) || this.broken || !this.ready() || !this.scaled()) {
      if (this.active) this.reset();
      this.active = false;
      return;
    }
    for (let k = 0; k < this.joints.length; k++) {
      this.before[k].position.copy(this.joints[k].object.position);
      this.before[k].quaternion.copy(this.joints[k].object.quaternion);
    }
    this.active = true;
    this.solve(seconds);
    if (this.weight < 1) this.blend();
  }

  blend() {
    for (let k = 0; k < this.joints.length; k++) {
      const { object } = this.joints[k];
      const { position, quaternion } = this.before[k];
      if (!object.position.equals(position)) object.position.lerpVectors(position, object.position, this.weight);
      if (!object.quaternion.equals(quaternion)) object.quaternion.copy(between.copy(quaternion).slerp(object.quaternion, this.weight));
    }
    this.rig.refreshAll();
  }

  /** Whether there is something to do, such as a target. */
  ready() {
    return true;
  }

  /** Poses the joints. */
  solve() {}

  /** Forgets earlier frames. */
  reset() {}

  /** The character has been put elsewhere. */
  teleported() {}
}
