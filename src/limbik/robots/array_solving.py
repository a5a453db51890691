"""Robot limbs on NumPy arrays: the best answer for each pose, or every branch.

What `solve` does, until a pose has an answer within limits:
1. The angles to be near: where they are an answer, they are returned; else a descent begins there, first a short one.
2. The branches of the closed form; where the family leaves a swivel to choose, at several swivels. The best of them,
   moved towards `near` by descents where the limb is redundant, compete with the first.
3. Descents from more starts, and from many, the least promising of which end early.
4. The nearest pose, where no descent reaches the target.
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from limbik import rotations
from limbik.arrays import HANDLERS, Array, Jax, Torch, library_of
from limbik.formulas.robots.answers import BEYOND_LIMIT, FARTHEST, NOT_REACHED
from limbik.limbs.inputs import FLOAT64, Groups, rows_of, with_batch
from limbik.robots.descent import MAX_MISS, PULLED_STEPS, descend, miss_and_measure
from limbik.robots.guesses import by_brackets, by_secants
from limbik.robots.robot_branches import Columns, DType, best_branch, evaluate_branches, every_branch, select_rows
from limbik.robots.robot_solution import RobotSolution
from limbik.robots.swivels import best_at_swivels, swivel_columns

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

MAX_EXACT_MISS = 1e-12  # metres or radians: angles that miss by less are an answer as they are
MAX_SHORT_MISS = 1e-11  # metres or radians: what a short descent may leave
CLOSE_RADIANS = 0.1  # an answer so near to `near` is taken without looking at other branches
SHORT_STEPS = 6  # from `near`, where the answer may be close to it
DESCENT_STEPS = 20  # from a start that may be far away
PROMISING_STEPS = 10  # after which only the descents that came nearest go on
FAR_STARTS = 8  # to the nearest pose of a target farther away than the limb is long
NEAREST_STARTS = 3  # that go on to the nearest pose
NEAREST_STEPS = 100  # to the nearest pose of a target out of reach
START_SWIVELS = 8  # at which branches are starts
ITERATIVE_BRANCHES = 16  # answers of limbs without a closed form, some of which may be equal
RESTARTS = (16, 64, 256)  # angles scattered within limits, from which descents start: first so many, then so many
PROMISING = (4, 12, 48)  # of these descents go on
BLOCK_ROWS = 1024  # poses that are started again together
REACH_SLACK = 1e-9  # of the reach, for rounding


class SolveArguments(NamedTuple):
    """The arguments of `solve`, checked."""

    inputs: Groups  # position, rotation, near, and swivel, radians, where it was given
    shape: tuple[int, ...]
    library: str | None
    dtype: Any  # NumPy's, or the library's
    near_given: bool

    @property
    def handler(self) -> Torch | Jax:
        """What the library of tensors does its own way."""
        return HANDLERS[self.library or ""]

    @property
    def like(self) -> Any:
        """A tensor among the inputs."""
        return next(one for one in self.inputs.values() if library_of(one))

    @property
    def working(self) -> str:
        """The dtype in which tensors are computed, by its name."""
        return self.handler.working(self.dtype)


class Poses(NamedTuple):
    """The poses of a call, a row each: positions (rows, 3), rotations (rows, 4), and angles to be near, (rows, n)."""

    position: Array
    rotation: Array
    near: Array
    near_given: bool
    swivel_given: bool

    def select(self, rows: Array) -> Poses:
        """Some of the rows."""
        return self._replace(position=self.position[rows], rotation=self.rotation[rows], near=self.near[rows])


class Answers(NamedTuple):
    """Answers for poses: angles (rows, n), what each costs (rows,), and the number of its branch, -1 for none."""

    angles: Array
    cost: Array
    branch: Array

    def put(self, rows: Array, others: Answers) -> None:
        """Replaces the answers of some rows, by their numbers, by others that cost less."""
        better = others.cost < self.cost[rows]
        for mine, other in zip(self, others, strict=True):
            mine[rows[better]] = other[better]


def solve_arrays(limb: RobotLimb, arguments: SolveArguments) -> RobotSolution:
    """The best answer for each row."""
    if 0 in arguments.shape:
        return _solve_nothing(limb, arguments, arguments.shape)
    poses, columns, rows = _read_poses(limb, arguments), _read_columns(limb, arguments), prod(arguments.shape)
    answers = Answers(np.zeros((rows, len(limb.chain))), np.full(rows, np.inf), np.full(rows, -1, np.int8))
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        within = _may_be_reached(limb, poses)
        if (far := np.flatnonzero(~within)).size:
            _stretch(limb, poses.select(far), select_rows(columns, far), far, answers)
        if not poses.swivel_given and (left := np.flatnonzero(within)).size:
            _start_from_near(limb, poses, left, answers)
        if limb.closed_form.branches and (left := np.flatnonzero(within & ~_is_settled(poses, answers))).size:
            found = _from_branches(limb, poses.select(left), select_rows(columns, left), arguments.dtype)
            answers.put(left, found)
        for stage in (_restart, _approach):
            left = np.flatnonzero(within & ~(answers.cost < BEYOND_LIMIT))
            for first in range(0, left.size, BLOCK_ROWS):
                block = left[first : first + BLOCK_ROWS]
                stage(limb, poses.select(block), select_rows(columns, block), block, answers)
    given = np.concatenate([poses.position, poses.rotation, poses.near], axis=1)
    invalid = ~np.isfinite(given).all(axis=1)
    answers.angles[invalid], answers.cost[invalid] = np.nan, np.nan
    shape = arguments.shape
    angles = answers.angles.reshape(*shape, -1).astype(arguments.dtype, copy=False)
    return _as_solution(limb, arguments, angles, answers.branch.reshape(shape), answers.cost.reshape(shape))


def _may_be_reached(limb: RobotLimb, poses: Poses) -> Array:
    """Which targets are no farther away than the limb is long, (rows,); with a rotation, those of its last axis."""
    offset, centre, radius = np.zeros(3), *limb.chain.ball
    if limb.oriented:
        offset, centre, radius = limb.chain.wrist_ball
    way = poses.position + rotations.rotate(rotations.normalized(poses.rotation), offset) - centre
    return np.asarray(np.linalg.norm(way, axis=1) <= radius * (1.0 + REACH_SLACK))


def _start_from_near(limb: RobotLimb, poses: Poses, rows: Array, answers: Answers) -> None:
    """Answers from `near`: itself, where it is an answer; else by a descent, where the closed form may lack some."""
    family = limb.closed_form
    if poses.near_given:
        chosen = poses.select(rows)
        exact = miss_and_measure(limb, chosen.near, chosen.position, chosen.rotation)[0] <= MAX_EXACT_MISS
        there = rows[exact & ~limb.is_beyond_limits(chosen.near)]
        answers.angles[there], answers.cost[there] = poses.near[there], 0.0
    if family.is_complete or not (poses.near_given or not family.layout.has_swivel):
        return
    for steps in (SHORT_STEPS, DESCENT_STEPS) if poses.near_given else (DESCENT_STEPS,):
        if (left := rows[np.isinf(answers.cost[rows])]).size:
            chosen = poses.select(left)
            found = _descend_from(limb, chosen.near[None], chosen, steps)
            if steps == SHORT_STEPS:
                missed = miss_and_measure(limb, found.angles, chosen.position, chosen.rotation)[0]
                found.cost[~is_close(found.angles, chosen.near) | ~(missed <= MAX_SHORT_MISS)] = np.inf
            answers.put(left, found)


def _stretch(limb: RobotLimb, poses: Poses, columns: Columns, rows: Array, answers: Answers) -> None:
    """The poses within limits nearest to targets that are farther away than the limb is long."""
    starts = np.concatenate([poses.near[None], _scatter(limb, FAR_STARTS, rows.size)])
    if limb.closed_form.is_complete:
        starts = np.concatenate([starts, _branches_as_starts(limb, columns, rows.size)])
    starts = descend(limb, starts, poses.position, poses.rotation, PROMISING_STEPS)
    starts = _nearest(limb, starts, poses, NEAREST_STARTS)
    starts = descend(limb, starts, poses.position, poses.rotation, DESCENT_STEPS)
    best = _nearest(limb, starts, poses, 1)[0]
    answers.angles[rows] = descend(limb, best, poses.position, poses.rotation, NEAREST_STEPS)
    answers.cost[rows] = 2.0 * NOT_REACHED


def _is_settled(poses: Poses, answers: Answers) -> Array:
    """Which rows need no other branch: any answer will do without `near`, and one that is close to it otherwise."""
    there = answers.cost < BEYOND_LIMIT
    if poses.near_given:
        there &= is_close(answers.angles, poses.near)
    return there


def is_close(angles: Array, near: Array) -> Array:
    """Whether answers (..., n) are so near to `near` that no other branch need be looked at, (...)."""
    return np.asarray(np.abs(angles - near).max(axis=-1, initial=0.0) <= CLOSE_RADIANS)


def _descend_from(limb: RobotLimb, starts: Array, poses: Poses, steps: int, *, pulled: bool = True) -> Answers:
    """The answers nearest to `near`, or the nearest poses, to which descents from starts (k, rows, n) lead."""
    near = poses.near if pulled and poses.near_given else None
    angles = descend(limb, starts, poses.position, poses.rotation, steps, near=near)
    cost = _cost(limb, angles, poses)
    number = np.nan_to_num(cost, nan=np.inf).argmin(axis=0)[None]
    best = np.take_along_axis(angles, number[..., None], 0)[0]
    return Answers(best, np.take_along_axis(cost, number, 0)[0], np.full(len(best), -1, np.int8))


def _cost(limb: RobotLimb, angles: Array, poses: Poses) -> Array:
    """What answers (k, rows, n) cost: their squared distance from `near`, or much where they miss the target."""
    errors = miss_and_measure(limb, angles, poses.position, poses.rotation)
    apart = np.sum((angles - poses.near) ** 2, axis=-1)
    return np.where(errors[0] <= MAX_MISS, apart, NOT_REACHED * (1.0 + errors[1] / limb.length))


def _from_branches(limb: RobotLimb, poses: Poses, columns: Columns, dtype: DType) -> Answers:
    """The best answers that the closed form leads to."""
    family, rows, joints = limb.closed_form, len(poses.position), len(limb.chain)
    leaves_swivel = family.layout.has_swivel and not poses.swivel_given
    if leaves_swivel:
        angles, cost, branch = best_at_swivels(family, columns, rows, dtype, poses.near_given)
    else:
        number, found = best_branch(family, columns, rows, dtype, by_secants)
        angles, cost, branch = np.moveaxis(found[:joints], 0, -1)[None], found[-1][None], number[None]
    if family.layout.free_parameter == "virtual joint":
        cost = np.where((cost < NOT_REACHED) & ~limb.is_beyond_limits(angles), 0.0, cost)
    best = Answers(angles[0].astype(float), cost[0].astype(float), branch[0].astype(np.int8))
    if family.newton_steps:
        return _descend_from(limb, angles, poses, PULLED_STEPS, pulled=leaves_swivel)._replace(branch=best.branch)
    if leaves_swivel and poses.near_given:
        best.put(np.arange(rows), _descend_from(limb, angles, poses, PULLED_STEPS))
    return best


def _restart(limb: RobotLimb, poses: Poses, columns: Columns, block: Array, answers: Answers) -> None:
    """Answers for rows that have none within limits, by descents from more starts."""
    if limb.closed_form.is_complete or poses.swivel_given:
        return
    starts = _branches_as_starts(limb, columns, block.size)
    for count, promising in zip(RESTARTS, PROMISING, strict=True):
        left = np.flatnonzero(~(answers.cost[block] < BEYOND_LIMIT))
        if not left.size:
            return
        tried, some = np.concatenate([starts[:, left], _scatter(limb, count, left.size)]), poses.select(left)
        angles = descend(limb, tried, some.position, some.rotation, PROMISING_STEPS)
        kept = _nearest(limb, angles, some, len(starts) // 2 + promising)
        answers.put(block[left], _descend_from(limb, kept, some, 2 * DESCENT_STEPS))
        starts = starts[:0]


def _nearest(limb: RobotLimb, angles: Array, poses: Poses, count: int) -> Array:
    """Of angles (k, rows, n) those that come nearest to the targets, (count, rows, n)."""
    _, apart = miss_and_measure(limb, angles, poses.position, poses.rotation)
    order = np.argsort(apart, axis=0, kind="stable")[:count]  # NaN comes last
    return np.take_along_axis(angles, order[..., None], 0)


def _approach(limb: RobotLimb, poses: Poses, columns: Columns, block: Array, answers: Answers) -> None:
    """The poses within limits nearest to targets that have no answer, and whether that is for the limits only."""
    family, rows = limb.closed_form, block.size
    beyond = answers.cost[block] < NOT_REACHED
    if family.is_complete or poses.swivel_given:
        starts = np.concatenate(
            [answers.angles[None, block], _branches_as_starts(limb, columns, rows), poses.near[None]]
        )
    else:
        starts = answers.angles[None, block]
        free = {"lower": -np.inf, "upper": np.inf}
        angles = descend(limb, starts[0], poses.position, poses.rotation, NEAREST_STEPS, **free)
        beyond |= miss_and_measure(limb, angles, poses.position, poses.rotation)[0] <= MAX_MISS
    if len(starts) > NEAREST_STARTS:
        starts = descend(limb, starts, poses.position, poses.rotation, PROMISING_STEPS)
        starts = _nearest(limb, starts, poses, NEAREST_STARTS)
    angles = descend(limb, starts, poses.position, poses.rotation, NEAREST_STEPS)
    misses, aparts = miss_and_measure(limb, angles, poses.position, poses.rotation)
    number = np.nan_to_num(aparts, nan=np.inf).argmin(axis=0)[None]
    answers.angles[block] = np.take_along_axis(angles, number[..., None], 0)[0]
    miss, apart = (np.take_along_axis(one, number, 0)[0] for one in (misses, aparts))
    missed = np.where(beyond, BEYOND_LIMIT, NOT_REACHED) * (1.0 + np.minimum(apart / limb.length, 1.0))
    answers.cost[block] = np.where((miss <= MAX_MISS) & (not poses.swivel_given), 0.0, missed)


def _branches_as_starts(limb: RobotLimb, columns: Columns, rows: int) -> Array:
    """The angles of every branch, at several swivels where there is one: (k, rows, n)."""
    family, joints = limb.closed_form, len(limb.chain)
    if not family.branches:
        return np.empty((0, rows, joints))
    swivels = None
    if "swivel" in family.layout.program.groups:
        swivels = np.repeat(np.linspace(-np.pi, np.pi, START_SWIVELS, endpoint=False)[:, None], rows, axis=1)
        if "swivel" in columns:
            swivels = np.broadcast_to(np.arctan2(columns["swivel"][1], columns["swivel"][0]), (1, rows))
    found = evaluate_branches(family, columns, family.signs, rows, FLOAT64, swivels)[:joints]
    return np.moveaxis(found.reshape(joints, -1, rows), 0, -1)


def _scatter(limb: RobotLimb, count: int, rows: int) -> Array:
    """Angles scattered within limits, (count, rows, n), the same for every row."""
    return np.broadcast_to(scattered_angles(limb, count)[:, None], (count, rows, len(limb.chain)))


def scattered_angles(limb: RobotLimb, count: int) -> Array:
    """Angles scattered within limits, (count, n)."""
    lower, upper = limb.range_of_starts
    return lower + (upper - lower) * _random_parts(count, len(limb.chain))


@cache
def _random_parts(count: int, joints: int) -> Array:
    """Numbers from 0 to 1, the same for every call, (count, joints)."""
    return np.random.default_rng(count).uniform(size=(count, joints))


def branches_of_arrays(limb: RobotLimb, arguments: SolveArguments) -> RobotSolution:
    """Every branch of each row."""
    if 0 in arguments.shape:
        return _solve_nothing(limb, arguments, (limb.branch_count, *arguments.shape))
    family, shape, rows = limb.closed_form, arguments.shape, prod(arguments.shape)
    poses, columns = _read_poses(limb, arguments), _read_columns(limb, arguments)
    if not family.branches:
        starts = np.concatenate([poses.near[None], _scatter(limb, ITERATIVE_BRANCHES - 1, rows)])
        angles = descend(limb, starts, poses.position, poses.rotation, 2 * DESCENT_STEPS)
        cost = _cost(limb, angles, poses)
    else:
        if family.layout.has_swivel and "swivel" not in columns:
            columns["swivel"] = swivel_columns(family, columns, rows, arguments.dtype, poses.near_given)
        found = every_branch(family, columns, rows, arguments.dtype, by_brackets)
        angles, cost = np.moveaxis(found[: len(limb.chain)], 0, -1), found[-1]
        if family.layout.free_parameter == "virtual joint":
            cost = np.where((cost < NOT_REACHED) & ~limb.is_beyond_limits(angles), 0.0, cost)
        if family.newton_steps:
            angles = descend(limb, angles, poses.position, poses.rotation, PULLED_STEPS, lower=-np.inf, upper=np.inf)
            cost = np.where(np.isnan(cost), np.nan, _cost(limb, angles, poses))
            cost = np.where(limb.is_beyond_limits(angles), np.maximum(cost, BEYOND_LIMIT), cost)
    count = len(angles)
    numbers = np.broadcast_to(np.arange(count, dtype=np.int8).reshape(-1, *(1,) * len(shape)), (count, *shape))
    angles = angles.reshape(count, *shape, -1).astype(arguments.dtype, copy=False)
    return _as_solution(limb, arguments, angles, numbers, cost.reshape(count, *shape))


def _solve_nothing(limb: RobotLimb, arguments: SolveArguments, shape: tuple[int, ...]) -> RobotSolution:
    """The answer for a batch without rows."""
    angles, numbers = np.zeros((*shape, len(limb.chain)), arguments.dtype), np.zeros(shape)
    return _as_solution(limb, arguments, angles, numbers.astype(np.int8), numbers)


def _read_poses(limb: RobotLimb, arguments: SolveArguments) -> Poses:
    inputs, rows = arguments.inputs, prod(arguments.shape)
    position, rotation, near = (
        np.ascontiguousarray(with_batch(np.asarray(inputs[name], float), arguments.shape)).reshape(rows, size)
        for name, size in (("position", 3), ("rotation", 4), ("near", len(limb.chain)))
    )
    return Poses(_bring_near(position), rotation, near, arguments.near_given, "swivel" in inputs)


def _bring_near(position: Array) -> Array:
    """Positions (rows, 3); those beyond any reach, whose powers would overflow, at FARTHEST in the same direction."""
    size = np.abs(position).max(axis=1, initial=0.0, keepdims=True)
    if not (size > FARTHEST).any():
        return position
    with np.errstate(invalid="ignore"):
        return np.where(size > FARTHEST, position * (FARTHEST / np.maximum(size, FARTHEST)), position)


def _read_columns(limb: RobotLimb, arguments: SolveArguments) -> Columns:
    """The inputs as the family's program takes them, (components, rows) or (components, 1)."""
    family, inputs = limb.closed_form, arguments.inputs
    found = dict(zip(inputs, rows_of(inputs.values(), arguments.shape, arguments.dtype), strict=True))
    found["position"] = _bring_near(found["position"].T).T
    if family.layout.free_parameter == "virtual joint":
        found["near"] = np.vstack([found["near"], np.zeros_like(found["near"][:1])])
    if "swivel" in found:
        found["swivel"] = np.concatenate([np.cos(found["swivel"]), np.sin(found["swivel"])])
    return found


def _as_solution(
    limb: RobotLimb, arguments: SolveArguments, angles: Array, branch: Array, cost: Array
) -> RobotSolution:
    position, rotation = (
        with_batch(np.array(arguments.inputs[name], arguments.dtype), arguments.shape)
        for name in ("position", "rotation")
    )
    return RobotSolution(limb, position, rotation, angles, branch, cost)
