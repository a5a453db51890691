"""Plots of what `ground` did to a clip."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arguments import instance
from limbik.arrays import Array
from limbik.grounding.ground import Grounded
from limbik.pictures import palette
from limbik.pictures.canvas import canvas, check_path, draw_legend, save, style_axes, write_line
from limbik.pictures.contact_bars import draw_bars
from limbik.pictures.gait_plot import name_rows
from limbik.referee.comparison import Comparison
from limbik.referee.curves import foot_curves
from limbik.referee.motion_report import Report
from limbik.skeleton.timing import intervals

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BEFORE_COLOUR, AFTER_COLOUR = palette.TARGET, palette.LINK
BALL_COLOUR, HEEL_COLOUR = palette.REGION_EDGE, "#C4C4C4"
CURVE_HEADINGS = "height of the sole, cm", "slide of the planted ball, cm/s", "hip to ankle, % of the leg"
# Inches: the figure's width and head, a row of bars, a row of curves, the gap between two, what is below the bars and
# below the curves, and a line of the totals.
WIDTH_INCHES, HEAD_INCHES, BAR_INCHES, ROW_INCHES, GAP_INCHES, BELOW_INCHES, LINE_INCHES = (
    10.4,
    1.0,
    0.3,
    1.25,
    0.28,
    0.85,
    0.22,
)
CURVES_LEFT, CURVES_RIGHT = 0.095, 0.985  # where curves begin and end, over the width
TOTALS_COLUMNS = 2
STRAIGHTEST_STYLE: dict[str, Any] = {"color": palette.FAINT, "linewidth": 1.0, "linestyle": (0, (4, 3))}


def report(grounded: Grounded, path: str | os.PathLike[str], *, name: str = "") -> None:
    """Plots what `ground` did to a clip: contacts, foot heights, slide and reach of the legs, before and after.

    "Before" is the recorded clip; heights before are those of the same motion with each frame raised by the ground
    under its root, as in the report, whose totals are printed below the curves.

    Args:
        grounded: The result of `ground`.
        path: The file to write: .png, .svg or .pdf.
        name: Name of the clip in the title (default: its own).

    Raises:
        ArgumentError: An argument cannot be used.
        FileError: The file cannot be written.
        MissingExtraError: matplotlib is not installed.
    """
    out = check_path(path)
    grounded = instance("grounded", grounded, Grounded, "the result of limbik.ground")
    save(report_figure(grounded.comparison, grounded.report, name or grounded.clip.name or "clip"), out)


def report_figure(comparison: Comparison, report: Report, name: str) -> Figure:
    """The picture as a figure: bars of contacts, then a row of curves for each foot, then the totals in words."""
    feet, lines = len(comparison.feet), report.table()[1]
    bars, curves = BAR_INCHES * feet, ROW_INCHES * feet + GAP_INCHES * (feet - 1)
    words = LINE_INCHES * (-(-len(lines) // TOTALS_COLUMNS) + 1.5)
    height = HEAD_INCHES + bars + BELOW_INCHES + curves + BELOW_INCHES + words
    figure = canvas(WIDTH_INCHES, height)
    write_line(figure, 1.0 - 0.27 / height, f"{name} on {report.terrain}", 13, palette.INK)
    entries = _legend_entries(heels=not all(foot.pointlike for foot in comparison.feet))
    draw_legend(figure, 1.0 - 0.6 / height, entries, columnspacing=1.4, handlelength=1.6)
    _draw_contacts(
        figure.add_axes((CURVES_LEFT, 1.0 - (HEAD_INCHES + bars) / height, CURVES_RIGHT - CURVES_LEFT, bars / height)),
        comparison,
    )
    bottom, top = (words + BELOW_INCHES) / height, (words + BELOW_INCHES + curves) / height
    grid = figure.add_gridspec(
        feet,
        3,
        left=CURVES_LEFT,
        right=CURVES_RIGHT,
        bottom=bottom,
        top=top,
        wspace=0.18,
        hspace=GAP_INCHES / ROW_INCHES,
    )
    _draw_curves(grid.subplots(sharex=True, sharey="col", squeeze=False), comparison)
    _write_totals(figure, lines, words / height, LINE_INCHES / height)
    return figure


def _times(comparison: Comparison) -> Array:
    return comparison.after.times[comparison.skipped :]


def _legend_entries(heels: bool) -> list[Any]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    return [
        Line2D([], [], color=BEFORE_COLOUR, linewidth=1.6, label="before"),
        Line2D([], [], color=AFTER_COLOUR, linewidth=1.6, label="after"),
        Patch(facecolor=BALL_COLOUR, label="ball planted"),
        *([Patch(facecolor=HEEL_COLOUR, label="heel planted")] if heels else []),
        Patch(facecolor=palette.GROUND, edgecolor=palette.GRID, label="below the ground"),
        Line2D([], [], label="straightest before", **STRAIGHTEST_STYLE),
    ]


def _draw_contacts(axes: Axes, comparison: Comparison) -> None:
    """Two bars for each foot, for its ball and its heel; a pointlike foot has one."""
    start, fps = float(_times(comparison)[0]), comparison.after.fps
    for row, foot in enumerate(comparison.feet):
        draw_bars(axes, foot.ball, fps, start, (row - 0.4, 0.8 if foot.pointlike else 0.4), BALL_COLOUR)
        if not foot.pointlike:
            draw_bars(axes, foot.heel, fps, start, (row, 0.4), HEEL_COLOUR)
    name_rows(axes, np.arange(len(comparison.feet)), [foot.name.replace("_", " ") for foot in comparison.feet])
    axes.set_xlim(start, start + len(comparison.rise) / fps)
    axes.set_xlabel("contacts, seconds", color=palette.FAINT, fontsize=9)
    for label in axes.get_yticklabels():
        label.set_color(palette.INK)


def _draw_curves(grid: Any, comparison: Comparison) -> None:
    """A row for each foot, before and after. grid: axes (feet, 3)."""
    times, fps = _times(comparison), comparison.after.fps
    for foot, row in zip(comparison.feet, grid, strict=True):
        curves = foot_curves(foot, comparison.terrain, fps)
        for axes, name in zip(row, ("height", "slide", "reach"), strict=True):
            for first, stop in intervals(foot.ball):
                span = times[first], times[first] + (stop - first) / fps
                axes.axvspan(*span, color=BALL_COLOUR, alpha=0.22, linewidth=0, zorder=1)
            for curve, colour in zip(curves, (BEFORE_COLOUR, AFTER_COLOUR), strict=True):
                axes.plot(times, 100.0 * curve[name], color=colour, linewidth=1.4, zorder=4)
            style_axes(axes)
            axes.tick_params(pad=5)
        row[0].set_ylabel(foot.name.replace("_", "\n"), rotation=0, ha="right", va="center", labelpad=8)
        row[2].axhline(100.0 * float(foot.before.extension.max()), **STRAIGHTEST_STYLE, zorder=3)
    for axes, heading in zip(grid[0], CURVE_HEADINGS, strict=True):
        axes.set_title(heading, fontsize=10, color=palette.INK, pad=8)
    for axes in grid[-1]:
        axes.set_xlabel("seconds", color=palette.FAINT, fontsize=9)
    grid[0, 0].set_xlim(times[0], times[0] + len(times) / fps)
    fastest = max(grid[0, 1].get_ylim()[1], 0.1)
    grid[0, 1].set_ylim(-0.08 * fastest, fastest)
    low, high = grid[0, 0].get_ylim()
    for axes in grid[:, 0]:
        axes.axhspan(min(low, 0.0), 0.0, color=palette.GROUND, linewidth=0, zorder=0)
    grid[0, 0].set_ylim(low, high)


def _write_totals(figure: Figure, lines: list[list[str]], top: float, step: float) -> None:
    """The report's totals, in columns; top, and from line to line: of the figure's height."""
    rows = -(-len(lines) // TOTALS_COLUMNS)
    figure.text(CURVES_LEFT, top, "in total, before → after", fontsize=10, color=palette.INK, va="center")
    for k, (label, total, *_) in enumerate(lines):
        column, row = divmod(k, rows)
        x, y = CURVES_LEFT + column * 0.48, top - (row + 1) * step
        figure.text(x, y, label, fontsize=9, color=palette.FAINT, va="center")
        figure.text(x + 0.41, y, total, fontsize=9, color=palette.INK, va="center", ha="right")
