"""The colours of a body."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Annotated

import numpy as np

from limbik.arguments import choice, shown
from limbik.arrays import Array
from limbik.errors import ArgumentError

PATTERNS = ("plain", "bands", "stripes")
Colour = Annotated[str, "#rrggbb"]
# The figures of a crowd differ: factors of red, green and blue, of which each figure has the next.
TINTS = (
    (1.0, 1.0, 1.0),
    (0.72, 0.66, 0.62),
    (1.0, 0.84, 0.64),
    (0.66, 0.78, 0.92),
    (0.86, 0.64, 0.58),
    (0.78, 0.92, 0.70),
    (0.56, 0.54, 0.58),
)


@dataclass(frozen=True)
class Look:
    """The colours of a creature, as in the table [look] of its file: "#rrggbb" each, as displayed.

    Attributes:
        body: the trunk, and arms.
        belly: the underside of trunk, neck and tail.
        legs: the legs.
        head: neck, head and hands.
        feet: claws, paws or shoes, jaws and the ends of feelers.
        accent: bands and stripes, hair and ears, the abdomen of a creature that has one.
        eyes: the eyes.
        pattern: "plain", "bands" around legs and abdomen, or "stripes" across the trunk.
    """

    body: Colour = "#c98a54"
    belly: Colour = "#e6c9a4"
    legs: Colour = "#b5763f"
    head: Colour = "#c98a54"
    feet: Colour = "#4a382c"
    accent: Colour = "#7d4f2c"
    eyes: Colour = "#15110f"
    pattern: Annotated[str, PATTERNS] = "plain"

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "pattern":
                choice("look.pattern", value, PATTERNS)
            elif not isinstance(value, str) or not re.fullmatch(r"#[0-9a-fA-F]{6}", value):
                raise ArgumentError(f"look.{field.name}", shown(value), 'a colour as "#rrggbb", such as "#c98a54"')

    def linear(self, name: str) -> Array:
        """One of the colours as linear red, green and blue, (3,), from 0 to 1."""
        displayed = np.frombuffer(bytes.fromhex(getattr(self, name)[1:]), np.uint8)
        return (displayed / 255.0) ** 2.2


MANNEQUIN = Look(
    body="#dcd7cd", belly="#dcd7cd", legs="#7d8894", head="#e6e1d8", feet="#39424b", accent="#7d8894", eyes="#20272d"
)


def tint(figure: int) -> tuple[float, float, float]:
    """The factors of red, green and blue of a figure of a crowd, by its number; 1 for the first."""
    return TINTS[figure % len(TINTS)]
