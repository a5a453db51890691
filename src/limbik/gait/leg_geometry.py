"""The geometry of a leg at rest: its ankle, its reach, and the side to which its knee bends."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from limbik.arrays import Array
from limbik.gait.creature import Leg
from limbik.rotations import normalized

UP = np.array([0.0, 1.0, 0.0])
FORWARD = np.array([0.0, 0.0, 1.0])
TOE_RATIO = 0.35  # length of the toes over the distance from heel to ball
# Least angle, degrees, between the last of three links and the leg: below it, the plane of bending is ill-defined.
MIN_LEAN = 8.0


def outward(leg: Leg) -> Array:
    """(3,) The horizontal direction from hip to foothold; forward where the foothold is below the hip."""
    away = np.array([leg.foothold[0] - leg.attachment[0], 0.0, leg.foothold[1] - leg.attachment[2]])
    return normalized(away) if np.hypot(away[0], away[2]) > 1e-9 else FORWARD


def knee_direction(leg: Leg) -> Array:
    """(3,) Direction of the knee, in the frame of the segment."""
    return {"up": UP, "out": outward(leg), "forward": FORWARD, "back": -FORWARD}[leg.knee]


def toe_direction(leg: Leg) -> Array:
    """(3,) Direction of the toes, in the frame of the segment."""
    return outward(leg) if leg.toe == "out" else FORWARD


def last_direction(leg: Leg, roll: ArrayLike = 0.0) -> Array:
    """(..., 3) Direction of the last link, ankle to tip, on level ground; roll: degrees by which the toes point up."""
    angle = np.radians(leg.lean + np.asarray(roll))[..., None]
    return np.sin(angle) * toe_direction(leg) - np.cos(angle) * UP


def tip(leg: Leg, height: ArrayLike, ahead: ArrayLike = 0.0, roll: ArrayLike = 0.0) -> Array:
    """(..., 3) The tip of a leg on level ground, from the centre of its segment.

    height: of the centre above the ground. ahead: of the foothold. roll: degrees by which the toes point up; the heel
    stays on the ground. They broadcast.
    """
    raised = np.maximum(np.radians(roll), 0.0)[..., None]  # about the heel
    back = leg.heel * ((1.0 - np.cos(raised)) * toe_direction(leg) - np.sin(raised) * UP)
    stands = np.stack(np.broadcast_arrays(leg.foothold[0], -np.asarray(height), leg.foothold[1]), axis=-1)
    return stands + np.asarray(ahead)[..., None] * FORWARD - back


def reach_of(leg: Leg) -> tuple[float, float]:
    """The least and the greatest distance from the hip to the ankle, or to the tip for two links."""
    first, second = leg.lengths[:2]
    return abs(first - second), first + second


def hip_to_ankle(leg: Leg, height: ArrayLike, ahead: ArrayLike = 0.0, roll: ArrayLike = 0.0) -> Array:
    """(..., 3) From the hip to the ankle, or to the tip for two links; arguments as for `tip`."""
    line = tip(leg, height, ahead, roll) - np.array(leg.attachment)
    return line - leg.lengths[2] * last_direction(leg, roll) if len(leg.lengths) == 3 else line


def side_of_knee(leg: Leg, height: float) -> tuple[int, float]:
    """+1 where the knee is on the side to which the last link leans, −1 on the other; and that lean.

    The lean is the angle, in degrees, between the last link and the line from the hip to the tip.
    """
    line = normalized(tip(leg, height) - np.array(leg.attachment))
    last = last_direction(leg)
    aside = last - (last @ line) * line
    lean = float(np.degrees(np.arcsin(min(1.0, float(np.linalg.norm(aside))))))
    return (1 if aside @ knee_direction(leg) >= 0.0 else -1), lean
