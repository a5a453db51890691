"""Gait diagrams."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.files.clip_files import as_clip
from limbik.pictures import palette
from limbik.pictures.canvas import canvas, check_path, quiet, save, write
from limbik.pictures.contact_bars import THICKNESS, draw_bars
from limbik.pictures.footfalls import Footfalls, footfalls
from limbik.referee.motion_report import number
from limbik.skeleton.clip import Clip

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = {"left": palette.LINK, "right": palette.TARGET, "": palette.FAINT}
GAP = 0.45  # rows between one side and the other
WIDTH, HEAD, COUNT, FOOT = 9.6, 0.85, 1.05, 1.15  # inches: the figure; above the bars; of the support count; below it
ROW, LOW_ROW, MANY = 0.36, 0.24, 8  # inches of a row; of one where there are more feet than this


def gait(clip: Clip | str | os.PathLike[str], path: str | os.PathLike[str], *, name: str = "") -> None:
    """Plots a gait diagram: a bar for each foot while it is planted, duty factors, and the number of planted feet.

    Args:
        clip: The motion of one figure, or the path of a file to load. Contacts are the clip's own; without any, they
            are detected from the motion.
        path: The file to write: .png, .svg or .pdf.
        name: Name in the title (default: the clip's).

    Raises:
        ArgumentError: An argument cannot be used.
        LimbikError: The clip has no contacts, and no legs are found in its skeleton.
        FileError: The file cannot be written.
        MissingExtraError: matplotlib is not installed.
    """
    out = check_path(path)
    clip = as_clip(clip)
    save(diagram(footfalls(clip), name or clip.name or "clip"), out)


def diagram(seen: Footfalls, name: str) -> Figure:
    """The gait diagram as a figure."""
    steps = [1.0 + GAP * (side != before) for before, side in pairwise(seen.sides)]
    places = np.cumsum([0.0, *steps])  # rows of the feet, from the top
    high = (ROW if len(places) <= MANY else LOW_ROW) * (places[-1] + 1)
    height = HEAD + high + COUNT + FOOT
    figure = canvas(WIDTH, height)
    bars = figure.add_axes((0.14, (FOOT + COUNT) / height, 0.75, high / height))
    count = figure.add_axes((0.14, (FOOT - 0.15) / height, 0.75, COUNT / height), sharex=bars)
    _draw_feet(bars, seen, places)
    _draw_support(count, seen)
    write(figure, 1.0 - 0.3 / height, f"{name} at {seen.speed:.2f} m/s", 13, palette.INK)
    write(figure, 0.25 / height, _words(seen))
    return figure


def name_rows(axes: Axes, places: Array, names: Sequence[str]) -> None:
    """Rows of bars from the top down, with the names of feet beside them."""
    quiet(axes)
    axes.grid(visible=False, axis="y")
    axes.set_ylim(places[-1] + 0.5, -0.5)
    axes.set_yticks(places, names, fontsize=10 if len(names) <= MANY else 8)


def _draw_feet(axes: Axes, seen: Footfalls, places: Array) -> None:
    """Bars of the planted feet, with duty factors beside them."""
    for place, side, stands in zip(places, seen.sides, seen.stands.T, strict=True):
        draw_bars(axes, stands, seen.fps, seen.start, (place - THICKNESS / 2, THICKNESS), COLOURS[side])
    name_rows(axes, places, seen.names)
    axes.set_xlim(seen.start, seen.start + len(seen.stands) / seen.fps)
    axes.tick_params(labelbottom=False)
    for label, side in zip(axes.get_yticklabels(), seen.sides, strict=True):
        label.set_color(COLOURS[side])

    beside = {"transform": axes.get_yaxis_transform(), "ha": "center", "va": "center"}
    size = 10 if len(places) <= MANY else 8
    for place, duty in zip(places, seen.duty, strict=True):
        axes.text(1.055, place, number(duty, ".2f"), fontsize=size, color=palette.INK, **beside)
    beside |= {"transform": axes.transAxes, "va": "bottom"}
    axes.text(1.055, 1.0, "duty\nfactor", fontsize=9, color=palette.FAINT, **beside)


def _draw_support(axes: Axes, seen: Footfalls) -> None:
    edges = seen.start + np.arange(len(seen.stands) + 1) / seen.fps
    axes.stairs(seen.support, edges, fill=True, color=palette.REGION)
    axes.stairs(seen.support, edges, baseline=None, color=palette.INK, linewidth=1.2)
    quiet(axes)
    feet = len(seen.names)
    axes.set_ylim(0, feet + 0.3)
    axes.set_yticks(range(0, feet + 1, max(1, -(-feet // 4))))
    axes.tick_params(pad=6)
    axes.set_ylabel("feet that\nstand", color=palette.FAINT, rotation=0, ha="right", va="center", fontsize=10)
    axes.set_xlabel("seconds", color=palette.FAINT, fontsize=10)


def _words(seen: Footfalls) -> str:
    feet, least, most = len(seen.names), seen.support.min(), seen.support.max()
    strides = ["no whole stride"]
    if not np.isnan(seen.stride):
        strides = [f"duty factor {np.nanmean(seen.duty):.2f} on average", f"stride {seen.stride:.2f} s"]
    some = f"{least} to {most}" if most > least else f"{least}"
    support = f"{seen.support.mean():.1f} feet stand on average, {some} of {feet}"
    return "   ·   ".join([*strides, support])
