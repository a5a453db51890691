"""A family's formula for many targets: one branch, two that share most of the work, or all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.engines import plans

if TYPE_CHECKING:
    from limbik.robots.families import Family

Columns = dict[str, Array]  # groups of the family's program, (components, rows) or (components, 1)


def placed(family: Family, columns: Columns, signs: Any, rows: int, dtype: Any) -> Array:
    """One branch of many rows: angles and cost, (n + 1, rows)."""
    return _run(family, "placed", {**columns, "signs": np.asarray(signs, dtype)[:, None]}, rows, dtype)


def placed_pair(family: Family, columns: Columns, number: int, rows: int, dtype: Any, out: Array | None) -> Array:
    """Two branches that differ in the last sign, from an even number on: angles and cost, (2, n + 1, rows)."""
    signs = np.asarray(family.signs[number], dtype)[:, None]
    memory = None if out is None else out.reshape(-1, rows)
    return _run(family, "placed_pair", {**columns, "signs": signs}, rows, dtype, memory).reshape(2, -1, rows)


def placed_together(
    family: Family, columns: Columns, signs: Sequence[Any], rows: int, dtype: Any, swivels: Array | None = None
) -> Array:
    """Several branches in one call, which is worth it for few rows: angles and cost, (n + 1, branches, rows).

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


def _spread(column: Array, shape: tuple[int, ...]) -> Array:
    """A group (components, ...) for every row of `shape`; constants stay as they are."""
    if column.ndim == 2 and column.shape[1] == 1:
        return column
    size, *own = column.shape
    full = column.reshape(size, *(1,) * (len(shape) - len(own)), *own)
    return np.broadcast_to(full, (size, *shape)).reshape(size, -1)


def part_of(columns: Columns, rows: Any) -> Columns:
    """The groups of some of the rows."""
    return {name: column if column.shape[1] == 1 else column[:, rows] for name, column in columns.items()}


def _run(family: Family, answer: str, columns: Columns, rows: int, dtype: Any, out: Array | None = None) -> Array:
    given = {**family.columns(dtype), **columns}
    program, flags = family.layout.program, family.layout.flags
    groups = [given[name] for name in program.groups_of(answer)]
    return plans.run_groups(program, answer, flags, groups, rows, dtype, out, alike=False)
