"""Whole robots: feet, hands, chest and pelvis sent to targets in one call, and along time.

What `reach` does, until a pose has an answer within limits:
1. The pelvis goes to its target, or stays, and each limb reaches from there: by the answer nearest to where it is, or
   in closed form.
2. Damped least-squares steps over the whole tree: base, waist and limbs (`body_descent.py`), from there, from the
   angles to be near, and from angles scattered within limits.
3. Where not all targets can be met, the steps lead to a compromise in which feet count most; then the feet are met
   alone, and each other limb comes as near as it can.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.robots.body_descent import BodyGoal, BodyState, Freedom, descend, end_pose, measure, misses
from limbik.robots.body_ends import BASE, FOOT, BodyEnd
from limbik.robots.descent import MAX_MISS
from limbik.rotations import inverse, multiply, rotate

if TYPE_CHECKING:
    from limbik.robots.robot import Robot

STEPS, NEAREST_STEPS = 30, 100  # from a start; and to a compromise
SCATTERED = (8, 32, 128)  # starts of joints scattered within limits: first so many, then more
BLOCK_ROWS = 4096  # starts from which steps are taken together
TRACK_STEPS = 20  # of a frame, from the one before
MISSED = 1e6  # the cost of an answer that misses a target


def solve_body(robot: Robot, goals: Sequence[BodyGoal], near: BodyState, free: Freedom) -> BodyState:
    """The answers (rows) near to given angles that meet all targets, or come near to them."""
    start = _place_base(goals, near, free)
    found = _reach_alone(goals, start, free)
    left = np.flatnonzero(~is_met(goals, found))
    if not left.size:
        return found
    found.put(left, _place_limbs(robot, [goal.select(left) for goal in goals], found.select(left)))
    cost, hopeless = _cost(goals, found, near, free), _are_too_far_apart(goals)
    for count in (0, *SCATTERED):
        left = np.flatnonzero((cost >= MISSED) & ~(hopeless & (count > 0)))
        size = BLOCK_ROWS // max(count, 1)
        for rows in (left[first : first + size] for first in range(0, left.size, size)):
            own, around = [goal.select(rows) for goal in goals], near.select(rows)
            if count:
                starts = _scatter(robot, own, around, free, count)
            else:
                starts = _join([found.select(rows), start.select(rows)])
            best, costs = _descend_from(own, starts, around, free)
            better = costs < cost[rows]
            found.put(rows[better], best.select(better))
            cost[rows] = np.minimum(cost[rows], costs)
    left = np.flatnonzero(cost >= MISSED)
    if left.size:
        found.put(left, come_near([goal.select(left) for goal in goals], found.select(left), free, NEAREST_STEPS))
    return found


def _descend_from(
    goals: Sequence[BodyGoal], starts: BodyState, near: BodyState, free: Freedom
) -> tuple[BodyState, Array]:
    """The best answers (rows) to which descents from starts (k × rows) lead, and what they cost."""
    rows = np.arange(len(near.angles))
    many = np.resize(rows, len(starts.angles))
    tried = [goal.select(many) for goal in goals]
    ends = descend(tried, starts, free, STEPS)
    costs = _cost(tried, ends, near.select(many), free).reshape(-1, rows.size)
    number = costs.argmin(axis=0)
    return ends.select(number * rows.size + rows), costs[number, rows]


def follow_body(goals: Sequence[BodyGoal], before: BodyState, free: Freedom) -> BodyState:
    """The answers (rows) to which steps lead from the frame before."""
    found = descend(goals, before, free, TRACK_STEPS)
    left = np.flatnonzero(~is_met(goals, found))
    if left.size:
        rest = [goal.select(left) for goal in goals], found.select(left), free.select(left)
        found.put(left, come_near(*rest, TRACK_STEPS))
    return found


def is_met(goals: Sequence[BodyGoal], state: BodyState) -> Array:
    """(rows,) bool: where all ends are at their targets."""
    return np.all([np.maximum(*misses(goal, state)) <= MAX_MISS for goal in goals], axis=0)


def come_near(goals: Sequence[BodyGoal], state: BodyState, free: Freedom, steps: int) -> BodyState:
    """Rows whose targets cannot all be met: first a compromise, then the feet alone, then each other limb alone."""
    found = descend(goals, state, free, steps)
    feet = [goal for goal in goals if goal.end.rank == FOOT]
    if feet:
        found = descend(feet, found, free, STEPS)
    return _reach_alone([goal for goal in goals if goal.end.rank != FOOT], found, free)


def _reach_alone(goals: Sequence[BodyGoal], state: BodyState, free: Freedom) -> BodyState:
    """The state after each limb has come to its target by itself, or near to it."""
    for goal in goals:
        if goal.end.limb is not None:
            state = descend([goal], state, free.only(goal.end.limb_columns), STEPS)
    return state


def limb_base(robot: Robot, goal: BodyGoal, state: BodyState) -> tuple[Array, Array]:
    """Where the base of a goal's limb is in the world: position (rows, 3) and rotation (rows, 4)."""
    assert goal.end.limb is not None
    positions, rotations = robot.forward(state.angles, position=state.position, rotation=state.rotation)
    number = robot.links.index(goal.end.limb.base)
    return positions[:, number], rotations[:, number]


def _cost(goals: Sequence[BodyGoal], state: BodyState, near: BodyState, free: Freedom) -> Array:
    """What answers (rows,) cost: by how far joints are from those to be near, or more where a target is missed."""
    apart = ((state.angles - near.angles) ** 2).sum(axis=1)
    return np.where(is_met(goals, state), apart, MISSED * (1.0 + measure(goals, state, free.size)))


def _are_too_far_apart(goals: Sequence[BodyGoal]) -> Array:
    """(rows,) bool: where two targets are farther apart than what is between the ends is long."""
    found = np.zeros(len(next(part for part in goals[0][1:] if part is not None)), bool)
    for one, other in combinations([goal for goal in goals if goal.position is not None], 2):
        points, lengths = zip(*(_root_and_length(goal.end) for goal in (one, other)), strict=True)
        assert one.position is not None and other.position is not None
        most = sum(lengths) + np.linalg.norm(np.subtract(*points))
        found |= np.linalg.norm(one.position - other.position, axis=-1) > most + MAX_MISS
    return found


def _root_and_length(end: BodyEnd) -> tuple[Array, float]:
    """A point on the first axis of an end's chain, in the base's frame, and how far the end is from it at most."""
    if end.chain is None:
        return np.zeros(3), 0.0
    chain = end.chain.chain
    links = np.linalg.norm(np.diff([*chain.points, chain.position], axis=0), axis=1).sum()
    slides = np.array(chain.kinds) == "slide"
    return chain.points[0], float(links + np.maximum(np.abs(chain.lower), np.abs(chain.upper))[slides].sum())


def _place_base(goals: Sequence[BodyGoal], state: BodyState, free: Freedom) -> BodyState:
    """The state with the base at its target, where it has one."""
    position, rotation = state.position.copy(), state.rotation.copy()
    for goal in goals:
        if goal.end.rank == BASE and free.base:
            position = position if goal.position is None else goal.position.copy()
            rotation = rotation if goal.rotation is None else goal.rotation.copy()
    return BodyState(np.clip(state.angles, free.lower, free.upper), position, rotation)


def _place_limbs(robot: Robot, goals: Sequence[BodyGoal], state: BodyState) -> BodyState:
    """The state with limbs that miss their targets there, by the branch nearest to where they are, if there is one."""
    found = BodyState(*(part.copy() for part in state))
    for goal in goals:
        limb = goal.end.limb
        if limb is None or goal.position is None or not limb.closed_form.branches:
            continue
        rows = np.flatnonzero(np.maximum(*misses(goal, state)) > MAX_MISS)
        if not rows.size or (goal.rotation is None and limb.oriented):
            continue
        place, turn = limb_base(robot, goal, state.select(rows))
        back = inverse(turn)
        position = rotate(back, goal.position[rows] - place)
        rotation = None if goal.rotation is None else multiply(back, goal.rotation[rows])
        near = state.angles[rows][:, goal.end.limb_columns]
        every = limb.branches(position, rotation, near)
        cost = np.where(every.reached, np.abs(every.angles - near).max(axis=-1), np.inf)
        number = cost.argmin(axis=0)[None]
        usable = np.isfinite(np.take_along_axis(cost, number, 0)[0])
        chosen = np.take_along_axis(every.angles, number[..., None], 0)[0]
        found.angles[rows[usable][:, None], goal.end.limb_columns] = chosen[usable]
    return found


def _join(states: Sequence[BodyState]) -> BodyState:
    return BodyState(*(np.concatenate(parts) for parts in zip(*states, strict=True)))


def _scatter(robot: Robot, goals: Sequence[BodyGoal], near: BodyState, free: Freedom, count: int) -> BodyState:
    """Starts (count × rows): joints scattered within limits, the same for every row, and limbs at their targets.

    The base is at its target, or so that another end meets its own: that which fewest joints move.
    """
    rows, joints = near.angles.shape
    many = np.tile(np.arange(rows), count)
    lower, upper = free.lower, free.upper
    low = np.where(np.isfinite(lower), lower, np.where(np.isfinite(upper), upper - 2 * np.pi, -np.pi))
    high = np.where(np.isfinite(upper), upper, low + 2 * np.pi)
    spread = np.repeat(np.random.default_rng(count).uniform(low, high, (count, joints)), rows, axis=0)
    own = [goal.select(many) for goal in goals]
    placed = BodyState(np.where(free.joints, spread, near.angles[many]), near.position[many], near.rotation[many])
    if free.base:
        placed = _place_base(own, _base_for_end(own, placed), free)
    return _place_limbs(robot, own, placed)


def _base_for_end(goals: Sequence[BodyGoal], state: BodyState) -> BodyState:
    """The state with the base so placed that an end whose pose is given is there: the one that fewest joints move."""
    whole = [goal for goal in goals if goal.position is not None and goal.rotation is not None]
    if not whole:
        return state
    goal = min(whole, key=lambda goal: goal.end.columns.size)
    place, turn = end_pose(goal.end, state)
    assert goal.position is not None and goal.rotation is not None
    moved = multiply(goal.rotation, inverse(turn))
    position = goal.position + rotate(moved, state.position - place)
    return BodyState(state.angles, position, multiply(moved, state.rotation))
