import { Vector3 } from "three";
import { Hit } from "./ground.js";

const DOWN = new Vector3(0, -1, 0);
const STEEP = 0.5; // the cosine of a slope from which on the ground is a wall, and its normal says nothing about feet
const SAME_GROUND = 0.15; // of the sole's length: how far the ground under a part of it may be from the plane of another

const from = new Vector3();
const across = new Vector3();

/** The plane on which a sole rests, found by rays through heel, ball and tip. */
export class Footing {
  constructor() {
    this.hits = [new Hit(), new Hit(), new Hit()];
    this.ahead = new Hit();
    this.met = [false, false, false];
    this.normal = new Vector3(0, 1, 0);
    this.height = 0; // of the plane at x, z
    this.x = 0;
    this.z = 0;
    this.top = -Infinity; // the highest ground that was met
    this.object = null;
    this.found = false;
  }

  copy(other) {
    this.normal.copy(other.normal);
    this.height = other.height;
    this.x = other.x;
    this.z = other.z;
    this.object = other.object;
    this.found = other.found;
    return this;
  }

  /** The plane's height at a place. */
  heightAt(x, z) {
    const { normal } = this;
    return this.height - (normal.x * (x - this.x) + normal.z * (z - this.z)) / normal.y;
  }

  /**
   * Looks for ground under a sole.
   * @param ground what is asked; ignored: the character
   * @param points heel, ball and tip in the world; x, z: where the foot is
   * @param top, bottom heights between which ground counts; maxAngle: largest tilt of a foot, radians
   */
  look(ground, ignored, points, x, z, top, bottom, maxAngle) {
    let best = -1;
    for (let k = 0; k < 3; k++) {
      from.set(points[k].x, top, points[k].z);
      this.met[k] = ground.cast(from, DOWN, top - bottom, this.hits[k], ignored);
      if (!this.met[k]) continue;
      if (this.hits[k].normal.y < STEEP) this.hits[k].normal.set(0, 1, 0);
      if (best < 0 || this.hits[k].point.y > this.hits[best].point.y) best = k;
    }
    this.found = best >= 0;
    this.top = this.found ? this.hits[best].point.y : -Infinity;
    this.x = x;
    this.z = z;
    if (!this.found) return;
    this.object = this.hits[best].object;
    this.#fit(this.hits[best], points[0].distanceTo(points[2]));
    this.#limit(maxAngle);
    this.height = -Infinity;
    for (let k = 0; k < 3; k++) {
      if (!this.met[k]) continue;
      const { point } = this.hits[k];
      this.height = Math.max(this.height, point.y + (this.normal.x * (point.x - x) + this.normal.z * (point.z - z)) / this.normal.y);
    }
  }

  /** Rises to ground ahead that is higher than the plane leads to: a step. */
  riseTo(ground, ignored, x, z, top, bottom) {
    from.set(x, top, z);
    if (!ground.cast(from, DOWN, top - bottom, this.ahead, ignored)) return;
    this.height += Math.max(0, this.ahead.point.y - this.heightAt(x, z));
  }

  // The normal of what belongs to one piece of ground: beyond the edge of a stair there is nothing to stand on.
  #fit(highest, length) {
    const { normal } = this;
    normal.set(0, 0, 0);
    let first = null;
    let last = null;
    for (let k = 0; k < 3; k++) {
      if (!this.met[k]) continue;
      const { point, normal: own } = this.hits[k];
      across.subVectors(point, highest.point);
      const off = Math.min(Math.abs(across.dot(highest.normal)), Math.abs(across.dot(own)));
      if (off > SAME_GROUND * length) continue;
      normal.add(own);
      first ??= point;
      last = point;
    }
    normal.normalize();
    across.subVectors(last, first);
    if (across.lengthSq() > 0.01 * length * length) {
      across.normalize();
      normal.addScaledVector(across, -normal.dot(across)).normalize();
    }
  }

  #limit(maxAngle) {
    const { normal } = this;
    const level = Math.sqrt(normal.x ** 2 + normal.z ** 2);
    if (Math.atan2(level, normal.y) <= maxAngle) return;
    const scale = Math.sin(maxAngle) / level;
    normal.set(normal.x * scale, Math.cos(maxAngle), normal.z * scale);
  }
}
