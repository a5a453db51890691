"""Velocity and turning rate of creatures, which follow the requested ones by springs."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.gait.rig import Rig
from limbik.gait.springs import pulled, travelled

STEERING_STIFFNESS = 1.5  # over the creature's tempo
FACING_RATE = 0.3  # rate of turning to face the velocity, over the stiffness of the spring


class Steering:
    """Motions in the frame of the creature: to the left and ahead, m/s, and turning, radians/s; (3, creatures).

    fastest: top speed, m/s, to which requested velocities are limited.
    """

    def __init__(self, rig: Rig, count: int, fastest: float) -> None:
        self._turn, self.fastest = rig.turn, fastest
        self._stiffness = STEERING_STIFFNESS * rig.tempo
        self.now, self.requested, self._change = np.zeros((3, 3, count))

    def request(self, velocity: Array, turn: Array | None, yaw: Array) -> None:
        """Sets the requested motion.

        velocity: (2, creatures), x and z in the world, m/s. turn: (creatures,), radians/s; None to face the velocity.
        yaw: (creatures,), the present heading, radians.
        """
        left, ahead = seen_from(yaw, velocity)
        speed = np.hypot(left, ahead)
        rate = FACING_RATE * self._stiffness * np.arctan2(left, ahead) * (speed > 0.0) if turn is None else turn
        slower = self.fastest / np.maximum(speed, self.fastest)
        self.requested = np.array(
            [left * slower, ahead * slower, np.minimum(np.maximum(rate, -self._turn), self._turn)]
        )

    def advance(self, seconds: float) -> Array:
        """Advances in time; returns displacement and turn meanwhile, (3, creatures)."""
        gap = self.now - self.requested
        way = self.requested * seconds + travelled(gap, self._change, self._stiffness, seconds)
        gap, self._change = pulled(gap, self._change, self._stiffness, seconds)
        self.now = self.requested + gap
        return way

    def ahead(self, seconds: Array) -> Array:
        """Predicts displacement and turn, (3, legs, creatures), after times (legs, creatures), seconds."""
        requested = self.requested[:, None]
        gap = self.now[:, None] - requested
        return requested * seconds + travelled(gap, self._change[:, None], self._stiffness, seconds)

    def push(self, velocity: Array, yaw: Array) -> None:
        """Adds a velocity, (2, creatures), x and z in the world."""
        self.now[:2] += seen_from(yaw, velocity)


def seen_from(yaw: Array, places: Array) -> Array:
    """Vectors (2, ...), x and z, in the frame of something with that yaw: to the left and ahead."""
    x, z = places
    sine, cosine = np.sin(yaw), np.cos(yaw)
    return np.array([x * cosine - z * sine, x * sine + z * cosine])


def in_world(yaw: Array, left: Array, ahead: Array) -> Array:
    """(2, ...) The opposite of `seen_from`: x and z of vectors to the left and ahead."""
    sine, cosine = np.sin(yaw), np.cos(yaw)
    return np.array([left * cosine + ahead * sine, ahead * cosine - left * sine])
