"""The path of a figure whose positions are relative to its root: the foot that stands stays in place.

Of two feet the lower one stands, until the other one is lower by a margin. The lowest point of the feet is on the
floor: a figure that jumps is not seen to leave it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limbik.arrays import Array
from limbik.grounding.smoothing import smooth

SMOOTHING_SECONDS = 0.05  # to either side, over which heights are averaged before feet are compared
MARGIN_LEG_LENGTHS = 0.02  # by which the other foot has to be lower to take over
MAX_ROOT_RANGE_SIZES = 1e-3  # of the figure's size: a root that moves less is kept in place by what found the positions


def has_no_path(positions: Array, root: int) -> bool:
    """Whether the root of joints at positions (frames, joints, 3) stays in one place while others move."""
    size = np.ptp(positions[0], axis=0).max()
    ranges = np.ptp(positions, axis=0).max(axis=-1)
    return bool(ranges[root] < MAX_ROOT_RANGE_SIZES * size < ranges.max())


def standing_path(positions: Array, feet: Sequence[Sequence[int]], fps: float, leg: float) -> Array:
    """The displacements (frames, 3) that bring positions (frames, joints, 3), +y up, onto a floor at y = 0.

    feet: the joints of each foot. leg: its length in the unit of the positions.
    """
    frames = len(positions)
    points = [positions[:, list(foot)] for foot in feet]
    lows = np.stack([foot[..., 1].min(axis=1) for foot in points], axis=1)
    standing = _standing_feet(smooth(lows, round(SMOOTHING_SECONDS * fps)), MARGIN_LEG_LENGTHS * leg)
    steps = np.stack([np.diff(foot.mean(axis=1), axis=0) for foot in points], axis=1)
    path = np.zeros((frames, 3))
    path[1:] = -np.cumsum(steps[np.arange(frames - 1), standing[1:]], axis=0)
    path[:, 1] = -smooth(lows.min(axis=1)[:, None], round(SMOOTHING_SECONDS * fps))[:, 0]
    return path


def _standing_feet(heights: Array, margin: float) -> Array:
    """The number (frames,) of the foot that stands, from the heights (frames, feet)."""
    lowest = np.argmin(heights, axis=1)
    ordered = np.sort(heights, axis=1)
    clear = ordered[:, 1] - ordered[:, 0] > margin if heights.shape[1] > 1 else np.ones(len(heights), bool)
    last = np.maximum.accumulate(np.where(clear, np.arange(len(heights)), -1))
    first = int(np.argmax(clear)) if clear.any() else 0
    return lowest[np.where(last < 0, first, last)]
