"""Two versions of a clip side by side: every foot, measured before and after it was put on a terrain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from limbik.arrays import Array
from limbik.rotations import inverse, logarithm, multiply, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.clip_editing import begins_with_stray_pose
from limbik.skeleton.foot import UP, Foot
from limbik.terrains.base import Terrain


@dataclass(frozen=True, eq=False)
class FootMotion:
    """One foot through a motion, in the world. A pointlike foot has its heel, ball and tip in one place."""

    ball: Array  # (frames, 3) position of the ball joint, in metres
    sole: Array  # (frames, 3, 3) positions of heel, ball and tip of the sole, in metres
    up: Array  # (frames, 3) unit vector from the sole away from the ground
    extension: Array  # (frames,) distance from hip to ankle as a fraction of the leg's length
    bend: Array  # (frames,) angle of the knee in radians; 0 is straight


@dataclass(frozen=True, eq=False)
class FootComparison:
    """One foot before, before on the terrain, and after; and the frames in which its ball and heel stand."""

    name: str  # name of the limb, such as "left_leg"
    pointlike: bool  # whether the foot is a point, without a heel
    before: FootMotion  # the foot in the original clip
    before_on_terrain: FootMotion  # the same, each frame raised by the terrain's height under the root
    after: FootMotion  # the foot in the new clip
    ball: Array  # (frames,) bool; where the ball stands
    heel: Array  # (frames,) bool; where the heel stands; never if pointlike
    joints: tuple[int, ...]  # indices of the joints of its leg and toes


@dataclass(frozen=True, eq=False)
class Comparison:
    """All feet of two versions of a clip. Arrays leave out a stray pose in front of the motion."""

    before: Clip  # the original clip
    after: Clip  # the new clip, of the same frames and joints
    terrain: Terrain  # the terrain that the new clip moves on
    feet: tuple[FootComparison, ...]  # one comparison for each foot
    skipped: int  # number of frames left out in front (0 or 1)
    rise: Array  # (frames,) height of the terrain under the original root, in metres
    pelvis_offset: Array  # (frames, 3) from the original root, raised by `rise`, to the new one, in metres
    accelerations: tuple[Array, Array]  # angular accelerations before and after, (frames − 2, joints) each, in rad/s²
    bone_change: float  # largest change of a bone's length in metres
    extension: float  # fraction of the leg's length beyond which a leg counts as out of reach
    tilt_limit: float  # slope in radians beyond which a sole need not follow the ground


def raised_to(terrain: Terrain, root: Array) -> Array:
    """Translations (frames, 3) that raise each frame by the terrain's height under its root (frames, 3)."""
    rise = terrain.height(root[:, [0, 2]])
    return np.stack([0.0 * rise, rise, 0.0 * rise], axis=-1)


def compare(
    before: Clip, after: Clip, terrain: Terrain, feet: Sequence[Foot], heels: Array, extension: float, tilt_limit: float
) -> Comparison:
    """Compares two versions of a clip on a terrain; balls stand in the contacts of `after`.

    heels: (frames, feet) bool, where heels stand. For the other arguments see `Comparison`.
    """
    skipped = int(begins_with_stray_pose(before))
    old_clip, new_clip = before[skipped:], after[skipped:]
    old, new = old_clip.world(), new_clip.world()
    root = before.skeleton.roots[0]
    up = raised_to(terrain, old[0][:, root])
    compared = []
    for k, foot in enumerate(feet):
        recorded = foot_motion(old_clip, foot, *old)
        raised = replace(recorded, ball=recorded.ball + up, sole=recorded.sole + up[:, None])
        stands = np.asarray(new_clip.contacts)[:, k], heels[skipped:, k] & (not foot.pointlike)
        joints = (*foot.limb.path(after.skeleton), *foot.limb.toes)
        moved = foot_motion(new_clip, foot, *new)
        compared.append(FootComparison(foot.limb.name, foot.pointlike, recorded, raised, moved, *stands, joints))
    changes = np.abs(bone_lengths(new_clip, new[0]) - bone_lengths(old_clip, old[0]))
    offset = new[0][:, root] - old[0][:, root] - up
    accelerations = angular_accelerations(old_clip), angular_accelerations(new_clip)
    measured = up[:, 1], offset, accelerations, float(changes.max(initial=0.0))
    return Comparison(before, after, terrain, tuple(compared), skipped, *measured, extension, tilt_limit)


def foot_motion(clip: Clip, foot: Foot, positions: Array, rotations: Array) -> FootMotion:
    """A foot through a clip. positions, rotations: of all joints in the world, (frames, joints, 3 or 4)."""
    sole = foot.sole_points(positions[:, foot.ankle], rotations[:, foot.ankle], clip.rotations[:, foot.ball])
    hip, knee, next_one = (positions[:, joint] for joint in foot.limb.joints[:3])
    return FootMotion(
        ball=positions[:, foot.ball],
        sole=np.broadcast_to(sole, (len(clip), 3, 3)),
        up=rotate(foot.orientation(rotations), UP),
        extension=np.linalg.norm(positions[:, foot.ankle] - hip, axis=-1) / foot.leg,
        bend=_angles(knee - hip, next_one - knee),
    )


def heights(points: Array, terrain: Terrain) -> Array:
    """Heights (...,) of points (..., 3) above the terrain in metres; negative below it."""
    return points[..., 1] - terrain.height(points[..., [0, 2]])


def standing_speeds(points: Array, stands: Array, fps: float) -> Array:
    """Speeds (frames,) of a point (frames, 3) since the frame before in m/s; NaN where it does not stand in both."""
    speeds = np.full(len(stands), np.nan)
    moves = np.linalg.norm(np.diff(points, axis=0), axis=-1) * fps
    speeds[1:] = np.where(stands[1:] & stands[:-1], moves, np.nan)
    return speeds


def tilts(motion: FootMotion, terrain: Terrain, limit: float) -> Array:
    """Angles (frames,) between sole and ground in radians.

    The normal of the ground is the mean under heel, ball and tip. Ground steeper than `limit`, in radians, counts as
    that steep.
    """
    normal = np.mean(terrain.normal(motion.sole[..., [0, 2]]), axis=1)
    lean = np.minimum(_angles(normal, UP), limit)
    level = normal / np.maximum(np.hypot(normal[:, 0], normal[:, 2]), 1e-12)[:, None]
    limited = np.stack([np.sin(lean) * level[:, 0], np.cos(lean), np.sin(lean) * level[:, 2]], axis=-1)
    return _angles(motion.up, limited)


def angular_accelerations(clip: Clip) -> Array:
    """Angular accelerations (frames − 2, joints) of the joints in their parents' frames, in rad/s²."""
    turning = logarithm(multiply(inverse(clip.rotations[:-1]), clip.rotations[1:])) * clip.fps
    return np.linalg.norm(np.diff(turning, axis=0), axis=-1) * clip.fps


def bone_lengths(clip: Clip, positions: Array) -> Array:
    """Distances (frames, bones) of joints from their parents in metres."""
    children = np.flatnonzero(clip.skeleton.parents >= 0)
    return np.linalg.norm(positions[:, children] - positions[:, clip.skeleton.parents[children]], axis=-1)


def _angles(a: Array, b: Array) -> Array:
    """Angles (...,) between vectors (..., 3) in radians; accurate for small angles too."""
    return np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1))
