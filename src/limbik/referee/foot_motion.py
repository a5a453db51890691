"""What can be measured of feet in motion over a terrain, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array
from limbik.rotations import inverse, logarithm, multiply, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import UP, Foot
from limbik.terrains.base import Terrain


@dataclass(frozen=True)
class FootMotion:
    """One foot through a motion. A foot that is a point has its heel, ball and tip in one place.

    ball: (frames, 3), the joint. sole: (frames, 3, 3), heel, ball and tip of the sole. up: (frames, 3), the direction
    in which the sole faces away from the ground. extension: (frames,), from hip to ankle, as a fraction of the leg.
    bend: (frames,), the knee's, radians; 0 is straight. Lengths are metres, in the world.
    """

    ball: Array
    sole: Array
    up: Array
    extension: Array
    bend: Array


def foot_motion(clip: Clip, foot: Foot, positions: Array, rotations: Array) -> FootMotion:
    """A foot through a clip. positions, rotations: of all its joints in the world, (frames, joints, 3 or 4)."""
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
    """How high points (..., 3) are over the ground, (...,) in metres; below zero under it."""
    return points[..., 1] - terrain.height(points[..., [0, 2]])


def tilts(motion: FootMotion, terrain: Terrain, limit: float) -> Array:
    """By how much the sole is off the ground's slope in each frame, (frames,) in radians.

    The ground's normal is the mean under heel, ball and tip. Where it leans by more than `limit`, radians, the foot is
    to lean by that much.
    """
    normal = np.mean(terrain.normal(motion.sole[..., [0, 2]]), axis=1)
    lean = _angles(normal, UP)
    level_part = normal[:, [0, 2]] / np.maximum(np.hypot(normal[:, 0], normal[:, 2]), 1e-12)[:, None]
    leaning = np.minimum(lean, limit)
    wanted = np.stack(
        [np.sin(leaning) * level_part[:, 0], np.cos(leaning), np.sin(leaning) * level_part[:, 1]], axis=-1
    )
    return _angles(motion.up, wanted)


def angular_accelerations(clip: Clip) -> Array:
    """How fast each joint's local turning changes, (frames − 2, joints) in radians a second squared."""
    turning = logarithm(multiply(inverse(clip.rotations[:-1]), clip.rotations[1:])) * clip.fps
    return np.linalg.norm(np.diff(turning, axis=0), axis=-1) * clip.fps


def bone_lengths(clip: Clip, positions: Array) -> Array:
    """Distances (frames, bones) of joints from their parents, metres."""
    hung = np.flatnonzero(clip.skeleton.parents >= 0)
    return np.linalg.norm(positions[:, hung] - positions[:, clip.skeleton.parents[hung]], axis=-1)


def _angles(a: Array, b: Array) -> Array:
    """Angles (...,) between vectors (..., 3), radians; exact for small ones too."""
    return np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, axis=-1))
