import { Matrix4, Vector3 } from "three";

const LEAF = 4; // triangles
const DEPTH = 64;

/** What a ray has met. */
export class Hit {
  constructor() {
    this.distance = 0;
    this.point = new Vector3();
    this.normal = new Vector3();
    this.object = null;
  }
}

/** The triangles of a mesh in a tree of boxes, in the mesh's own space. */
class Body {
  constructor(mesh) {
    this.mesh = mesh;
    this.inverse = new Matrix4();
    this.world = new Matrix4();
    const { position } = mesh.geometry.attributes;
    const index = mesh.geometry.index;
    const count = Math.floor((index ? index.count : position.count) / 3);
    this.corners = new Float64Array(9 * count);
    for (let k = 0; k < 3 * count; k++) {
      const vertex = index ? index.getX(k) : k;
      this.corners[3 * k] = position.getX(vertex);
      this.corners[3 * k + 1] = position.getY(vertex);
      this.corners[3 * k + 2] = position.getZ(vertex);
    }
    this.order = Int32Array.from({ length: count }, (_, k) => k);
    this.boxes = [];
    this.links = []; // of each box: its first triangle and their number, or minus the second child's number and 0
    if (count) this.#split(0, count);
    this.boxes = Float64Array.from(this.boxes);
    this.links = Int32Array.from(this.links);
    this.stack = new Int32Array(DEPTH);
    this.update();
  }

  #split(first, end) {
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    const middles = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let k = first; k < end; k++) {
      for (let axis = 0; axis < 3; axis++) {
        const [a, b, c] = [0, 3, 6].map((corner) => this.corners[9 * this.order[k] + corner + axis]);
        box[axis] = Math.min(box[axis], a, b, c);
        box[axis + 3] = Math.max(box[axis + 3], a, b, c);
        middles[axis] = Math.min(middles[axis], a + b + c);
        middles[axis + 3] = Math.max(middles[axis + 3], a + b + c);
      }
    }
    const number = this.links.length / 2;
    this.boxes.push(...box);
    this.links.push(first, end - first);
    const sizes = [0, 1, 2].map((axis) => middles[axis + 3] - middles[axis]);
    const axis = sizes.indexOf(Math.max(...sizes));
    if (end - first <= LEAF || !(sizes[axis] > 0)) return number;
    const middleOf = (k) => this.corners[9 * k + axis] + this.corners[9 * k + axis + 3] + this.corners[9 * k + axis + 6];
    this.order.subarray(first, end).sort((a, b) => middleOf(a) - middleOf(b));
    const half = (first + end) >> 1;
    this.#split(first, half);
    this.links[2 * number] = -this.#split(half, end);
    this.links[2 * number + 1] = 0;
    return number;
  }

  update() {
    this.mesh.updateWorldMatrix(true, false);
    if (this.world.equals(this.mesh.matrixWorld)) return;
    this.world.copy(this.mesh.matrixWorld);
    this.inverse.copy(this.world).invert();
  }

  // The distance, as a multiple of the direction, at which a ray in the mesh's space first meets it, and the triangle.
  meet(origin, direction, far) {
    const { boxes, links, order, stack } = this;
    let best = far;
    this.triangle = -1;
    let waiting = 0;
    if (links.length) stack[waiting++] = 0;
    while (waiting) {
      const box = stack[--waiting];
      if (!crosses(boxes, 6 * box, origin, direction, best)) continue;
      const first = links[2 * box];
      const count = links[2 * box + 1];
      if (!count) {
        stack[waiting++] = -first;
        stack[waiting++] = box + 1;
        continue;
      }
      for (let k = first; k < first + count; k++) {
        const distance = this.#meetTriangle(9 * order[k], origin, direction);
        if (distance >= 0 && distance <= best) {
          best = distance;
          this.triangle = order[k];
        }
      }
    }
    return best;
  }

  #meetTriangle(at, origin, direction) {
    const p = this.corners;
    const ux = p[at + 3] - p[at], uy = p[at + 4] - p[at + 1], uz = p[at + 5] - p[at + 2];
    const vx = p[at + 6] - p[at], vy = p[at + 7] - p[at + 1], vz = p[at + 8] - p[at + 2];
    const { x, y, z } = direction;
    const hx = y * vz - z * vy, hy = z * vx - x * vz, hz = x * vy - y * vx;
    const volume = ux * hx + uy * hy + uz * hz;
    if (volume === 0) return -1;
    const ox = origin.x - p[at], oy = origin.y - p[at + 1], oz = origin.z - p[at + 2];
    const s = (ox * hx + oy * hy + oz * hz) / volume;
    const qx = oy * uz - oz * uy, qy = oz * ux - ox * uz, qz = ox * uy - oy * ux;
    const t = (x * qx + y * qy + z * qz) / volume;
    const slack = 1e-9;
    return s < -slack || t < -slack || s + t > 1 + slack ? -1 : (vx * qx + vy * qy + vz * qz) / volume;
  }

  normal(into) {
    const p = this.corners;
    const at = 9 * this.triangle;
    edge.set(p[at + 3] - p[at], p[at + 4] - p[at + 1], p[at + 5] - p[at + 2]);
    into.set(p[at + 6] - p[at], p[at + 7] - p[at + 1], p[at + 8] - p[at + 2]);
    edge.transformDirection(this.world);
    into.transformDirection(this.world);
    return into.crossVectors(edge, into).normalize();
  }
}

const edge = new Vector3();
const from = new Vector3();
const tip = new Vector3();

function crosses(boxes, at, origin, direction, far) {
  let near = 0;
  for (let axis = 0; axis < 3; axis++) {
    const start = axis === 0 ? origin.x : axis === 1 ? origin.y : origin.z;
    const way = axis === 0 ? direction.x : axis === 1 ? direction.y : direction.z;
    if (way === 0) {
      if (start < boxes[at + axis] || start > boxes[at + axis + 3]) return false;
      continue;
    }
    const a = (boxes[at + axis] - start) / way;
    const b = (boxes[at + axis + 3] - start) / way;
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  return near <= far * (1 + 1e-12) + 1e-12;
}

/**
 * What characters stand on: meshes, which may move and turn. Skinned meshes, such as the characters themselves, are left out, and
 * whatever has `userData.trigger`. A physics engine's rays can take its place: any object with `cast`.
 */
export class Ground {
  /** @param objects meshes, or what contains them */
  constructor(objects = []) {
    this.bodies = [];
    for (const object of [objects].flat()) this.add(object);
  }

  /** Adds the meshes of an object. Call `remove` and `add` again where a geometry changes. */
  add(object) {
    object.traverse((one) => {
      if (!one.isMesh || one.isSkinnedMesh || one.isInstancedMesh || one.isBatchedMesh || triggered(one, object)) return;
      if (one.geometry.attributes.position) this.bodies.push(new Body(one));
    });
  }

  /** Removes the meshes of an object. */
  remove(object) {
    const gone = new Set();
    object.traverse((one) => gone.add(one));
    this.bodies = this.bodies.filter((body) => !gone.has(body.mesh));
  }

  /** Reads where its meshes are now. Rigs call it in each frame. */
  update() {
    for (let k = 0; k < this.bodies.length; k++) this.bodies[k].update();
  }

  /**
   * Whether a ray meets something, and what.
   * @param origin, direction in the world; the direction has length 1
   * @param far how far to look
   * @param hit is filled in
   * @param ignored what is below this object is not seen: a character's own parts
   */
  cast(origin, direction, far, hit, ignored = null) {
    let best = far;
    let met = null;
    for (let k = 0; k < this.bodies.length; k++) {
      const body = this.bodies[k];
      if (!body.mesh.visible || (ignored && isBelow(body.mesh, ignored))) continue;
      from.copy(origin).applyMatrix4(body.inverse);
      tip.addVectors(origin, direction).applyMatrix4(body.inverse).sub(from);
      const distance = body.meet(from, tip, best);
      if (body.triangle < 0) continue;
      best = distance;
      met = body;
      body.normal(hit.normal);
    }
    if (!met) return false;
    if (hit.normal.dot(direction) > 0) hit.normal.negate();
    hit.distance = best;
    hit.point.copy(origin).addScaledVector(direction, best);
    hit.object = met.mesh;
    return true;
  }
}

function triggered(object, root) {
  for (let one = object; one; one = one === root ? null : one.parent) if (one.userData.trigger) return true;
  return false;
}

function isBelow(object, root) {
  for (let one = object; one; one = one.parent) if (one === root) return true;
  return false;
}
