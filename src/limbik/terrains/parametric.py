"""Terrains described by a few numbers, whose repr is the spec from which they can be made again."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any, ClassVar

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

    def _keep(self, **checked: Any) -> None:
        """Replaces fields with their checked values."""
        for name, value in checked.items():
            object.__setattr__(self, name, value)


def _text(value: float) -> str:
    """The shortest text from which the same number is read."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
