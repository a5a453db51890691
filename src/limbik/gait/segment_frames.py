"""Position and orientation of the segments of bodies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.gait.rig import Rig


class SegmentFrames(NamedTuple):
    """left, up, forward, middle: (3, segments, creatures), axes and centres in the world.

    angles: (3, segments, creatures): yaw, radians from +z to +x; the sine of the pitch, nose up; the slope of the roll,
    left up. level: (segments, creatures), the cosine of the pitch.
    """

    left: Array
    up: Array
    forward: Array
    angles: Array
    level: Array
    middle: Array

    @classmethod
    def turned(cls, yaw: Array, pitch: Array, roll: Array) -> SegmentFrames:
        """Segments at the origin, from angles (segments, creatures) each, as in `angles`."""
        sine, cosine, level = np.sin(yaw), np.cos(yaw), np.sqrt(1.0 - pitch * pitch)
        forward = np.array([level * sine, pitch, level * cosine])
        left = np.array([cosine, 0.0 * sine, -sine])
        up = np.array([-pitch * sine, level, -pitch * cosine])
        across = 1.0 / np.sqrt(1.0 + roll * roll)
        rise = roll * across
        left, up = left * across + up * rise, up * across - left * rise
        return cls(left, up, forward, np.array([yaw, pitch, roll]), level, 0.0 * forward)

    def chained(self, place: Array, length: float, centred: bool) -> SegmentFrames:
        """The same, each segment hinged to the end of the one before.

        place: (3, creatures), the centre of the first segment or, where `centred`, the mean of all centres.
        """
        if len(self.level) == 1:
            return self._replace(middle=place[:, None])
        steps = (-0.5 * length) * (self.forward[:, :-1] + self.forward[:, 1:])
        middle = np.cumsum(np.concatenate([place[:, None], steps], axis=1), axis=1)
        if centred:
            middle = middle + (place - middle.mean(axis=1))[:, None]
        return self._replace(middle=middle)

    def shifted(self, by: Array) -> SegmentFrames:
        """The same, moved by (3, creatures)."""
        return self._replace(middle=self.middle + by[:, None])

    def hips(self, rig: Rig) -> Array:
        """(3, legs, creatures) Hips in the world."""
        x, y, z = rig.attachment
        left, up, forward, middle = map(rig.of_legs, (self.left, self.up, self.forward, self.middle))
        return middle + x * left + y * up + z * forward

    def knees(self, rig: Rig) -> Array:
        """(3, legs, creatures) Unit directions of the knees in the world."""
        if rig.knees_up:
            return rig.of_legs(self.up)
        x, y, z = rig.knee
        return x * rig.of_legs(self.left) + y * rig.of_legs(self.up) + z * rig.of_legs(self.forward)
