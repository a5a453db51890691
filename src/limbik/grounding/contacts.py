"""Contact detection: when feet stand, by height and speed."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import smoothed, window_maximum
from limbik.skeleton.timing import intervals

NEARBY = 0.6  # seconds to either side: the lowest point of a foot in this window counts as the ground
QUIET = 0.03  # seconds to either side over which positions are smoothed before speeds are taken
ROLLING = 0.45  # of `unplant_height`, at which the ends of a foot let go


def speeds(points: Array, fps: float) -> Array:
    """Speeds (frames,) of a point (frames, n) in m/s, without the noise of recordings.

    Since the frame before or until the next, whichever is less: a foot stands in the frame in which it begins to leave.
    """
    if len(points) < 2:
        return np.zeros(len(points))
    steps = np.linalg.norm(np.diff(smoothed(points, round(QUIET * fps)), axis=0), axis=-1) * fps
    # Beyond the ends nothing is known: a foot may just have landed there, or be about to leave.
    ends = np.linalg.norm(points[[1, -1]] - points[[0, -2]], axis=-1) * fps
    steps[[0, -1]] = np.minimum(steps[[0, -1]], ends)
    return np.minimum(np.append(steps, steps[-1]), np.insert(steps, 0, steps[0]))


def planted(points: Array, fps: float, leg: float, settings: Settings, slow: float, rolls: bool = False) -> Array:
    """The frames in which a point of a foot (frames, 3) stands on the ground: (frames,) bool.

    leg: the leg's length in metres. slow: a speed in m/s below which the point counts as standing in any case. rolls:
    whether it is an end of the foot, which rolls off the ground and lets go sooner.
    """
    speed = speeds(points, fps)
    least = max(slow, settings.plant_speed * leg, settings.plant_share * quantile(speed, 0.9))
    lowest = -window_maximum(-points[:, 1], round(NEARBY * fps))
    low = points[:, 1] - lowest < settings.plant_height * leg
    touching = low & (speed < least)
    staying = low & (speed < settings.unplant_ratio * least)
    most = (ROLLING if rolls else 1.0) * settings.unplant_height * leg
    down = _at_their_level(hysteresis(touching, staying), points[:, 1], speed, most)
    # Hand-made runs, which travel by their feet, touch the ground for a single frame of 1/30 s; n frames may be n + 1.
    frames = settings.shortest_plant * fps
    return without_short(down, frames, frames - 1.0 if slow else frames)


def _at_their_level(flags: Array, heights: Array, speed: Array, most: float) -> Array:
    """Intervals without the ends in which the point is more than `most` above the level at which it rests.

    That level is the median height of the slower half of an interval: a dip at toe-off is not the ground.
    """
    result = np.zeros(len(flags), bool)
    for first, stop in intervals(flags):
        part, slowness = heights[first:stop], speed[first:stop]
        level = quantile(part[slowness <= quantile(slowness, 0.5)], 0.5)
        down = np.flatnonzero(part <= level + most)
        result[first + down[0] : first + down[-1] + 1] = True
    return result


def quantile(numbers: Array, part: float) -> float:
    """As `np.quantile` of numbers (n,), which takes ten times as long for a few; 0.5 is the median."""
    ordered = np.sort(numbers)
    place = part * (len(ordered) - 1)
    below = int(place)
    low, high = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    return low + (place - below) * (high - low)


def hysteresis(begin: Array, stay: Array) -> Array:
    """True from the first frame of `begin` for as long as `stay` holds; both (frames,)."""
    result = np.zeros(len(begin), bool)
    for first, stop in intervals(begin | stay):
        started = np.flatnonzero(begin[first:stop])
        if len(started):
            result[first + started[0] : stop] = True
    return result


def without_short(flags: Array, least: float, briefest: float) -> Array:
    """Fills gaps of fewer frames than `least`, then removes intervals of fewer than `briefest`, but at the ends."""
    result = flags.copy()
    for value, frames in ((True, least), (False, briefest)):
        for first, stop in intervals(result != value):
            if stop - first < frames and first > 0 and stop < len(flags):
                result[first:stop] = value
    return result
