"""Robot limbs along time: each frame continues from the one before by the least motion of the joints.

A frame is a descent from the angles before it, within the joints' limits and within what they may move in a frame. What
it reaches is the answer nearest to the angles before, drawn away from limits by a redundant limb's free motion, in
proportion to how far its target moves. Where the target cannot be reached so, the limb comes as near as it can, and
goes on from there: it lags, and does not jump to another branch.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from limbik.arguments import positive, reals, shown
from limbik.arrays import Array
from limbik.errors import ArgumentError, ShapeError
from limbik.formulas.robots.answers import BEYOND_LIMIT
from limbik.limbs.array_types import ArrayLike
from limbik.robots.descent import MAX_MISS, descend, miss_and_measure
from limbik.robots.path_planning import Path as WholePath
from limbik.robots.path_planning import depth_and_side, plan
from limbik.robots.robot_solution import RobotSolution
from limbik.rotations import inverse, multiply

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

# What a joint may move in a frame, radians or limb lengths, without `max_step`: a part of how far the target moves, but
# not less than the least, which a smooth path does not reach, nor more than the most, which may be another branch.
STEP_PER_MOTION, LEAST_MAX_STEP, MOST_MAX_STEP = 1.5, 0.15, 0.6
MAX_STILL_MISS = 1e-12  # metres or radians: a frame whose target is missed by less keeps the angles before it
LEAST_GAIN = 1e-6  # of the measure: a limb that cannot reach its target does not move for less
STEPS = 10  # of a frame's descent
STEP_PER_MISS = 30.0  # radians by which a joint moves for each radian or limb length by which the target is missed
START_STEPS = 20  # of a descent to the first target
MIN_PLANNED_FRAMES = 8  # shorter paths are followed frame by frame
MAX_STARTS = 12  # branches from which a known path is followed to choose where it begins
SCATTERED, ADDED_STARTS = 64, 4  # descents that look for branches that the closed form misses, and how many are taken
LIMIT_MARGIN = 0.3  # of half the range of a joint: within it, a redundant limb is drawn away from the limit
LIMIT_PUSH = 0.5  # radians at the limit, for a target that moves by a radian or the limb's length


class Path(NamedTuple):
    """Targets along time: positions (frames, limbs, 3), rotations (frames, limbs, 4)."""

    position: Array
    rotation: Array


class StepLimits(NamedTuple):
    """What joints may move in a frame, radians or metres, (n,): as callers say, or None, and by their velocities."""

    given: Array | None
    velocity: Array

    def of(self, limb: RobotLimb, motion: Array) -> Array:
        """The most that the joints may move, (..., n), where targets move by `motion`, (...)."""
        if self.given is not None:
            return np.broadcast_to(np.minimum(self.given, self.velocity), (*motion.shape, len(limb.chain)))
        most = np.asarray(np.clip(STEP_PER_MOTION * motion, LEAST_MAX_STEP, MOST_MAX_STEP))[..., None]
        return np.minimum(
            most * np.where([kind == "slide" for kind in limb.chain.kinds], limb.length, 1.0), self.velocity
        )


class Frames(NamedTuple):
    """What a track is: angles (frames, limbs, n), and whether they reach their targets, (frames, limbs)."""

    angles: Array
    reached: Array


def track_limb(
    limb: RobotLimb,
    position: ArrayLike[Array],
    rotation: ArrayLike[Array] | None,
    previous: ArrayLike[Array] | RobotSolution | None,
    max_step: ArrayLike[Array] | None,
    fps: float | None,
) -> RobotSolution:
    """The track; see `RobotLimb.track`."""
    places, turns = _read_targets(limb, position, rotation)
    shape, joints = places.shape[:-1], len(limb.chain)
    path = Path(places.reshape(len(places), -1, 3), turns.reshape(len(places), -1, 4))
    bound = _read_step_limits(limb, max_step, fps)
    before = None if previous is None else _read_previous(limb, previous, shape[1:])
    with np.errstate(invalid="ignore", over="ignore"):
        if path.position.size:
            frames = _follow_path(limb, path, before, bound)
        else:
            frames = Frames(np.empty((*path.position.shape[:2], joints)), np.ones(path.position.shape[:2], bool))
    invalid = np.asarray(~(np.isfinite(path.position).all(axis=-1) & np.isfinite(path.rotation).all(axis=-1)))
    cost = np.where(invalid, np.nan, np.where(frames.reached, 0.0, BEYOND_LIMIT)).reshape(shape)
    angles = np.where(invalid[..., None], np.nan, frames.angles).reshape(*shape, joints)
    return RobotSolution(limb, places, turns, angles, np.full(shape, -1, np.int8), cost, is_track=True)


def _follow_path(limb: RobotLimb, path: Path, before: Array | None, bound: StepLimits) -> Frames:
    """The frames; of redundant limbs along what is planned for the whole path where that is possible, one by one."""
    if not limb.redundancy:
        if before is None:
            return _follow_from_best_start(limb, path, bound)
        return follow(limb, path, before, bound, (limb.lower, limb.upper))
    parts = []
    for number in range(path.position.shape[1]):
        own = Path(path.position[:, [number]], path.rotation[:, [number]])
        start = None if before is None else before[[number]]
        parts.append(_follow_one(limb, own, start, bound))
    return Frames(*(np.concatenate(one, axis=1) for one in zip(*parts, strict=True)))


def _follow_one(limb: RobotLimb, path: Path, before: Array | None, bound: StepLimits) -> Frames:
    """The frames of one redundant limb."""
    planned = None
    if len(path.position) >= MIN_PLANNED_FRAMES and all(np.isfinite(part).all() for part in path):
        planned = _plan(limb, path, before)
    if planned is not None and before is None:
        planned = planned + _whole_turns_within(planned.min(axis=0), planned.max(axis=0), limb.lower, limb.upper)
        before = np.clip(planned[:1], limb.lower, limb.upper)
    if before is None:
        return _follow_from_best_start(limb, path, bound)
    return follow(limb, path, before, bound, (limb.lower, limb.upper), planned)


def _plan(limb: RobotLimb, path: Path, before: Array | None) -> Array | None:
    """What is planned for one limb's path, (frames, n), from the angles before it on, (1, n)."""
    motion = _motion_between(
        limb, (path.position[:-1, 0], path.rotation[:-1, 0]), (path.position[1:, 0], path.rotation[1:, 0])
    )
    start = None
    if before is not None:
        target = path.position[0], path.rotation[0]
        start = descend(limb, before, *target, START_STEPS, near=before)[0]
        if not miss_and_measure(limb, start[None], *target)[0][0] <= MAX_MISS:
            return None
    return plan(limb, WholePath(path.position[:, 0], path.rotation[:, 0], np.append(0.0, motion)), start)


def follow(
    limb: RobotLimb,
    path: Path,
    before: Array,
    bound: StepLimits,
    limits: tuple[Array, Array],
    planned: Array | None = None,
) -> Frames:
    """The frames after the angles `before`, (limbs, n), which move within their limits and by `bound` at most.

    planned: (frames, n), angles of one limb, which are taken wherever they reach the target within these bounds.
    """
    path = _hold_invalid_targets(limb, path, before)
    count, motions = len(path.position), _motions(limb, path, before)
    most = bound.of(limb, motions)
    angles, reached = np.empty((count, *before.shape)), np.empty((count, len(before)), bool)
    run_ends = _runs(limb, path, most, motions, planned)
    velocity, there, lag = np.zeros_like(before), np.zeros(len(before), bool), np.zeros(len(before))
    k = 0
    while k < count:
        if planned is not None and run_ends[k] > k and _is_near(planned[k], before, most[k], motions[k]):
            run = slice(k, run_ends[k])
            angles[run, 0], reached[run] = planned[run], True
            k = run.stop
            before, there, lag = angles[k - 1], reached[k - 1], np.zeros(1)
            velocity = before - (angles[k - 2] if k > 1 else before)
            continue
        if motions[k].any() or not there.all():
            step = np.minimum(most[k], STEP_PER_MISS * (lag + motions[k])[:, None])
            box = np.maximum(limits[0], before - step), np.minimum(limits[1], before + step)
            aim = None if planned is None or run_ends[k] == k else planned[[k]]
            near, start = _aims(limb, before, velocity, motions[k], None if aim is None else np.clip(aim, *box))
            after, there, lag = _next_frame(limb, (path.position[k], path.rotation[k]), before, start, near, box)
            velocity, before = after - before, after
        angles[k], reached[k] = before, there
        k += 1
    return Frames(angles, reached)


def _runs(limb: RobotLimb, path: Path, most: Array, motions: Array, planned: Array | None) -> Array:
    """For each frame the one, after it, up to which what is planned can be followed; itself where it cannot be."""
    count = len(path.position)
    frames = np.arange(count)
    if planned is None:
        return frames
    usable = miss_and_measure(limb, planned, path.position[:, 0], path.rotation[:, 0])[0] <= MAX_MISS
    usable &= ~limb.is_beyond_limits(planned)
    steps = np.abs(np.diff(planned, axis=0, prepend=planned[:1]))
    follows = (steps <= np.minimum(most[:, 0], STEP_PER_MISS * motions)).all(axis=1)
    stops = np.append(~(usable & follows)[1:], True)
    ends = np.minimum.accumulate(np.where(stops, frames + 1, count)[::-1])[::-1]
    return np.where(usable, ends, frames)


def _aims(limb: RobotLimb, before: Array, velocity: Array, motion: Array, planned: Array | None) -> tuple[Array, Array]:
    """The angles to be near in the next frame, and the first guess at them, (limbs, n) each."""
    if planned is not None:
        return planned, planned
    if not limb.redundancy:
        return before, before + velocity
    return before + _push_from_limits(limb, before) * np.minimum(motion, 1.0)[:, None], before + velocity


def _is_near(planned: Array, before: Array, most: Array, motion: Array) -> bool:
    """Whether joints may go to what is planned within a frame."""
    return bool((np.abs(planned - before) <= np.minimum(most, STEP_PER_MISS * motion[:, None])).all())


def _hold_invalid_targets(limb: RobotLimb, path: Path, before: Array) -> Path:
    """The path with the targets before in place of those that are not finite; at first, where the limb is."""
    valid = np.isfinite(path.position).all(axis=-1) & np.isfinite(path.rotation).all(axis=-1)
    if valid.all():
        return path
    position, rotation = limb.forward(before)
    places = np.concatenate([position[None], path.position])
    turns = np.concatenate([rotation[None], path.rotation])
    frames = np.arange(1, len(places))[:, None]
    taken, row = np.maximum.accumulate(np.where(valid, frames, 0), axis=0), np.arange(len(before))
    return Path(places[taken, row], turns[taken, row])


def _motions(limb: RobotLimb, path: Path, before: Array) -> Array:
    """How far each target moves from the one before, or from the tip, (frames, limbs): radians and limb lengths."""
    position, rotation = limb.forward(before)
    places = np.concatenate([position[None], path.position])
    turns = np.concatenate([rotation[None], path.rotation])
    return _motion_between(limb, (places[:-1], turns[:-1]), (places[1:], turns[1:]))


def _next_frame(
    limb: RobotLimb, target: tuple[Array, Array], before: Array, start: Array, near: Array, box: tuple[Array, Array]
) -> tuple[Array, Array, Array]:
    """The angles of the next frame, (limbs, n), whether they reach the target, and by what part of the length not.

    Of descents from two starts the one that reaches the target nearer to `near` is taken; a limb stays where it is
    if it is there already, or if it would come no nearer.
    """
    found = descend(limb, np.stack([start, before]), *target, STEPS, near=near, lower=box[0], upper=box[1])
    choices = np.concatenate([found, before[None]])
    misses, aparts = miss_and_measure(limb, choices, *target)
    there = misses <= MAX_MISS
    cost = np.where(there, np.abs(choices - near).max(axis=-1), 1e3 + aparts)
    moved = (cost[1] < cost[0]).astype(int)
    row = np.arange(len(before))
    stays = ~there[moved, row] & (aparts[moved, row] >= (1.0 - LEAST_GAIN) * aparts[2])
    chosen = np.where(stays | (misses[2] <= MAX_STILL_MISS), 2, moved)
    angles, there, lag = choices[chosen, row], there[chosen, row], aparts[chosen, row] / limb.length
    if limb.redundancy and (stays & ~there).any():  # what draws it elsewhere keeps it from the target
        freely = descend(limb, before, *target, 2 * STEPS, lower=box[0], upper=box[1])
        straight = _clip_change(before, descend(limb, before, *target, 2 * STEPS), box)
        both = miss_and_measure(limb, np.stack([freely, straight]), *target)
        nearer = both[1].argmin(axis=0)
        freely = np.where((nearer == 1)[:, None], straight, freely)
        misses, aparts = (one[nearer, row] for one in both)
        better = stays & (aparts < (1.0 - LEAST_GAIN) * lag * limb.length)
        angles, lag = np.where(better[:, None], freely, angles), np.where(better, aparts / limb.length, lag)
        there = np.where(better, misses <= MAX_MISS, there)
    return angles, there, lag


def _clip_change(before: Array, after: Array, box: tuple[Array, Array]) -> Array:
    """The angles (limbs, n) as far on the straight way from `before` to `after` as the box allows."""
    change = after - before
    room = np.where(change > 0, box[1] - before, before - box[0])
    share = np.minimum(room / np.maximum(np.abs(change), 1e-300), 1.0).min(axis=-1, keepdims=True)
    return np.asarray(before + np.maximum(share, 0.0) * change)


def _push_from_limits(limb: RobotLimb, angles: Array) -> Array:
    """The direction away from limits that are near, (limbs, n), for limbs whose joints leave a choice."""
    depth, side = depth_and_side(limb, angles, LIMIT_MARGIN)
    return -LIMIT_PUSH * depth**2 * side


def _motion_between(limb: RobotLimb, one: tuple[Array, Array], other: tuple[Array, Array]) -> Array:
    """How far a target moves, (limbs,): limb lengths, and radians where the rotation matters."""
    motion = np.linalg.norm(other[0] - one[0], axis=-1) / limb.length
    if limb.uses_rotation:
        turn = multiply(other[1], inverse(one[1]))
        motion = motion + 2.0 * np.arctan2(np.linalg.norm(turn[..., :3], axis=-1), np.abs(turn[..., 3]))
        same = (one[0] == other[0]).all(axis=-1) & (one[1] == other[1]).all(axis=-1)
        motion = np.where(same, 0.0, motion)  # without what is left of a rotation by rounding
    return np.asarray(motion)


# --- where a known path begins


def _follow_from_best_start(limb: RobotLimb, path: Path, bound: StepLimits) -> Frames:
    """The frames from the branch, and the whole turns, from which the whole path can best be followed.

    Joints that turn farther than a whole turn are first followed without limits; then whole turns are chosen that bring
    all that they did within these.
    """
    starts = _starts(limb, path)
    count, limbs, joints = starts.shape
    many = Path(*(np.repeat(part[:, None], count, axis=1).reshape(len(part), count * limbs, -1) for part in path))
    turning = (limb.upper - limb.lower >= 2 * np.pi) & np.array([kind == "hinge" for kind in limb.chain.kinds])
    limits = np.where(turning, -np.inf, limb.lower), np.where(turning, np.inf, limb.upper)
    frames = follow(limb, many, starts.reshape(-1, joints), bound, limits)
    least, most = frames.angles.min(axis=0), frames.angles.max(axis=0)
    shift = np.where(turning, _whole_turns_within(least, most, limb.lower, limb.upper), 0.0)
    fits = ((least + shift >= limb.lower - MAX_MISS) & (most + shift <= limb.upper + MAX_MISS)).all(axis=1)
    angles, reached = frames.angles + shift, frames.reached
    if not fits.all():
        rows = np.flatnonzero(~fits)
        again = follow(
            limb,
            Path(many.position[:, rows], many.rotation[:, rows]),
            np.clip(starts.reshape(-1, joints)[rows] + shift[rows], limb.lower, limb.upper),
            bound,
            (limb.lower, limb.upper),
        )
        angles[:, rows], reached[:, rows] = again.angles, again.reached
    return _best_of_starts(angles, reached, count, limbs)


def _starts(limb: RobotLimb, path: Path) -> Array:
    """Where a path may begin: (starts, limbs, n)."""
    valid = np.isfinite(path.position).all(axis=-1) & np.isfinite(path.rotation).all(axis=-1)
    first, limbs = valid.argmax(axis=0), np.arange(path.position.shape[1])
    target = path.position[first, limbs], path.rotation[first, limbs]
    best = limb.solve(*target)
    every = limb.branches(*target)
    order = np.argsort(np.nan_to_num(every.cost, nan=np.inf), axis=0, kind="stable")[: MAX_STARTS - 1]
    others = np.take_along_axis(every.angles, order[..., None], 0)
    usable = np.take_along_axis(np.nan_to_num(every.cost, nan=np.inf), order, 0) < BEYOND_LIMIT
    own = np.nan_to_num(best.angles)
    starts = np.concatenate([own[None], np.where(usable[..., None], others, own)])
    return starts if limb.finds_every_branch else _add_scattered(limb, starts, target)


def _add_scattered(limb: RobotLimb, starts: Array, target: tuple[Array, Array]) -> Array:
    """The starts, and some answers far from them to which descents from scattered angles lead."""
    shape = (SCATTERED, *starts.shape[1:])
    spread = np.random.default_rng(0).uniform(*limb.range_of_starts, shape)
    found = descend(limb, spread, *target, 2 * START_STEPS)
    reaches = miss_and_measure(limb, found, *target)[0] <= MAX_MISS
    for _ in range(ADDED_STARTS):
        apart = np.abs(found[:, None] - starts).max(axis=-1).min(axis=1)
        pick = np.where(reaches, apart, -1.0).argmax(axis=0)
        farthest = np.take_along_axis(found, pick[None, :, None], 0)
        usable = np.take_along_axis(reaches, pick[None], 0)
        starts = np.concatenate([starts, np.where(usable[..., None], farthest, starts[:1])])
    return starts


def _whole_turns_within(least: Array, most: Array, lower: Array, upper: Array) -> Array:
    """The whole turns, radians, that bring what a joint does within its limits, as near to their middle as possible."""
    turn = 2 * np.pi
    middle = np.where(np.isfinite(lower + upper), 0.5 * (lower + upper), 0.0)
    return np.asarray(turn * np.round((middle - 0.5 * (least + most)) / turn))


def _best_of_starts(angles: Array, reached: Array, count: int, limbs: int) -> Frames:
    """For each limb the start that reaches most frames, and then moves the joints the least."""
    frames = len(angles)
    angles, reached = angles.reshape(frames, count, limbs, -1), reached.reshape(frames, count, limbs)
    steps = np.abs(np.diff(angles, axis=0)).max(axis=-1) if frames > 1 else np.zeros((1, count, limbs))
    cost = (~reached).sum(axis=0) * 1e3 + steps.max(axis=0) * 10.0 + steps.mean(axis=0)
    best = cost.argmin(axis=0)
    row = np.arange(limbs)
    return Frames(angles[:, best, row], reached[:, best, row])


# --- arguments


def _read_targets(
    limb: RobotLimb, position: ArrayLike[Array], rotation: ArrayLike[Array] | None
) -> tuple[Array, Array]:
    places = reals("position", position)
    if places.ndim < 2 or places.shape[-1] != 3:
        raise ShapeError("position", places.shape, "(frames, ..., 3)")
    if rotation is None:
        if limb.oriented:
            raise ArgumentError("rotation", None, "quaternions (..., 4): this limb's joints determine the rotation")
        rotation = limb.forward(limb.default_near)[1]
    turns = reals("rotation", rotation)
    if turns.ndim < 1 or turns.shape[-1] != 4:
        raise ShapeError("rotation", turns.shape, "(frames, ..., 4), or (4,) for all frames")
    if turns.shape[0] == len(places) and 1 < turns.ndim < places.ndim:  # frames, and the same for all limbs
        turns = turns.reshape(len(places), *(1,) * (places.ndim - turns.ndim), *turns.shape[1:])
    try:
        shape = np.broadcast_shapes(places.shape[:-1], turns.shape[:-1])
    except ValueError:
        raise ShapeError("rotation", turns.shape, f"{(*places.shape[:-1], 4)}, as position has it") from None
    return np.broadcast_to(places, (*shape, 3)).astype(float), np.broadcast_to(turns, (*shape, 4)).astype(float)


def _read_step_limits(limb: RobotLimb, max_step: ArrayLike[Array] | None, fps: float | None) -> StepLimits:
    joints, given = len(limb.chain), None
    if max_step is not None:
        given = reals("max_step", max_step)
        if given.shape not in ((), (joints,)) or not (given > 0).all():
            raise ArgumentError(
                "max_step", shown(max_step), f"a number above 0, or {joints} of them, one for each joint"
            )
    if fps is None:
        return StepLimits(given, np.full(joints, np.inf))
    return StepLimits(given, limb.max_velocity / positive("fps", fps))


def _read_previous(limb: RobotLimb, previous: ArrayLike[Array] | RobotSolution, batch: tuple[int, ...]) -> Array:
    """The angles before the first frame, (limbs, n): of a track's last frame, or of a solution for each limb."""
    given: Any = previous
    if isinstance(previous, RobotSolution):
        if (previous.shape[1:] if previous.is_track else previous.shape) != batch:
            raise ShapeError(
                "previous", previous.shape, f"a solution of shape {batch}, one for each limb of the batch, or a track"
            )
        given = previous.angles[-1] if previous.is_track else previous.angles
    angles, joints = reals("previous", given), len(limb.chain)
    try:
        full = np.broadcast_to(angles, (*batch, joints)).reshape(prod(batch), joints)
    except ValueError:
        raise ShapeError("previous", angles.shape, f"{(*batch, joints)}") from None
    return np.where(np.isnan(full), limb.default_near, full)
