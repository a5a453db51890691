"""Two versions of a clip side by side: every foot and leg, measured before and after it was put on a terrain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.referee.soles import BALL, HEEL, Sole, sole_of
from limbik.referee.stances import flight, stances, travel_speed, without_raised
from limbik.rotations import inverse, logarithm, multiply, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.clip_editing import begins_with_stray_pose
from limbik.skeleton.skeleton import RigLimb
from limbik.terrains.base import Terrain


@dataclass(frozen=True, eq=False)
class MeasuredFoot:
    """One foot and its leg through a motion, in the world. A pointlike foot has its whole sole in one place."""

    ball: Array  # (frames, 3) position of the ball joint, in metres
    sole: Array  # (frames, 4, 3) positions of back of the heel, heel, ball and tip of the sole, in metres
    up: Array  # (frames, 3) unit vector from the sole away from the ground
    heading: Array  # (frames, 3) direction of the toes
    extension: Array  # (frames,) distance from hip to ankle as a fraction of the leg's length
    knee: Array  # (frames,) flexion of the knee in radians; 0 is straight, negative where it bends the wrong way


@dataclass(frozen=True, eq=False)
class FootComparison:
    """One foot before, before on the terrain, and after; and the frames in which the referee finds it standing."""

    name: str  # name of the limb, such as "left_leg"
    pointlike: bool  # whether the foot is a point, without a heel
    leg: float  # length of the leg in metres
    before: MeasuredFoot  # the foot in the original clip
    before_on_terrain: MeasuredFoot  # that foot, each frame raised by the terrain's height under the hips
    after: MeasuredFoot  # the foot in the new clip
    stands: Array  # (frames, 4) bool; where back of the heel, heel, ball and tip stand in the original clip
    standing: Array  # (frames,) bool; where any of them does, or the foot must because nobody else stands
    claimed: Array  # (frames,) bool; where whoever made the new clip says that the foot stands
    joints: tuple[int, ...]  # indices of the joints of its leg and toes

    @property
    def ball(self) -> Array:
        """Where the ball stands, (frames,) bool."""
        return self.stands[:, BALL]

    @property
    def heel(self) -> Array:
        """Where the heel stands, (frames,) bool; never if pointlike."""
        return self.stands[:, HEEL] & (not self.pointlike)


@dataclass(frozen=True, eq=False)
class Comparison:
    """All feet of two versions of a clip. Arrays leave out a stray pose in front of the motion."""

    before: Clip  # the original clip
    after: Clip  # the new clip, of the same frames and joints
    terrain: Terrain  # the terrain that the new clip moves on
    feet: tuple[FootComparison, ...]  # one comparison for each foot
    skipped: int  # number of frames left out in front (0 or 1)
    flight: Array  # (frames,) bool; where the body of the original clip falls freely
    rise: Array  # (frames,) height of the terrain under the middle of the original hips, in metres
    pelvis_offset: Array  # (frames, 3) from there, raised by `rise`, to the middle of the new hips, in metres
    positions: tuple[Array, Array]  # of all joints before and after, (frames, joints, 3) each
    body: list[int]  # the joints without those above the pelvis, which are no part of it
    middles: tuple[Array, Array]  # of the hips before and after, (frames, 3) each
    bone_change: float  # largest change of a bone's length in metres


def ground_lifts(terrain: Terrain, places: Array) -> Array:
    """Translations (frames, 3) that raise each frame by the terrain's height under a place (frames, 3)."""
    rise = terrain.height(places[:, [0, 2]])
    return np.stack([0.0 * rise, rise, 0.0 * rise], axis=-1)


def compare(
    before: Clip,
    after: Clip,
    terrain: Terrain,
    limbs: Sequence[RigLimb],
    claimed: Array | None = None,
    at_rest: Clip | None = None,
) -> Comparison:
    """Compares two versions of a clip on a terrain, in stances that are found in `before`.

    limbs: the legs. claimed: (frames, feet) bool, where feet are said to stand (default: the contacts of `after`).
    at_rest: the figure standing on a floor at y = 0, from which its soles are measured (default: `before`).
    """
    skipped = int(begins_with_stray_pose(before))
    old_clip, new_clip = before[skipped:], after[skipped:]
    old, new = old_clip.world(), new_clip.world()
    if claimed is None:
        claimed = np.zeros((len(after), len(limbs)), bool) if after.contacts is None else after.contacts
    hips = [limb.joints[0] for limb in limbs]
    middles = [np.mean(positions[:, hips], axis=1) for positions in (old[0], new[0])]
    up = ground_lifts(terrain, middles[0])
    own, shown = (old_clip, old) if at_rest is None else (at_rest, at_rest.world())
    soles = [sole_of(own, limb, shown, travel_speed(shown[0], own.fps)) for limb in limbs]
    points = np.stack([sole.points(*old) for sole in soles], axis=1)
    stands, standing = stances(soles, points, old, before.fps)
    if at_rest is not None:
        stands, standing = without_raised(stands, standing, points, [sole.human for sole in soles])
    compared = []
    for k, sole in enumerate(soles):
        hinge = _hinge(sole, *old)
        recorded, moved = (_measure_foot(sole, hinge, *world) for world in (old, new))
        foot = FootComparison(
            name=sole.limb.name,
            pointlike=sole.pointlike,
            leg=sole.leg,
            before=recorded,
            before_on_terrain=replace(recorded, ball=recorded.ball + up, sole=recorded.sole + up[:, None]),
            after=moved,
            stands=stands[:, k],
            standing=standing[:, k],
            claimed=np.asarray(claimed)[skipped:, k],
            joints=(*sole.limb.path(after.skeleton), *sole.limb.toes[:1]),
        )
        compared.append(foot)
    changes = np.abs(bone_lengths(new_clip, new[0], limbs) - bone_lengths(old_clip, old[0], limbs))
    return Comparison(
        before,
        after,
        terrain,
        tuple(compared),
        skipped,
        flight=flight(soles, old[0], before.fps),
        rise=up[:, 1],
        pelvis_offset=middles[1] - middles[0] - up,
        positions=(old[0], new[0]),
        body=_body(before, hips),
        middles=(middles[0], middles[1]),
        bone_change=float(changes.max(initial=0.0)),
    )


def _body(clip: Clip, hips: Sequence[int]) -> list[int]:
    """The joints of the body: without those above that from which all hips hang, such as a root on the floor."""
    above = set.intersection(*(set(clip.skeleton.ancestors(hip)) for hip in hips))
    pelvis = max(above, key=lambda joint: len(clip.skeleton.ancestors(joint)), default=-1)
    return [joint for joint in range(len(clip.skeleton)) if joint == pelvis or joint not in above]


def _measure_foot(sole: Sole, hinge: Array, positions: Array, rotations: Array) -> MeasuredFoot:
    """A foot through a motion, from positions and rotations of all joints in the world, (frames, joints, 3 or 4)."""
    hip, knee, below = (positions[:, joint] for joint in sole.limb.joints[:3])
    thigh, shank = knee - hip, below - knee
    side = rotate(rotations[:, sole.limb.joints[0]], hinge)
    bend = np.cross(thigh, shank)
    sign = np.where(np.sum(bend * side, axis=-1) < 0.0, -1.0, 1.0)
    return MeasuredFoot(
        ball=positions[:, sole.ball],
        sole=sole.points(positions, rotations),
        up=rotate(rotations[:, sole.ankle], -sole.down),
        heading=rotate(rotations[:, sole.ankle], sole.forward),
        extension=np.linalg.norm(positions[:, sole.ankle] - hip, axis=-1) / sole.leg,
        knee=sign * angles_between(thigh, shank),
    )


def _hinge(sole: Sole, positions: Array, rotations: Array) -> Array:
    """The axis (3,) about which the knee usually bends, in the frame of the hip."""
    hip, knee, below = (positions[:, joint] for joint in sole.limb.joints[:3])
    own = rotate(inverse(rotations[:, sole.limb.joints[0]]), np.cross(knee - hip, below - knee))
    return np.sum(own, axis=0)


class Turning(NamedTuple):
    """How joints turn in their parents' frames, over thirtieths of a second."""

    accelerations: Array  # (frames, joints) rad/s²
    jerks: Array  # (frames, joints) rad/s³


def turning_of(clip: Clip) -> Turning:
    """The angular accelerations and jerks of a clip's joints."""
    step = max(round(clip.fps / 30.0), 1)
    rate = clip.fps / step
    velocities = logarithm(multiply(inverse(clip.rotations[:-step]), clip.rotations[step:])) * rate
    changes = velocities[step:] - velocities[:-step]
    faster = changes * rate
    jerks = np.linalg.norm(faster[step:] - faster[:-step], axis=-1) * rate
    return Turning(np.linalg.norm(changes, axis=-1) * rate, jerks)


def bone_lengths(clip: Clip, positions: Array, limbs: Sequence[RigLimb] = ()) -> Array:
    """Distances (frames, bones) of joints from their parents in metres; of a leg's foot, from the joint before it.

    Feet with IK controls are children of the rig's root, not of their shins.
    """
    above = clip.skeleton.parents.copy()
    for limb in limbs:
        if limb.joints[-2] not in clip.skeleton.ancestors(limb.joints[-1]):
            above[limb.joints[-1]] = limb.joints[-2]
    children = np.flatnonzero(above >= 0)
    return np.linalg.norm(positions[:, children] - positions[:, above[children]], axis=-1)


def angles_between(a: Array, b: Array) -> Array:
    """Angles (...,) between vectors (..., 3) in radians; accurate for small angles too."""
    return np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1))


def level_heading(direction: Array) -> Array:
    """Headings (...,) of directions (..., 3) seen from above, radians from +z towards +x."""
    return np.arctan2(direction[..., 0], direction[..., 2])
