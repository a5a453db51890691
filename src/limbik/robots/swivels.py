"""Which swivel to take where none is given: those with an answer within the joints' limits are arcs in closed form.

Of an arm with spherical shoulder and wrist, each rotation is a·sin ψ + b·cos ψ + c in the swivel ψ, so that a joint
reaches a limit at the roots of such an equation (Shimizu et al. 2008). Between two neighbouring roots nothing changes:
one test in the middle decides for the whole arc. Where the angle of the last joint is free, it is searched for on a
grid.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.formulas.robots.answers import BEYOND_LIMIT
from limbik.rotations import multiply, rotate, to_matrices

if TYPE_CHECKING:
    from limbik.robots.array_solving import Call
    from limbik.robots.families import Family

ROWS = 4096  # targets whose arcs are computed together
INSET = 1e-3  # radians by which an answer stays inside the end of an arc
UNLIMITED = 100.0  # radians: joints with wider limits have none
GRID, ZOOMS = 48, 4  # angles of the last joint that are tried, and how often a finer grid follows


def chosen_swivel(family: Family, columns: dict[str, Array], rows: int, call: Call) -> Array:
    """The swivel of each row, (rows,), radians."""
    found = np.empty(rows, call.dtype)
    choose = _by_arcs if family.layout.spare == "swivel" else _by_grid
    for start in range(0, rows, ROWS):
        block = slice(start, start + ROWS)
        part = {name: column if column.shape[1] == 1 else column[:, block] for name, column in columns.items()}
        with np.errstate(invalid="ignore", divide="ignore"):
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
    for first, after in zip((0, 4), _rotations(family, columns, rows, signs), strict=True):
        one, two, three = axes[first : first + 3]
        for left, right, level in _limits_reached(one, two, three, _limits(family, first)):
            sine, cosine, constant = (np.einsum("i,nij,j->n", left, part, right) for part in after)
            ends.append(_roots(sine, cosine, constant, level))
    found = np.sort(np.nan_to_num(np.concatenate(ends), nan=-np.pi), axis=0)
    return np.concatenate([found, found[:1] + 2 * np.pi])


def _limits(family: Family, first: int) -> list[tuple[int, float]]:
    """The limits of three joints from `first` on: the joint, counted from there, and the angle."""
    found = [(k, float(family.limits[name][first + k])) for k in range(3) for name in ("lower", "upper")]
    return [(joint, angle) for joint, angle in found if abs(angle) < UNLIMITED]


def _limits_reached(
    one: Array, two: Array, three: Array, limits: list[tuple[int, float]]
) -> Iterator[tuple[Array, Array, float]]:
    """When joints with these axes reach a limit, turning by R together: left · R right = level."""
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


def _roots(sine: Array, cosine: Array, constant: Array, level: float) -> Array:
    """Where sine·sin ψ + cosine·cos ψ + constant = level, (2, rows), in [−π, π]; NaN where nowhere."""
    middle, half = np.arctan2(sine, cosine), np.arccos((level - constant) / np.hypot(sine, cosine))
    roots = np.stack([middle - half, middle + half])
    return (roots + np.pi) % (2 * np.pi) - np.pi


def _rotations(family: Family, columns: dict[str, Array], rows: int, signs: Any) -> list[tuple[Array, Array, Array]]:
    """The rotations by shoulder and wrist: the sine, cosine and constant parts in the swivel, each (rows, 3, 3)."""
    from limbik.robots.array_solving import placed

    axes, points = (family.geometry[name].reshape(7, 3) for name in ("axes", "points"))
    frame, tip = family.geometry["frame"], family.geometry["tip"]
    start = {**columns, "swivel": np.array([[1.0], [0.0]])}
    elbow = _rotation(axes[3], placed(family, start, signs, rows, np.dtype(float))[3])  # whatever the swivel
    turn = multiply(multiply(frame[3:], np.broadcast_to(columns["rotation"], (4, rows)).T), tip[3:])
    matrix = to_matrices(turn / np.linalg.norm(turn, axis=1, keepdims=True))
    target = rotate(frame[3:], columns["position"].T - frame[:3])
    reached = target + matrix @ (points[6] - tip[:3]) - points[0]
    line = _unit(elbow @ (points[6] - points[3]) + points[3] - points[0])
    bend = _unit(np.cross(line, axes[3]))
    aim = _unit(reached)
    side = _zero_side(axes, aim)
    third, last = np.cross(aim, side), np.cross(line, bend)
    sine, cosine = _outer(third, bend) - _outer(side, last), _outer(side, bend) + _outer(third, last)
    shoulder = (sine, cosine, _outer(aim, line))
    sine, cosine, constant = (elbow.swapaxes(1, 2) @ part.swapaxes(1, 2) @ matrix for part in shoulder)
    return [shoulder, (sine, cosine, constant)]


def _outer(a: Array, b: Array) -> Array:
    return a[:, :, None] * b[:, None, :]


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
    zero = _zero_side(axes, aim)
    return np.arctan2(np.einsum("ni,ni->n", np.cross(aim, zero), side), np.einsum("ni,ni->n", zero, side))


def _zero_side(axes: Array, aim: Array) -> Array:
    """The directions across the line from shoulder to wrist from which the swivel is measured, (rows, 3)."""
    zero = axes[0] - aim * (aim @ axes[0])[:, None]
    spare = np.cross(axes[0], axes[1])
    aligned = np.sum(zero * zero, axis=1)[:, None] < 1e-12
    return _unit(np.where(aligned, spare - aim * (aim @ spare)[:, None], zero))


def _unit(v: Array) -> Array:
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-300)
