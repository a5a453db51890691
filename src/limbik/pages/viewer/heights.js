// How high the ground is, from the highest of its vertices in each cell of a grid.
const CELLS = 64; // of the grid of heights, along a side

class Heights {
  /** @param {Values} positions @param {number[]} middle */
  constructor(positions, middle) {
    this.middle = middle;
    this.highest = new Float32Array(CELLS * CELLS).fill(-Infinity);
    for (let k = 0; k < positions.length; k += 3) {
      const cell = this.cell(positions[k], positions[k + 2]);
      this.highest[cell] = Math.max(this.highest[cell], positions[k + 1]);
    }
    for (let pass = 0; pass < 3; pass++) this.spread();
  }

  // Cells without a vertex are as high as those around them.
  spread() {
    const before = this.highest.slice();
    for (let cell = 0; cell < before.length; cell++) {
      if (before[cell] > -Infinity) continue;
      for (const next of [cell - 1, cell + 1, cell - CELLS, cell + CELLS])
        this.highest[cell] = Math.max(this.highest[cell], before[next] ?? -Infinity);
    }
  }

  /** @param {number} x @param {number} z */
  cell(x, z) {
    const [a, b, wide, long] = this.middle;
    const column = clamp(Math.floor((0.5 + (0.5 * (x - a)) / wide) * CELLS), 0, CELLS - 1);
    const row = clamp(Math.floor((0.5 + (0.5 * (z - b)) / long) * CELLS), 0, CELLS - 1);
    return row * CELLS + column;
  }

  // Even between the middles of cells, so that an eye above the ground moves smoothly.
  /** @param {number} x @param {number} z */
  at(x, z) {
    const [a, b, wide, long] = this.middle;
    const u = (0.5 + (0.5 * (x - a)) / wide) * CELLS - 0.5;
    const v = (0.5 + (0.5 * (z - b)) / long) * CELLS - 0.5;
    const [i, j] = [clamp(Math.floor(u), 0, CELLS - 2), clamp(Math.floor(v), 0, CELLS - 2)];
    const [s, t] = [clamp(u - i, 0, 1), clamp(v - j, 0, 1)];
    const first = j * CELLS + i;
    const upper = this.highest[first] * (1 - s) + this.highest[first + 1] * s;
    const lower = this.highest[first + CELLS] * (1 - s) + this.highest[first + CELLS + 1] * s;
    const height = upper * (1 - t) + lower * t;
    return Number.isFinite(height) ? height : -1e6;
  }
}
