"""Robot limbs on NumPy arrays: every branch of the family's formula, and the best of them."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.formulas.robots.answers import BEYOND_LIMIT, FARTHEST, NOT_REACHED
from limbik.limbs.inputs import Groups, rows_of, with_batch
from limbik.robots.branch_evaluation import Columns, part_of, placed_pair, placed_together
from limbik.robots.guesses import by_brackets, by_secants
from limbik.robots.nearest import measure, nearest
from limbik.robots.robot_solution import RobotSolution
from limbik.robots.self_motion import answers_within_limits
from limbik.robots.swivels import chosen_swivel

if TYPE_CHECKING:
    from limbik.robots.families import Family
    from limbik.robots.robot_limb import RobotLimb

SLACK = 1e-12  # radians, of a limit, for rounding
ASTRAY = 1e-9  # metres or radians by which an answer may miss after Newton steps
TOGETHER = 512  # rows whose branches are computed in one call
SWIVELS = 16  # from which the nearest pose is looked for
BLOCK = 1 << 14  # rows whose branches are compared together


Guessed = Callable[["Family", Columns, Any, int, Any], Array]


class Call(NamedTuple):
    """The arguments of `solve`, checked."""

    groups: Groups  # position, rotation, near, and swivel, radians, where it was given
    shape: tuple[int, ...]
    library: str | None
    dtype: Any
    near_given: bool


def solve_arrays(limb: RobotLimb, call: Call) -> RobotSolution:
    """The best branch of each row."""
    columns, rows = _columns(limb, call)
    branch, best = best_branch(limb._family, columns, rows, call.dtype)
    if limb._family.layout.spare == "guess" and (missed := best[-1] >= BEYOND_LIMIT).any():
        again = best_branch(limb._family, part_of(columns, missed), int(missed.sum()), call.dtype, by_brackets)
        branch[missed], best[:, missed] = again
    solution = _solution(limb, call, (), best, branch)
    missed = (solution.cost >= BEYOND_LIMIT).reshape(rows)
    if missed.any():
        _mend(solution, part_of(columns, missed), missed)
    return solution


def branches_of_arrays(limb: RobotLimb, call: Call) -> RobotSolution:
    """Every branch of each row."""
    columns, rows = _columns(limb, call)
    family = limb._family
    found = np.empty((family.branches // 2, 2, family.layout.joints + 1, rows), call.dtype)
    for number, pair in enumerate(found):
        _pair(family, columns, 2 * number, rows, call.dtype, by_brackets, pair)
    found = np.moveaxis(found.reshape(family.branches, -1, rows), 1, 0)
    numbers = np.arange(family.branches, dtype=np.int8).reshape(-1, *(1,) * len(call.shape))
    numbers = np.broadcast_to(numbers, (family.branches, *call.shape))
    return _solution(limb, call, (family.branches,), found, numbers)


def best_branch(
    family: Family, columns: Columns, rows: int, dtype: Any, guessed: Guessed = by_secants
) -> tuple[Array, Array]:
    """The best branch of each row: its number, and its angles and cost, (n + 1, rows)."""
    if rows <= TOGETHER and family.layout.spare != "guess":
        found = placed_together(family, columns, family.signs, rows, dtype)
        branch = np.nan_to_num(found[-1], nan=np.inf).argmin(axis=0)
        return branch.astype(np.int8), np.take_along_axis(found, branch[None, None], 1)[:, 0]
    size = family.layout.joints + 1
    best = np.empty((size, rows), dtype)
    best[-1] = np.inf
    branch = np.zeros(rows, np.int8)
    for start in range(0, rows, BLOCK):
        block = slice(start, start + BLOCK)
        held, chosen = best[:, block], branch[block]
        part = part_of(columns, block)
        for number in range(0, family.branches, 2):
            for one, found in enumerate(_pair(family, part, number, held.shape[1], dtype, guessed)):
                better = ~(found[-1] >= held[-1])  # NaN too: such a row is invalid in every branch
                np.copyto(held, found, where=better)
                chosen[better] = number + one
    return branch, best


def _pair(
    family: Family, columns: Columns, number: int, rows: int, dtype: Any, guessed: Guessed, out: Array | None = None
) -> Array:
    """Two branches that differ in the last sign, from an even number on: angles and cost, (2, n + 1, rows)."""
    if family.layout.spare == "guess":
        found = np.stack([guessed(family, columns, one, rows, dtype) for one in family.signs[number : number + 2]])
    else:
        found = placed_pair(family, columns, number, rows, dtype, out)
    if out is not None and not np.may_share_memory(out, found):
        out[:] = found
    return found


def _columns(limb: RobotLimb, call: Call) -> tuple[Columns, int]:
    """The groups as the family's program takes them, (components, rows) or (components, 1)."""
    family, rows = limb._family, prod(call.shape)
    found = dict(zip(call.groups, rows_of(call.groups.values(), call.shape, call.dtype), strict=True))
    near, position = found["near"], found["position"]
    if not np.abs(position).max(initial=0.0) <= FARTHEST:  # as the formula does
        with np.errstate(invalid="ignore"):
            found["position"] = position * (FARTHEST / np.maximum(np.abs(position).max(axis=0), FARTHEST))
    if family.layout.spare == "virtual joint":
        found["near"] = np.vstack([near, np.zeros_like(near[:1])])
    if family.layout.spare in ("swivel", "last joint"):
        swivel = found["swivel"] if "swivel" in found else chosen_swivel(family, found, rows, call)[None]
        found["swivel"] = np.concatenate([np.cos(swivel), np.sin(swivel)])
    return found, rows


def _solution(limb: RobotLimb, call: Call, leading: tuple[int, ...], found: Array, branch: Array) -> RobotSolution:
    """The solution from (n + 1, *leading, rows): angles and cost."""
    shape = (*leading, *call.shape)
    position, rotation = (
        with_batch(np.array(call.groups[name], call.dtype), call.shape) for name in ("position", "rotation")
    )
    angles, cost = found[: len(limb.chain)], found[-1]
    if limb._family.layout.spare == "virtual joint":
        cost = np.where((cost < NOT_REACHED) & ~_beyond(limb, angles), 0.0, cost)
    angles, cost = np.moveaxis(angles.reshape(-1, *shape), 0, -1), cost.reshape(shape)
    for _ in range(limb._family.steps):
        angles = limb._chain_answer("step", angles, position, rotation)
    solution = RobotSolution(limb, position, rotation, angles, branch.reshape(shape), cost)
    if limb._family.steps:
        _judge_steps(solution)
    return solution


def _judge_steps(solution: RobotSolution) -> None:
    """Sets the cost of answers after Newton steps, which may lead astray near a singularity, or beyond a limit."""
    limb = solution.limb
    errors = limb._chain_answer("errors", solution.angles, solution.position, solution.rotation)
    astray = ~((errors if limb._family.oriented else errors[..., :1]).max(axis=-1) <= ASTRAY)  # NaN too
    beyond = _beyond(limb, np.moveaxis(solution.angles, -1, 0))
    cost = np.where(astray, np.maximum(solution.cost, NOT_REACHED), np.where(beyond, BEYOND_LIMIT, 0.0))
    solution.cost[...] = np.where(np.isnan(solution.cost), np.nan, cost)


def _mend(solution: RobotSolution, columns: Columns, missed: Array) -> None:
    """Replaces the angles of rows that do not reach their target within limits: by others that do, or are nearest."""
    limb, joints = solution.limb, len(solution.limb.chain)
    rotation, angles = (
        one.reshape(-1, one.shape[-1])[missed].astype(float) for one in (solution.rotation, solution.angles)
    )
    position = np.broadcast_to(columns["position"].T, (len(angles), 3)).astype(float)
    starts = [angles, np.broadcast_to(columns["near"][:joints].T, angles.shape)]
    starts += _starts(limb._family, columns, len(angles), solution.angles.dtype)
    tried = np.stack(starts).astype(float)
    there = np.zeros(len(angles), bool)
    if limb._family.searched:
        angles, there = answers_within_limits(limb, tried, position, rotation)
    if not there.all():
        left = ~there
        angles[left] = nearest(limb, tried[:, left], position[left], rotation[left])
        there |= measure(limb, angles, position, rotation) < ASTRAY**2
    flat, cost = solution.angles.reshape(-1, joints), solution.cost.reshape(-1)
    flat[missed] = angles
    cost[np.flatnonzero(missed)[there]] = 0.0
    solution.angles[...] = flat.reshape(solution.angles.shape)
    solution.cost[...] = cost.reshape(solution.cost.shape)


def _starts(family: Family, columns: Columns, rows: int, dtype: Any) -> list[Array]:
    """The angles of every branch, at several swivels where there is one, (rows, n) each."""
    swivels = None
    if "swivel" in family.layout.program.groups:
        turns = np.linspace(-np.pi, np.pi, SWIVELS, endpoint=False)
        swivels = np.repeat(turns[:, None], rows, axis=1).astype(dtype)
    found = placed_together(family, columns, family.signs, rows, dtype, swivels)
    joints = family.layout.joints - (family.layout.spare == "virtual joint")
    return list(np.moveaxis(found[:joints].reshape(joints, -1, rows), 0, -1))


def _beyond(limb: RobotLimb, angles: Array) -> Array:
    """Where a joint is beyond its limits: (n, ...) to (...)."""
    lower, upper = (limit.reshape(-1, *(1,) * (angles.ndim - 1)) for limit in (limb.lower, limb.upper))
    beyond: Array = (angles < lower - SLACK) | (angles > upper + SLACK)
    return np.asarray(beyond.any(axis=0))
