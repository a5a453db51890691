"""Which swivel to take where none is given: those with an answer within the joints' limits are arcs in closed form.

Of an arm with spherical shoulder and wrist, each rotation is a·sin ψ + b·cos ψ + c in the swivel ψ, so that a joint
reaches a limit at the roots of such an equation (Shimizu et al. 2008). Between two neighbouring roots nothing changes:
one test in the middle decides for the whole arc. Where the angle of the last joint is free, it is searched for on a
grid.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.formulas.robots.answers import BEYOND_LIMIT

if TYPE_CHECKING:
    from limbik.robots.array_solving import Call
    from limbik.robots.families import Family

ROWS = 4096  # targets whose arcs are computed together
INSET = 1e-3  # radians by which an answer stays inside the end of an arc
GRID, ZOOMS = 48, 4  # angles of the last joint that are tried, and how often a finer grid follows


def chosen_swivel(family: Family, columns: dict[str, Array], rows: int, call: Call) -> Array:
    """The swivel of each row, (rows,), radians."""
    found = np.empty(rows, call.dtype)
    choose = _by_arcs if family.layout.spare == "swivel" else _by_grid
    for start in range(0, rows, ROWS):
        block = slice(start, start + ROWS)
        part = {name: column if column.shape[1] == 1 else column[:, block] for name, column in columns.items()}
        with np.errstate(invalid="ignore"):
            found[block] = choose(family, part, len(found[block]), call)
    return found


def _cost(family: Family, columns: dict[str, Array], swivels: Array, signs: Any) -> Array:
    """What the branches of these signs cost at most, at swivels (k, rows)."""
    from limbik.robots.array_solving import placed

    count, rows = swivels.shape
    tiled = {}
    for name, column in columns.items():
        size, own = column.shape
        tiled[name] = np.broadcast_to(column[:, None], (size, count, rows)).reshape(size, -1) if own > 1 else column
    flat = swivels.reshape(1, -1)
    tiled["swivel"] = np.concatenate([np.cos(flat), np.sin(flat)])
    costs = [placed(family, tiled, one, flat.shape[1], flat.dtype)[-1] for one in signs]
    return np.min(costs, axis=0).reshape(count, rows)


def _by_grid(family: Family, columns: dict[str, Array], rows: int, call: Call) -> Array:
    near = np.broadcast_to(columns["near"][-1], rows)
    low, high = float(family.limits["lower"][-1]), float(family.limits["upper"][-1])
    low, high = max(low, -np.pi), min(high, np.pi)
    width = (high - low) / (GRID - 1)
    grid = np.repeat(np.linspace(low, high, GRID)[:, None], rows, axis=1)
    best = near.copy()
    least = np.where(call.near_given, _cost(family, columns, near[None], family.signs)[0], np.inf)
    for _ in range(ZOOMS):
        waiting = ~(least < BEYOND_LIMIT)  # row by row, so that none depends on its neighbours
        if not waiting.any():
            break
        costs = _cost(family, columns, grid, family.signs)
        costs = np.where(costs < BEYOND_LIMIT, np.abs(grid - near), costs)
        number = costs.argmin(axis=0)[None]
        cost, place = (np.take_along_axis(one, number, 0)[0] for one in (costs, grid))
        better = waiting & (cost < least)
        best, least = np.where(better, place, best), np.where(better, cost, least)
        width /= GRID / 4
        grid = np.clip(best + width * np.linspace(-GRID / 2, GRID / 2, GRID)[:, None], low, high)
    return best


def _by_arcs(family: Family, columns: dict[str, Array], rows: int, call: Call) -> Array:
    near = swivel_of(family, np.broadcast_to(columns["near"], (7, rows))) if call.near_given else None
    best, worth = np.zeros(rows), np.full(rows, -np.inf)
    for elbow in (1.0, -1.0):
        signs = [one for one in family.signs if one[1] == elbow]
        ends = _ends(family, columns, rows, signs[0])
        lengths = np.diff(ends, axis=0)
        middles = ends[:-1] + 0.5 * lengths
        costs = _cost(family, columns, middles, signs)
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


def _ends(family: Family, columns: dict[str, Array], rows: int, signs: Any) -> Array:
    """The swivels at which a joint may reach a limit, in order, (ends + 1, rows); the last is the first, a turn on."""
    axes = family.geometry["axes"].reshape(7, 3)
    ends = [np.full((1, rows), -np.pi)]
    for first in (0, 4):
        after = _rotations(family, columns, rows, signs, first)
        one, two, three = axes[first : first + 3]
        for joint, limit in ((k, name) for k in range(3) for name in ("lower", "upper")):
            angle = float(family.limits[limit][first + joint])
            if abs(angle) > 100:
                continue
            if joint == 1:  # one · R three = one · R(two, angle) three
                left, right, level = one, three, one @ _rotation(two, angle) @ three
            elif joint == 0:  # two · R(one, −angle) R three = two · three
                left, right, level = _rotation(one, angle) @ two, three, two @ three
            else:  # two · R(three, angle) Rᵀ one = two · one
                left, right, level = one, _rotation(three, -angle) @ two, two @ one
            sine, cosine, constant = (np.einsum("i,nij,j->n", left, part, right) for part in after)
            ends.append(_roots(sine, cosine, constant, level))
    found = np.sort(np.nan_to_num(np.concatenate(ends), nan=-np.pi), axis=0)
    return np.concatenate([found, found[:1] + 2 * np.pi])


def _roots(sine: Array, cosine: Array, constant: Array, level: float) -> Array:
    """Where sine·sin ψ + cosine·cos ψ + constant = level, (2, rows), in [−π, π]; NaN where nowhere."""
    middle, half = np.arctan2(sine, cosine), np.arccos((level - constant) / np.hypot(sine, cosine))
    roots = np.stack([middle - half, middle + half])
    return (roots + np.pi) % (2 * np.pi) - np.pi


def _rotations(family: Family, columns: dict[str, Array], rows: int, signs: Any, first: int) -> Any:
    """The rotation by three joints from `first` on: its sine, cosine and constant parts in the swivel, (rows, 3, 3)."""
    from limbik.robots.array_solving import placed

    axes = family.geometry["axes"].reshape(7, 3)
    found = []
    for swivel in (0.0, 0.5 * np.pi, np.pi):
        given = {**columns, "swivel": np.array([[np.cos(swivel)], [np.sin(swivel)]])}
        angles = placed(family, given, signs, rows, np.dtype(float))
        parts = [_rotation(axes[k], angles[k]) for k in range(first, first + 3)]
        found.append(parts[0] @ parts[1] @ parts[2])
    constant = 0.5 * (found[0] + found[2])
    return found[1] - constant, found[0] - constant, constant


def _rotation(axis: Array, angle: Any) -> Array:
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
    zero = axes[0] - aim * (aim @ axes[0])[:, None]
    spare = np.cross(axes[0], axes[1])
    zero = _unit(np.where(np.sum(zero * zero, axis=1)[:, None] < 1e-12, spare - aim * (aim @ spare)[:, None], zero))
    return np.arctan2(np.einsum("ni,ni->n", np.cross(aim, zero), side), np.einsum("ni,ni->n", zero, side))


def _unit(v: Array) -> Array:
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-300)
