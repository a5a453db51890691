"""Arms of seven joints: their swivel, and the branches of their closed form at several of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.formulas.robots.exported import SWIVELS_AROUND
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


def _rotation(axis: Array, angle: Array | float) -> Array:
    """Rotation matrices, (..., 3, 3)."""
    x, y, z = axis
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    c, s = np.cos(angle)[..., None, None], np.sin(angle)[..., None, None]
    return np.eye(3) + s * skew + (1 - c) * (skew @ skew)


def swivel_of(family: Family, angles: Array) -> Array:
    """The swivel of arms whose joints have these angles, (7, rows) to (rows,)."""
    axes, points = (family.geometry[name].reshape(7, 3) for name in ("axes", "points"))
    shoulder, wrist, elbow = points[0], points[6], points[3]
    forearm = (_rotation(axes[3], angles[3]) @ (wrist - elbow)) + (elbow - shoulder)
    turn = _rotation(axes[0], angles[0]) @ _rotation(axes[1], angles[1]) @ _rotation(axes[2], angles[2])
    aim = _unit(np.einsum("nij,nj->ni", turn, forearm))
    side = _unit(np.cross(aim, np.einsum("nij,j->ni", turn, axes[3])))
    zero = _zero_side(axes, aim)
    return np.arctan2(np.einsum("ni,ni->n", np.cross(aim, zero), side), np.einsum("ni,ni->n", zero, side))


def _zero_side(axes: Array, aim: Array) -> Array:
    """The directions across the line from shoulder to wrist from which the swivel is measured, (rows, 3)."""
    zero = axes[0] - aim * (aim @ axes[0])[:, None]
    other_side = np.cross(axes[0], axes[1])
    aligned = np.sum(zero * zero, axis=1)[:, None] < 1e-12
    return _unit(np.where(aligned, other_side - aim * (aim @ other_side)[:, None], zero))


def _unit(v: Array) -> Array:
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-300)
