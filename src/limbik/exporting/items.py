"""What goes into an exported function and what comes out of it: named numbers, vectors and rotations."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """One named input, output or field. Names are in snake case; a language respells them."""

    name: str
    note: str = ""
    size: int = 1  # how many numbers it consists of
    kind: str = "number"  # number, vector, quaternion, status, flag or record
    fields: tuple[Item, ...] = ()  # of a record
    record: str = ""  # the name of a record's type, in snake case

    @property
    def parts(self) -> list[str]:
        """A name for each of its numbers."""
        if self.kind == "record":
            return [part for field in self.fields for part in field.parts]
        return [self.name] if self.size == 1 else [f"{self.name}_{axis}" for axis in "xyzw"[: self.size]]


def number(name: str, note: str) -> Item:
    """One number."""
    return Item(name, note)


def vector(name: str, note: str, size: int = 3) -> Item:
    """A vector of 2 or 3 components."""
    return Item(name, note, size, "vector")


def quaternion(name: str, note: str) -> Item:
    """A rotation, xyzw."""
    return Item(name, note, 4, "quaternion")


def record(name: str, note: str, record: str, fields: tuple[Item, ...]) -> Item:
    """A struct of other items."""
    return Item(name, note, sum(field.size for field in fields), "record", fields, record)
