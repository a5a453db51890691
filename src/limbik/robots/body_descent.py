"""Descents of whole robots: steps of the base and of all joints towards the targets of several ends, within limits.

A step is that of `formulas/robots/descent.py`, for several ends and a base that moves: damped least squares on the
errors of all targets, with joints that would leave their limits resting on them. Frames are the base's, in which the
base's own motion is a twist.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.robots.body_ends import WEIGHTS, BodyEnd
from limbik.rotations import exponential, inverse, multiply, rotate

BASE_FREEDOMS = 6  # of a base that moves: its velocity, and its angular velocity
RADIAN = 0.25  # of the robot's size: what a radian of an end counts beside a metre
MAX_STEP = 0.6  # radians, or robot's sizes, by which a step moves a joint or the base
BASE_SHARE = 0.3  # of the robot's size: how far the base moves for what a radian of a joint counts
DONE = 1e-14  # an error, in robot's sizes, that is rounding
RIDGE = 1e-15  # of the trace: where targets depend on one another, their equations do too


class BodyState(NamedTuple):
    """Angles (rows, joints) of all joints; the base's position (rows, 3) and rotation (rows, 4) in the world."""

    angles: Array
    position: Array
    rotation: Array

    def select(self, rows: Array) -> BodyState:
        """Some of the rows."""
        return BodyState(*(part[rows] for part in self))

    def put(self, rows: Array, others: BodyState) -> None:
        """Replaces some rows by others."""
        for mine, other in zip(self, others, strict=True):
            mine[rows] = other


class BodyGoal(NamedTuple):
    """An end and where it should be: position (rows, 3), rotation (rows, 4), each None where it is free."""

    end: BodyEnd
    position: Array | None
    rotation: Array | None

    def select(self, rows: Array) -> BodyGoal:
        """Some of the rows."""
        return BodyGoal(self.end, *(None if part is None else part[rows] for part in self[1:]))


class Freedom(NamedTuple):
    """What may move: the base, and joints (joints,) within limits (rows or 1, joints); slides (joints,)."""

    base: bool
    joints: Array
    lower: Array
    upper: Array
    slides: Array
    size: float  # of the robot, metres

    def only(self, columns: Array) -> Freedom:
        """The same for some joints alone, with the base at rest."""
        joints = np.zeros_like(self.joints)
        joints[columns] = True
        return self._replace(base=False, joints=joints & self.joints)

    def select(self, rows: Array) -> Freedom:
        """The same for some of the rows."""
        limits = (part[rows] if len(part) > 1 else part for part in (self.lower, self.upper))
        return self._replace(**dict(zip(("lower", "upper"), limits, strict=True)))


def end_pose(end: BodyEnd, state: BodyState) -> tuple[Array, Array]:
    """Position (rows, 3) and rotation (rows, 4) of an end in the world."""
    if end.chain is None:
        return state.position, state.rotation
    tip = end.chain._evaluate_chain("tip", state.angles[:, end.columns])
    return state.position + rotate(state.rotation, tip[:, :3]), multiply(state.rotation, tip[:, 3:])


def misses(goal: BodyGoal, state: BodyState) -> tuple[Array, Array]:
    """By how much an end misses its target: metres (rows,) and radians (rows,); 0 for what is free."""
    position, rotation = end_pose(goal.end, state)
    length, angle = np.zeros(len(position)), np.zeros(len(position))
    if goal.position is not None:
        length = np.linalg.norm(goal.position - position, axis=-1)
    if goal.rotation is not None:
        turn = multiply(goal.rotation, inverse(rotation))
        angle = 2.0 * np.arctan2(np.linalg.norm(turn[:, :3], axis=-1), np.abs(turn[:, 3]))
    return length, angle


def measure(goals: Sequence[BodyGoal], state: BodyState, size: float) -> Array:
    """The weighted sum (rows,) of the squares of all misses, as descents make it small; in robot's sizes."""
    total = np.zeros(len(state.angles))
    for goal in goals:
        length, angle = misses(goal, state)
        total += WEIGHTS[goal.end.rank] ** 2 * ((length / size) ** 2 + (2.0 * RADIAN * np.sin(0.5 * angle)) ** 2)
    return total


def descend(goals: Sequence[BodyGoal], state: BodyState, free: Freedom, steps: int) -> BodyState:
    """The state after a number of steps; rows that are at their targets stay as they are."""
    found = BodyState(*(part.copy() for part in state))
    found.angles[:] = np.where(free.joints, np.clip(found.angles, free.lower, free.upper), found.angles)
    rests = np.zeros((len(state.angles), BASE_FREEDOMS + state.angles.shape[1]))
    rows = np.arange(len(state.angles))
    for _ in range(steps):
        now, own = found.select(rows), [goal.select(rows) for goal in goals]
        errors, jacobian = _linearize(own, now, free.size)
        moving = np.abs(errors).max(axis=1, initial=0.0) > DONE
        if not moving.any():
            break
        if not moving.all():
            rows, errors, jacobian = rows[moving], errors[moving], jacobian[moving]
            now = now.select(moving)
        after, rests[rows] = _step(errors, jacobian, now, rests[rows], free.select(rows))
        found.put(rows, after)
    return found


def _linearize(goals: Sequence[BodyGoal], state: BodyState, size: float) -> tuple[Array, Array]:
    """The errors (rows, m) of all targets, weighted, in robot's sizes, and how they shrink with each freedom.

    The latter is (rows, m, 6 + joints): the base's velocity and angular velocity in its own frame, then the joints.
    """
    rows, joints = state.angles.shape
    back = inverse(state.rotation)
    errors, jacobians = [], []
    for goal in goals:
        end, weight = goal.end, WEIGHTS[goal.end.rank]
        jacobian = np.zeros((rows, 6, BASE_FREEDOMS + joints))
        jacobian[:, range(6), range(6)] = 1.0
        if end.chain is None:
            tip = np.broadcast_to((0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0), (rows, 7))
        else:
            motion = end.chain._evaluate_chain("motion", state.angles[:, end.columns])
            tip = motion[:, :7]
            jacobian[:, :, BASE_FREEDOMS + end.columns] = motion[:, 7:].reshape(rows, 6, -1)
            x, y, z = tip[:, 0], tip[:, 1], tip[:, 2]
            jacobian[:, 0, 4], jacobian[:, 0, 5] = z, -y
            jacobian[:, 1, 3], jacobian[:, 1, 5] = -z, x
            jacobian[:, 2, 3], jacobian[:, 2, 4] = y, -x
        if goal.position is not None:
            errors.append((weight / size) * (rotate(back, goal.position - state.position) - tip[:, :3]))
            jacobians.append((weight / size) * jacobian[:, :3])
        if goal.rotation is not None:
            turn = multiply(multiply(back, goal.rotation), inverse(tip[:, 3:]))
            errors.append(weight * RADIAN * np.where(turn[:, 3:] < 0.0, -2.0, 2.0) * turn[:, :3])
            jacobians.append(weight * RADIAN * jacobian[:, 3:])
    return np.concatenate(errors, axis=1), np.concatenate(jacobians, axis=1)


def _step(errors: Array, jacobian: Array, state: BodyState, rests: Array, free: Freedom) -> tuple[BodyState, Array]:
    """The state after a step, and which freedoms rest on a limit after it: −1, 0 or 1."""
    units = np.where(free.slides, free.size, 1.0)
    units = np.concatenate([np.full(3, BASE_SHARE * free.size), np.ones(3), units])
    may = np.concatenate([np.full(BASE_FREEDOMS, free.base), free.joints])
    jacobian = jacobian * (units * may)
    moving = jacobian * (rests == 0.0)[:, None]
    normal = moving @ jacobian.swapaxes(-1, -2)
    diagonal = np.arange(normal.shape[-1])
    trace = np.trace(normal, axis1=-2, axis2=-1)[:, None]
    normal[:, diagonal, diagonal] += 0.5 * (errors**2).sum(axis=1, keepdims=True) + RIDGE * trace + 1e-300
    weights = np.linalg.solve(normal, errors[..., None])
    changes = (jacobian.swapaxes(-1, -2) @ weights)[..., 0]
    longest = np.abs(np.where(rests == 0.0, changes, 0.0)).max(axis=1, keepdims=True)
    changes *= units * (MAX_STEP / np.maximum(MAX_STEP, longest))
    wanted = state.angles + changes[:, BASE_FREEDOMS:]
    moved = np.where(free.joints, np.clip(wanted, free.lower, free.upper), state.angles)
    moved = np.where(rests[:, BASE_FREEDOMS:] == 0.0, moved, state.angles)
    resting = np.where(wanted > free.upper, 1.0, np.where(wanted < free.lower, -1.0, 0.0))
    rests = np.concatenate([np.zeros((len(rests), BASE_FREEDOMS)), resting], axis=1)
    if not free.base:
        return BodyState(moved, state.position, state.rotation), rests
    position = state.position + rotate(state.rotation, changes[:, :3])
    rotation = multiply(state.rotation, exponential(changes[:, 3:BASE_FREEDOMS]))
    return BodyState(moved, position, rotation / np.linalg.norm(rotation, axis=-1, keepdims=True)), rests
