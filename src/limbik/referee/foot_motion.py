"""Measures of feet that move over a terrain, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array
from limbik.rotations import inverse, logarithm, multiply, rotate
from limbik.skeleton.clip import Clip
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
