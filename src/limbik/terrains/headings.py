"""Headings: directions along the ground, in degrees from +z toward +x."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

from limbik.arguments import number

MAX_EXTENT = 1e5  # metres: the largest terrain, and the largest length that describes one


def heading(value: Any) -> float:
    """A heading in degrees, checked: 0 is +z and 90 is +x, so it grows as a right-handed turn about +y does."""
    return number("heading_degrees (heading in a spec)", value, -360.0, 360.0, "degrees")


def direction(degrees: float) -> tuple[float, float]:
    """The unit vector (x, z) of a heading; it is exact along the axes, so that stairs there have straight edges."""
    quarter, rest = divmod(degrees, 90.0)
    x, z = sin(radians(rest)), cos(radians(rest))
    for _ in range(int(quarter) % 4):
        x, z = z, -x
    return x + 0.0, z + 0.0  # without negative zeros
