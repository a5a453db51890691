"""How fast a creature goes and turns: what is requested for, followed by a spring."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.gait.rig import Rig
from limbik.gait.springs import pulled, travelled

EAGERNESS = 1.5  # of the spring, times the creature's tempo
FACING = 0.3  # part of the spring's stiffness with which a creature turns to where it goes


class Steering:
    """Motions as the creature itself feels them: to the left and ahead, m/s, and turning, radians/s; (3, creatures).

    fastest: m/s; what is requested for beyond is cut down to that.
    """

    def __init__(self, rig: Rig, count: int, fastest: float) -> None:
        self._turn, self.fastest = rig.turn, fastest
        self._stiffness = EAGERNESS * rig.tempo
        self.now, self.requested, self._change = np.zeros((3, 3, count))

    def request(self, velocity: Array, turn: Array | None, yaw: Array) -> None:
        """What to do from now on.

        velocity: (2, creatures), x and z in the world. turn: (creatures,), or None to face the velocity. yaw:
        (creatures,), the heading now.
        """
        left, ahead = seen_from(yaw, velocity)
        speed = np.hypot(left, ahead)
        rate = FACING * self._stiffness * np.arctan2(left, ahead) * (speed > 0.0) if turn is None else turn
        slower = self.fastest / np.maximum(speed, self.fastest)
        self.requested = np.array(
            [left * slower, ahead * slower, np.minimum(np.maximum(rate, -self._turn), self._turn)]
        )

    def advance(self, seconds: float) -> Array:
        """Goes on in time; the way and the turn, (3, creatures), that were made meanwhile."""
        gap = self.now - self.requested
        way = self.requested * seconds + travelled(gap, self._change, self._stiffness, seconds)
        gap, self._change = pulled(gap, self._change, self._stiffness, seconds)
        self.now = self.requested + gap
        return way

    def ahead(self, seconds: Array) -> Array:
        """The way and the turn, (3, legs, creatures), that will be made in so many seconds, (legs, creatures)."""
        requested = self.requested[:, None]
        gap = self.now[:, None] - requested
        return requested * seconds + travelled(gap, self._change[:, None], self._stiffness, seconds)

    def push(self, velocity: Array, yaw: Array) -> None:
        """Adds a velocity, (2, creatures), x and z in the world, at once."""
        self.now[:2] += seen_from(yaw, velocity)


def seen_from(yaw: Array, places: Array) -> Array:
    """Places or directions (2, ...), x and z, as to the left and ahead of something that faces along the yaw."""
    x, z = places
    sine, cosine = np.sin(yaw), np.cos(yaw)
    return np.array([x * cosine - z * sine, x * sine + z * cosine])
