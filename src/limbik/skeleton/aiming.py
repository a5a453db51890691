"""Turns one joint, such as a head, an eye or a turret, to look at targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from limbik import arguments
from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.rotations import about, inverse, multiply, normalized, reject, rotate, shortest_arc
from limbik.skeleton.bending import perpendicular
from limbik.skeleton.reach import chain_to, frame_by_frame, weighted

if TYPE_CHECKING:
    from limbik.skeleton.pose import Pose


def aim(
    pose: Pose,
    joint: str | int,
    targets: Any,
    axis: Any,
    up: Any,
    pole: Any,
    offset: Any,
    max_angle: float,
    weight: Any,
) -> Array:
    """Local rotations (..., joints, 4) with the joint looking at the targets: see `Pose.aim`."""
    number = pose.skeleton.index(joint)
    ahead, above = _direction("axis", axis), _direction("up_axis", up)
    largest = arguments.number("max_angle", max_angle, 0.0, unit="radians")
    _, at, turned = chain_to(pose, number)
    parent, own = turned[..., -2, :], turned[..., -1, :]
    line = frame_by_frame(pose, "targets", targets, 3) - at[..., -1, :]
    seen = _point_seen(line, ahead, arguments.vector("offset", offset, 3))
    before = rotate(own, seen)
    turn = shortest_arc(before, np.where(_zero(line), before, line), rotate(own, above))
    if pole is not None:
        turn = multiply(_rolled(line, rotate(multiply(turn, own), above), frame_by_frame(pose, "pole", pole, 3)), turn)
    new = multiply(_limited(turn, largest), own)
    rotations = pose.rotations.copy()
    rotations[..., number, :] = multiply(inverse(parent), new)
    return weighted(pose.rotations, rotations, frame_by_frame(pose, "weight", weight))


def _direction(name: str, value: Any) -> Array:
    direction = arguments.vector(name, value, 3)
    if not direction.any():
        raise ArgumentError(name, "a zero vector", "a direction (x, y, z) in the joint's frame")
    return normalized(direction)


def _zero(v: Array) -> Array:
    return ~np.any(v != 0.0, axis=-1, keepdims=True)


def _point_seen(line: Array, ahead: Array, offset: Array) -> Array:
    """The target in the frame of the joint that looks at it, (..., 3), or the nearest point of the line of sight."""
    along = np.sum(offset * ahead)
    room = np.sum(line * line, axis=-1) - (np.sum(offset * offset) - along * along)
    distance = np.maximum(np.sqrt(np.maximum(room, 0.0)) - along, 0.0)
    point = offset + distance[..., None] * ahead
    return np.where(_zero(point), ahead, point)


def _rolled(line: Array, above: Array, pole: Array) -> Array:
    """The turn about the line of sight that brings `above` nearest to the pole."""
    line = normalized(line)
    now, wanted = reject(above, line), reject(pole, line)
    free = _zero(now) | (np.linalg.norm(wanted, axis=-1, keepdims=True) < 1e-9)
    angle = np.arctan2(np.sum(np.cross(now, wanted) * line, axis=-1), np.sum(now * wanted, axis=-1))
    return about(np.where(_zero(line), perpendicular(line), line), np.where(free[..., 0], 0.0, angle))


def _limited(turn: Array, largest: float) -> Array:
    turn = np.where(turn[..., 3:] < 0.0, -turn, turn)
    sine = np.linalg.norm(turn[..., :3], axis=-1)
    angle = 2.0 * np.arctan2(sine, turn[..., 3])
    stopped = about(normalized(turn[..., :3]), np.full(angle.shape, largest))
    return np.where((angle > largest)[..., None], stopped, turn)
