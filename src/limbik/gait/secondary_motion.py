"""Secondary motion: tails, antennae and other parts that trail behind the motions of the body, by exact springs."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.row_formulas import RowFormula
from limbik.gait.leg_reach import stacked
from limbik.gait.rig import Rig
from limbik.gait.walker_state import spring_parts
from limbik.springs import free_swing

DAMPING = 0.35  # of critical
LEVER = 0.7  # length of the lever by which the height of the body acts on parts, over the creature's height


class SecondaryMotion:
    """Deflections (2, springs, creatures) of the parts with springs, relative to the body: yaw and pitch, radians.

    A part is at rest relative to its segment. Accelerations of the segment deflect it: between frames they are taken as
    constant, for which the motion of a damped spring is known exactly.
    """

    def __init__(self, rig: Rig, angles: Array, heights: Array) -> None:
        parts = spring_parts(rig.creature)
        self._segments = rig.segment_of_parts[parts]
        self._rate = (2.0 * np.pi) * np.array([rig.creature.parts[part].spring for part in parts])[:, None]
        self._lever = 1.0 / (LEVER * rig.creature.height)
        self._state = np.zeros((8, len(parts), angles.shape[-1]))
        self._state[:2] = self._bases(angles, heights)
        self._seconds, self._springs = 0.0, np.zeros((6, len(parts), angles.shape[-1]))

    def _bases(self, angles: Array, heights: Array) -> Array:
        """(2, springs, creatures) Where parts would be without inertia, in the world."""
        yaw, pitch, _ = angles.take(self._segments, axis=1)
        return np.array([yaw, pitch + self._lever * heights.take(self._segments, axis=0)])

    def advance(self, angles: Array, heights: Array, seconds: float) -> Array:
        """Advances in time; returns the deflections.

        angles: (3, segments, creatures), as in SegmentFrames. heights: (segments, creatures).
        """
        if seconds != self._seconds:
            (a, b), (c, d) = free_swing(self._rate, DAMPING, seconds)
            square = self._rate * self._rate
            self._seconds = seconds
            self._springs = stacked(self._state.shape[1:], a, b, c, d, square, np.full_like(square, seconds))
        sprung = SPRUNG(self._state, self._bases(angles, heights), self._springs)
        self._state = sprung.reshape(self._state.shape)
        return self._state[4:6].copy()


def _sprung(before: Any, base: Any, spring: Any) -> Any:
    """Base, its rate, deflection and its rate, 2 each, of a part after a step.

    spring: a, b, c and d of `free_swing`, the square of the natural rate, and seconds.
    """
    a, b, c, d, square, seconds = spring
    found = []
    for k in (0, 1):
        speed = (base[k] - before[k]) / seconds
        rest = -((speed - before[2 + k]) / seconds) / square
        gap, change = before[4 + k] - rest, before[6 + k]
        found.append((base[k], speed, rest + a * gap + b * change, c * gap + d * change))
    return tuple(zip(*found, strict=True))


SPRUNG = RowFormula(_sprung, before=8, base=2, spring=6)
