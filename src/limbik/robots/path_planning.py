"""Which answers a redundant limb takes along a path that is known as a whole: by dynamic programming, then smoothed.

Knots are taken along the path. At each of them there are candidates: the branches of the closed form, at swivels that
lie evenly along the joints' free motion; where the closed form only comes near, or there is none, also what continues
the candidates of the knot before. Dynamic programming finds the sequence of candidates that moves the joints the least
and keeps away from limits. The frames between the knots are interpolated and brought onto their targets. They are then
moved along the limb's free motion, by one number each: the numbers that make the path shortest solve a tridiagonal
system, again and again, since the free motion is not straight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines.numba_banded import solve_banded
from limbik.formulas.robots.answers import BEYOND_LIMIT
from limbik.limbs.inputs import FLOAT64
from limbik.robots.descent import MAX_MISS, descend, miss_and_measure
from limbik.robots.robot_branches import evaluate_branches

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

KNOT_SPACING = 0.06  # radians and limb lengths by which the target moves from knot to knot
DENSITIES = (1, 2, 4)  # of candidates at the knots: more where fewer lead to joints that are faster than MAX_PEAKS
MAX_PEAKS = (0.5, 0.7, 0.0)  # radians of a joint for each radian or limb length by which the target moves
PEAK_COST = 1e3  # for each squared radian, by which long ways between these knots then cost more
SWIVELS = 36  # that are tried at a knot, to find how the joints move with the swivel; then as many spread evenly
NEAR_LIMITS = 0.3  # radians beyond a limit from which an approximate branch may come to lie within it
SCATTERED = 128  # angles from which candidates for the first knot are sought, where the closed form only comes near
SURVIVORS = 60  # candidates of a knot that are continued to the next
SAME_CANDIDATE = 0.15  # radians within which candidates count as one among the survivors
SIDE_STEP = 0.2  # radians along the free motion, to either side, from where candidates are continued too
LIMIT_MARGIN = 0.15  # of half the range of a joint, within which an answer costs more
LIMIT_COST = 0.05  # at a limit, in squared radians
JUMP_SQUARED, JUMP_COST = 1.0, 1e3  # squared radians between candidates that are no motion but a jump
SMOOTHINGS = 30
SQUARED_SMOOTHINGS = 6  # the first ones make the sum of squared steps least, the others the largest step
USUAL_MOTION = 0.05  # radians and limb lengths of the target in a frame, for which steps count as they are
MAX_SHIFT = 0.25  # radians by which a smoothing moves a frame
STEPS = 6  # of a frame's descent
LAST_STEPS = 20  # near singularities and limits, where descents are slower, it takes more to reach the target


class Path(NamedTuple):
    """Targets of one limb: positions (frames, 3), rotations (frames, 4), and how far each has moved, (frames,)."""

    position: Array
    rotation: Array
    motion: Array

    def at(self, frames: Array) -> Path:
        """Some of the frames, by their numbers."""
        return Path(*(part[frames] for part in self))


def plan(limb: RobotLimb, path: Path, before: Array | None) -> Array | None:
    """Angles (frames, n) that follow the targets, or come near them; None where no target has a candidate.

    Joints that turn all around may be whole turns away from their limits; all others are within them.

    Args:
        limb: the limb.
        path: the targets, finite; motion in radians and limb lengths.
        before: (n,), an answer for the first frame, with which the path begins; None: any.
    """
    moves = np.append(True, path.motion[1:] > 0.0)
    moving = path.at(np.flatnonzero(moves))
    best = None
    for density, max_peak in zip(DENSITIES, MAX_PEAKS, strict=True):
        found = _plan_with_candidates(limb, moving, before, density)
        if found is None:
            break
        if best is None or _peak(found, moving) < _peak(best, moving):
            best = found
        if _peak(best, moving) <= max_peak:
            break
    return None if best is None else best[np.cumsum(moves) - 1]


def _plan_with_candidates(limb: RobotLimb, path: Path, before: Array | None, density: int) -> Array | None:
    number = np.floor(np.cumsum(path.motion) / KNOT_SPACING)
    knots = np.unique(np.concatenate([[0], np.flatnonzero(np.diff(number)) + 1, [len(number) - 1]]))
    taken, chosen = _search(limb, path.at(knots), before, density)
    if not taken:
        return None
    turning = _turning(limb)
    chosen = np.where(turning, np.unwrap(chosen, axis=0), chosen)
    places = np.cumsum(path.motion)
    frames = np.stack([np.interp(places, places[knots[taken]], column) for column in chosen.T], axis=-1)
    frames = descend(limb, frames, path.position, path.rotation, STEPS, **_limits(limb))
    if len(frames) > 2:
        frames = _smooth(limb, frames, path, before is not None)
    return descend(limb, frames, path.position, path.rotation, LAST_STEPS, **_limits(limb))


def _turning(limb: RobotLimb) -> Array:
    """Which joints turn all around, (n,)."""
    hinges = np.array([kind == "hinge" for kind in limb.chain.kinds])
    return np.asarray(hinges & (limb.upper - limb.lower >= 2 * np.pi))


def _limits(limb: RobotLimb) -> dict[str, Array]:
    """The limits of a descent while whole turns are still to be chosen."""
    turning = _turning(limb)
    return {"lower": np.where(turning, -np.inf, limb.lower), "upper": np.where(turning, np.inf, limb.upper)}


def _peak(angles: Array, path: Path) -> float:
    """The fastest joint, in radians for each radian or limb length that the target moves."""
    steps = np.abs(np.diff(angles, axis=0)).max(axis=1, initial=0.0)
    return float((steps / (path.motion[1:] + path.motion.mean())).max(initial=0.0)) if path.motion.any() else 0.0


# --- candidates


def _branches(limb: RobotLimb, path: Path, swivels: int) -> list[Array]:
    """The answers within limits that the closed form leads to at each knot: arrays (answers, n)."""
    family, joints = limb.closed_form, len(limb.chain)
    if not family.layout.has_swivel:
        return [np.empty((0, joints))] * len(path.position)
    found = np.concatenate([_branch_at_swivels(limb, path, sign, swivels) for sign in family.signs], axis=1)
    angles, cost = np.moveaxis(found[:joints], 0, -1), found[-1]
    there = cost < BEYOND_LIMIT
    if family.newton_steps:
        beyond = (angles < limb.lower - NEAR_LIMITS) | (angles > limb.upper + NEAR_LIMITS)
        near, knot = np.nonzero(np.isfinite(angles).all(axis=-1) & ~beyond.any(axis=-1))
        targets = path.position[knot], path.rotation[knot]
        moved = descend(limb, angles[near, knot], *targets, STEPS, lower=-np.inf, upper=np.inf)
        there = np.zeros(cost.shape, bool)
        there[near, knot] = (miss_and_measure(limb, moved, *targets)[0] <= MAX_MISS) & ~limb.is_beyond_limits(moved)
        angles = angles.copy()
        angles[near, knot] = moved
    return [angles[there[:, knot], knot] for knot in range(len(path.position))]


def _branch_at_swivels(limb: RobotLimb, path: Path, sign: tuple[float, ...], count: int) -> Array:
    """A branch at swivels that lie evenly along the joints' motion: angles and cost, (n + 1, swivels, knots)."""
    family, rows, joints = limb.closed_form, len(path.position), len(limb.chain)
    columns = {"position": path.position.T, "rotation": path.rotation.T, "near": np.array([limb.default_near]).T}
    low, high = -np.pi, np.pi
    if family.layout.free_parameter == "last joint":
        low, high = max(low, float(limb.lower[-1])), min(high, float(limb.upper[-1]))
    swivels = np.repeat(np.linspace(low, high, count)[:, None], rows, axis=1)
    found = evaluate_branches(family, columns, [sign], rows, FLOAT64, swivels).reshape(joints + 1, count, rows)
    turns = np.diff(found[:joints], axis=1)
    steps = np.sqrt(((turns - 2 * np.pi * np.round(turns / (2 * np.pi))) ** 2).sum(axis=0))
    outside = ~(found[-1] < BEYOND_LIMIT)
    steps = np.nan_to_num(steps) * np.where(outside[1:] & outside[:-1], 0.1, 1.0) + 1e-3
    along = np.concatenate([np.zeros((1, rows)), np.cumsum(steps, axis=0)])
    even = [np.interp(np.linspace(0.0, one[-1], count), one, swivels[:, 0]) for one in along.T]
    spread = np.stack(even, axis=1)
    found = evaluate_branches(family, columns, [sign], rows, FLOAT64, spread)
    return found.reshape(joints + 1, count, rows)


def _scatter(limb: RobotLimb, path: Path) -> Array:
    """Answers for the first knot to which descents from scattered angles lead, (answers, n)."""
    starts = np.random.default_rng(0).uniform(*limb.range_of_starts, (SCATTERED, len(limb.chain)))
    return _reaching(limb, starts, path.at(np.zeros(SCATTERED, int)), 5 * STEPS)


def _continue(limb: RobotLimb, candidates: Array, total: Array, path: Path, knot: int) -> Array:
    """The answers at a knot nearest to the cheapest candidates of the one before, and to their sides, (answers, n)."""
    order = np.argsort(total, kind="stable")
    cells = np.round(_embed(limb, candidates[order]) / SAME_CANDIDATE)
    _, first = np.unique(cells, axis=0, return_index=True)
    best = candidates[order[np.sort(first)[:SURVIVORS]]]
    sides = SIDE_STEP * _free_motion(limb, best)
    starts = np.concatenate([best, best + sides, best - sides])
    return _reaching(limb, starts, path.at(np.full(len(starts), knot)), STEPS)


def _reaching(limb: RobotLimb, starts: Array, path: Path, steps: int) -> Array:
    """Of the angles to which descents lead those that reach their targets."""
    angles = descend(limb, starts, path.position, path.rotation, steps, **_limits(limb))
    reaches = miss_and_measure(limb, angles, path.position, path.rotation)[0] <= MAX_MISS
    return angles[reaches]


# --- dynamic programming


def _search(limb: RobotLimb, path: Path, before: Array | None, density: int) -> tuple[list[int], Array]:
    """The cheapest sequence of candidates: the knots that have some, and the angles there, (knots, n)."""
    family = limb.closed_form
    exact = family.branches and not family.newton_steps
    candidates = _branches(limb, path, density * SWIVELS)
    if before is not None:
        candidates[0] = before[None]
    elif not exact:
        candidates[0] = np.concatenate([candidates[0], _scatter(limb, path)])
    knots: list[int] = []
    layers: list[Array] = []
    came: list[Array] = []
    total = np.zeros(0)
    for knot in range(len(candidates)):
        here = candidates[knot]
        if layers and not (exact and len(here)):
            here = np.concatenate([here, _continue(limb, layers[-1], total, path, knot)])
        if not len(here):
            continue
        cost = _limit_cost(limb, here)
        if layers:
            apart = _squared_distances(_embed(limb, layers[-1]), _embed(limb, here))
            if density > 1:
                apart += PEAK_COST * apart**2
            apart += np.where(apart > JUMP_SQUARED, JUMP_COST, 0.0) + total[:, None]
            came.append(apart.argmin(axis=0))
            cost += apart.min(axis=0)
        total = cost
        knots.append(knot)
        layers.append(here)
    if not layers:
        return [], np.empty((0, len(limb.chain)))
    numbers = [int(total.argmin())]
    for links in reversed(came):
        numbers.append(int(links[numbers[-1]]))
    return knots, np.stack([layer[number] for layer, number in zip(layers, reversed(numbers), strict=True)])


def _embed(limb: RobotLimb, angles: Array) -> Array:
    """Points (..., m) whose distances are those of the joints: hinges that turn all around are points of a circle."""
    turning = _turning(limb)
    slides = np.array([kind == "slide" for kind in limb.chain.kinds])
    scaled = angles / np.where(slides, limb.length, 1.0)
    return np.concatenate([scaled[..., ~turning], np.cos(angles[..., turning]), np.sin(angles[..., turning])], axis=-1)


def _squared_distances(one: Array, other: Array) -> Array:
    squares = (one**2).sum(axis=-1)[:, None] + (other**2).sum(axis=-1)
    return np.asarray(np.maximum(squares - 2.0 * one @ other.T, 0.0))


def _limit_cost(limb: RobotLimb, angles: Array) -> Array:
    depth, _ = depth_and_side(limb, angles, LIMIT_MARGIN)
    return np.asarray(LIMIT_COST * (depth**2).sum(axis=-1))


def depth_and_side(limb: RobotLimb, angles: Array, margin: float) -> tuple[Array, Array]:
    """How deep joints are in the margins at their limits, 0 to 1, and at which, -1 or 1: (..., n) each."""
    half = 0.5 * (limb.upper - limb.lower)
    bounded = np.isfinite(half) & (half > 0)
    middle = np.where(bounded, 0.5 * (np.where(bounded, limb.lower, 0.0) + np.where(bounded, limb.upper, 0.0)), 0.0)
    place = np.where(bounded, (angles - middle) / np.where(bounded, half, 1.0), 0.0)
    return np.clip((np.abs(place) - (1.0 - margin)) / margin, 0.0, 1.0), np.sign(place)


# --- smoothing


def _smooth(limb: RobotLimb, angles: Array, path: Path, starts_fixed: bool) -> Array:
    """Frames (frames, n) moved along their free motion, so that the largest step is small and limits are far."""
    pace = path.motion[1:] / max(float(path.motion.mean()), 1e-300)
    rigid = USUAL_MOTION / np.maximum(path.motion[1:], 1e-12)  # joints move in proportion to the target
    weights = np.ones(len(angles) - 1)
    best, least = angles, np.inf
    for number in range(SMOOTHINGS + 1):
        steps = np.abs(np.diff(angles, axis=0)).max(axis=1) / (0.1 + pace)
        if steps.max() < least:
            best, least = angles, steps.max()
        if number == SMOOTHINGS:
            break
        if number >= SQUARED_SMOOTHINGS:
            weights = weights * (steps / max(float(steps.mean()), 1e-300) + 0.3) ** 0.7
            weights = np.clip(weights / weights.mean(), 0.05, 300.0)
        free = _free_motion(limb, angles)
        shift = _best_shift(limb, angles, free, rigid * weights, starts_fixed)
        angles = angles + free * np.clip(shift, -MAX_SHIFT, MAX_SHIFT)[:, None]
        angles = descend(limb, angles, path.position, path.rotation, STEPS - 2, **_limits(limb))
    return best


def _best_shift(limb: RobotLimb, angles: Array, free: Array, weights: Array, starts_fixed: bool) -> Array:
    """How far each frame moves along its free motion, (frames,), for the least sum of weighted squared steps."""
    depth, side = depth_and_side(limb, angles, LIMIT_MARGIN)
    ahead = np.diff(angles, axis=0)
    right = -LIMIT_COST * (free * depth * side).sum(axis=1)
    right[:-1] += (free[:-1] * ahead).sum(axis=1) * weights
    right[1:] -= (free[1:] * ahead).sum(axis=1) * weights
    diagonal = 1e-3 + 5.0 * LIMIT_COST * (free**2 * (depth > 0)).sum(axis=1)
    diagonal[:-1] += weights
    diagonal[1:] += weights
    if starts_fixed:
        diagonal[0], right[0] = 1e12, 0.0
    beside = -(free[:-1] * free[1:]).sum(axis=1) * weights
    return solve_banded(np.stack([diagonal, np.append(beside, 0.0), np.zeros(len(angles))]), right)


def _free_motion(limb: RobotLimb, angles: Array) -> Array:
    """A direction in which the joints move while the tip stays, (frames, n), of length 1, alike from frame to frame."""
    jacobian = limb.jacobian(angles)
    squares = jacobian @ jacobian.swapaxes(-1, -2)
    squares += 1e-12 * np.trace(squares, axis1=-2, axis2=-1)[:, None, None] * np.eye(6)
    anywhere = np.cos(np.arange(1.0, len(limb.chain) + 1.0))
    across = np.linalg.solve(squares, (jacobian @ anywhere)[..., None])
    found = anywhere - (jacobian.swapaxes(-1, -2) @ across)[..., 0]
    return np.asarray(found / np.maximum(np.linalg.norm(found, axis=-1, keepdims=True), 1e-300))
