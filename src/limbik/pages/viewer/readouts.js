// The numbers of a motion at a time.

const AROUND = 0.25; // seconds before and after, over which speed is measured
const READING = 150; // milliseconds between one reading and the next

class Readouts {
  /** @param {Motion} motion */
  constructor(motion) {
    this.motion = motion;
    this.list = element("readouts");
    this.last = -Infinity;
    this.duty = motion.dutyFactor();
    this.travelled = travelled(motion);
    /** @type {Map<string, HTMLElement>} */
    this.cells = new Map();
  }

  // now: milliseconds, of the world. at_once: whether to show them however recently they were shown.
  /** @param {number} time @param {number} now @param {boolean} at_once */
  show(time, now, at_once) {
    if (!at_once && now - this.last < READING) return;
    this.last = now;
    for (const [name, value] of Object.entries(this.values(time))) this.cell(name).textContent = value;
  }

  /** @param {number} time @returns {Record<string, string>} */
  values(time) {
    const { motion } = this;
    const clock = Math.min(time, motion.duration);
    const [from, to] = [Math.max(clock - AROUND, 0), Math.min(clock + AROUND, motion.duration)];
    const [a, b, here, start] = [from, to, clock, 0].map((each) => motion.centre(each));
    /** @type {Record<string, string>} */
    const values = {};
    if (motion.duration > 0) {
      values.Speed = `${(Math.hypot(...plus(b, a, -1)) / (to - from)).toFixed(2)} m/s`;
      values.Distance = `${this.distance(clock).toFixed(2)} m`;
      values.Climb = `${(here[1] - start[1]).toFixed(2)} m`;
    }
    if (motion.plants.length) {
      values["Feet down"] = `${motion.limbsDown(clock)} of ${motion.limbs}`;
      values["Duty factor"] = this.duty.toFixed(2);
    }
    return values;
  }

  /** @param {number} time */
  distance(time) {
    const [a, b, part] = this.motion.around(time);
    return mixed(this.travelled, a, b, part);
  }

  /** @param {string} name */
  cell(name) {
    const known = this.cells.get(name);
    if (known) return known;
    const [term, value] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = name;
    this.list.append(term, value);
    this.cells.set(name, value);
    return value;
  }
}

// How far the centre has gone in every frame, metres.
/** @param {Motion} motion */
function travelled(motion) {
  const gone = new Float32Array(motion.frames);
  const c = motion.centres;
  for (let k = 1; k < motion.frames; k++) {
    const steps = [0, 1, 2].map((axis) => c[3 * k + axis] - c[3 * k - 3 + axis]);
    gone[k] = gone[k - 1] + Math.hypot(...steps);
  }
  return gone;
}
