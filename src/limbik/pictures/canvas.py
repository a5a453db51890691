"""What pictures share: a figure to draw on, and axes that keep in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limbik.errors import MissingExtraError
from limbik.pictures import palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def new_figure() -> Figure:
    """An empty figure of its own, outside pyplot's global state."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("limbik plot", "matplotlib", "plot") from error
    return Figure(facecolor="white")


def canvas(width: float, height: float) -> Figure:
    """An empty figure of some inches."""
    figure = new_figure()
    figure.set_size_inches(width, height)
    return figure


def quiet(axes: Axes) -> None:
    """Axes with a light grid and no box."""
    axes.grid(color=palette.GRID, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(colors=palette.FAINT, labelsize=9, length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
