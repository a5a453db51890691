"""Tables in the terminal, whose numbers are never cut: where a table is wider than the terminal, its lines wrap."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table

NARROWEST, WIDEST = 80, 1000  # characters of a line


def terminal() -> Console:
    """The terminal, for texts that are printed as they are."""
    console = Console(highlight=False, markup=False, emoji=False)
    console.width = max(NARROWEST, console.width)
    return console


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], left: Collection[str] = ("",)) -> Table:
    """A table without lines; the columns named in `left` are aligned there, all others to the right."""
    found = Table(box=None, pad_edge=False, header_style="dim")
    for name in columns:
        found.add_column(name, justify="left" if name in left else "right", no_wrap=True)
    for row in rows:
        found.add_row(*row)
    return found


def pairs(rows: Iterable[Sequence[RenderableType]]) -> Table:
    """Names and what belongs to each, without a heading."""
    found = Table(box=None, show_header=False)
    found.add_column(no_wrap=True, style="dim")
    for row in rows:
        found.add_row(*row)
    return found


def show_table(console: Console, shown: Table) -> None:
    """Prints a table of any width."""
    needed = Measurement.get(console, console.options.update_width(WIDEST), shown).maximum
    console.width = max(console.width, needed)
    console.print(shown)
