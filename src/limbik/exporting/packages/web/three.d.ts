import type { Bone, Object3D, SkinnedMesh, Vector3 } from "three";
import type { Solution as TwoLinkSolution } from "./two_link.js";
import type { Solution as ThreeLinkSolution } from "./three_link.js";

type Triple = [number, number, number];

/** The bones of a SkinnedMesh, by name, from root to tip. */
export function bonesOf(mesh: SkinnedMesh, ...names: string[]): Bone[];

/** Brings the tip of two bones (root, middle, tip) to a target in the world. */
export function reach(
  bones: Object3D[],
  target: Vector3,
  options?: { pole?: Vector3; soften?: number; weight?: number },
): TwoLinkSolution;

/** Brings the tip of three bones (root, middle, ankle, tip) to a target, with the last bone along a direction. */
export function reachAlong(
  bones: Object3D[],
  target: Vector3,
  direction: Vector3,
  options?: { pole?: Vector3 },
): ThreeLinkSolution;

/** Turns a bone to look at a target in the world, upright and as little as possible. */
export function lookAt(
  bone: Object3D,
  target: Vector3,
  options?: { axis?: Triple; upAxis?: Triple; pole?: Triple; maxAngle?: number },
): void;
