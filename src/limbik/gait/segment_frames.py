"""Position and orientation of the segments of bodies."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines.row_formulas import RowFormula
from limbik.formulas.operations import maximum, minimum, sqrt
from limbik.gait.rig import Rig

MAX_PITCH_SINE = 0.9  # of a segment


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
    def turned(cls, yaw: Array, pitch: Array, roll: Array, place: Array, sway: Array, height: Array) -> SegmentFrames:
        """Segments at one place, from angles (segments, creatures) each, as in `angles`.

        place: (2, creatures), x and z. sway, height: (creatures,), how far to their left, and how high they are.
        """
        found = TURNED(np.sin(yaw), np.cos(yaw), pitch, roll, place, sway, height).reshape(14, *yaw.shape)
        angles = np.array([yaw, found[12], roll])
        return cls(found[0:3], found[3:6], found[6:9], angles, found[13], found[9:12].copy())

    def chained(self, length: float, centred: bool) -> SegmentFrames:
        """The same, each segment hinged to the end of the one before.

        The first segment stays where it is or, where `centred`, the mean of all centres is there.
        """
        if len(self.level) == 1:
            return self
        place = self.middle[:, 0]
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

    def of_legs(self, rig: Rig) -> Array:
        """(12, legs or 1, creatures) Left, up, forward and centre of the segment of each leg; 1 for one segment."""
        return rig.of_legs(np.concatenate([self.left, self.up, self.forward, self.middle]))


def _turned(sine: Any, cosine: Any, pitch: Any, roll: Any, place: Any, sway: Any, height: Any) -> Any:
    """Left, up, forward and centre of a segment; the sine of its pitch, limited, and the cosine."""
    pitch = minimum(maximum(pitch, -MAX_PITCH_SINE), MAX_PITCH_SINE)
    level = sqrt(1.0 - pitch * pitch)
    forward = level * sine, pitch, level * cosine
    up = -pitch * sine, level, -pitch * cosine
    across = 1.0 / sqrt(1.0 + roll * roll)
    rise = roll * across
    left = cosine * across + up[0] * rise, up[1] * rise, up[2] * rise - sine * across
    up = up[0] * across - cosine * rise, up[1] * across, up[2] * across + sine * rise
    middle = place[0] + sway * left[0], height, place[1] + sway * left[2]
    return left, up, forward, middle, pitch, level


TURNED = RowFormula(_turned, sine=1, cosine=1, pitch=1, roll=1, place=2, sway=1, height=1)
