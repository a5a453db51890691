"""Units of length: what a file's numbers are in metres, and a guess where the file does not say."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, log

from limbik.errors import ArgumentError


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

HUMAN = 1.7  # metres; figures are guessed to be about this tall


def unit_named(unit: str | float | Unit) -> Unit:
    """A unit from its name, or from its size in metres."""
    if isinstance(unit, Unit):
        return unit
    if isinstance(unit, str):
        if unit in UNITS:
            return UNITS[unit]
    elif isfinite(unit) and unit > 0.0:
        return Unit(f"{unit:g} m", float(unit))
    raise ArgumentError("unit", repr(unit), "'auto', " + ", ".join(map(repr, UNITS)) + ", or metres in one unit")


def guessed(size: float, choices: tuple[Unit, ...] = tuple(UNITS.values())) -> Unit:
    """The unit in which a figure of this size is nearest to a human's; the first choice where it has no size."""
    if not (isfinite(size) and size > 0.0):
        return choices[0]
    return min(choices, key=lambda unit: abs(log(size * unit.metres / HUMAN)))
