"""Pieces of HTML that the panels of several tabs show, in the style of viser's own controls."""

from __future__ import annotations

from limbik.limbs.status import Status
from limbik.pictures import palette

GAP = "var(--mantine-spacing-xs)"
DIMMED = "color:var(--mantine-color-dimmed)"
SMALL = f"font-size:11px;line-height:1.2;{DIMMED}"
PARAGRAPH = "margin:.2em 1em .6em;font-size:13px;line-height:1.55"
TABLE = (
    "width:calc(100% - 2em);margin:.3em 1em .7em;border-spacing:0;font-size:12.5px;font-variant-numeric:tabular-nums"
)


def dot(colour: str) -> str:
    """A dot in a colour, "#rrggbb"."""
    return f"<span style='color:{colour}'>●</span>"


def status_dot(status: Status) -> str:
    """A dot that is green for what was reached, and orange for all else."""
    return dot(palette.UP if status is Status.REACHED else palette.TARGET)


def status_text(status: Status) -> str:
    """The name of a status as people write it."""
    return status.name.replace("_", " ").lower()
