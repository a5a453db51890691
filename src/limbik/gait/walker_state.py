"""The state of a walker: everything needed for a pose of its creatures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.gait.creature import Creature
from limbik.gait.posture import Posture


class WalkerState(NamedTuple):
    """Creatures at one time, or at several times, one after the other on the last axis.

    middle: (3, segments, creatures), centres of the segments. angles: (3, segments, creatures), yaw in radians, sine of
    the pitch (nose up) and slope of the roll (left up). hips, tips: (3, legs, creatures). last: the same, unit, from
    ankle to tip. normal, toe: the same, unit normal of the ground under the feet, and direction of the toes along it.
    roll, clearance, toe_rise, rhythm: (legs, creatures), radians by which the feet point up, metres from unbent toes to
    the ground, radians by which toes on the ground point up from the foot, and cycles. planted, toes_down: (legs,
    creatures) bool: feet in stance, and feet with ground below their toes.
    posture: (10, creatures), the numbers of a Posture. sprung: (2, springs, creatures), deflections of parts with
    springs, yaw and pitch, radians. blocked: (creatures,) bool, which cannot go where they are asked to.
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
    toe_rise: Array
    rhythm: Array
    planted: Array
    toes_down: Array
    posture: Array
    sprung: Array
    blocked: Array

    @property
    def carried(self) -> Posture:
        """The numbers of `posture` by their names."""
        return Posture._make(self.posture)


def joined(states: Sequence[WalkerState]) -> WalkerState:
    """Several states as one, in the order of time."""
    return WalkerState(*(np.concatenate(parts, axis=-1) for parts in zip(*states, strict=True)))


def spring_parts(creature: Creature) -> list[int]:
    """The indices of the parts that trail behind the body."""
    return [k for k, part in enumerate(creature.parts) if part.spring > 0.0]
