// A motion: figures of the same kind in groups, and where all their joints are at any time.

class Motion {
  /** @param {PackedMotion} content @param {Numbers} numbers */
  constructor(content, numbers) {
    this.fps = content.fps;
    this.frames = content.frames;
    this.radius = content.radius;
    this.extent = content.extent;
    this.mark = content.mark;
    this.feet = content.feet;
    this.plants = content.plants;
    this.blocked = content.blocked;
    this.footing = content.footing.map(([group, joint, figure, limb]) => ({ group, joint, figure, limb }));
    this.limbs = new Set(this.footing.map(({ limb }) => limb)).size;
    /** @type {Overlays | null} */
    this.overlays = null;
    this.ghost = false;
    /** @type {Drive | null} that poses it in place of the clip */
    this.live = null;
    this.time = 0;
    this.sphere = { centre: [0, 0, 0], radius: 1 };
    /** @type {WebGLVertexArrayObject | null} */
    this.shape = null;
    this.duration = (this.frames - 1) / this.fps;
    this.centres = numbers.array(content.centres);
    this.marks = numbers.array(content.marks);
    this.groups = content.groups.map((group) => new Group(group, numbers));
  }

  // The two frames around a time, and how far it is from the one to the other.
  /** @param {number} time @returns {[number, number, number]} */
  around(time) {
    const at = clamp(time * this.fps, 0, this.frames - 1);
    const before = Math.min(Math.floor(at), Math.max(this.frames - 2, 0));
    return [before, Math.min(before + 1, this.frames - 1), at - before];
  }

  /** @param {number} time @returns {Vector} */
  centre(time) {
    if (this.live?.place) return this.live.place;
    const [a, b, part] = this.around(time);
    return [0, 1, 2].map((k) => mixed(this.centres, 3 * a + k, 3 * b + k, part));
  }

  /** @param {number} time */
  pose(time) {
    const [a, b, part] = this.around(time);
    if (this.live) return this.groups[0].poseAs(this.live);
    for (const group of this.groups) group.pose(a, b, part);
  }

  // The numbers of the plants in which feet stand at a time.
  /** @param {number} time */
  standing(time) {
    const found = [];
    for (let k = 0; k < this.plants.length; k++) {
      const [, start, stop] = this.plants[k];
      if (time >= start && time < stop) found.push(k);
    }
    return found;
  }

  // Whether ground that it cannot cross stops a figure at a time.
  /** @param {number} time */
  isBlocked(time) {
    if (this.live) return this.live.blocked;
    return this.blocked.some(([start, stop]) => time >= start && time < stop);
  }

  // How many limbs stand: a foot may have a heel and toes, too.
  /** @param {number} time */
  limbsDown(time) {
    return new Set(this.standing(time).map((plant) => this.footing[this.plants[plant][0]].limb)).size;
  }

  // The part of the time in which a limb stands, on average.
  dutyFactor() {
    let stood = 0;
    for (let frame = 0; frame < this.frames; frame++) stood += this.limbsDown((frame + 0.5) / this.fps);
    return stood / (this.frames * (this.limbs || 1));
  }

  // Where the feet are in every frame: frame after frame, x, y and z of each foot.
  footPaths() {
    const feet = this.footing.length;
    const paths = new Float32Array(3 * this.frames * feet);
    for (let frame = 0; frame < this.frames; frame++) {
      for (const group of this.groups) group.pose(frame, frame, 0);
      this.footing.forEach(({ group, joint }, foot) => {
        const { frames } = this.groups[group];
        for (let axis = 0; axis < 3; axis++) paths[3 * (frame * feet + foot) + axis] = frames[12 * joint + 4 * axis + 3];
      });
    }
    this.pose(this.time);
    return paths;
  }
}

class Group {
  /** @param {PackedGroup} content @param {Numbers} numbers */
  constructor(content, numbers) {
    this.body = content.body;
    this.count = content.count;
    this.parents = content.parents;
    this.rotations = numbers.array(content.rotations);
    this.translations = numbers.array(content.translations);
    this.matrices = new Float32Array();
    /** @type {WebGLTexture | null} */
    this.texture = null;
    this.scales = content.scales && numbers.array(content.scales);
    this.frames = new Float32Array(12 * this.count * this.parents.length); // affine: three rows of four
  }

  // Finds the world frames of all joints between two frames of the clip.
  /** @param {number} a @param {number} b @param {number} part */
  pose(a, b, part) {
    const joints = this.parents.length;
    const all = joints * this.count;
    for (let k = 0; k < all; k++) {
      const joint = k % joints;
      const parent = this.parents[joint];
      this.local(a * all + k, b * all + k, part, this.frames, 12 * k);
      if (parent >= 0) before(this.frames, 12 * (k - joint + parent), this.frames, 12 * k);
    }
  }

  // Finds them for a single figure from rotations and translations of its joints.
  /** @param {{ rotations?: Values, translations?: Values }} given */
  poseAs({ rotations = this.rotations, translations = this.translations }) {
    const kept = { rotations: this.rotations, translations: this.translations };
    Object.assign(this, { rotations, translations });
    this.pose(0, 0, 0);
    Object.assign(this, kept);
  }

  // A joint's frame in its parent's: from two rows of the keys into `out` at `o`.
  /** @param {number} a @param {number} b @param {number} part @param {Float32Array} out @param {number} o */
  local(a, b, part, out, o) {
    const q = this.rotations;
    let x = mixed(q, 4 * a, 4 * b, part);
    let y = mixed(q, 4 * a + 1, 4 * b + 1, part);
    let z = mixed(q, 4 * a + 2, 4 * b + 2, part);
    let w = mixed(q, 4 * a + 3, 4 * b + 3, part);
    const by = Math.SQRT2 / (Math.sqrt(x * x + y * y + z * z + w * w) || 1); // √2, for every term is twice a product
    x *= by;
    y *= by;
    z *= by;
    w *= by;
    out[o] = 1 - y * y - z * z;
    out[o + 1] = x * y - z * w;
    out[o + 2] = x * z + y * w;
    out[o + 4] = x * y + z * w;
    out[o + 5] = 1 - x * x - z * z;
    out[o + 6] = y * z - x * w;
    out[o + 8] = x * z - y * w;
    out[o + 9] = y * z + x * w;
    out[o + 10] = 1 - x * x - y * y;
    for (let k = 0; k < 3; k++) {
      out[o + 4 * k + 3] = mixed(this.translations, 3 * a + k, 3 * b + k, part);
      if (!this.scales) continue;
      const scale = mixed(this.scales, 3 * a + k, 3 * b + k, part);
      for (let row = 0; row < 3; row++) out[o + 4 * row + k] *= scale;
    }
  }

  // Writes the matrices that the vertices of every figure's body follow.
  /** @param {ViewerBody} body @param {Float32Array} out */
  palette(body, out) {
    const joints = this.parents.length;
    const width = body.joints.length;
    for (let figure = 0; figure < this.count; figure++)
      for (let k = 0; k < width; k++) {
        const o = 12 * (figure * width + k);
        for (let i = 0; i < 12; i++) out[o + i] = body.inverses[12 * k + i];
        if (body.joints[k] >= 0) before(this.frames, 12 * (figure * joints + body.joints[k]), out, o);
      }
  }
}

/** @param {Values} array @param {number} a @param {number} b @param {number} part */
const mixed = (array, a, b, part) => array[a] + (array[b] - array[a]) * part;

// Multiplies the affine matrix in `right` at r, in place, by the one in `left` at l, which comes before it.
/** @param {Float32Array} left @param {number} l @param {Float32Array} right @param {number} r */
function before(left, l, right, r) {
  for (let column = 0; column < 4; column++) {
    const x = right[r + column];
    const y = right[r + 4 + column];
    const z = right[r + 8 + column];
    for (let row = 0; row < 3; row++) {
      const i = l + 4 * row;
      right[r + 4 * row + column] =
        left[i] * x + left[i + 1] * y + left[i + 2] * z + (column === 3 ? left[i + 3] : 0);
    }
  }
}
