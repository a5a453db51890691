"""A batch of solutions as a notebook shows it: how many reached their targets, and the first rows.

Only a few rows are solved, on NumPy, however many there are.
"""

from __future__ import annotations

from math import prod

import numpy as np

from limbik.arrays import Array
from limbik.errors import LimbikError
from limbik.limbs.branches import Branches
from limbik.limbs.solution import Solution, on_numpy
from limbik.limbs.status import Status
from limbik.limbs.track import Track
from limbik.pictures import words
from limbik.pictures.markup import Markup, faint, framed, heading, line, outcome, table
from limbik.referee.motion_report import number

MOST = 20_000  # rows that are solved for the statistics
ROWS = 6  # of the table
BRANCHES = 8  # the most that one target has: all are listed


def summary(solution: Solution) -> Markup:
    """HTML that summarises a batch of any size."""
    rows = prod(solution.shape)
    what = "branches" if isinstance(solution, Branches) else "solutions"
    of = f" of {solution._library}" if solution._library else ""
    head = heading(f"{words.kind(solution)} {what}", f"shape {solution.shape}{of}")
    if not rows:
        return framed(head, line("no rows"))
    seen = _sample(solution)
    status, residual = np.ravel(seen.status), np.ravel(seen.residual)
    valid = residual[status != Status.INVALID]
    residuals = [line(f"residual: largest {valid.max():.3g}, median {np.median(valid):.3g}")] if valid.size else []
    return framed(head, *_outcomes(status, rows), *residuals, *_table(solution))


def _outcomes(status: Array, rows: int) -> list[Markup]:
    """The number of rows of each status, or the fraction where only a sample was solved."""
    counts = np.bincount(status, minlength=len(Status))
    some = len(status) < rows
    amounts = [f"{100.0 * count / len(status):.3g} %" if some else f"{count:,}" for count in counts]
    found = [(one, amount) for one, amount, count in zip(Status, amounts, counts, strict=True) if count]
    shown = [outcome(f"{amount} {one.words}", good=one is Status.REACHED) for one, amount in found]
    return [line(faint(f"{len(status):,} of {rows:,} rows, picked at random:")), *shown] if some else shown


def _table(solution: Solution) -> list[Markup]:
    branches = isinstance(solution, Branches)
    seen = _first(solution, BRANCHES if branches else ROWS)
    names = ["", "status", "residual", *seen.angle_names]
    rest = ", 0" * (len(solution.shape) - 1)
    rows = [
        [
            f"[{k}{rest}]",
            Status(int(status)).words.partition(":")[0],
            number(residual, ".3g"),
            *map(words.degrees, angles),
        ]
        for k, (status, residual, angles) in enumerate(zip(seen.status, seen.residual, seen.degrees(), strict=True))
    ]
    more = len(solution) - len(rows)
    return [table(names, rows), *([line(faint(f"… and {more:,} more"))] if more else [])]


def plain(solution: Solution) -> Solution:
    """The same solution on NumPy, whatever the library of its inputs, with nothing computed yet."""
    try:
        return on_numpy(solution)
    except (TypeError, RuntimeError) as error:  # a tensor without content, or one that is being traced
        raise LimbikError("its values are not available") from error


def _sample(solution: Solution) -> Solution:
    """All rows of a batch, or a fixed random sample of a large one: (rows,)."""
    rows = prod(solution.shape)
    if rows > MOST:
        picked = np.random.default_rng(0).integers(0, rows, MOST)
        solution = solution[np.unravel_index(picked, solution.shape)]
    return plain(solution)


def _first(solution: Solution, count: int) -> Solution:
    """The first rows along axis 0, with index 0 on all other axes: (rows,)."""
    head = plain(solution[(slice(count), *(0,) * (len(solution.shape) - 1))])
    if isinstance(solution, Track):  # whose angles continue past half a turn
        head = on_numpy(head, Track)
    return head
