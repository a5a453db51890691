"""Functions with loops and choices, in few statements: what calls recorded functions and carries their results.

A recorded function has no branch. A procedure begins with values, calls functions in loops that are counted, and
returns early where a number says so. Every language writes these statements in its own words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from limbik.exporting.functions import Function
from limbik.exporting.items import Item


@dataclass(frozen=True, eq=False)
class Procedure:
    """A function made of statements."""

    name: str
    summary: str
    inputs: tuple[Item, ...]
    output: Item  # a record
    statements: tuple[Statement, ...]
    is_part: bool = False  # of another function: few will call it

    @property
    def reassigned(self) -> set[str]:
        """The variables whose values change."""
        return {one.name for one in every_statement(self.statements) if isinstance(one, Assign)}


@dataclass(frozen=True)
class Call:
    """A call of a function, with its arguments."""

    function: Function | Procedure
    arguments: tuple[Argument, ...]


# A name, with fields after dots: `best.cost`; a number of the language's type; a whole number; or another call.
Argument = str | float | int | Call


@dataclass(frozen=True)
class Let:
    """A new variable with the result of a call."""

    name: str
    value: Call


@dataclass(frozen=True)
class Assign:
    """A variable that gets the result of a call, or another variable's value."""

    name: str
    value: Call | str


@dataclass(frozen=True)
class Repeat:
    """Statements that are run so many times; `index` counts from `first` up to below `end`."""

    index: str
    end: int | str
    statements: tuple[Statement, ...]
    first: int = 0


@dataclass(frozen=True)
class When:
    """Statements that are run where all conditions hold: (a path, "<", "<=" or ">=", a path or a number)."""

    conditions: tuple[tuple[str, str, str | float], ...]
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class Return:
    """The end of the procedure, with its result."""

    value: Call | str


@dataclass(frozen=True)
class Remark:
    """A line of comment."""

    text: str


Statement = Let | Assign | Repeat | When | Return | Remark


def every_statement(statements: Sequence[Statement]) -> Iterator[Statement]:
    """All statements, those within others too."""
    for one in statements:
        yield one
        if isinstance(one, Repeat | When):
            yield from every_statement(one.statements)
