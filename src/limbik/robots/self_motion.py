"""Answers within limits where no closed form says where they are, on the geometry of the file itself.

Newton steps lead from many starts to answers. A limb of seven joints has one to spare: its answers are curves, along
which it moves while the tip stays. Each joint's limits leave an interval of such a curve; a fixed number of steps,
each to where the intervals of the tangent meet and back to the curve, leads to a place within all limits, or to
where they miss one another by the least.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.robots.nearest import jacobians

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

SCATTERED = 48  # starts within limits beside those that are given
NEWTON = 14  # steps from a start to an answer
LONGEST = 0.5  # radians: a joint's longest step
SPARE = 6  # joints: a limb with more has curves of answers
FOLLOWED = (8, 40)  # answers that are followed along their curves, the most promising first; then those up to here; all
HOPELESS = 1e3  # what an answer is worth that is none
STEPS = 14  # along a curve
BACK = 2  # Newton steps back to the curve after each
REACHED = 1e-9  # metres or radians by which an answer may miss
PROMISING = 1e-3  # the same for one that is followed
INSET = 1e-3  # radians by which an answer stays inside a limit, where there is room
BLOCK = 256  # targets that are worked on together


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
    for first in range(0, len(position), BLOCK):
        block = slice(first, first + BLOCK)
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            found[block], good[block] = _block(limb, starts[:, block], position[block], rotation[block])
    return found, good


def _block(limb: RobotLimb, starts: Array, position: Array, rotation: Array) -> tuple[Array, Array]:
    scattered = np.random.default_rng(0).uniform(_low(limb), _high(limb), (SCATTERED, 1, len(limb.chain)))
    starts = np.concatenate([np.nan_to_num(starts), np.broadcast_to(scattered, (SCATTERED, *starts.shape[1:]))])
    angles = _answers(limb, starts, position, rotation, NEWTON)
    worth = _worth(limb, angles, position, rotation, PROMISING)
    order = np.argsort(worth, axis=0, kind="stable")
    angles, worth = np.take_along_axis(angles, order[..., None], 0), np.take_along_axis(worth, order, 0)
    if len(limb.chain) <= SPARE:  # near a singularity, as of a straight leg, Newton steps are slow
        return _best(limb, _answers(limb, angles[: FOLLOWED[0]], position, rotation, NEWTON), position, rotation)
    found = angles[0]
    good = np.zeros(len(found), bool)
    for first, last in zip((0, *FOLLOWED), (*FOLLOWED, None), strict=True):
        rows = np.flatnonzero(~good & (worth[0] < HOPELESS))
        if not rows.size:
            break
        place, turn = position[rows], rotation[rows]
        tried = _followed(limb, angles[first:last, rows], place, turn)
        found[rows], good[rows] = _best(limb, tried, place, turn)
    return found, good


def _best(limb: RobotLimb, tried: Array, position: Array, rotation: Array) -> tuple[Array, Array]:
    """Of answers (k, rows, n) the one that is furthest within limits, and whether it is."""
    worth = _worth(limb, tried, position, rotation, REACHED)
    best = worth.argmin(axis=0)
    return np.take_along_axis(tried, best[None, :, None], 0)[0], worth.min(axis=0) <= 0.0


def _followed(limb: RobotLimb, angles: Array, position: Array, rotation: Array) -> Array:
    """The answers, (k, rows, n), moved along their curves towards the limits' inside."""
    for _ in range(STEPS):
        tangent = _tangent(limb, angles)
        ends = np.stack([(limit - angles) / tangent for limit in (limb.lower, limb.upper)])
        still = np.abs(tangent) < 1e-9
        least = np.where(still, -np.inf, ends.min(axis=0)).max(axis=-1)
        most = np.where(still, np.inf, ends.max(axis=0)).min(axis=-1)
        inset = np.minimum(INSET, 0.25 * (most - least))
        wanted = np.where(least <= most, np.clip(0.0, least + inset, most - inset), 0.5 * (least + most))
        moved = angles + np.clip(wanted, -LONGEST, LONGEST)[..., None] * tangent
        angles = _answers(limb, moved, position, rotation, BACK)
    return angles


def _tangent(limb: RobotLimb, angles: Array) -> Array:
    """The direction in which the joints move while the tip stays: unit vectors, (k, rows, n)."""
    count = angles.shape[-1]
    slopes = jacobians(limb, angles.reshape(-1, count)).reshape(*angles.shape[:-1], 6, count)
    squares = slopes @ slopes.swapaxes(-1, -2)
    squares += 1e-14 * np.trace(squares, axis1=-2, axis2=-1)[..., None, None] * np.eye(6)
    anywhere = np.cos(np.arange(1.0, count + 1))  # what is left of it has no part that moves the tip
    across = np.linalg.solve(squares, (slopes @ anywhere)[..., None])
    tangent = anywhere - (slopes.swapaxes(-1, -2) @ across)[..., 0]
    return tangent / np.linalg.norm(tangent, axis=-1, keepdims=True)


def _answers(limb: RobotLimb, angles: Array, position: Array, rotation: Array, steps: int) -> Array:
    """The angles after Newton steps of bounded length, each joint turned into its limits."""
    place, turn = (np.broadcast_to(one, (*angles.shape[:-1], one.shape[-1])) for one in (position, rotation))
    for _ in range(steps):
        step = limb._chain_answer("step", angles, place, turn) - angles
        longest = np.abs(step).max(axis=-1, keepdims=True)
        angles = angles + step * np.minimum(1.0, LONGEST / np.maximum(longest, LONGEST))
    middle = 0.5 * (_low(limb) + _high(limb))
    return angles - 2 * np.pi * np.round((angles - middle) / (2 * np.pi))


def _worth(limb: RobotLimb, angles: Array, position: Array, rotation: Array, reached: float) -> Array:
    """By how much joints are beyond their limits at most, (..., rows): negative within; much where the tip misses."""
    place, turn = (np.broadcast_to(one, (*angles.shape[:-1], one.shape[-1])) for one in (position, rotation))
    errors = limb._chain_answer("errors", angles, place, turn)
    missed = (errors if limb._family.oriented else errors[..., :1]).max(axis=-1)
    beyond = np.maximum(limb.lower - angles, angles - limb.upper).max(axis=-1)
    return np.nan_to_num(np.where(missed < reached, beyond, HOPELESS + missed), nan=np.inf)


def _low(limb: RobotLimb) -> Array:
    return np.where(np.isfinite(limb.lower), limb.lower, np.minimum(limb.upper, np.pi) - 2 * np.pi)


def _high(limb: RobotLimb) -> Array:
    return np.where(np.isfinite(limb.upper), limb.upper, _low(limb) + 2 * np.pi)
