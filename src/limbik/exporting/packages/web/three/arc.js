const STEPS = 200; // more than bisection needs

/**
 * A chain of any number of links along a circular arc, from the length of its chord: links and chord are the sides of a
 * polygon inscribed in a circle. It is unique and convex, so that all joints bend one way.
 */
export class Arc {
  constructor(links) {
    this.ratios = new Float64Array(links);
    this.along = new Float64Array(links); // of each link's far end along the chord ...
    this.aside = new Float64Array(links); // ... and beside it, in length units
    this.parts = new Float64Array(links);
  }

  /** Fills `along` and `aside`. lengths: of the links; chord: the distance asked for. Returns the distance found. */
  solve(lengths, chord) {
    const { ratios, along, aside, parts } = this;
    const count = lengths.length;
    let longest = 0;
    for (let k = 0; k < count; k++) longest = Math.max(longest, lengths[k]);
    let total = 0;
    for (let k = 0; k < count; k++) total += ratios[k] = lengths[k] / longest;
    const wanted = Math.min(Math.max(chord / longest, 2 - total, 0), total);
    const q = this.find(wanted, total);
    const x = 1 - q;
    const y = q * (2 - q);
    const sine = Math.sqrt(y);
    let p = 1;
    let length = 0;
    let isLongest = true; // the first of the longest links is seen under the angle itself
    for (let k = 0; k < count; k++) {
      const cosine = this.cosine(ratios[k], x, isLongest);
      if (ratios[k] >= 1) isLongest = false;
      const next = p * cosine - y * ratios[k] * length;
      length = length * cosine + p * ratios[k];
      p = next;
      parts[k] = p;
      along[k] = length;
    }
    for (let k = 0; k < count; k++) {
      const near = along[k];
      aside[k] = longest * near * ((length * parts[k] - p * near) * sine);
      along[k] = longest * near * (p * parts[k] + y * length * near);
    }
    return length * longest;
  }

  // The cosine of the inscribed angle of a link: of the longest it is negative where it is seen under more than a right angle.
  cosine(ratio, x, isLongest) {
    return ratio >= 1 && isLongest ? x : Math.sqrt((1 - ratio) * (1 + ratio) + ratio * x * (ratio * x));
  }

  // The chord for q = 1 - cos ψ, ψ the inscribed angle of the longest link.
  chord(q) {
    const { ratios } = this;
    const x = 1 - q;
    const y = q * (2 - q);
    let p = 1;
    let length = 0;
    let isLongest = true;
    for (let k = 0; k < ratios.length; k++) {
      const ratio = ratios[k];
      const cosine = this.cosine(ratio, x, isLongest);
      if (ratio >= 1) isLongest = false;
      const next = p * cosine - y * ratio * length;
      length = length * cosine + p * ratio;
      p = next;
    }
    return length;
  }

  // The root of a function that decreases with q: false position (Illinois), which keeps the root between its ends.
  find(wanted, total) {
    let low = 0;
    let above = total - wanted;
    if (above <= 0) return 0;
    let high = 2;
    let below = this.chord(2) - wanted;
    if (below >= 0) return 2;
    let q = 0;
    let side = 0;
    for (let step = 0; step < STEPS && high - low > 4e-16 * high; step++) {
      q = step % 3 === 2 ? 0.5 * (low + high) : (low * below - high * above) / (below - above);
      const excess = this.chord(q) - wanted;
      if (excess === 0) return q;
      if (excess > 0) {
        low = q;
        above = excess;
        if (side > 0) below *= 0.5;
        side = 1;
      } else {
        high = q;
        below = excess;
        if (side < 0) above *= 0.5;
        side = -1;
      }
    }
    return Math.abs(this.chord(low) - wanted) < Math.abs(this.chord(high) - wanted) ? low : high;
  }
}
