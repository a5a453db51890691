import { Matrix4, Quaternion, Vector3 } from "three";

const UNEVEN = 1e-3; // how much scales along two axes may differ, as a fraction, and still count as one scale
const JUMP = 0.15; // a sudden move of the root by this fraction of the figure's size ...
const JUMP_SPEED = 5; // ... and this many sizes a second is a teleport
const STAIR = 0.4; // sudden moves up and down count less: characters are put on stairs
const TURN = 1; // likewise of a turn: radians
const TURN_SPEED = 20; // radians a second

/** A bone (or what bones hang from) in the rig's space, in which the root of the rig is the origin. */
class Joint {
  constructor(object, parent, index) {
    this.object = object;
    this.parent = parent;
    this.index = index;
    this.end = index + 1; // of its descendants in the rig's list of joints
    this.position = new Vector3();
    this.rotation = new Quaternion();
    this.scale = 1;
    this.even = true;
    this.users = 0; // components that write to it
    this.animated = { position: new Vector3(), quaternion: new Quaternion() };
    this.written = { position: new Vector3(NaN), quaternion: new Quaternion(NaN) };
  }

  // What nobody has written since the last frame is still what we wrote: there the animated pose comes back.
  restore() {
    const { object, animated, written } = this;
    if (object.position.equals(written.position)) object.position.copy(animated.position);
    else animated.position.copy(object.position);
    if (object.quaternion.equals(written.quaternion)) object.quaternion.copy(animated.quaternion);
    else animated.quaternion.copy(object.quaternion);
  }

  remember() {
    this.written.position.copy(this.object.position);
    this.written.quaternion.copy(this.object.quaternion);
  }

  refresh() {
    const { object, parent } = this;
    const { x, y, z } = object.scale;
    const size = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
    const even = x > 0 && Math.abs(x - y) <= UNEVEN * size && Math.abs(x - z) <= UNEVEN * size;
    this.position.copy(object.position);
    this.rotation.copy(object.quaternion).normalize();
    this.scale = x;
    this.even = even;
    if (!parent) return;
    this.position.multiplyScalar(parent.scale).applyQuaternion(parent.rotation).add(parent.position);
    this.rotation.premultiply(parent.rotation);
    this.scale *= parent.scale;
    this.even &&= parent.even;
  }
}

const inverse = new Quaternion();
const moved = new Vector3();
const turned = new Quaternion();
const unused = new Vector3();

/**
 * A character and the components that pose its bones after the animation. Call `update` in each frame, after the mixer:
 *
 *     mixer.update(seconds);
 *     rig.update(seconds);
 */
export class Rig {
  /**
   * @param root what carries the character: its bones are below it, and it is what your game moves
   * @param options report: a function of messages about what is missing or wrong, each of which comes once
   */
  constructor(root, { report = (message) => console.warn(message) } = {}) {
    if (!root?.isObject3D) throw new Error("Rig takes the Object3D that carries a character, such as gltf.scene");
    this.root = root;
    this.report = report;
    this.components = [];
    this.joints = [];
    this.reported = new Set();
    this.byObject = new Map();
    for (const child of root.children) this.#collect(child, null);
    if (!this.joints.length) throw new Error("Rig: there are no bones below this object; pass what contains mesh and bones");
    this.used = [];
    /** From the rig's space to the world, and back. */
    this.matrix = new Matrix4();
    this.toRig = new Matrix4();
    this.place = new Vector3();
    this.rotation = new Quaternion();
    this.scale = 1;
    this.even = true;
    this.velocity = new Vector3();
    this.spin = new Quaternion();
    this.beforePlace = new Vector3();
    this.beforeRotation = new Quaternion();
    this.fresh = true;
    this.locate();
    this.refreshAll();
    this.size = Math.max(...this.joints.map((joint) => joint.position.length())) || 1;
  }

  #collect(object, parent) {
    if (!object.children.length && (object.isMesh || object.isLight || object.isCamera)) return;
    const joint = new Joint(object, parent, this.joints.length);
    this.joints.push(joint);
    this.byObject.set(object, joint);
    for (const child of object.children) this.#collect(child, joint);
    joint.end = this.joints.length;
  }

  /** Adds a component, and returns it. Components run in this order. */
  add(component) {
    component.attach(this);
    this.components.push(component);
    this.#count(component, 1);
    return component;
  }

  /** Removes a component: its bones are the animation's again. */
  remove(component) {
    const place = this.components.indexOf(component);
    if (place < 0) return;
    this.components.splice(place, 1);
    for (const joint of component.joints) joint.restore();
    this.#count(component, -1);
  }

  #count(component, by) {
    for (const joint of component.joints) joint.users += by;
    this.used = this.joints.filter((joint) => joint.users > 0);
  }

  /** Poses the bones for this frame. seconds: since the last one; 0 while the game is paused. */
  update(seconds) {
    this.locate();
    const jumped = this.#jumped(seconds);
    for (let k = 0; k < this.used.length; k++) this.used[k].restore();
    this.refreshAll();
    for (let k = 0; k < this.components.length; k++) {
      if (jumped) this.components[k].teleported();
      this.components[k].run(seconds);
    }
    for (let k = 0; k < this.used.length; k++) this.used[k].remember();
  }

  /** Forgets what components remember of earlier frames: call it when a character respawns. */
  reset() {
    this.fresh = true;
    for (const component of this.components) component.reset();
  }

  // Where the root is in the world.
  locate() {
    this.root.updateWorldMatrix(true, false);
    this.matrix.copy(this.root.matrixWorld);
    this.toRig.copy(this.matrix).invert();
    this.matrix.decompose(this.place, this.rotation, unused);
    const size = Math.max(unused.x, unused.y, unused.z);
    this.scale = unused.y;
    this.even = unused.x > 0 && Math.abs(unused.x - unused.y) < UNEVEN * size && Math.abs(unused.z - unused.y) < UNEVEN * size;
  }

  // Whether the root has gone where its motion does not lead: a teleport.
  #jumped(seconds) {
    let jumped = false;
    if (!this.fresh && seconds > 0) {
      const size = this.size * this.scale;
      moved.subVectors(this.place, this.beforePlace);
      unused.copy(moved).addScaledVector(this.velocity, -seconds);
      unused.y *= STAIR;
      const off = unused.length();
      turned.copy(this.beforeRotation).invert().premultiply(this.rotation);
      const angle = turned.angleTo(this.spin);
      jumped = (off > JUMP * size && off > JUMP_SPEED * size * seconds) || (angle > TURN && angle > TURN_SPEED * seconds);
      if (!jumped) {
        this.velocity.copy(moved).divideScalar(seconds);
        this.spin.copy(turned);
      }
    }
    if (jumped || this.fresh) {
      this.velocity.set(0, 0, 0);
      this.spin.identity();
    }
    if (jumped || this.fresh || seconds > 0) {
      this.beforePlace.copy(this.place);
      this.beforeRotation.copy(this.rotation);
    }
    this.fresh = false;
    return jumped;
  }

  /** The joint of a bone, or of its name. */
  joint(bone) {
    const object = typeof bone === "string" ? this.root.getObjectByName(bone) : bone;
    return this.byObject.get(object) ?? null;
  }

  refreshAll() {
    for (let k = 0; k < this.joints.length; k++) this.joints[k].refresh();
  }

  refresh(joint) {
    for (let k = joint.index; k < joint.end; k++) this.joints[k].refresh();
  }

  /** Turns a joint to a rotation in the rig's space. */
  turn(joint, rotation) {
    const { object, parent } = joint;
    object.quaternion.copy(rotation);
    if (parent) object.quaternion.premultiply(inverse.copy(parent.rotation).invert());
    this.refresh(joint);
  }

  /** Moves a joint to a place in the rig's space. */
  move(joint, place) {
    const { object, parent } = joint;
    object.position.copy(place);
    if (parent) {
      object.position.sub(parent.position).applyQuaternion(inverse.copy(parent.rotation).invert());
      object.position.divideScalar(parent.scale);
    }
    this.refresh(joint);
  }

  /** A target in the rig's space: of an Object3D, or of a Vector3 in the world. */
  locally(target, into) {
    if (target.isObject3D) {
      target.updateWorldMatrix(true, false);
      into.setFromMatrixPosition(target.matrixWorld);
    } else into.copy(target);
    return into.applyMatrix4(this.toRig);
  }

  /** Reports a message, once. */
  say(message) {
    if (this.reported.has(message)) return;
    this.reported.add(message);
    this.report(message);
  }
}
