"""A leg at rest: where its ankle is, how far that is from the hip, and to which side its knee bends."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.gait.creature import Leg
from limbik.rotations import normalized

UP = np.array([0.0, 1.0, 0.0])
FORWARD = np.array([0.0, 0.0, 1.0])
TOES = 0.35  # length of the toes over that from heel to ball
# Least angle, degrees, between the last of three links and the leg: nearer, the plane in which it bends is not clear.
LEAST = 8.0


def outward(leg: Leg) -> Array:
    """(3,) The level direction from a leg's hip to its foothold; forward where that is below the hip."""
    away = np.array([leg.foothold[0] - leg.attachment[0], 0.0, leg.foothold[1] - leg.attachment[2]])
    return normalized(away) if np.hypot(away[0], away[2]) > 1e-9 else FORWARD


def knee_direction(leg: Leg) -> Array:
    """(3,) Where the knee goes, in its segment's frame."""
    return {"up": UP, "out": outward(leg), "forward": FORWARD, "back": -FORWARD}[leg.knee]


def toe_direction(leg: Leg) -> Array:
    """(3,) Where the foot points, in its segment's frame."""
    return outward(leg) if leg.toe == "out" else FORWARD


def last_direction(leg: Leg, roll: float = 0.0) -> Array:
    """(3,) The last link's direction, ankle to tip, on level ground; roll: degrees that the foot is turned up."""
    angle = np.radians(leg.lean + roll)
    return np.sin(angle) * toe_direction(leg) - np.cos(angle) * UP


def tip(leg: Leg, height: float, ahead: float = 0.0, roll: float = 0.0) -> Array:
    """(3,) The tip, from the middle of the segment at some height over level ground, `ahead` of its foothold."""
    raised = max(np.radians(roll), 0.0)  # about the heel
    back = leg.heel * ((1.0 - np.cos(raised)) * toe_direction(leg) - np.sin(raised) * UP)
    return np.array([leg.foothold[0], -height, leg.foothold[1]]) + ahead * FORWARD - back


def reach_of(leg: Leg) -> tuple[float, float]:
    """The least and the greatest distance from the hip to the ankle, or for two links to the tip."""
    first, second = leg.lengths[:2]
    return abs(first - second), first + second


def hip_to_ankle(leg: Leg, height: float, ahead: float = 0.0, roll: float = 0.0) -> Array:
    """(3,) From the hip to the ankle, or for two links to the tip; arguments as for `tip`."""
    line = tip(leg, height, ahead, roll) - np.array(leg.attachment)
    return line - leg.lengths[2] * last_direction(leg, roll) if len(leg.lengths) == 3 else line


def side_of_knee(leg: Leg, height: float) -> tuple[int, float]:
    """+1 where the knee is on the side to which the last link leans off the leg, −1 on the other; and that lean.

    The lean is the angle, in degrees, between the last link and the line from the hip to the tip.
    """
    line = normalized(tip(leg, height) - np.array(leg.attachment))
    last = last_direction(leg)
    aside = last - (last @ line) * line
    lean = float(np.degrees(np.arcsin(min(1.0, float(np.linalg.norm(aside))))))
    return (1 if aside @ knee_direction(leg) >= 0.0 else -1), lean
