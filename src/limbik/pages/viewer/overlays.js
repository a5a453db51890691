// What can be drawn over a motion: the paths of its feet through the air, and what its standing feet span.

const OVERLAYS = {
  planted: "Planted feet",
  prints: "Footprints",
  arcs: "Swing arcs",
  support: "Support polygon",
  bars: "Gait bars",
  numbers: "Numbers",
};
const ARC_RATE = 60; // points per second of a path
const ARC_WIDTH = 2.5; // pixels
const SEGMENT = 9; // numbers of a segment: its ends, the time at its start, and when its foot leaves and lands

class Overlays {
  /** @param {WebGL2RenderingContext} gl @param {Motion} motion */
  constructor(gl, motion) {
    this.gl = gl;
    this.motion = motion;
    this.programs = { arc: program(gl, ARC.vertex, ARC.fragment), support: program(gl, SUPPORT.vertex, SUPPORT.fragment) };
    /** @type {DrawnSurface | null} */
    this.arcs = null;
    this.polygon = gl.createVertexArray();
    this.corners = gl.createBuffer();
    gl.bindVertexArray(this.polygon);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.corners);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, 0);
    this.count = 0;
    this.standing = ""; // plants that the polygon was made of
  }

  // The segments never change: the graphics processor leaves out those of feet that stand.
  /** @param {Matrix} view @param {number[]} box @param {Vector} colour */
  drawArcs(view, box, colour) {
    const gl = this.gl;
    this.arcs ??= this.segments();
    if (!this.arcs.count) return;
    gl.useProgram(this.programs.arc.program);
    const width = ARC_WIDTH * Math.min(devicePixelRatio, 2);
    this.programs.arc.set({ view, colour, time: this.motion.time, across: [width / box[2], width / box[3]] });
    gl.bindVertexArray(this.arcs.shape);
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.arcs.count);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  /** @returns {DrawnSurface} */
  segments() {
    const gl = this.gl;
    const values = Float32Array.from(swingSegments(this.motion));
    const shape = gl.createVertexArray();
    gl.bindVertexArray(shape);
    attribute(gl, 0, new Float32Array([0, -1, 1, -1, 0, 1, 1, 1]), 2);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    [[1, 3, 0], [2, 3, 12], [3, 3, 24]].forEach(([location, width, offset]) => {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, width, gl.FLOAT, false, 4 * SEGMENT, offset);
      gl.vertexAttribDivisor(location, 1);
    });
    return { shape, count: values.length / SEGMENT };
  }

  // On the ground whatever its shape: drawn before the figures, and never hidden by the ground.
  /** @param {Matrix} view @param {Vector} colour */
  drawSupport(view, colour) {
    const gl = this.gl;
    const plants = this.motion.standing(this.motion.time);
    const standing = plants.join();
    gl.bindVertexArray(this.polygon);
    if (standing !== this.standing) {
      this.standing = standing;
      const values = supportTriangles(this.motion, plants);
      this.count = values.length / 4;
      gl.bindBuffer(gl.ARRAY_BUFFER, this.corners);
      gl.bufferData(gl.ARRAY_BUFFER, Float32Array.from(values), gl.DYNAMIC_DRAW);
    }
    if (!this.count) return;
    gl.useProgram(this.programs.support.program);
    this.programs.support.set({ view, colour });
    gl.enable(gl.BLEND);
    gl.disable(gl.DEPTH_TEST);
    gl.drawArrays(gl.TRIANGLES, 0, this.count);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
  }
}

// The path of every limb's end from where it leaves the ground to where it lands, as segments.
/** @param {Motion} motion @returns {number[]} */
function swingSegments(motion) {
  const swings = swingsOf(motion);
  if (!swings.length) return [];
  const step = Math.max(1, Math.round(motion.fps / ARC_RATE));
  const paths = motion.footPaths();
  /** @type {number[]} */
  const found = [];
  for (const [foot, leaves, lands] of swings) {
    const [first, last] = [leaves, lands].map((time) => Math.round(time * motion.fps));
    /** @param {number} frame */
    const at = (frame) => paths.subarray(3 * (frame * motion.feet.length + foot), 3 * (frame * motion.feet.length + foot) + 3);
    for (let frame = first; frame < last; frame += step)
      found.push(...at(frame), ...at(Math.min(frame + step, last)), frame / motion.fps, leaves, lands);
  }
  return found;
}

// Foot, and the times at which it leaves the ground and lands again: of the first foot of each limb.
/** @param {Motion} motion @returns {[number, number, number][]} */
function swingsOf(motion) {
  /** @type {[number, number, number][]} */
  const swings = [];
  /** @type {Map<number, number>} */
  const left = new Map();
  const leading = new Set(motion.footing.map(({ limb }) => motion.footing.findIndex((each) => each.limb === limb)));
  for (const [foot, start, stop] of motion.plants) {
    const before = left.get(foot);
    if (before !== undefined && leading.has(foot)) swings.push([foot, before, start]);
    left.set(foot, stop - 1 / motion.fps); // the last frame in which it stands
  }
  return swings;
}

// Triangles of what the standing feet of each figure span: x, y, z, and 0 in the middle to 1 at the edge.
/** @param {Motion} motion @param {number[]} plants @returns {number[]} */
function supportTriangles(motion, plants) {
  /** @type {Map<number, Vector[]>} */
  const figures = new Map();
  for (const plant of plants) {
    const { figure } = motion.footing[motion.plants[plant][0]];
    const place = Array.from(motion.marks.subarray(8 * plant, 8 * plant + 3));
    figures.set(figure, [...(figures.get(figure) ?? []), place]);
  }
  /** @type {number[]} */
  const found = [];
  for (const places of figures.values()) {
    const corners = hull(places);
    if (corners.length < 3) continue;
    const middle = corners.reduce((sum, corner) => plus(sum, corner, 1 / corners.length), [0, 0, 0]);
    corners.forEach((corner, k) => {
      found.push(...middle, 0, ...corner, 1, ...corners[(k + 1) % corners.length], 1);
    });
  }
  return found;
}

// The corners of the convex hull of places as seen from above.
/** @param {Vector[]} places @returns {Vector[]} */
function hull(places) {
  const ordered = [...places].sort((a, b) => a[0] - b[0] || a[2] - b[2]);
  /** @param {Vector[]} points */
  const side = (points) => {
    /** @type {Vector[]} */
    const chain = [];
    for (const point of points) {
      while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...side(ordered), ...side(ordered.reverse())];
}

/** @param {Vector} a @param {Vector} b @param {Vector} c */
const turn = (a, b, c) => (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
