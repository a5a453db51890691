"""Which answers a limb takes along a path that is known as a whole: by dynamic programming, then smoothed.

Knots are taken along the path. At each of them the closed form gives all branches, at many swivels where one is left to
choose; dynamic programming finds the sequence of them that moves the joints the least and keeps away from limits. The
frames between the knots are interpolated and brought onto their targets. Of limbs with seven joints, a path of answers
can then be moved by one number a frame, along its free motion: the numbers that make it shortest solve a tridiagonal
system, again and again, since the free motion is not straight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.engines.numba_banded import solve_banded
from limbik.formulas.robots.answers import BEYOND_LIMIT
from limbik.limbs.inputs import FLOAT64
from limbik.robots.descent import MAX_MISS, descend, miss_and_measure
from limbik.robots.robot_branches import evaluate_branches

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

KNOT_MOTION = 0.1  # radians and limb lengths by which the target moves from knot to knot
SWIVELS = 36  # that are tried at a knot
LIMIT_MARGIN = 0.2  # of half the range of a joint, within which an answer costs more
LIMIT_COST = 0.05  # at a limit, in squared radians
JUMP_RADIANS, JUMP_COST = 1.0, 1e3  # a knot's motion that is no motion but a jump
SMOOTHINGS = 12
MAX_SHIFT = 0.25  # radians by which a smoothing moves a frame
STEPS = 6  # of a frame's descent


def plan(limb: RobotLimb, position: Array, rotation: Array, motion: Array, before: Array | None) -> Array | None:
    """Angles (frames, n) that follow one limb's targets; None where that has no closed form to choose from.

    Args:
        limb: the limb.
        position: (frames, 3), finite.
        rotation: (frames, 4), likewise.
        motion: (frames,), how far the target moves to each frame, radians and limb lengths.
        before: (n,), an answer for the first frame, with which the path begins; None: any.
    """
    family = limb.closed_form
    if not family.branches or family.layout.free_parameter in ("guess", "virtual joint") or not limb.oriented:
        return None
    knots = _knots(motion)
    cells, cost = _cells(limb, position[knots], rotation[knots])
    if before is not None:
        cells[0], cost[0] = before, np.inf
        cost[0, 0] = 0.0
    turning = limb.upper - limb.lower >= 2 * np.pi
    chosen = _cheapest(cells, cost, turning)
    frames = _interpolate(np.unwrap(chosen, axis=0) * turning + chosen * ~turning, knots, len(position))
    return _smooth(limb, frames, position, rotation, before)


def _knots(motion: Array) -> Array:
    """The frames that are knots: the first, the last, and those between which the target moves far enough."""
    number = np.floor(np.cumsum(motion) / KNOT_MOTION)
    return np.unique(np.concatenate([[0], np.flatnonzero(np.diff(number)) + 1, [len(motion) - 1]]))


def _cells(limb: RobotLimb, position: Array, rotation: Array) -> tuple[Array, Array]:
    """The answers at each knot, (knots, cells, n), and what each costs by its limits; inf where it is none."""
    family, rows, joints = limb.closed_form, len(position), len(limb.chain)
    columns = {"position": position.T, "rotation": rotation.T, "near": np.array([limb.default_near]).T}
    swivels = None
    if family.layout.has_swivel:
        low, high = -np.pi, np.pi
        if family.layout.free_parameter == "last joint":
            low, high = max(low, float(limb.lower[-1])), min(high, float(limb.upper[-1]))
        swivels = np.repeat(np.linspace(low, high, SWIVELS, endpoint=False)[:, None], rows, axis=1)
    found = evaluate_branches(family, columns, family.signs, rows, FLOAT64, swivels)
    found = np.moveaxis(found.reshape(len(found), -1, rows), 0, -1)
    angles, cost = found[..., :joints], found[..., -1]
    if family.newton_steps:
        free = {"lower": -np.inf, "upper": np.inf}
        angles = descend(limb, angles, position, rotation, STEPS, **free)
        missed = ~(miss_and_measure(limb, angles, position, rotation)[0] <= MAX_MISS) | limb.is_beyond_limits(angles)
    else:
        missed = ~(cost < BEYOND_LIMIT)
    cost = np.where(missed, np.inf, _limit_cost(limb, angles))
    return angles.swapaxes(0, 1).copy(), cost.T.copy()


def _limit_cost(limb: RobotLimb, angles: Array) -> Array:
    depth, _ = depth_and_side(limb, angles, LIMIT_MARGIN)
    return np.asarray(LIMIT_COST * (depth**2).sum(axis=-1))


def depth_and_side(limb: RobotLimb, angles: Array, margin: float) -> tuple[Array, Array]:
    """How deep joints are in the margins at their limits, 0 to 1, and at which, -1 or 1: (..., n) each."""
    half = 0.5 * (limb.upper - limb.lower)
    bounded = np.isfinite(half)
    middle = np.where(bounded, 0.5 * (np.where(bounded, limb.lower, 0.0) + np.where(bounded, limb.upper, 0.0)), 0.0)
    place = np.where(bounded, (angles - middle) / np.where(bounded, half, 1.0), 0.0)
    return np.clip((np.abs(place) - (1.0 - margin)) / margin, 0.0, 1.0), np.sign(place)


def _cheapest(cells: Array, cost: Array, turning: Array) -> Array:
    """The cheapest sequence of cells, (knots, n)."""
    knots = len(cells)
    # Joints that turn all around are points of a circle: their distance is that of the shorter way.
    flat = np.concatenate([cells[..., ~turning], np.cos(cells[..., turning]), np.sin(cells[..., turning])], axis=-1)
    squares = (flat**2).sum(axis=-1)
    total, came = np.where(np.isfinite(cost[0]), cost[0], 1e9), np.empty(cost.shape, int)
    for k in range(1, knots):
        apart = squares[k - 1][:, None] + squares[k] - 2.0 * flat[k - 1] @ flat[k].T
        apart += np.where(apart > JUMP_RADIANS**2, JUMP_COST, 0.0)
        apart += total[:, None]
        came[k] = apart.argmin(axis=0)
        total = apart[came[k], np.arange(len(total))] + np.where(np.isfinite(cost[k]), cost[k], 1e6)
    numbers = [int(total.argmin())]
    for k in range(knots - 1, 0, -1):
        numbers.append(int(came[k, numbers[-1]]))
    return cells[np.arange(knots), numbers[::-1]]


def _interpolate(angles: Array, knots: Array, frames: int) -> Array:
    times = np.arange(frames)
    return np.stack([np.interp(times, knots, column) for column in angles.T], axis=-1)


# --- smoothing


def _smooth(limb: RobotLimb, angles: Array, position: Array, rotation: Array, before: Array | None) -> Array:
    """Frames (frames, n) brought onto their targets, and of limbs with one free motion, shortened along that."""
    turning = limb.upper - limb.lower >= 2 * np.pi
    limits = {"lower": np.where(turning, -np.inf, limb.lower), "upper": np.where(turning, np.inf, limb.upper)}
    angles = descend(limb, angles, position, rotation, STEPS, **limits)
    if len(limb.chain) != 7 or len(angles) < 3:
        return angles
    for _ in range(SMOOTHINGS):
        free = _free_motion(limb, angles)
        depth, side = depth_and_side(limb, angles, LIMIT_MARGIN)
        drawn = -LIMIT_COST * depth * side
        ahead = np.diff(angles, axis=0)
        right = np.zeros(len(angles))
        right[:-1] += (free[:-1] * ahead).sum(axis=1)
        right[1:] -= (free[1:] * ahead).sum(axis=1)
        right += (free * drawn).sum(axis=1)
        diagonal = np.full(len(angles), 2.0 + 1e-3)
        diagonal[[0, -1]] = 1.0 + 1e-3
        diagonal += LIMIT_COST * (free**2 * (depth > 0)).sum(axis=1)
        beside = -(free[:-1] * free[1:]).sum(axis=1)
        if before is not None:
            diagonal[0] = 1e12
        shift = solve_banded(np.stack([diagonal, np.append(beside, 0.0), np.zeros(len(angles))]), right)
        angles = angles + free * np.clip(shift, -MAX_SHIFT, MAX_SHIFT)[:, None]
        angles = descend(limb, angles, position, rotation, STEPS, **limits)
    return angles


def _free_motion(limb: RobotLimb, angles: Array) -> Array:
    """The direction in which the joints move while the tip stays, (frames, 7), of length 1, alike from frame to frame."""
    jacobian = limb.jacobian(angles)
    squares = jacobian @ jacobian.swapaxes(-1, -2)
    squares += 1e-12 * np.trace(squares, axis1=-2, axis2=-1)[:, None, None] * np.eye(6)
    anywhere = np.cos(np.arange(1.0, 8.0))
    across = np.linalg.solve(squares, (jacobian @ anywhere)[..., None])
    found = anywhere - (jacobian.swapaxes(-1, -2) @ across)[..., 0]
    return np.asarray(found / np.linalg.norm(found, axis=-1, keepdims=True))
