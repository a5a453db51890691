"""The nearest pose within limits where a target cannot be reached: the measure it is nearest by, and how it is found.

The measure is the distance of the tip from the target, and the angle between their rotations times a quarter of the
limb's length, added in squares. A fixed number of Levenberg–Marquardt steps within the joints' limits leads to a
minimum of it from each of a few starts: branches of the family, and the angles to which the answer shall be near.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.rotations import inverse, logarithm, multiply

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

STEPS = 40
TRIED = 10  # of the starts, the best
ARM = 0.25  # of the limb's length: what a radian counts in metres
ARM_WHERE_FREE = 0.01  # the same where the joints do not determine the rotation


def jacobians(limb: RobotLimb, angles: Array) -> Array:
    """The tip's velocity and angular velocity for each joint, (rows, 6, n), in the base link's frame."""
    count = len(limb.chain)
    numbers = limb._chain_answer("joints", angles)
    axes, points = (numbers[:, k : k + 3 * count].reshape(-1, count, 3) for k in (0, 3 * count))
    tip = numbers[:, None, 6 * count : 6 * count + 3]
    return np.concatenate([np.cross(axes, tip - points), axes], axis=2).transpose(0, 2, 1)


def measure(limb: RobotLimb, angles: Array, position: Array, rotation: Array) -> Array:
    """The measure by which a pose is nearest, squared, (rows,)."""
    return np.sum(_errors(limb, angles, position, rotation) ** 2, axis=1)


def nearest(limb: RobotLimb, starts: Array, position: Array, rotation: Array, tried: int = TRIED) -> Array:
    """Angles within limits whose pose is nearest to the targets, (rows, n), from the best of several starts.

    Args:
        limb: the limb.
        starts: (starts, rows, n), radians.
        position: (rows, 3).
        rotation: (rows, 4).
        tried: how many of the starts are tried, the best first.

    Returns:
        The angles.
    """
    starts = np.clip(np.nan_to_num(starts), limb.lower, limb.upper)
    worth = np.stack([measure(limb, one, position, rotation) for one in starts])
    order = np.argsort(worth, axis=0, kind="stable")[:tried]
    ends = [_descended(limb, np.take_along_axis(starts, one[None, :, None], 0)[0], position, rotation) for one in order]
    worth = np.stack([measure(limb, one, position, rotation) for one in ends])
    return np.take_along_axis(np.stack(ends), worth.argmin(axis=0)[None, :, None], 0)[0]


def _descended(limb: RobotLimb, angles: Array, position: Array, rotation: Array) -> Array:
    """The angles after a fixed number of steps that lower the measure."""
    least = measure(limb, angles, position, rotation)
    damping = np.full(len(angles), 1e-3)
    weights = np.concatenate([np.ones(3), np.full(3, _arm(limb))])[:, None]
    for _ in range(STEPS):
        slopes = weights * jacobians(limb, angles)
        errors = _errors(limb, angles, position, rotation)
        downhill = np.einsum("nij,ni->nj", slopes, errors)
        held = ((angles <= limb.lower) & (downhill < 0)) | ((angles >= limb.upper) & (downhill > 0))
        slopes = np.where(held[:, None], 0.0, slopes)
        squares = slopes.transpose(0, 2, 1) @ slopes
        scale = np.trace(squares, axis1=1, axis2=2) / len(limb.chain) + 1e-30
        squares += (damping * scale)[:, None, None] * np.eye(len(limb.chain))
        step = np.linalg.solve(squares, np.where(held, 0.0, downhill)[..., None])[..., 0]
        tried = np.clip(angles + step, limb.lower, limb.upper)
        found = measure(limb, tried, position, rotation)
        better = found < least
        angles = np.where(better[:, None], tried, angles)
        least = np.where(better, found, least)
        damping = np.clip(np.where(better, 0.1 * damping, 8.0 * damping), 1e-12, 1e6)
    return angles


def _errors(limb: RobotLimb, angles: Array, position: Array, rotation: Array) -> Array:
    """What separates the tip from the target, in the units of the measure, (rows, 6)."""
    tip = limb._chain_answer("tip", angles)
    turn = multiply(rotation, inverse(tip[:, 3:]))
    turn = np.where(turn[:, 3:] < 0, -turn, turn) / np.linalg.norm(turn, axis=1, keepdims=True)
    return np.concatenate([position - tip[:, :3], _arm(limb) * logarithm(turn)], axis=1)


def _arm(limb: RobotLimb) -> float:
    return (ARM if limb._family.oriented else ARM_WHERE_FREE) * limb._family.reach
