"""Terrains described by a few numbers, whose repr is the spec from which they can be made again."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from math import cos, radians, sin
from typing import Any, ClassVar

from limbik.arguments import number
from limbik.terrains.base import Terrain


class Parametric(Terrain):
    """A frozen dataclass of numbers. kind: the first word of its spec; the fields are the options."""

    kind: ClassVar[str]

    @classmethod
    def options(cls) -> dict[str, Field[Any]]:
        """Lists the options of a spec.

        Returns:
            The fields, by their names in a spec.
        """
        return {field.metadata.get("option", field.name): field for field in fields(cls)}  # pyright: ignore[reportArgumentType]

    def __repr__(self) -> str:
        # Options without a default are written without their names, as in slope:10; zero defaults are left out.
        words = []
        for option, field in self.options().items():
            value = getattr(self, field.name)
            if field.default is MISSING:
                words.append(_text(value))
            elif field.default or value != field.default:
                words.append(f"{option}={_text(value)}")
        return ":".join([self.kind, ",".join(words)] if words else [self.kind])

    def _content_key(self) -> str:
        return repr(self)


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


def _text(value: float) -> str:
    """The shortest text from which the same number is read."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
