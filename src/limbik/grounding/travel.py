"""Cycles that stay in place, as on a treadmill: the travel that their standing feet imply."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.skeleton.clip import Clip
from limbik.skeleton.rig_limb import RigLimb

LOW = 0.1  # the lower part of a foot's range of heights, in which it stands
STILL = 0.3  # legs a second: slower feet than this stand still, and the figure with them


def with_travel(clip: Clip, limbs: list[RigLimb], positions: Array) -> tuple[Clip, Array]:
    """The clip, moving over the ground as its feet ask for, and the velocity (3,) that it was given."""
    velocity = implied_velocity(clip, limbs, positions)
    if not velocity.any():
        return clip, velocity
    return clip.moved(translation=np.multiply.outer(clip.times - clip.start, velocity)), velocity


def implied_velocity(clip: Clip, limbs: list[RigLimb], positions: Array) -> Array:
    """The velocity (3,), level, that brings standing feet to rest; zero for a clip that travels, or stands still."""
    none = np.zeros(3)
    if len(clip) < 3:
        return none
    ends = np.stack([positions[:, limb.toes[0] if limb.toes else limb.joints[-1]] for limb in limbs], axis=1)
    leg = float(
        np.mean([np.linalg.norm(np.diff(positions[0, list(limb.joints)], axis=0), axis=-1).sum() for limb in limbs])
    )
    velocities = np.gradient(ends, 1.0 / clip.fps, axis=0)[..., [0, 2]]
    heights = ends[..., 1]
    low = heights < heights.min(axis=0) + LOW * np.ptp(heights, axis=0)
    speed, direction = _standing_speed(velocities, low)
    root = positions[-1, clip.skeleton.roots[0]] - positions[0, clip.skeleton.roots[0]]
    if speed < STILL * leg or np.linalg.norm(root[[0, 2]]) > 0.3 * speed * clip.duration:
        return none
    return -speed * np.array([direction[0], 0.0, direction[1]])


def _standing_speed(velocities: Array, low: Array) -> tuple[float, Array]:
    """How fast, and in which direction (2,), feet (frames, feet, 2) move where they are low and go the common way."""
    mean = np.mean(velocities[low], axis=0)
    direction = mean / max(np.hypot(*mean), 1e-12)
    along = velocities @ direction
    standing = low & (along > 0.0)
    return float(
        np.mean([np.median(along[standing[:, k], k]) for k in range(low.shape[1]) if standing[:, k].any()])
    ), direction
