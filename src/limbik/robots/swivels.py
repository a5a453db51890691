"""Which swivel to take where none is given: one with an answer within the joints' limits, wherever there is one.

Each rotation of an arm with spherical shoulder and wrist is a·sin ψ + b·cos ψ + c in the swivel ψ, so that a joint
reaches a limit at the roots of such an equation (Shimizu et al. 2008). Between two neighbouring roots, an arc, nothing
changes: one test in the middle decides for the whole of it. Where the angle of the last joint is free, it is looked for
on a grid; what that does not find, `refinement.py` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.formulas.robots.answers import BEYOND_LIMIT
from limbik.robots.robot_branches import Columns, DType, evaluate_branches, select_rows
from limbik.rotations import multiply, rotate, to_matrices

if TYPE_CHECKING:
    from limbik.robots.families import Family

BLOCK_ROWS = 1024  # targets whose arcs are computed together
ARC_INSET = 1e-3  # radians by which an answer stays inside the end of an arc
GRID_ANGLES = 48  # of the last joint that are tried
MAX_LIMIT = 100.0  # radians: joints with wider limits have none
ELBOW_SIGNS = (1.0, -1.0)  # the sign of the branch by which the elbow bends


def choose_swivel(family: Family, columns: Columns, rows: int, dtype: DType, near_given: bool) -> Array:
    """The swivel of each row, (rows,), radians: near that of `near` where given, else amid the widest arc."""
    found = np.empty(rows, dtype)
    choose = _by_arcs if family.layout.free_parameter == "swivel" else _by_grid
    for start in range(0, rows, BLOCK_ROWS):
        block = slice(start, start + BLOCK_ROWS)
        with np.errstate(invalid="ignore", divide="ignore"):
            found[block] = choose(family, select_rows(columns, block), len(found[block]), near_given)
    return found


def _by_grid(family: Family, columns: Columns, rows: int, near_given: bool) -> Array:
    near = np.broadcast_to(columns["near"][-1], rows)
    low, high = float(family.limits["lower"][-1]), float(family.limits["upper"][-1])
    grid = np.linspace(max(low, -np.pi), min(high, np.pi), GRID_ANGLES)
    best = near.copy()
    waiting = np.ones(rows, bool)
    if near_given:
        cost = evaluate_branches(family, columns, family.signs, rows, near.dtype, near[None])[-1].min(axis=(0, 1))
        waiting = ~(cost < BEYOND_LIMIT)  # row by row, so that none depends on its neighbours
    if (count := int(waiting.sum())) > 0:
        tried = np.repeat(grid[:, None], count, axis=1)
        costs = evaluate_branches(family, select_rows(columns, waiting), family.signs, count, near.dtype, tried)[-1]
        costs = costs.min(axis=0)
        costs = np.where(costs < BEYOND_LIMIT, np.abs(tried - near[waiting]), costs)
        best[waiting] = grid[costs.argmin(axis=0)]
    return best


def _by_arcs(family: Family, columns: Columns, rows: int, near_given: bool) -> Array:
    near = swivel_of(family, np.broadcast_to(columns["near"], (7, rows))) if near_given else None
    best, best_value = np.zeros(rows), np.full(rows, -np.inf)
    for elbow, ends in zip(ELBOW_SIGNS, arc_ends(family, columns, rows), strict=True):
        signs = [one for one in family.signs if one[1] == elbow]
        lengths = np.diff(ends, axis=0)
        middles = ends[:-1] + 0.5 * lengths
        costs = evaluate_branches(family, columns, signs, rows, middles.dtype, middles)[-1].min(axis=0)
        if near is None:
            places, value = middles, lengths
        else:
            inset = np.minimum(ARC_INSET, 0.25 * lengths)
            turns = np.round((middles - near) / (2 * np.pi)) * (2 * np.pi)
            wanted = near + turns
            inside = (wanted >= ends[:-1]) & (wanted <= ends[1:])
            places = np.where(inside, wanted, np.clip(wanted, ends[:-1] + inset, ends[1:] - inset))
            value = -np.abs(places - near - turns)
        value = np.where(costs < BEYOND_LIMIT, value, -1e3 - costs)
        number = np.nan_to_num(value, nan=-np.inf).argmax(axis=0)[None]
        value, place = (np.take_along_axis(one, number, 0)[0] for one in (value, places))
        best, best_value = np.where(value > best_value, place, best), np.fmax(value, best_value)
    return best


# --- the swivels at which a joint reaches a limit


def arc_ends(family: Family, columns: Columns, rows: int) -> Array:
    """Where a joint may reach a limit, for each bend of the elbow: (2, ends + 1, rows), radians, in order.

    The last end is the first, a turn on.
    """
    shoulder, wrist = _rotations(family, columns, rows)
    equations = [_levels(family, first, *after) for first, after in ((0, shoulder), (4, wrist))]
    sine, cosine, constant = (np.concatenate(parts, axis=-1) for parts in zip(*equations, strict=True))
    roots = _roots(sine, cosine, constant)
    start = np.full((*roots.shape[:-1], 1), -np.pi)
    found = np.sort(np.concatenate([start, np.nan_to_num(roots, nan=-np.pi)], axis=-1), axis=-1)
    return np.concatenate([found, found[..., :1] + 2 * np.pi], axis=-1).swapaxes(1, 2)


def _levels(family: Family, first: int, *parts: Array) -> tuple[Array, Array, Array]:
    """The equations in the swivel that three joints give from `first` on: sine, cosine and constant."""
    left, right, level = _stacked_limit_equations(family, first)
    sine, cosine, constant = (np.sum((part @ right.T) * left.T, axis=-2) for part in parts)
    return sine, cosine, constant - level


@lru_cache(maxsize=64)
def _stacked_limit_equations(family: Family, first: int) -> tuple[Array, Array, Array]:
    """When the limits of three joints are reached, turning by R together: left · R right = level; for each of them."""
    one, two, three = family.geometry["axes"].reshape(7, 3)[first : first + 3]
    found = [(k, float(family.limits[name][first + k])) for k in range(3) for name in ("lower", "upper")]
    limits = [(joint, angle) for joint, angle in found if abs(angle) < MAX_LIMIT]
    left, right, level = zip(*_limit_equations(one, two, three, limits), strict=True)
    return np.array(left), np.array(right), np.array(level)


def _limit_equations(
    one: Array, two: Array, three: Array, limits: list[tuple[int, float]]
) -> Iterator[tuple[Array, Array, float]]:
    # The rotations that they reach at all end where the middle joint is straight or folded.
    middle, half = (
        (two @ one) * (two @ three),
        np.linalg.norm(np.cross(two, one)) * np.linalg.norm(np.cross(two, three)),
    )
    yield one, three, float(middle + half)
    yield one, three, float(middle - half)
    for joint, angle in limits:
        if joint == 1:  # one · R three = one · R(two, angle) three
            yield one, three, float(one @ _rotation(two, angle) @ three)
        elif joint == 0:  # two · R(one, −angle) R three = two · three
            yield _rotation(one, angle) @ two, three, float(two @ three)
        else:  # two · R(three, angle) Rᵀ one = two · one
            yield one, _rotation(three, -angle) @ two, float(two @ one)


def _roots(sine: Array, cosine: Array, constant: Array) -> Array:
    """Where sine·sin ψ + cosine·cos ψ + constant = 0, (..., 2 m), in [−π, π]; NaN where nowhere."""
    middle, half = np.arctan2(sine, cosine), np.arccos(-constant / np.hypot(sine, cosine))
    roots = np.concatenate([middle - half, middle + half], axis=-1)
    return (roots + np.pi) % (2 * np.pi) - np.pi


def _rotations(family: Family, columns: Columns, rows: int) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    """The rotations by shoulder and wrist for each bend of the elbow: sine, cosine and constant parts in the swivel.

    Each is (2, rows, 3, 3).
    """
    axes, points = (family.geometry[name].reshape(7, 3) for name in ("axes", "points"))
    frame, tip = family.geometry["frame"], family.geometry["tip"]
    signs = [next(one for one in family.signs if one[1] == elbow) for elbow in ELBOW_SIGNS]
    start = {**columns, "swivel": np.array([[1.0], [0.0]])}
    bent = evaluate_branches(family, start, signs, rows, np.dtype(float))[3]  # whatever the swivel
    elbow = _rotation(axes[3], bent)
    turn = multiply(multiply(frame[3:], np.broadcast_to(columns["rotation"], (4, rows)).T), tip[3:])
    matrix = to_matrices(turn / np.linalg.norm(turn, axis=1, keepdims=True))
    target = rotate(frame[3:], columns["position"].T - frame[:3])
    aim = _unit(target + matrix @ (points[6] - tip[:3]) - points[0])
    line = _unit(elbow @ (points[6] - points[3]) + points[3] - points[0])
    bend = _unit(np.cross(line, axes[3]))
    side = _zero_side(axes, aim)
    third, last = np.cross(aim, side), np.cross(line, bend)
    sine, cosine = _outer(third, bend) - _outer(side, last), _outer(side, bend) + _outer(third, last)
    shoulder = (sine, cosine, _outer(aim, line))
    back = elbow.swapaxes(-1, -2)
    return shoulder, tuple(back @ part.swapaxes(-1, -2) @ matrix for part in shoulder)


def _outer(a: Array, b: Array) -> Array:
    return a[..., :, None] * b[..., None, :]


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
