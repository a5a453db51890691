"""What notebooks show of a solution: a small table and, where matplotlib is installed, the plot of the limb."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from math import prod

import numpy as np

from limbik.arrays import Array
from limbik.errors import LimbikError
from limbik.limbs.branches import Branches
from limbik.limbs.solution import Solution, on_numpy
from limbik.limbs.status import Status
from limbik.pictures import words

MAX_COUNTED_ROWS = 20_000  # of a larger batch, as many random rows are solved for the counts
PLOT_PIXELS_PER_INCH = 60
MIN_PLOT_METRES, MAX_PLOT_METRES = 1e-12, 1e18  # of limbs that matplotlib can draw
MAX_PLOT_OFFSET = 1e6  # from zero, in sizes of the limb


def html_table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of texts as HTML, in the notebook's own style: the first column to the left, others to the right."""

    def line(kind: str, cells: Sequence[str]) -> str:
        sides = ["left", *["right"] * (len(cells) - 1)]
        shown = zip(sides, cells, strict=True)
        return "".join(f"<{kind} style='text-align:{side}'>{escape(cell)}</{kind}>" for side, cell in shown)

    body = "".join(f"<tr>{line('td', cells)}</tr>" for cells in rows)
    return f"<table><thead><tr>{line('th', heading)}</tr></thead><tbody>{body}</tbody></table>"


def solution_html(solution: Solution) -> str:
    """HTML that shows a solution, or sums up a batch of them; quick for any number of rows."""
    kind = solution._kind.capitalize()
    try:
        with np.errstate(all="ignore"):
            if solution.shape == ():
                single = _on_numpy(solution)
                return html_table([f"{kind} solution", ""], _describe_one(single)) + _plot(single)
            what = "branches" if isinstance(solution, Branches) else "solutions"
            return html_table([f"{kind} {what}", ""], _describe_batch(solution))
    except LimbikError as error:  # inputs that were changed since, or tensors without numbers
        return html_table([kind, f"shape {solution.shape}"], [["", str(error)]])


def _describe_one(solution: Solution) -> list[tuple[str, str]]:
    lengths = ", ".join(f"{length:g}" for length in solution._groups["lengths"])
    rows = [("lengths", lengths), ("status", words.outcome(solution))]
    if solution.status is not Status.INVALID:
        rows += [("residual", f"{solution.residual:.3g}")]
        rows += [(name, words.degrees(angle)) for name, angle in words.named_angles(solution)]
    return rows


def _describe_batch(solution: Solution) -> list[tuple[str, str]]:
    """The shape, how many rows have which status (in percent where only a sample was solved), and the residuals."""
    count = prod(solution.shape)
    shape = f"{solution.shape}{f' of {solution._library}' if solution._library else ''}"
    if not count:
        return [("shape", shape), ("", "no rows")]
    if count > MAX_COUNTED_ROWS:
        picked = np.random.default_rng(0).integers(0, count, MAX_COUNTED_ROWS)
        solution = solution[np.unravel_index(picked, solution.shape)]
    seen = _on_numpy(solution)
    status, residuals = np.ravel(seen.status), np.ravel(seen.residual)
    rows = [("shape", shape)]
    if len(status) < count:
        rows.append(("", f"{len(status):,} of {count:,} rows, picked at random:"))
    for one, number in zip(Status, np.bincount(status, minlength=len(Status)), strict=True):
        if number:
            amount = f"{number:,}" if len(status) == count else f"{100.0 * number / len(status):.3g} %"
            rows.append((one.words, amount))
    valid = residuals[status != Status.INVALID]
    if valid.size:
        rows.append(("residual", f"largest {valid.max():.3g}, median {np.median(valid):.3g}"))
    return rows


def _on_numpy(solution: Solution) -> Solution:
    """A solution on NumPy, whatever the library of its inputs, with nothing computed yet."""
    try:
        return on_numpy(solution)
    except (TypeError, RuntimeError) as error:  # a tensor without content, or one that is being traced
        raise LimbikError("its values are not available") from error


def _plot(solution: Solution) -> str:
    """The plot of a single solution as an HTML image; nothing without matplotlib, or where there is nothing to draw."""
    if not _can_be_drawn(solution.joints):
        return ""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        return ""
    from limbik.pictures.canvas import svg_text
    from limbik.pictures.limb_plot import limb_figure

    # An image of its own: what an SVG says of styles and names would apply to the whole notebook.
    figure = limb_figure(solution)
    source = "data:image/svg+xml;base64," + b64encode(svg_text(figure).encode()).decode()
    width = PLOT_PIXELS_PER_INCH * figure.get_figwidth()
    return f'<img src="{source}" alt="{escape(words.outcome(solution))}" style="width:{width:.0f}px;max-width:100%">'


def _can_be_drawn(joints: Array) -> bool:
    """Whether matplotlib can draw joints (joints, 2 or 3): they are finite, and of a size that can be told apart."""
    if not np.isfinite(joints).all():
        return False
    size = float(np.ptp(joints, axis=0).max())
    return MIN_PLOT_METRES < size < MAX_PLOT_METRES and float(np.abs(joints).max()) < MAX_PLOT_OFFSET * size
