"""Contact bars: a row for each foot, with a bar for each interval in which it is planted."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from limbik.arrays import Array
from limbik.pictures import palette
from limbik.skeleton.timing import intervals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BAR_ROWS = 0.72  # height of a bar, in rows
BAR_BACKGROUND = "var(--mantine-color-default-hover)"


class Bar(NamedTuple):
    """A foot's row, from the top, and the frames in which it is planted: the first, and one past the last."""

    row: int
    first: int
    stop: int


def contact_bars(contacts: Array, feet: Sequence[int] | None = None) -> list[Bar]:
    """The bars of contacts (frames, feet). feet: the foot of each row (default: all, in order)."""
    rows = range(contacts.shape[1]) if feet is None else feet
    return [Bar(row, *span) for row, foot in enumerate(rows) for span in intervals(contacts[:, foot])]


def draw_bars(axes: Axes, stands: Array, fps: float, start: float, place: tuple[float, float], colour: str) -> None:
    """Draws the bars of one foot, (frames,) bool, with matplotlib.

    start: time of the first frame, seconds. place: top and height of the bars, in rows.
    """
    spans = [(start + first / fps, (stop - first) / fps) for first, stop in intervals(stands)]
    axes.broken_barh(spans, place, facecolor=colour, linewidth=0)


def svg_bars(bars: Sequence[Bar], kind: str, size: tuple[int, int], row: float, shift: float, below: str = "") -> str:
    """Bars as an SVG element that is stretched to the width of its container; one unit of x is a frame.

    kind: its class. size: frames and rows. row: height of a row, pixels. shift: added to frames. below: SVG under the
    bars.
    """
    path = "".join(
        f"M{bar.first + shift:g} {bar.row + 0.5 * (1.0 - BAR_ROWS):.2f}h{bar.stop - bar.first}v{BAR_ROWS}"
        f"h{bar.first - bar.stop}z"
        for bar in bars
    )
    return (
        f"<svg class='{kind}' viewBox='0 0 {max(size[0], 1)} {max(size[1], 1)}' preserveAspectRatio='none' role='img' "
        f"aria-label='Planted feet' style='display:block;width:100%;height:{row * size[1]:.0f}px;"
        f"background:{BAR_BACKGROUND}'>{below}<path class='bars' d='{path}' fill='{palette.UP}'/></svg>"
    )


def html_labels(labels: Sequence[tuple[str, int]], row: float) -> str:
    """Labels beside rows of bars. labels: each with the number of rows it stands for. row: pixels."""
    return "".join(
        f"<div style='height:{rows * row:.2f}px;line-height:{rows * row:.2f}px;white-space:nowrap;overflow:hidden;"
        f"text-overflow:ellipsis' title='{escape(label)}'>{escape(label)}</div>"
        for label, rows in labels
    )
