"""Arms of seven joints: their swivel, and the branches of their closed form at several of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array, library_of
from limbik.engines import plans, tensor_dispatch
from limbik.engines.robot_flags import NoFlags
from limbik.engines.robot_programs import SWIVEL_ANGLE
from limbik.formulas.robots.exported import SWIVELS_AROUND
from limbik.limbs.inputs import FLOAT64
from limbik.robots.robot_branches import Columns, DType, evaluate_branches

if TYPE_CHECKING:
    from limbik.robots.families import Family

SWIVELS_ALL_AROUND = np.linspace(-np.pi, np.pi, 8, endpoint=False)
KEPT_BRANCHES = 3  # the best of all


def best_at_swivels(
    family: Family, columns: Columns, rows: int, dtype: DType, near_given: bool
) -> tuple[Array, Array, Array]:
    """The best branches at several swivels: angles (k, rows, 7), costs and numbers of branches (k, rows)."""
    if family.layout.free_parameter == "last joint":
        low, high = (float(family.limits[name][-1]) for name in ("lower", "upper"))
        around = np.linspace(max(low, -np.pi), min(high, np.pi), len(SWIVELS_ALL_AROUND))
        middle = np.broadcast_to(columns["near"][-1], rows)
    else:
        around = SWIVELS_ALL_AROUND
        middle = swivel_of(family, np.broadcast_to(columns["near"], (7, rows))) if near_given else np.zeros(rows)
    swivels = (middle + np.array(SWIVELS_AROUND)[:, None]) if near_given else np.repeat(around[:, None], rows, axis=1)
    found = evaluate_branches(family, columns, family.signs, rows, dtype, swivels.astype(dtype, copy=False))
    found = found.reshape(len(found), -1, rows)
    costs = np.nan_to_num(found[-1], nan=np.inf)
    order = np.argpartition(costs, KEPT_BRANCHES, axis=0)[:KEPT_BRANCHES]
    first = np.take_along_axis(costs, order, 0).argsort(axis=0, kind="stable")
    order = np.take_along_axis(order, first, 0)
    picked = np.take_along_axis(found, order[None], 1)
    return np.moveaxis(picked[:-1], 0, -1), picked[-1], order // len(swivels)


def swivel_columns(family: Family, columns: Columns, rows: int, dtype: DType, near_given: bool) -> Array:
    """Cosine and sine, (2, rows), of the swivel of each row's best branch."""
    angles, _, _ = best_at_swivels(family, columns, rows, dtype, near_given)
    best = angles[0, :, -1] if family.layout.free_parameter == "last joint" else swivel_of(family, angles[0].T)
    return np.stack([np.cos(best), np.sin(best)]).astype(dtype, copy=False)


def swivel_of(family: Family, angles: Array) -> Array:
    """The swivel of arms whose joints have these angles, (7, rows) to (rows,)."""
    constants = [family.columns(FLOAT64)[name] for name in ("axes", "points")]
    given = [*constants, np.ascontiguousarray(angles, FLOAT64)]
    return plans.run_groups(SWIVEL_ANGLE, "angle", NoFlags(), given, angles.shape[1], FLOAT64, alike=False)[0]


def swivel_of_tensors(family: Family, angles: Any) -> Any:
    """The swivel of tensors of angles, (..., 7) to (...,), with gradients."""
    library, given = library_of(angles) or "", {**family.inputs, "angles": angles}
    inputs = {name: given[name] for name in SWIVEL_ANGLE.groups}
    shape = tuple(angles.shape[:-1])
    return tensor_dispatch.run(library, SWIVEL_ANGLE, "angle", NoFlags(), inputs, shape, angles.dtype)[..., 0]
