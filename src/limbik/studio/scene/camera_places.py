"""Where cameras stand."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from limbik.arrays import Array

FRONT_LEFT = 1.0, 0.75, 0.75  # of figures that face +z


def front_left(heading: float, distance: float) -> Array:
    """A place (3,) to the front left of a figure in the origin, which faces `heading`, radians from +z towards +x."""
    x, y, z = FRONT_LEFT
    return distance * np.array([cos(heading) * x + sin(heading) * z, y, cos(heading) * z - sin(heading) * x])
