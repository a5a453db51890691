"""A plot of the time per solve over the number of targets."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from limbik.bench.batches import FRESH
from limbik.errors import LimbikError, MissingExtraError
from limbik.pictures.canvas import check_path, save
from limbik.pictures.palette import FAINT, GRID, LINK, POLE, TARGET, UP

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = {"planar": UP, "two-link": POLE, "three-link": LINK}


def check_picture(path: Path) -> None:
    """Raises before the run if the plot could not be written."""
    check_path(path)
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MissingExtraError("the picture of the growth", "matplotlib", "plot") from None


def draw_growth(report: dict[str, Any], path: Path) -> None:
    """Draws joints with newly allocated memory, in the first layout and number type of the report."""
    from matplotlib.figure import Figure

    dtype, layout = (report["settings"][name][0] for name in ("dtypes", "layouts"))
    rows = [
        row
        for row in report["batches"]
        if "skipped" not in row
        and (row["answer"], row["layout"], row["memory"], row["dtype"]) == ("joints", layout, FRESH, dtype)
    ]
    if not rows:
        raise LimbikError("nothing to plot: no joints were measured")
    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot()
    for limb in dict.fromkeys(row["limb"] for row in rows):
        _limb(axes, limb, [row for row in rows if row["limb"] == limb])
    _beside(axes, rows)
    axes.set(xscale="log", yscale="log", xlabel="targets in one call", ylabel="seconds for one solve")
    axes.set_title(f"Joints, {dtype}, {layout}, fresh memory: {report['machine']['cpu']}", fontsize=10)
    axes.grid(color=GRID, which="major")
    axes.legend(frameon=False, fontsize=9)
    save(figure, path, dpi=110)


def _limb(axes: Axes, limb: str, rows: list[dict[str, Any]]) -> None:
    for count in sorted({row["threads"] for row in rows}):
        some = sorted((row["targets"], row["seconds"]["best"]) for row in rows if row["threads"] == count)
        label = f"{limb}, {count} thread{'s' * (count > 1)}"
        style = "-" if count == 1 else "--"
        axes.plot(*_each(some), style, color=COLOURS[limb], marker="o", markersize=3, label=label)


def _beside(axes: Axes, rows: list[dict[str, Any]]) -> None:
    """Eager NumPy and the memory copy, for the last limb, on one thread."""
    limb, least = rows[-1]["limb"], min(row["threads"] for row in rows)
    some = [row for row in rows if row["limb"] == limb and row["threads"] == least]
    for name, label, colour in (("numpy", "eager NumPy", TARGET), ("copy", "memory copy of the same bytes", FAINT)):
        points = sorted((row["targets"], row[name]["best"]) for row in some if row[name])
        axes.plot(*_each(points), ":", color=colour, marker="s", markersize=3, label=f"{limb}: {label}")


def _each(points: list[tuple[int, float]]) -> tuple[list[int], list[float]]:
    return [size for size, _ in points], [seconds / size for size, seconds in points]
