"""The branches of a family's formula for many targets: one, two that share most of the work, or all; and the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.engines import plans

if TYPE_CHECKING:
    from limbik.robots.families import Family

Columns = dict[str, Array]  # inputs of the family's program, (components, rows) or (components, 1)
Signs = Sequence[float] | Array  # what selects a branch
DType = np.dtype[Any]
# A function that solves one branch of a family with a guess: family, columns, signs, rows, dtype to (n + 1, rows).
GuessSolver = Callable[["Family", Columns, Signs, int, DType], Array]
MAX_ROWS_TOGETHER = 512  # rows whose branches are computed in one call
BLOCK_ROWS = 1 << 14  # rows whose branches are compared together


def evaluate_branch(family: Family, columns: Columns, signs: Signs, rows: int, dtype: DType) -> Array:
    """One branch of many rows: angles and cost, (n + 1, rows)."""
    return _run(family, "placed", {**columns, "signs": np.asarray(signs, dtype)[:, None]}, rows, dtype)


def evaluate_branches(
    family: Family, columns: Columns, signs: Sequence[Signs], rows: int, dtype: DType, swivels: Array | None = None
) -> Array:
    """Several branches in one call, which is faster for few rows: angles and cost, (n + 1, branches, rows).

    With `swivels`, (k, rows), radians, at each of them: (n + 1, branches, k, rows).
    """
    shape = (len(signs), rows) if swivels is None else (len(signs), *swivels.shape)
    given = {name: _spread(column, shape) for name, column in columns.items()}
    if swivels is not None:
        given["swivel"] = _spread(np.stack([np.cos(swivels), np.sin(swivels)]), shape)
    chosen = np.asarray(signs, dtype).T.reshape(-1, len(signs), *(1,) * (len(shape) - 1))
    given["signs"] = _spread(chosen, shape)
    found = _run(family, "placed", given, int(np.prod(shape)), dtype)
    return found.reshape(-1, *shape)


def best_branch(
    family: Family, columns: Columns, rows: int, dtype: DType, solve_guess: GuessSolver
) -> tuple[Array, Array]:
    """The best branch of each row: its number, and its angles and cost, (n + 1, rows)."""
    if rows <= MAX_ROWS_TOGETHER and family.layout.free_parameter != "guess":
        found = evaluate_branches(family, columns, family.signs, rows, dtype)
        branch = np.nan_to_num(found[-1], nan=np.inf).argmin(axis=0)
        return branch.astype(np.int8), np.take_along_axis(found, branch[None, None], 1)[:, 0]
    size = family.layout.joints + 1
    best = np.empty((size, rows), dtype)
    best[-1] = np.inf
    branch = np.zeros(rows, np.int8)
    for start in range(0, rows, BLOCK_ROWS):
        block = slice(start, start + BLOCK_ROWS)
        best_here, branch_here = best[:, block], branch[block]
        part = select_rows(columns, block)
        for number in range(0, family.branches, 2):
            pair = evaluate_pair(family, part, number, best_here.shape[1], dtype, solve_guess)
            for one, found in enumerate(pair):
                better = ~(found[-1] >= best_here[-1])  # NaN too: such a row is invalid in every branch
                np.copyto(best_here, found, where=better)
                branch_here[better] = number + one
    return branch, best


def every_branch(family: Family, columns: Columns, rows: int, dtype: DType, solve_guess: GuessSolver) -> Array:
    """All branches: angles and cost, (n + 1, branches, rows)."""
    found = np.empty((family.branches // 2, 2, family.layout.joints + 1, rows), dtype)
    for number, pair in enumerate(found):
        evaluate_pair(family, columns, 2 * number, rows, dtype, solve_guess, pair)
    return np.moveaxis(found.reshape(family.branches, -1, rows), 1, 0)


def evaluate_pair(
    family: Family,
    columns: Columns,
    number: int,
    rows: int,
    dtype: DType,
    solve_guess: GuessSolver,
    out: Array | None = None,
) -> Array:
    """Two branches that differ in the last sign, from an even number on: angles and cost, (2, n + 1, rows)."""
    if family.layout.free_parameter == "guess":
        found = np.stack([solve_guess(family, columns, one, rows, dtype) for one in family.signs[number : number + 2]])
    else:
        signs = np.asarray(family.signs[number], dtype)[:, None]
        memory = None if out is None else out.reshape(-1, rows)
        found = _run(family, "placed_pair", {**columns, "signs": signs}, rows, dtype, memory).reshape(2, -1, rows)
    if out is not None and not np.may_share_memory(out, found):
        out[:] = found
    return found


def select_rows(columns: Columns, rows: slice | Array) -> Columns:
    """The inputs of some of the rows."""
    return {name: column if column.shape[1] == 1 else column[:, rows] for name, column in columns.items()}


def _spread(column: Array, shape: tuple[int, ...]) -> Array:
    """An input (components, ...) for every row of `shape`; constants stay as they are."""
    if column.ndim == 2 and column.shape[1] == 1:
        return column
    size, *own = column.shape
    full = column.reshape(size, *(1,) * (len(shape) - len(own)), *own)
    return np.broadcast_to(full, (size, *shape)).reshape(size, -1)


def _run(family: Family, answer: str, columns: Columns, rows: int, dtype: DType, out: Array | None = None) -> Array:
    given = {**family.columns(dtype), **columns}
    program, flags = family.layout.program, family.layout.flags
    inputs = [given[name] for name in program.groups_of(answer)]
    return plans.run_groups(program, answer, flags, inputs, rows, dtype, out, alike=False)
