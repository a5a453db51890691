"""Pieces of HTML that the panels of several tabs show; page_look.css has their style."""

from __future__ import annotations

from limbik.limbs.status import Status
from limbik.pictures import palette


def dot(colour: str) -> str:
    """A dot in a colour, "#rrggbb"."""
    return f"<span style='color:{colour}'>●</span>"


def status_dot(status: Status) -> str:
    """A dot that is green for what was reached, and orange for all else."""
    return dot(palette.UP if status is Status.REACHED else palette.TARGET)


def status_text(status: Status) -> str:
    """The name of a status as people write it."""
    return status.name.replace("_", " ").lower()
