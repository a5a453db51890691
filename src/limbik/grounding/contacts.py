"""Contact detection: when feet stand, by height and speed; how a cycle on the spot, as on a treadmill, travels."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import window_maximum
from limbik.skeleton.clip import Clip
from limbik.skeleton.intervals import intervals
from limbik.skeleton.skeleton import RigLimb

NEARBY = 0.6  # seconds to either side: the lowest point of a foot in this window counts as the ground
HAND_MADE = 0.1  # fraction of a swing's height by which standing feet may rise in hand-made cycles on the spot
LOW = 0.1  # fraction of a foot's range of heights, from the bottom, in which it stands
STILL = 0.3  # leg lengths per second: feet slower than this stand still, and so does the figure


def speeds(points: Array, fps: float) -> Array:
    """Speeds (frames,) of a point (frames, 3) in m/s."""
    return np.linalg.norm(np.gradient(points, 1.0 / fps, axis=0), axis=-1) if len(points) > 1 else np.zeros(len(points))


def planted(points: Array, fps: float, leg: float, settings: Settings, slow: float) -> Array:
    """The frames in which a point of a foot (frames, 3) stands on the ground: (frames,) bool.

    leg: the leg's length in metres. slow: a speed in m/s below which the point counts as standing in any case.
    """
    speed = speeds(points, fps)
    least = max(slow, settings.plant_speed * leg, settings.plant_share * float(np.percentile(speed, 90)))
    lowest = -window_maximum(-points[:, 1], round(NEARBY * fps))
    low = points[:, 1] - lowest < settings.plant_height * leg
    touching = low & (speed < least)
    staying = low & (speed < settings.unplant_ratio * least)
    share = max(settings.unplant_height, HAND_MADE) if slow > 0.0 else settings.unplant_height
    raised = share * max(float(np.ptp(points[:, 1])), 0.15 * leg)
    down = _without_raised_ends(hysteresis(touching, staying), points[:, 1], raised)
    return without_short(down, settings.shortest_plant * fps)


def _without_raised_ends(flags: Array, heights: Array, most: float) -> Array:
    """Intervals without the ends in which the point is more than `most` above its lowest in the interval."""
    result = np.zeros(len(flags), bool)
    for first, stop in intervals(flags):
        down = np.flatnonzero(heights[first:stop] <= heights[first:stop].min() + most)
        result[first + down[0] : first + down[-1] + 1] = True
    return result


def hysteresis(begin: Array, stay: Array) -> Array:
    """True from the first frame of `begin` for as long as `stay` holds; both (frames,)."""
    result = np.zeros(len(begin), bool)
    for first, stop in intervals(begin | stay):
        started = np.flatnonzero(begin[first:stop])
        if len(started):
            result[first + started[0] : stop] = True
    return result


def without_short(flags: Array, least: float) -> Array:
    """Fills gaps, then removes intervals, of fewer frames than `least`; those at the ends of the clip may be short."""
    result = flags.copy()
    for value in (True, False):
        for first, stop in intervals(result != value):
            if stop - first < least and first > 0 and stop < len(flags):
                result[first:stop] = value
    return result


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
