"""Matplotlib figures: their style, and how they are saved: the same figure gives the same bytes."""

from __future__ import annotations

import os
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limbik.arguments import file_path
from limbik.errors import ArgumentError, MissingExtraError
from limbik.files.atomic_write import atomic_write
from limbik.pictures import palette

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.colorbar import Colorbar
    from matplotlib.figure import Figure

# Metadata that would differ from run to run is left out.
METADATA: dict[str, dict[str, None]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}


def canvas(width: float, height: float) -> Figure:
    """An empty figure of a size in inches, outside pyplot's global state."""
    from matplotlib.figure import Figure

    figure = Figure(facecolor="white")
    figure.set_size_inches(width, height)
    return figure


def style_axes(axes: Axes) -> None:
    """Gives axes a light grid and no box."""
    axes.grid(color=palette.GRID, linewidth=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(colors=palette.FAINT, labelsize=9, length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def write_line(figure: Figure, height: float, text: str, size: int = 10, colour: str = palette.FAINT) -> None:
    """Writes a centred line of text at a height over that of the figure."""
    figure.text(0.5, height, text, ha="center", va="center", fontsize=size, color=colour)


def draw_legend(
    figure: Figure, height: float, entries: list[Any], loc: str = "center", columns: int = 9, **style: Any
) -> None:
    """Draws a legend in the middle of the figure's width, at a height over that of the figure."""
    style |= {"loc": loc, "ncols": min(len(entries), columns), "frameon": False, "fontsize": 9}
    figure.legend(handles=entries, bbox_to_anchor=(0.5, height), **style)


def draw_scale(figure: Figure, scale: ScalarMappable, box: tuple[float, float, float, float], **ticks: Any) -> Colorbar:
    """Draws a scale of colours in a box (left, bottom, width, height), over the size of the figure."""
    bar = figure.colorbar(scale, cax=figure.add_axes(box), **ticks)
    bar.outline.set_visible(False)  # pyright: ignore[reportCallIssue]
    bar.ax.tick_params(colors=palette.FAINT, labelsize=9, length=0)
    return bar


def check_path(path: str | os.PathLike[str]) -> Path:
    """The path, if its suffix is one of those that can be written and matplotlib is there: before any computation."""
    checked = file_path("path", path)
    if checked.suffix.lower() not in METADATA:
        raise ArgumentError("path", repr(str(path)), "a name that ends in " + ", ".join(METADATA))
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("limbik plot", "matplotlib", "plot") from error
    return checked


def save(figure: Figure, path: Path, dpi: int = 150) -> None:
    """Writes a figure; an interrupted run leaves an existing file as it was."""
    from matplotlib import rc_context

    suffix = path.suffix.lower()
    with atomic_write(path) as file, rc_context({"svg.hashsalt": "limbik"}):  # else an SVG's names differ in every run
        figure.savefig(file, format=suffix[1:], dpi=dpi, metadata=METADATA[suffix])


def svg_text(figure: Figure) -> str:
    """A figure as SVG, in the fonts of who looks at it."""
    from matplotlib import rc_context

    file = StringIO()
    # Of the fonts a single one, else a dozen names stand at every text.
    with rc_context({"svg.hashsalt": "limbik", "svg.fonttype": "none", "font.sans-serif": ["DejaVu Sans"]}):
        figure.savefig(file, format="svg", metadata=METADATA[".svg"])
    return file.getvalue()
