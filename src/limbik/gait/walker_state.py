"""A state of a walk: all that is needed to draw the creatures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array


class WalkerState(NamedTuple):
    """Creatures as they are at one time, or, one after the other on the last axis, at many.

    middle: (3, segments, creatures). angles: (3, segments, creatures), yaw in radians, the sine of the pitch (nose up)
    and the slope of the roll (left up).
    hips, tips: (3, legs, creatures). last: the same, unit, the last links from ankle to tip. normal, toe: the same, of
    the ground under the feet, and where they point along it. roll, clearance, rhythm: (legs, creatures), radians that
    the feet are turned up, metres from tip to ground, and cycles. planted: (legs, creatures) bool.
    activity: (1, creatures), 0 for standing to 1.
    """

    middle: Array
    angles: Array
    hips: Array
    tips: Array
    last: Array
    normal: Array
    toe: Array
    roll: Array
    clearance: Array
    rhythm: Array
    activity: Array
    planted: Array


def joined(states: Sequence[WalkerState]) -> WalkerState:
    """Many states as one, time after time."""
    return WalkerState(*(np.concatenate(parts, axis=-1) for parts in zip(*states, strict=True)))
