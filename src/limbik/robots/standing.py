"""The angles at which a robot stands, as its file says or as near to zero as limits allow."""

from __future__ import annotations

import re
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array

if TYPE_CHECKING:
    from limbik.robots.robot import Robot

STANDING_NAMES = re.compile("stand|home", re.IGNORECASE)  # names of poses in which robots stand
LIMIT_MARGIN = 0.1  # how far inside its limits a joint starts that cannot be at zero, over their range


def standing_angles(robot: Robot) -> Array:
    """The angles, (joints,), at which a robot stands: of a pose that its file names, or zero where limits allow it."""
    standing = [pose for name, pose in robot.poses.items() if STANDING_NAMES.search(name)]
    if standing:
        return np.array([standing[0][joint.name] for joint in robot.joints])
    return np.array([_angle_near_zero(joint.lower, joint.upper) for joint in robot.joints])


def _angle_near_zero(lower: float, upper: float) -> float:
    """Zero, or where that is outside of the limits, a value inside near it."""
    inward = LIMIT_MARGIN * (upper - lower) if isfinite(upper - lower) else 0.0
    return lower + inward if lower > 0.0 else upper - inward if upper < 0.0 else 0.0
