"""The state of a walker: everything needed for a pose of its creatures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array


class WalkerState(NamedTuple):
    """Creatures at one time, or at several times, one after the other on the last axis.

    middle: (3, segments, creatures), centres of the segments. angles: (3, segments, creatures), yaw in radians, sine of
    the pitch (nose up) and slope of the roll (left up). hips, tips: (3, legs, creatures). last: the same, unit, from
    ankle to tip. normal, toe: the same, unit normal of the ground under the feet, and direction of the toes along it.
    roll, clearance, rhythm: (legs, creatures), radians by which the toes point up, metres from tip to ground, and
    cycles. planted: (legs, creatures) bool. activity: (1, creatures), 0 for standing to 1.
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
    """Several states as one, in the order of time."""
    return WalkerState(*(np.concatenate(parts, axis=-1) for parts in zip(*states, strict=True)))
