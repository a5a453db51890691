"""Turns one joint, such as a head, an eye or a turret, to look at targets."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import pi
from typing import TYPE_CHECKING

import numpy as np

from limbik import arguments
from limbik.arrays import Array
from limbik.engines import numpy_engine
from limbik.engines.trace import record
from limbik.errors import ArgumentError
from limbik.formulas.rig_joints import aimed_rotation
from limbik.rotations import components, inverse, multiply, normalized
from limbik.skeleton.reach import blend_rotations, frame_by_frame, posed_line_to

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from limbik.skeleton.pose import Pose


def aim(
    pose: Pose,
    joint: str | int,
    targets: ArrayLike,
    axis: ArrayLike,
    up: ArrayLike,
    pole: ArrayLike | None,
    offset: ArrayLike,
    max_angle: float,
    weight: ArrayLike,
) -> Array:
    """Local rotations (..., joints, 4) with the joint looking at the targets: see `Pose.aim`."""
    number = pose.skeleton.index(joint)
    ahead, above = _direction("axis", axis), _direction("up_axis", up)
    largest = arguments.number("max_angle", max_angle, 0.0, unit="radians")
    _, at, turned = posed_line_to(pose, number)
    parent, own = turned[..., -2, :], turned[..., -1, :]
    line_start = arguments.vector("offset", offset, 3)
    goal, weights = frame_by_frame(pose, "targets", targets, 3), frame_by_frame(pose, "weight", weight)
    roll = np.zeros(3) if pole is None else frame_by_frame(pose, "pole", pole, 3)
    run = _aim_function(bool(line_start.any()), pole is not None, largest < pi)
    vectors = (own, at[..., -1, :], goal, ahead, above, line_start, roll, np.array([largest]))
    with np.errstate(all="ignore"):
        numbers = run(*(part for vector in vectors for part in components(vector)))
    new = np.stack(np.broadcast_arrays(*numbers), axis=-1)
    rotations = pose.rotations.copy()
    rotations[..., number, :] = multiply(inverse(parent), new)
    return blend_rotations(pose.rotations, rotations, weights)


@cache
def _aim_function(offset_sight: bool, rolled: bool, limited: bool) -> Callable[..., tuple[Array, ...]]:
    vectors = dict.fromkeys(("position", "target", "axis", "up_axis", "offset", "pole"), 3)
    flags = {"offset_sight": offset_sight, "rolled": rolled, "limited": limited}
    trace = record(aimed_rotation, {"rotation": 4, **vectors, "max_angle": 1}, flags, rare=True)
    return numpy_engine.function(trace, np.dtype(np.float64), None)


def _direction(name: str, value: ArrayLike) -> Array:
    direction = arguments.vector(name, value, 3)
    if not direction.any():
        raise ArgumentError(name, "a zero vector", "a direction (x, y, z) in the joint's frame")
    return normalized(direction)
