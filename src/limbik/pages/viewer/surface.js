// The height of the ground at any place, from its triangles, as those walk who are steered on it.
const BUCKETS = 96; // of triangles, along a side
const VOID = -1000; // metres: what is beyond the edge of the ground

class Surface {
  // middle: the centre of the ground, x and z, and half its extent. edge: how wide a rim is left out, metres.
  /** @param {Values} positions @param {Values} faces @param {number[]} middle @param {number} edge */
  constructor(positions, faces, middle, edge) {
    this.positions = positions;
    this.faces = faces;
    this.middle = middle;
    this.edge = edge;
    const counts = new Int32Array(BUCKETS * BUCKETS + 1);
    this.visit((bucket) => counts[bucket + 1]++);
    for (let k = 1; k < counts.length; k++) counts[k] += counts[k - 1];
    this.starts = counts;
    this.members = new Int32Array(counts[counts.length - 1]);
    const next = counts.slice();
    this.visit((bucket, face) => (this.members[next[bucket]++] = face));
  }

  // Calls with every bucket that a face lies in, seen from above, and the face.
  /** @param {(bucket: number, face: number) => void} found */
  visit(found) {
    const p = this.positions;
    for (let face = 0; face < this.faces.length; face += 3) {
      const corners = [0, 1, 2].map((k) => 3 * this.faces[face + k]);
      const [x, z] = [0, 2].map((axis) => corners.map((corner) => p[corner + axis]));
      const [left, right] = [Math.min(...x), Math.max(...x)].map((each) => this.column(each, 0));
      const [low, high] = [Math.min(...z), Math.max(...z)].map((each) => this.column(each, 1));
      for (let j = low; j <= high; j++) for (let i = left; i <= right; i++) found(j * BUCKETS + i, face);
    }
  }

  /** @param {number} value @param {number} axis */
  column(value, axis) {
    const part = 0.5 + (0.5 * (value - this.middle[axis])) / this.middle[axis + 2];
    return clamp(Math.floor(part * BUCKETS), 0, BUCKETS - 1);
  }

  // The highest triangle above or below a place; the void beyond the edge.
  /** @param {number} x @param {number} z */
  height(x, z) {
    const [a, b, wide, long] = this.middle;
    if (Math.abs(x - a) > wide - this.edge || Math.abs(z - b) > long - this.edge) return VOID;
    const p = this.positions;
    const bucket = this.column(z, 1) * BUCKETS + this.column(x, 0);
    let best = VOID;
    for (let k = this.starts[bucket]; k < this.starts[bucket + 1]; k++) {
      const face = this.members[k];
      const [i, j, l] = [3 * this.faces[face], 3 * this.faces[face + 1], 3 * this.faces[face + 2]];
      const [ux, uz, vx, vz] = [p[j] - p[i], p[j + 2] - p[i + 2], p[l] - p[i], p[l + 2] - p[i + 2]];
      const area = ux * vz - uz * vx;
      if (Math.abs(area) < 1e-12) continue; // upright
      const [dx, dz] = [x - p[i], z - p[i + 2]];
      const s = (dx * vz - dz * vx) / area;
      const t = (ux * dz - uz * dx) / area;
      if (s < -1e-6 || t < -1e-6 || s + t > 1 + 2e-6) continue;
      best = Math.max(best, p[i + 1] + s * (p[j + 1] - p[i + 1]) + t * (p[l + 1] - p[i + 1]));
    }
    return best;
  }
}
