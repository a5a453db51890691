"""A batch of solutions as a notebook shows it: what became of the targets, and the first rows."""

from __future__ import annotations

from math import prod

import numpy as np

from limbik.arrays import Array
from limbik.limbs.branches import Branches
from limbik.limbs.solution import Solution
from limbik.limbs.status import Status
from limbik.pictures import words
from limbik.pictures.markup import Markup, faint, framed, heading, line, outcome, table
from limbik.pictures.row_samples import first, sample

ROWS = 6  # of the table
BRANCHES = 8  # the most that there are of one target: all are shown


def summary(solution: Solution) -> Markup:
    """HTML that sums up a batch of any size."""
    rows = prod(solution.shape)
    what = "branches" if isinstance(solution, Branches) else "solutions"
    of = f" of {solution._library}" if solution._library else ""
    head = heading(f"{words.kind(solution)} {what}", f"shape {solution.shape}{of}")
    if not rows:
        return framed(head, line("no rows"))
    seen = sample(solution)
    status, residual = np.ravel(seen.status), np.ravel(seen.residual)
    return framed(head, *_outcomes(status, rows), *_residuals(residual[status != Status.INVALID]), *_table(solution))


def _outcomes(status: Array, rows: int) -> list[Markup]:
    """How many there are of each status, or about which part where only some rows were looked at."""
    counts = np.bincount(status, minlength=len(Status))
    some = len(status) < rows
    shown = [
        outcome(f"{_part(count / len(status)) if some else f'{count:,}'} {one.words}", good=one is Status.REACHED)
        for one, count in zip(Status, counts, strict=True)
        if count
    ]
    return [line(faint(f"{len(status):,} of {rows:,} rows, picked by chance:")), *shown] if some else shown


def _part(part: float) -> str:
    return f"{100.0 * part:.3g} %"


def _residuals(residual: Array) -> list[Markup]:
    if not residual.size:
        return []
    return [line(f"residual: largest {residual.max():.3g}, median {np.median(residual):.3g}")]


def _length(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.3g}"


def _table(solution: Solution) -> list[Markup]:
    """The first rows: what became of each, and its angles."""
    branches = isinstance(solution, Branches)
    seen = first(solution, BRANCHES if branches else ROWS)
    names = ["", "status", "residual", *seen.angle_names]
    rest = ", 0" * (len(solution.shape) - 1)
    rows = [
        [f"[{k}{rest}]", words.short(Status(int(status))), _length(residual), *map(words.degrees, angles)]
        for k, (status, residual, angles) in enumerate(zip(seen.status, seen.residual, seen.degrees(), strict=True))
    ]
    more = len(solution) - len(rows)
    return [table(names, rows), *([line(faint(f"… and {more:,} more"))] if more else [])]
