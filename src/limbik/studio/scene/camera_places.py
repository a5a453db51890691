"""Where cameras stand: as in the pages that play clips."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin, tan

import numpy as np

from limbik.arrays import Array
from limbik.rotations import normalized
from limbik.scenes.looks import LOOKS

TANGENT = tan(0.5 * LOOKS.field)
UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True)
class CameraView:
    """What the cameras show, and the direction in which they stand.

    radius: of what has to be visible around `centre`, metres. centre: (3,), metres. azimuth: from +z towards +x, and
    elevation, radians.
    """

    radius: float
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
    azimuth: float = LOOKS.azimuth
    elevation: float = LOOKS.elevation

    def camera(self, aspect: float = 1.0, covered: float = 0.0) -> tuple[Array, Array]:
        """The camera's position, and the point that it looks at, (3,) each, metres.

        aspect: width over height of the window. covered: the part of the height, from below, that something covers.
        """
        level = cos(self.elevation)
        away = np.array([level * sin(self.azimuth), sin(self.elevation), level * cos(self.azimuth)])
        distance = LOOKS.room * self.radius / (TANGENT * min(1.0 - covered, aspect, 1.0))
        upward = normalized(UP - (UP @ away) * away)
        look_at = np.array(self.centre) - covered * TANGENT * distance * upward
        return look_at + distance * away, look_at
