"""Terrains that a few numbers describe: the spec that a terrain is made from is also what it shows itself as."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any, ClassVar

from limbik.terrains.base import Terrain


class Parametric(Terrain):
    """A frozen dataclass of numbers. kind: the first word of its spec; the others are its options, the fields."""

    kind: ClassVar[str]

    @classmethod
    def options(cls) -> dict[str, Field[Any]]:
        """The fields by the names that they have in a spec."""
        return {field.metadata.get("option", field.name): field for field in fields(cls)}  # pyright: ignore[reportArgumentType]

    def __repr__(self) -> str:
        # Options without a default go without their names, as in slope:10; those that are nothing go without saying.
        words = []
        for option, field in self.options().items():
            value = getattr(self, field.name)
            if field.default is MISSING:
                words.append(_text(value))
            elif field.default or value != field.default:
                words.append(f"{option}={_text(value)}")
        return ":".join([self.kind, ",".join(words)] if words else [self.kind])

    def key(self) -> str:
        """The spec."""
        return repr(self)

    def _keep(self, **checked: Any) -> None:
        """Puts checked numbers in the place of those that were given."""
        for name, value in checked.items():
            object.__setattr__(self, name, value)


def _text(value: float) -> str:
    """A number as a person writes it, from which the same number is read."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
