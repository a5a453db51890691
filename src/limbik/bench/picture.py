"""A plot of the curve: the time of a call over the number of targets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from limbik.bench.curve import ARRAY, COPY, CUDA, LISTS, NEW, PEER, REUSED, TORCH, WHO
from limbik.errors import LimbikError, MissingExtraError
from limbik.pictures.canvas import check_path, save
from limbik.pictures.palette import FAINT, GRID, LINK, POLE, TARGET, UP

# Colour and line of each kind of input.
LINES = {
    LISTS: (UP, "-"),
    ARRAY: (LINK, "-"),
    REUSED: (LINK, "--"),
    NEW: (LINK, ":"),
    TORCH: (POLE, "-"),
    CUDA: (POLE, "--"),
    PEER: (TARGET, "-"),
    COPY: (FAINT, "-"),
}


def check_picture(path: Path) -> None:
    """Raises before the run if the plot could not be written."""
    check_path(path)
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MissingExtraError("the picture of the curve", "matplotlib", "plot") from None


def draw_curve(report: dict[str, Any], path: Path) -> None:
    """Draws the time of a call over its targets, one plot for each number type."""
    from matplotlib.figure import Figure

    rows = [row for row in report["curve"] if "skipped" not in row]
    dtypes = list(dict.fromkeys(row["dtype"] for row in rows))
    if not rows:
        raise LimbikError("nothing to plot: the curve was not measured")
    figure = Figure(figsize=(6 * len(dtypes), 5), layout="constrained")
    plots = figure.subplots(1, len(dtypes), sharey=True, squeeze=False)[0]
    for axes, dtype in zip(plots, dtypes, strict=True):
        for who in WHO:
            some = [row for row in rows if (row["who"], row["dtype"]) == (who, dtype)]
            points = sorted((row["targets"], row["seconds"]["best"]) for row in some)
            if points:
                colour, line = LINES[who]
                axes.plot(*zip(*points, strict=True), line, color=colour, marker="o", markersize=3, label=who)
        axes.set(xscale="log", yscale="log", xlabel="targets in one call", title=dtype)
        axes.grid(color=GRID, which="major")
    plots[0].set_ylabel("seconds of a call")
    plots[0].legend(frameon=False, fontsize=9)
    figure.suptitle(f"Joints of a three-link limb, row-major, one thread: {report['machine']['cpu']}", fontsize=10)
    save(figure, path, dpi=110)
