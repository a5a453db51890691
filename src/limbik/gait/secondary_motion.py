"""Secondary motion: tails, antennae and other parts that trail behind the motions of the body, by exact springs."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
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
        self._base = self._bases(angles, heights)
        self._speed = np.zeros_like(self._base)
        self.now, self._change = np.zeros_like(self._base), np.zeros_like(self._base)
        self._seconds, self._swing = 0.0, free_swing(self._rate, DAMPING, 0.0)

    def _bases(self, angles: Array, heights: Array) -> Array:
        """(2, springs, creatures) Where parts would be without inertia, in the world."""
        yaw, pitch, _ = angles.take(self._segments, axis=1)
        return np.array([yaw, pitch + self._lever * heights.take(self._segments, axis=0)])

    def advance(self, angles: Array, heights: Array, seconds: float) -> None:
        """Advances in time. angles: (3, segments, creatures), as in SegmentFrames; heights: (segments, creatures)."""
        base = self._bases(angles, heights)
        speed = (base - self._base) / seconds
        push = (speed - self._speed) / seconds
        self._base, self._speed = base, speed
        if seconds != self._seconds:
            self._seconds, self._swing = seconds, free_swing(self._rate, DAMPING, seconds)
        (a, b), (c, d) = self._swing
        rest = -push / (self._rate * self._rate)
        gap = self.now - rest
        self.now, self._change = rest + a * gap + b * self._change, c * gap + d * self._change
