/**
 * Poses bones of three.js with limbik's solvers. A solver's links have their own axes (+z along the link), a rig's bones
 * have others: each bone keeps its rotation relative to its link. The links are solved twice, once for the pose that the
 * bones are in, once for the goal, and each bone is turned by the difference.
 */
import { Quaternion, Vector3 } from "three";
import * as aim from "./aim.js";
import * as threeLink from "./three_link.js";
import * as twoLink from "./two_link.js";

const INVALID = 4;

/** The bones of a SkinnedMesh, by name, from root to tip. */
export function bonesOf(mesh, ...names) {
  return names.map((name) => {
    const bone = mesh.skeleton.getBoneByName(name);
    if (!bone) throw new Error(`no bone named ${name}; there are ${mesh.skeleton.bones.map((one) => one.name).join(", ")}`);
    return bone;
  });
}

/**
 * Brings the tip of two bones to a target in the world; the tip keeps its rotation in the world.
 * @param bones root, middle, tip
 * @param options pole: direction on whose side the middle joint lies (default: the bend is kept); soften: fraction of the
 *   limb's length at which reaching begins to ease (1: off); weight: 0 leaves the pose as it is
 */
export function reach([root, middle, tip], target, { pole, soften = 1, weight = 1 } = {}) {
  const [origin, knee, end] = places([root, middle, tip]);
  const lengths = [origin.distanceTo(knee), knee.distanceTo(end)];
  const bend = knee.clone().addScaledVector(origin, -0.5).addScaledVector(end, -0.5);
  const side = (pole ?? bend).toArray();
  const solve = (goal, toward, ease) => twoLink.solve(...lengths, goal.toArray(), toward, origin.toArray(), ease, 1);
  let now = solve(end, bend.toArray(), 1);
  if (now.singular) now = solve(end, side, 1);
  const then = solve(end.clone().lerp(target, weight), side, soften);
  if (then.status === INVALID) return then;
  const kept = worldRotation(tip);
  turn([root, middle], [now.firstRotation, now.secondRotation], [then.firstRotation, then.secondRotation]);
  setWorldRotation(tip, kept);
  return then;
}

/**
 * Brings the tip of three bones to a target in the world, with the last bone along a direction.
 * @param bones root, middle, ankle, tip
 * @param direction of the last bone, from ankle to tip
 * @param options pole: direction on whose side the middle joint lies (default: the bend is kept)
 */
export function reachAlong([root, middle, ankle, tip], target, direction, { pole } = {}) {
  const [origin, knee, heel, end] = places([root, middle, ankle, tip]);
  const lengths = [origin.distanceTo(knee), knee.distanceTo(heel), heel.distanceTo(end)];
  const bend = knee.clone().addScaledVector(origin, -0.5).addScaledVector(heel, -0.5);
  const side = (pole ?? bend).toArray();
  const solve = (goal, up, hint) => threeLink.solve(...lengths, goal.toArray(), up.toArray(), origin.toArray(), hint, 1);
  const foot = end.clone().sub(heel);
  let now = solve(end, foot, bend.toArray());
  if (now.singular) now = solve(end, foot, side);
  const then = solve(target, direction, side);
  if (then.status === INVALID) return then;
  const rotations = (s) => [s.firstRotation, s.secondRotation, s.lastRotation];
  turn([root, middle, ankle], rotations(now), rotations(then));
  return then;
}

/**
 * Turns a bone to look at a target in the world, upright and as little as possible.
 * @param options axis: direction in which the bone looks, in its own frame (+z); upAxis: what stays up (+y); pole: up in
 *   the world (+y); maxAngle: largest turn, radians (π)
 */
export function lookAt(bone, target, { axis = [0, 0, 1], upAxis = [0, 1, 0], pole = [0, 1, 0], maxAngle = Math.PI } = {}) {
  const [position] = places([bone]);
  const rotation = worldRotation(bone).toArray();
  const looking = aim.look(rotation, position.toArray(), target.toArray(), axis, upAxis, pole, maxAngle);
  setWorldRotation(bone, new Quaternion(...looking.rotation));
}

// World matrices are updated once, at the root; getWorldPosition and getWorldQuaternion would do so in each call.
function places(bones) {
  bones[0].updateWorldMatrix(true, true);
  return bones.map((bone) => new Vector3().setFromMatrixPosition(bone.matrixWorld));
}

const unused = new Vector3();

function worldRotation(bone) {
  const rotation = new Quaternion();
  bone.matrixWorld.decompose(unused, rotation, unused);
  return rotation;
}

function setWorldRotation(bone, rotation) {
  const parent = bone.parent ? worldRotation(bone.parent).invert() : new Quaternion();
  bone.quaternion.copy(parent.multiply(rotation));
  bone.updateWorldMatrix(false, true);
}

function turn(bones, before, after) {
  const rotations = bones.map(worldRotation);
  bones.forEach((bone, k) => {
    const change = new Quaternion(...after[k]).multiply(new Quaternion(...before[k]).invert());
    setWorldRotation(bone, change.multiply(rotations[k]));
  });
}
