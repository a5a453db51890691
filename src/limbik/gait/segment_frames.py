"""Position and orientation of the segments of bodies."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.gait.rig import Rig
from limbik.gait.trunk_formulas import turning


class SegmentFrames(NamedTuple):
    """numbers: (16, segments, creatures): axes (left, up, forward) and centres in the world, angles, and `level`."""

    numbers: Array

    @classmethod
    def turned(cls, rig: Rig, angles: Array, place: Array, sway: Array, height: Array, length: Array) -> SegmentFrames:
        """Segments that are hinged to one another, the first, or the mean of all of them, at a place.

        angles: (3, segments, creatures), as in `angles`. place: (2, creatures), x and z. sway, height: (creatures,),
        how far to their left, and how high they are. length: (1,), of a segment, metres.
        """
        yaw = angles[0]
        found = turning(rig.segments, not rig.follows)(np.sin(yaw), np.cos(yaw), *angles, place, sway, height, length)
        return cls(found.reshape(16, *yaw.shape))

    @property
    def middle(self) -> Array:
        """(3, segments, creatures) Centres in the world."""
        return self.numbers[9:12]

    @property
    def angles(self) -> Array:
        """(3, segments, creatures): yaw, radians from +z to +x; sine of the pitch, nose up; slope of the roll."""
        return self.numbers[12:15]

    @property
    def level(self) -> Array:
        """(segments, creatures) Cosines of the pitches."""
        return self.numbers[15]

    def shifted(self, by: Array) -> SegmentFrames:
        """The same, moved by (3, creatures)."""
        numbers = self.numbers.copy()
        numbers[9:12] += by[:, None]
        return SegmentFrames(numbers)

    def hips(self, rig: Rig) -> Array:
        """(3, legs, creatures) Hips in the world."""
        x, y, z = rig.attachment
        left, up, forward, middle = self.of_legs(rig).reshape(4, 3, -1, self.numbers.shape[-1])
        return middle + x * left + y * up + z * forward

    def of_legs(self, rig: Rig) -> Array:
        """(12, legs or 1, creatures) Left, up, forward and centre of the segment of each leg; 1 for one segment."""
        return rig.of_legs(self.numbers[:12])
