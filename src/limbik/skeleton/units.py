"""Units of length: their size in metres, and a guess where a file does not state its unit."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log

from limbik.arguments import positive, shown
from limbik.errors import ArgumentError, did_you_mean


@dataclass(frozen=True)
class Unit:
    """A unit of length: its name, and how many metres it is."""

    name: str
    metres: float

    def __str__(self) -> str:
        return self.name


METRE = Unit("m", 1.0)
CENTIMETRE = Unit("cm", 0.01)
MILLIMETRE = Unit("mm", 0.001)
INCH = Unit("inch", 0.0254)
# The unit of the CMU motion capture database's skeletons: an inch over 0.45.
CMU = Unit("cmu", 0.0254 / 0.45)
UNITS = {unit.name: unit for unit in (METRE, CENTIMETRE, MILLIMETRE, INCH, CMU)}

HUMAN_HEIGHT = 1.7  # metres: the height that guesses assume


def as_unit(unit: str | float | Unit) -> Unit:
    """A unit from its name, or from its size in metres."""
    if isinstance(unit, Unit):
        return unit
    if isinstance(unit, str) and unit in UNITS:
        return UNITS[unit]
    try:
        metres = positive("unit", unit)
    except ArgumentError:
        wanted = "'auto', " + ", ".join(map(repr, UNITS)) + ", or its size in metres"
        raise ArgumentError("unit", shown(unit), wanted + did_you_mean(unit, UNITS)) from None
    return Unit(f"{metres:g} m", metres)


def guess_unit(size: float, choices: tuple[Unit, ...] = tuple(UNITS.values())) -> Unit:
    """The unit in which a figure of this size is closest to human height; the first choice where it has no size."""
    if not (isfinite(size) and size > 0.0):
        return choices[0]
    return min(choices, key=lambda unit: abs(log(size * unit.metres / HUMAN_HEIGHT)))
