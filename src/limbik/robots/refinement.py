"""Numeric refinement of what the closed forms give, on the geometry of the file itself.

Where a limb misses its family's geometry, Newton steps move the answer onto the file's own. Targets that the closed
form does not reach within limits get an answer within limits from elsewhere, or the nearest pose:

- *Answers within limits.* Newton steps lead from many starts to answers. A limb of seven joints is redundant: its
  answers are curves, along which it moves while the tip stays. Each joint's limits leave an interval of such a curve; a
  fixed number of steps, each to where the intervals of the tangent meet and back to the curve, leads to a place within
  all limits, or to where they miss one another by the least.
- *The nearest pose.* The measure is the distance of the tip from the target, and the angle between their rotations
  times a quarter of the limb's length, added in squares. A fixed number of Levenberg–Marquardt steps within the joints'
  limits leads to a minimum of it from each of a few starts: branches of the family, and the angles to which the answer
  shall be near.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.formulas.robots.answers import BEYOND_LIMIT, NOT_REACHED
from limbik.robots.robot_branches import Columns, DType, evaluate_branches
from limbik.rotations import inverse, logarithm, multiply

if TYPE_CHECKING:
    from limbik.robots.families import Family
    from limbik.robots.robot_limb import RobotLimb
    from limbik.robots.robot_solution import RobotSolution

LIMIT_SLACK = 1e-12  # radians, of a limit, for rounding
MAX_MISS = 1e-9  # metres or radians by which an answer may miss after Newton steps
MAX_NEWTON_STEP = 0.5  # radians that a joint turns
START_SWIVELS = 16  # from which the nearest pose is looked for

# Answers within limits:
SCATTERED_STARTS = 48  # within limits, beside those that are given
START_NEWTON_STEPS = 14  # from a start to an answer
MAX_DETERMINED_JOINTS = 6  # a limb with more has curves of answers
FOLLOWED_ANSWERS = (8, 40)  # along their curves, the most promising first; then those up to here; then all
CURVE_STEPS = 14
CURVE_NEWTON_STEPS = 2  # back to the curve after each step along it
NO_ANSWER = 1e3  # what is added to the excess of an answer that is none
MAX_PROMISING_MISS = 1e-3  # metres or radians by which an answer may miss that is followed
LIMIT_INSET = 1e-3  # radians by which an answer stays inside a limit, where there is room
BLOCK_ROWS = 256  # targets that are worked on together

# The nearest pose:
DESCENT_STEPS = 40
DESCENT_STARTS = 10  # the best of those that are given
METRES_PER_RADIAN = 0.25  # times the limb's length: what a radian counts in the measure
METRES_PER_FREE_RADIAN = 0.01  # the same where the joints do not determine the rotation


# --- after the closed form


def beyond_limits(limb: RobotLimb, angles: Array) -> Array:
    """Where a joint is beyond its limits: (n, ...) to (...)."""
    lower, upper = (limit.reshape(-1, *(1,) * (angles.ndim - 1)) for limit in (limb.lower, limb.upper))
    beyond: Array = (angles < lower - LIMIT_SLACK) | (angles > upper + LIMIT_SLACK)
    return np.asarray(beyond.any(axis=0))


def judge_newton_steps(solution: RobotSolution) -> None:
    """Sets the cost of answers after Newton steps, which may lead astray near a singularity, or beyond a limit."""
    limb = solution.limb
    errors = limb._evaluate_chain("errors", solution.angles, solution.target, solution.target_rotation)
    astray = ~((errors if limb.closed_form.oriented else errors[..., :1]).max(axis=-1) <= MAX_MISS)  # NaN too
    beyond = beyond_limits(limb, np.moveaxis(solution.angles, -1, 0))
    cost = np.where(astray, np.maximum(solution.cost, NOT_REACHED), np.where(beyond, BEYOND_LIMIT, 0.0))
    solution.cost[...] = np.where(np.isnan(solution.cost), np.nan, cost)


def refine_misses(solution: RobotSolution, columns: Columns, missed: Array) -> None:
    """Replaces the angles of rows that do not reach their target within limits: by others that do, or are nearest.

    Args:
        solution: what the closed form gives; changed in place.
        columns: the inputs of the rows that missed.
        missed: (rows,) bool, which these are.
    """
    limb, joints = solution.limb, len(solution.limb.chain)
    rotation, angles = (
        one.reshape(-1, one.shape[-1])[missed].astype(float) for one in (solution.target_rotation, solution.angles)
    )
    position = np.broadcast_to(columns["position"].T, (len(angles), 3)).astype(float)
    starts = [angles, np.broadcast_to(columns["near"][:joints].T, angles.shape)]
    starts += _branches_as_starts(limb.closed_form, columns, len(angles), solution.angles.dtype)
    tried = np.stack(starts).astype(float)
    there = np.zeros(len(angles), bool)
    if limb.closed_form.may_have_other_answers:
        angles, there = answers_within_limits(limb, tried, position, rotation)
    if not there.all():
        left = ~there
        angles[left] = nearest_pose(limb, tried[:, left], position[left], rotation[left])
        there |= squared_miss(limb, angles, position, rotation) < MAX_MISS**2
    flat, cost = solution.angles.reshape(-1, joints), solution.cost.reshape(-1)
    flat[missed] = angles
    cost[np.flatnonzero(missed)[there]] = 0.0
    solution.angles[...] = flat.reshape(solution.angles.shape)
    solution.cost[...] = cost.reshape(solution.cost.shape)


def _branches_as_starts(family: Family, columns: Columns, rows: int, dtype: DType) -> list[Array]:
    """The angles of every branch, at several swivels where there is one, (rows, n) each."""
    swivels = None
    if "swivel" in family.layout.program.groups:
        turns = np.linspace(-np.pi, np.pi, START_SWIVELS, endpoint=False)
        swivels = np.repeat(turns[:, None], rows, axis=1).astype(dtype)
    found = evaluate_branches(family, columns, family.signs, rows, dtype, swivels)
    joints = family.layout.joints - (family.layout.free_parameter == "virtual joint")
    return list(np.moveaxis(found[:joints].reshape(joints, -1, rows), 0, -1))


# --- answers within limits


def answers_within_limits(limb: RobotLimb, starts: Array, position: Array, rotation: Array) -> tuple[Array, Array]:
    """Angles within limits that bring the tip to the targets, from the best of many starts.

    Args:
        limb: the limb.
        starts: (starts, rows, n), radians.
        position: (rows, 3).
        rotation: (rows, 4).

    Returns:
        The angles, (rows, n), and where they are an answer within limits, (rows,).
    """
    found, good = starts[0].copy(), np.zeros(len(position), bool)
    for first in range(0, len(position), BLOCK_ROWS):
        block = slice(first, first + BLOCK_ROWS)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            found[block], good[block] = _answers_of_block(limb, starts[:, block], position[block], rotation[block])
    return found, good


def _answers_of_block(limb: RobotLimb, starts: Array, position: Array, rotation: Array) -> tuple[Array, Array]:
    scattered = np.random.default_rng(0).uniform(_lowest(limb), _highest(limb), (SCATTERED_STARTS, 1, len(limb.chain)))
    starts = np.concatenate([np.nan_to_num(starts), np.broadcast_to(scattered, (SCATTERED_STARTS, *starts.shape[1:]))])
    angles = _newton_steps(limb, starts, position, rotation, START_NEWTON_STEPS)
    excess = _excess(limb, angles, position, rotation, MAX_PROMISING_MISS)
    order = np.argsort(excess, axis=0, kind="stable")
    angles, excess = np.take_along_axis(angles, order[..., None], 0), np.take_along_axis(excess, order, 0)
    if len(limb.chain) <= MAX_DETERMINED_JOINTS:  # near a singularity, as of a straight leg, Newton steps are slow
        angles = _newton_steps(limb, angles[: FOLLOWED_ANSWERS[0]], position, rotation, START_NEWTON_STEPS)
        return _best(limb, angles, position, rotation)
    found = angles[0]
    good = np.zeros(len(found), bool)
    for first, last in zip((0, *FOLLOWED_ANSWERS), (*FOLLOWED_ANSWERS, None), strict=True):
        rows = np.flatnonzero(~good & (excess[0] < NO_ANSWER))
        if not rows.size:
            break
        place, turn = position[rows], rotation[rows]
        tried = _follow_curves(limb, angles[first:last, rows], place, turn)
        found[rows], good[rows] = _best(limb, tried, place, turn)
    return found, good


def _best(limb: RobotLimb, tried: Array, position: Array, rotation: Array) -> tuple[Array, Array]:
    """Of answers (k, rows, n) the one that is furthest within limits, and whether it is."""
    excess = _excess(limb, tried, position, rotation, MAX_MISS)
    best = excess.argmin(axis=0)
    return np.take_along_axis(tried, best[None, :, None], 0)[0], excess.min(axis=0) <= 0.0


def _follow_curves(limb: RobotLimb, angles: Array, position: Array, rotation: Array) -> Array:
    """The answers, (k, rows, n), moved along their curves towards the limits' inside."""
    for _ in range(CURVE_STEPS):
        tangent = _tangent(limb, angles)
        ends = np.stack([(limit - angles) / tangent for limit in (limb.lower, limb.upper)])
        still = np.abs(tangent) < 1e-9
        least = np.where(still, -np.inf, ends.min(axis=0)).max(axis=-1)
        most = np.where(still, np.inf, ends.max(axis=0)).min(axis=-1)
        inset = np.minimum(LIMIT_INSET, 0.25 * (most - least))
        wanted = np.where(least <= most, np.clip(0.0, least + inset, most - inset), 0.5 * (least + most))
        moved = angles + np.clip(wanted, -MAX_NEWTON_STEP, MAX_NEWTON_STEP)[..., None] * tangent
        angles = _newton_steps(limb, moved, position, rotation, CURVE_NEWTON_STEPS)
    return angles


def _tangent(limb: RobotLimb, angles: Array) -> Array:
    """The direction in which the joints move while the tip stays: unit vectors, (k, rows, n)."""
    count = angles.shape[-1]
    jacobian = limb.jacobian(angles)
    squares = jacobian @ jacobian.swapaxes(-1, -2)
    squares += 1e-14 * np.trace(squares, axis1=-2, axis2=-1)[..., None, None] * np.eye(6)
    anywhere = np.cos(np.arange(1.0, count + 1))  # what is left of it has no part that moves the tip
    across = np.linalg.solve(squares, (jacobian @ anywhere)[..., None])
    tangent = anywhere - (jacobian.swapaxes(-1, -2) @ across)[..., 0]
    return tangent / np.linalg.norm(tangent, axis=-1, keepdims=True)


def _newton_steps(limb: RobotLimb, angles: Array, position: Array, rotation: Array, steps: int) -> Array:
    """The angles after Newton steps of bounded length, each joint turned into its limits."""
    place, turn = (np.broadcast_to(one, (*angles.shape[:-1], one.shape[-1])) for one in (position, rotation))
    for _ in range(steps):
        step = limb._evaluate_chain("step", angles, place, turn) - angles
        longest = np.abs(step).max(axis=-1, keepdims=True)
        angles = angles + step * np.minimum(1.0, MAX_NEWTON_STEP / np.maximum(longest, MAX_NEWTON_STEP))
    middle = 0.5 * (_lowest(limb) + _highest(limb))
    return angles - 2 * np.pi * np.round((angles - middle) / (2 * np.pi))


def _excess(limb: RobotLimb, angles: Array, position: Array, rotation: Array, reached: float) -> Array:
    """By how much joints are beyond their limits at most, (..., rows): negative within; much where the tip misses."""
    place, turn = (np.broadcast_to(one, (*angles.shape[:-1], one.shape[-1])) for one in (position, rotation))
    errors = limb._evaluate_chain("errors", angles, place, turn)
    missed = (errors if limb.closed_form.oriented else errors[..., :1]).max(axis=-1)
    beyond = np.maximum(limb.lower - angles, angles - limb.upper).max(axis=-1)
    return np.nan_to_num(np.where(missed < reached, beyond, NO_ANSWER + missed), nan=np.inf)


def _lowest(limb: RobotLimb) -> Array:
    return np.where(np.isfinite(limb.lower), limb.lower, np.minimum(limb.upper, np.pi) - 2 * np.pi)


def _highest(limb: RobotLimb) -> Array:
    return np.where(np.isfinite(limb.upper), limb.upper, _lowest(limb) + 2 * np.pi)


# --- the nearest pose


def squared_miss(limb: RobotLimb, angles: Array, position: Array, rotation: Array) -> Array:
    """The measure by which a pose is nearest, squared, (rows,)."""
    return np.sum(_separation(limb, angles, position, rotation) ** 2, axis=1)


def nearest_pose(limb: RobotLimb, starts: Array, position: Array, rotation: Array) -> Array:
    """Angles within limits whose pose is nearest to the targets, (rows, n), from the best of several starts.

    The arguments are those of `answers_within_limits`.
    """
    starts = np.clip(np.nan_to_num(starts), limb.lower, limb.upper)
    misses = np.stack([squared_miss(limb, one, position, rotation) for one in starts])
    order = np.argsort(misses, axis=0, kind="stable")[:DESCENT_STARTS]
    ends = [_descend(limb, np.take_along_axis(starts, one[None, :, None], 0)[0], position, rotation) for one in order]
    misses = np.stack([squared_miss(limb, one, position, rotation) for one in ends])
    return np.take_along_axis(np.stack(ends), misses.argmin(axis=0)[None, :, None], 0)[0]


def _descend(limb: RobotLimb, angles: Array, position: Array, rotation: Array) -> Array:
    """The angles after a fixed number of steps that lower the measure."""
    least = squared_miss(limb, angles, position, rotation)
    damping = np.full(len(angles), 1e-3)
    weights = np.concatenate([np.ones(3), np.full(3, _metres_per_radian(limb))])[:, None]
    for _ in range(DESCENT_STEPS):
        jacobian = weights * limb.jacobian(angles)
        errors = _separation(limb, angles, position, rotation)
        downhill = np.einsum("nij,ni->nj", jacobian, errors)
        blocked = ((angles <= limb.lower) & (downhill < 0)) | ((angles >= limb.upper) & (downhill > 0))
        jacobian = np.where(blocked[:, None], 0.0, jacobian)
        squares = jacobian.transpose(0, 2, 1) @ jacobian
        scale = np.trace(squares, axis1=1, axis2=2) / len(limb.chain) + 1e-30
        squares += (damping * scale)[:, None, None] * np.eye(len(limb.chain))
        step = np.linalg.solve(squares, np.where(blocked, 0.0, downhill)[..., None])[..., 0]
        tried = np.clip(angles + step, limb.lower, limb.upper)
        found = squared_miss(limb, tried, position, rotation)
        better = found < least
        angles = np.where(better[:, None], tried, angles)
        least = np.where(better, found, least)
        damping = np.clip(np.where(better, 0.1 * damping, 8.0 * damping), 1e-12, 1e6)
    return angles


def _separation(limb: RobotLimb, angles: Array, position: Array, rotation: Array) -> Array:
    """What separates the tip from the target, in the units of the measure, (rows, 6)."""
    tip = limb._evaluate_chain("tip", angles)
    turn = multiply(rotation, inverse(tip[:, 3:]))
    turn = np.where(turn[:, 3:] < 0, -turn, turn) / np.linalg.norm(turn, axis=1, keepdims=True)
    return np.concatenate([position - tip[:, :3], _metres_per_radian(limb) * logarithm(turn)], axis=1)


def _metres_per_radian(limb: RobotLimb) -> float:
    return (METRES_PER_RADIAN if limb.closed_form.oriented else METRES_PER_FREE_RADIAN) * limb.closed_form.reach
