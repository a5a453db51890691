"""Which swivel to take where none is given: one with an answer within the joints' limits, wherever there is one.

Of an arm with spherical shoulder and wrist, those are arcs in closed form (`swivel_arcs.py`): one test in the middle of
an arc decides for the whole of it. Where the angle of the last joint is free, it is looked for on a grid; what that
does not find, `self_motion.py` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.formulas.robots.answers import BEYOND_LIMIT
from limbik.robots.branch_evaluation import Columns, part_of, placed_together
from limbik.robots.swivel_arcs import ELBOWS, arc_ends, swivel_of

if TYPE_CHECKING:
    from limbik.robots.array_solving import Call
    from limbik.robots.families import Family

ROWS = 1024  # targets whose arcs are computed together
INSET = 1e-3  # radians by which an answer stays inside the end of an arc
GRID = 48  # angles of the last joint that are tried


def chosen_swivel(family: Family, columns: Columns, rows: int, call: Call) -> Array:
    """The swivel of each row, (rows,), radians."""
    found = np.empty(rows, call.dtype)
    choose = _by_arcs if family.layout.spare == "swivel" else _by_grid
    for start in range(0, rows, ROWS):
        block = slice(start, start + ROWS)
        with np.errstate(invalid="ignore", divide="ignore"):
            found[block] = choose(family, part_of(columns, block), len(found[block]), call)
    return found


def _by_grid(family: Family, columns: Columns, rows: int, call: Call) -> Array:
    near = np.broadcast_to(columns["near"][-1], rows)
    low, high = float(family.limits["lower"][-1]), float(family.limits["upper"][-1])
    grid = np.linspace(max(low, -np.pi), min(high, np.pi), GRID)
    best = near.copy()
    waiting = np.ones(rows, bool)
    if call.near_given:
        cost = placed_together(family, columns, family.signs, rows, near.dtype, near[None])[-1].min(axis=(0, 1))
        waiting = ~(cost < BEYOND_LIMIT)  # row by row, so that none depends on its neighbours
    if (count := int(waiting.sum())) > 0:
        tried = np.repeat(grid[:, None], count, axis=1)
        costs = placed_together(family, part_of(columns, waiting), family.signs, count, near.dtype, tried)[-1]
        costs = costs.min(axis=0)
        costs = np.where(costs < BEYOND_LIMIT, np.abs(tried - near[waiting]), costs)
        best[waiting] = grid[costs.argmin(axis=0)]
    return best


def _by_arcs(family: Family, columns: Columns, rows: int, call: Call) -> Array:
    near = swivel_of(family, np.broadcast_to(columns["near"], (7, rows))) if call.near_given else None
    best, worth = np.zeros(rows), np.full(rows, -np.inf)
    for elbow, ends in zip(ELBOWS, arc_ends(family, columns, rows), strict=True):
        signs = [one for one in family.signs if one[1] == elbow]
        lengths = np.diff(ends, axis=0)
        middles = ends[:-1] + 0.5 * lengths
        costs = placed_together(family, columns, signs, rows, middles.dtype, middles)[-1].min(axis=0)
        if near is None:
            places, value = middles, lengths
        else:
            inset = np.minimum(INSET, 0.25 * lengths)
            turns = np.round((middles - near) / (2 * np.pi)) * (2 * np.pi)
            wanted = near + turns
            inside = (wanted >= ends[:-1]) & (wanted <= ends[1:])
            places = np.where(inside, wanted, np.clip(wanted, ends[:-1] + inset, ends[1:] - inset))
            value = -np.abs(places - near - turns)
        value = np.where(costs < BEYOND_LIMIT, value, -1e3 - costs)
        number = np.nan_to_num(value, nan=-np.inf).argmax(axis=0)[None]
        value, place = (np.take_along_axis(one, number, 0)[0] for one in (value, places))
        best, worth = np.where(value > worth, place, best), np.fmax(value, worth)
    return best
