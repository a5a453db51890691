"""Contact detection: when a foot stands, from its height and speed, with hysteresis, for figures of any size."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.grounding.settings import Settings
from limbik.skeleton.intervals import intervals

NEARBY = 0.6  # seconds to either side: the lowest point of a foot in this window counts as the ground
HAND_MADE = 0.1  # fraction of a swing's height by which standing feet may rise in hand-made cycles on the spot


def speeds(points: Array, fps: float) -> Array:
    """Speeds (frames,) of a point (frames, 3) in m/s."""
    return np.linalg.norm(np.gradient(points, 1.0 / fps, axis=0), axis=-1) if len(points) > 1 else np.zeros(len(points))


def planted(points: Array, fps: float, leg: float, settings: Settings, slow: float) -> Array:
    """The frames in which a point of a foot (frames, 3) stands on the ground: (frames,) bool.

    leg: the leg's length in metres. slow: a speed in m/s below which the point counts as standing in any case.
    """
    speed = speeds(points, fps)
    least = max(slow, settings.plant_speed * leg, settings.plant_share * float(np.percentile(speed, 90)))
    low = points[:, 1] - _lowest_nearby(points[:, 1], round(NEARBY * fps)) < settings.plant_height * leg
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


def _lowest_nearby(heights: Array, width: int) -> Array:
    padded = np.pad(heights, width, mode="edge")
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * width + 1).min(axis=-1)


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
