import { Matrix4, Vector3 } from "three";
import { Hit } from "./ground.js";

const VOID = -1000; // metres: the height of the ground where there is none
const HEADROOM = 1; // of the creature's size: how far above its root ground counts
const DEPTH = 4; // likewise below

const from = new Vector3();
const down = new Vector3();
const hit = new Hit();

/**
 * A creature that walks over any meshes: the body that `limbik walk` saves, and the walk that `limbik export spider --to js` writes.
 *
 *     import * as spider from "./spider.mjs";
 *     const creature = new Creature(gltf.scene, spider, new Ground(terrain));
 *     creature.begin();
 *     // in each frame:
 *     creature.go(velocity.x, velocity.z);
 *     creature.update(seconds);
 *
 * It walks in the space of its root, whose parents may be moved, turned and scaled evenly.
 */
export class Creature {
  /**
   * @param root what contains the skinned mesh; metres
   * @param walk the module with the walk
   * @param ground a `Ground`, or anything with `cast(origin, direction, far, hit, ignored)`
   */
  constructor(root, walk, ground) {
    this.root = root;
    this.ground = ground;
    this.toWalk = new Matrix4();
    this.bones = bonesOf(root, walk.JOINTS);
    this.gaits = walk.GAITS;
    /** The usual speed, m/s. */
    this.cruise = walk.CRUISE;
    this.size = Math.max(...walk.TRANSLATIONS.map((place) => Math.hypot(...place))) * 4;
    const Walker = Object.values(walk).find((one) => typeof one === "function"); // named after the creature
    this.walker = new Walker((x, z) => this.height(x, z));
    this.velocity = { x: 0, z: 0, turn: NaN };
    this.begun = false;
  }

  /** Sets it on the ground at x and z of its root's space, facing yaw, radians from +z to +x. */
  begin(x = 0, z = 0, yaw = 0) {
    this.#locate();
    this.walker.begin(x, z, yaw);
    this.begun = true;
    this.#pose();
  }

  /**
   * Where to go from now on.
   * @param x, z velocity in its root's space, m/s
   * @param turn radians a second from +z to +x; left out: it faces where it goes, and keeps its heading while it stands
   */
  go(x, z, turn = x || z ? NaN : 0) {
    this.velocity.x = x;
    this.velocity.z = z;
    this.velocity.turn = turn;
  }

  /** Keeps a gait by its name; null: by its speed. */
  keepTo(gait) {
    const number = this.gaits.findIndex(({ name }) => name === gait);
    if (gait && number < 0) throw new Error(`no gait ${gait}; there are ${this.gaits.map(({ name }) => name).join(", ")}`);
    this.walker.keepTo(gait ? number : -1);
  }

  /** Moves on by some seconds. */
  update(seconds) {
    if (!this.begun) this.begin();
    if (!(seconds > 0)) return;
    this.#locate();
    this.walker.step(seconds, this.velocity.x, this.velocity.z, this.velocity.turn);
    this.#pose();
  }

  /** Whether it cannot go where it is sent. */
  get blocked() {
    return this.walker.blocked;
  }

  /** Of each foot, whether it is on the ground. */
  get contacts() {
    return this.walker.contacts;
  }

  /** Where it is, in its root's space: x, y and z. */
  get place() {
    return this.walker.place;
  }

  /** The height of the ground at x and z, in its root's space. */
  height(x, z) {
    const [, y] = this.walker.place;
    from.set(x, y + HEADROOM * this.size, z).applyMatrix4(this.root.matrixWorld);
    const far = (HEADROOM + DEPTH) * this.size * this.scale;
    if (!this.ground.cast(from, down, far, hit, this.root)) return VOID;
    return hit.point.applyMatrix4(this.toWalk).y;
  }

  #locate() {
    this.root.updateWorldMatrix(true, false);
    this.toWalk.copy(this.root.matrixWorld).invert();
    down.set(0, -1, 0).transformDirection(this.root.matrixWorld);
    this.scale = this.root.matrixWorld.getMaxScaleOnAxis();
    this.ground.update?.();
  }

  #pose() {
    const { walker, bones } = this;
    walker.pose();
    bones[0].position.fromArray(walker.place);
    for (let k = 0; k < bones.length; k++) bones[k].quaternion.fromArray(walker.rotations, 4 * k);
  }
}

// The bones of the joints; loaders number names that come twice.
function bonesOf(root, names) {
  const bones = [];
  root.traverse((object) => object.isBone && bones.push(object));
  return names.map((name) => {
    const plain = name.replace(/[\s[\].:/]/g, "");
    const bone = bones.find((one) => one.name === plain) ?? bones.find((one) => one.name.replace(/_\d+$/, "") === plain);
    if (!bone) throw new Error(`Creature: no bone named ${name}; take the body that limbik walk saves for this creature`);
    return bone;
  });
}
