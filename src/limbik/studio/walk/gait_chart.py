"""The gait diagram: a row for each leg, with a bar for each stance, scrolling with time."""

from __future__ import annotations

from html import escape

from limbik.arrays import Array
from limbik.gait.creature import Leg
from limbik.pictures import palette
from limbik.pictures.contact_bars import contact_bars, html_labels, svg_bars

ROW, TALLEST = 13.0, 120.0  # pixels: of a row, and of all of them
READABLE = 10.0  # pixels: rows below have no names of their own
GAP = "var(--mantine-spacing-xs)"
SMALL = "font-size:11px;line-height:1.2;color:var(--mantine-color-dimmed)"


def order(legs: tuple[Leg, ...]) -> list[int]:
    """Leg numbers in the order of rows: left legs from front to back, then right legs."""
    return sorted(range(len(legs)), key=lambda k: (legs[k].foothold[0] <= 0.0, k))


def chart(legs: tuple[Leg, ...], standing: Array, frames: int, seconds: float) -> str:
    """HTML of the gait diagram of the last `frames` frames, which took `seconds`.

    standing: which legs stood in those that were recorded, (n, legs) bool.
    """
    rows = order(legs)
    row = min(ROW, TALLEST / len(rows))
    path = "".join(f"M{frames * (1.0 - k / seconds):.1f} 0v{len(rows)}" for k in range(1, int(seconds)))
    lines = f"<path d='{path}' stroke='{palette.GHOST}' stroke-opacity='.35' vector-effect='non-scaling-stroke'/>"
    size, shift = (frames, len(rows)), frames - len(standing)
    picture = svg_bars(contact_bars(standing, rows), "gait", size, row, shift, lines)
    return (
        f"<div style='display:flex;padding:0 {GAP} .3em;{SMALL}'>"
        f"<div style='flex:none;padding-right:.6em'>{_names(legs, rows, row)}</div>"
        f"<div style='flex:1;min-width:0'>{picture}"
        "<div style='display:flex;justify-content:space-between;padding-top:1px'>"
        f"<span>{seconds:g} s ago</span><span>now</span></div></div></div>"
    )


def _names(legs: tuple[Leg, ...], rows: list[int], row: float) -> str:
    """Labels of the rows: the legs' names, or the two sides where rows are too low for text."""
    if row >= READABLE:
        labels = [(legs[k].name.replace("_", " "), 1) for k in rows]
    else:
        left = sum(legs[k].foothold[0] > 0.0 for k in rows)
        labels = [("left legs", left), ("right legs", len(rows) - left)]
    return html_labels(labels, row)


def numbers(words: str, values: dict[str, str]) -> str:
    """HTML of a line of words, and of values by name in two columns."""
    cells = "".join(
        f"<span style='color:var(--mantine-color-dimmed)'>{escape(name)}</span>"
        f"<b style='font-weight:500;white-space:nowrap'>{escape(value)}</b>"
        for name, value in values.items()
    )
    return (
        f"<div class='walk-numbers' style='display:grid;grid-template-columns:auto 1fr auto 1fr;gap:.1em .6em;"
        f"padding:.1em {GAP} .5em;font-size:12px;line-height:1.4;font-variant-numeric:tabular-nums'>"
        f"<b style='grid-column:1/-1;font-weight:500'>{escape(words)}</b>{cells}</div>"
    )
