import type { Bone, Matrix4, Object3D, Quaternion, Vector3 } from "three";
import type { Solution as ThreeLinkSolution } from "./three_link.js";
import type { Solution as TwoLinkSolution } from "./two_link.js";

type Triple = [number, number, number];
/** A bone, or its name. */
type BoneName = Object3D | string;
/** An object that carries its place, or a place in the world. */
type Target = Object3D | Vector3;

/** A bone in the space of a rig. */
export interface Joint {
  readonly object: Object3D;
  readonly position: Vector3;
  readonly rotation: Quaternion;
  readonly scale: number;
}

/**
 * A character and the components that pose its bones after the animation. Call `update` in each frame, after the mixer.
 */
export class Rig {
  /** @param root what carries the character: its bones are below it, and it is what your game moves */
  constructor(root: Object3D, options?: { report?: (message: string) => void });
  readonly root: Object3D;
  readonly components: Component[];
  /** From the rig's space to the world. */
  readonly matrix: Matrix4;
  /** Adds a component, and returns it. Components run in this order. */
  add<T extends Component>(component: T): T;
  /** Removes a component: its bones are the animation's again. */
  remove(component: Component): void;
  /** Poses the bones for this frame. seconds: since the last one; 0 while the game is paused. */
  update(seconds: number): void;
  /** Forgets what components remember of earlier frames: call it when a character respawns. */
  reset(): void;
}

/** What poses some bones of a rig. */
export class Component {
  constructor(options?: { weight?: number });
  /** 0: the animation, bit for bit; 1: the component; between them rotations are blended. */
  weight: number;
  enabled: boolean;
  readonly joints: Joint[];
  /** Forgets earlier frames. */
  reset(): void;
}

/** An arm or a leg of two bones that reaches for a target. */
export class TwoBoneLimb extends Component {
  /** @param bones root, middle and tip */
  constructor(
    bones: BoneName[],
    options?: { target?: Target | null; pole?: Target | null; soften?: number; rotationWeight?: number; weight?: number },
  );
  target: Target | null;
  /** The middle joint lies on its side; null: the bend of the animation is kept. */
  pole: Target | null;
  /** Fraction of the limb's length at which reaching begins to ease. */
  soften: number;
  /** How far the tip takes the target's rotation; 0: it keeps the animation's. */
  rotationWeight: number;
  /** What became of the last target: status, residual, joints in the rig's space. */
  readonly solution: TwoLinkSolution;
}

/** A leg of three bones: the tip reaches a target, and the foot, its last bone, points along a direction. */
export class ThreeBoneLeg extends Component {
  /** @param bones root, middle, ankle and tip */
  constructor(
    bones: BoneName[],
    options?: { target?: Target | null; direction?: Vector3 | null; pole?: Target | null; weight?: number },
  );
  target: Target | null;
  /** Of the foot, in the world; null: +z of the target. */
  direction: Vector3 | null;
  pole: Target | null;
  readonly solution: ThreeLinkSolution;
}

/** A spine, tail or tentacle of any number of bones, which reaches for a target along an arc. */
export class Chain extends Component {
  constructor(bones: BoneName[], options?: { target?: Target | null; pole?: Target | null; weight?: number });
  target: Target | null;
  pole: Target | null;
}

/** A tail, an ear, hair or a cape that follows the character's motion by springs, the same at any frame rate. */
export class SpringChain extends Component {
  constructor(bones: BoneName[], options?: { frequency?: number; damping?: number; maxAngle?: number; weight?: number });
  /** Of the springs, hertz. */
  frequency: number;
  /** Of critical. */
  damping: number;
  /** Largest turn of a bone, radians. */
  maxAngle: number;
}

/** A head, an eye or a turret that looks at a target, upright, by the shorter way and at a bounded rate. */
export class LookAt extends Component {
  constructor(
    bone: BoneName,
    options?: { target?: Target | null; axis?: Triple; upAxis?: Triple; maxAngle?: number; speed?: number; weight?: number },
  );
  target: Target | null;
  /** Direction in which the bone looks, and what stays up, in its own frame. */
  axis: Triple;
  upAxis: Triple;
  /** Largest turn from the animation, radians. */
  maxAngle: number;
  /** Of turning, radians a second. */
  speed: number;
}

/** What a ray has met. */
export class Hit {
  distance: number;
  point: Vector3;
  normal: Vector3;
  object: Object3D | null;
}

/** What can be asked for ground: a `Ground`, or a physics engine's rays. */
export interface Rays {
  /** Whether a ray meets something within a distance; what is below `ignored` is not seen. `hit` is filled in. */
  cast(origin: Vector3, direction: Vector3, far: number, hit: Hit, ignored?: Object3D | null): boolean;
  update?(): void;
}

/**
 * What characters stand on: meshes, which may move and turn. Skinned, instanced and batched meshes are left out, and whatever has
 * `userData.trigger`.
 */
export class Ground implements Rays {
  constructor(objects?: Object3D | Object3D[]);
  add(object: Object3D): void;
  remove(object: Object3D): void;
  update(): void;
  cast(origin: Vector3, direction: Vector3, far: number, hit: Hit, ignored?: Object3D | null): boolean;
}

export type Leg = BoneName[];

/** Keeps the feet of an animated character on the ground: on slopes, stairs and rubble, on moving ground, too. */
export class FootPlacement extends Component {
  /**
   * @param ground what the character walks on
   * @param options bones: without them a person's are found; legs: hip, knee, ankle and, if there are, toes of each; level: the
   *   height on which the animation stands, in the rig's space
   */
  constructor(ground: Rays, options?: { bones?: { hips: BoneName; legs: Leg[] } | null; level?: number; weight?: number });
  ground: Rays;
  level: number;
  /** Whether the character is on the ground, if your game knows; undefined: as its feet find. */
  grounded: boolean | undefined;
  /** Whether it is in the air: feet are free. */
  readonly airborne: boolean;
  /** Lengths and heights in leg lengths, times in seconds, angles in radians. */
  plantHeight: number;
  plantSpeed: number;
  releaseDistance: number;
  releaseAngle: number;
  reachUp: number;
  reachDown: number;
  maxAngle: number;
  maxDrop: number;
  airHeight: number;
  settleTime: number;
  pelvisTime: number;
  comfortableStretch: number;
  /** The feet: whether each stands, and where its ankle goes, in the world. */
  readonly feet: readonly { readonly planted: boolean; readonly goal: { position: Vector3; rotation: Quaternion } }[];
}

export type LimbName = "leftHand" | "rightHand" | "leftFoot" | "rightFoot";

/** Hands and feet at their targets at once: where a limb is too short, the pelvis follows; feet without a target stay. */
export class FullBody extends Component {
  constructor(options?: {
    bones?: ({ hips: BoneName } & Partial<Record<LimbName, BoneName[]>>) | null;
    targets?: Partial<Record<LimbName | "hips", Target | null>>;
    soften?: number;
    weight?: number;
  });
  targets: Partial<Record<LimbName | "hips", Target | null>>;
  soften: number;
  /** What became of a limb's last target. */
  solution(name: LimbName): TwoLinkSolution | undefined;
}

/** The bones of a person by VRM's names: hips, spine, head, leftUpperLeg … rightHand. */
export function humanoid(source: unknown): Record<string, Object3D | undefined>;

/** The module that `limbik export spider --to js` writes. */
export interface Walk {
  JOINTS: string[];
  TRANSLATIONS: number[][];
  GAITS: { name: string; speed: number }[];
  CRUISE: number;
}

/** A creature that walks over any meshes. */
export class Creature {
  constructor(root: Object3D, walk: Walk, ground: Rays);
  readonly cruise: number;
  readonly gaits: { name: string; speed: number }[];
  readonly bones: Bone[];
  /** Sets it on the ground at x and z of its root's space, facing yaw, radians from +z to +x. */
  begin(x?: number, z?: number, yaw?: number): void;
  /** Where to go from now on: m/s in its root's space, and radians a second; without a turn it faces where it goes. */
  go(x: number, z: number, turn?: number): void;
  /** Keeps a gait by its name; null: by its speed. */
  keepTo(gait: string | null): void;
  /** Moves on by some seconds. */
  update(seconds: number): void;
  readonly blocked: boolean;
  readonly contacts: boolean[];
  readonly place: number[];
}
