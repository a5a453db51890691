"""Cycles on the spot, as on a treadmill: the travel that their standing feet imply."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.skeleton.clip import Clip
from limbik.skeleton.skeleton import RigLimb

LOW = 0.1  # fraction of a foot's range of heights, from the bottom, in which it stands
STILL = 0.3  # leg lengths per second: feet slower than this stand still, and so does the figure


def with_travel(clip: Clip, limbs: list[RigLimb]) -> tuple[Clip, Array]:
    """The clip, moving over the ground so that standing feet rest, and the velocity (3,) that was added.

    A clip that travels already, or stands still, is left as it is.
    """
    if len(clip) < 3:
        return clip, np.zeros(3)
    positions = clip.positions()
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
        return clip, np.zeros(3)
    velocity = -speed * np.array([direction[0], 0.0, direction[1]])
    return clip.moved(translation=np.multiply.outer(clip.times - clip.start, velocity)), velocity


def _standing_speed(velocities: Array, low: Array) -> tuple[float, Array]:
    """Speed and direction (2,) of feet (frames, feet, 2) where they are low and move the common way; 0 if none do."""
    mean = np.mean(velocities[low], axis=0) if low.any() else np.zeros(2)
    direction = mean / max(np.hypot(mean[0], mean[1]), 1e-12)
    along = velocities @ direction
    standing = low & (along > 0.0)
    speeds = [np.median(along[standing[:, k], k]) for k in range(low.shape[1]) if standing[:, k].any()]
    return float(np.mean(speeds)) if speeds else 0.0, direction
