"""Numbers that describe a terrain, checked: an error names the one that is wrong, and says what would be right."""

from __future__ import annotations

from math import cos, isfinite, radians, sin
from typing import Any

from limbik.errors import ArgumentError

FAR = 1e5  # metres: no terrain is larger, and no number for a length


def number(name: str, value: Any, low: float, high: float, unit: str = "metres") -> float:
    """A finite number within a range, both ends included."""
    wanted = f"{unit}, a number from {low:g} to {high:g}"
    try:
        # A word would make a float too, and True would; neither is meant as a number.
        found = float("nan") if isinstance(value, str | bytes | bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        found = float("nan")
    if not (isfinite(found) and low <= found <= high):
        raise ArgumentError(name, repr(value), wanted)
    return found


def whole(name: str, value: Any, low: int, high: int) -> int:
    """A whole number within a range, both ends included."""
    wanted = f"a whole number from {low} to {high}"
    if isinstance(value, str | bytes | bool) or not hasattr(value, "__int__"):
        raise ArgumentError(name, repr(value), wanted)
    try:
        found = int(value)
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(name, repr(value), wanted) from None
    if found != value or not low <= found <= high:
        raise ArgumentError(name, repr(value), wanted)
    return found


def heading(value: Any) -> float:
    """A heading in degrees, checked: 0 is +z and 90 is +x, so it grows as a right-handed turn about +y does."""
    return number("heading", value, -360.0, 360.0, "degrees")


def direction(degrees: float) -> tuple[float, float]:
    """The unit vector (x, z) of a heading; along the axes it is exact, so that stairs there have straight edges."""
    quarter, rest = divmod(degrees, 90.0)
    x, z = sin(radians(rest)), cos(radians(rest))
    for _ in range(int(quarter) % 4):
        x, z = z, -x
    return x + 0.0, z + 0.0  # without negative zeros
