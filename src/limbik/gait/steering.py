"""Velocity and turning rate of creatures, which follow the requested ones by springs."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.gait.creature import Creature
from limbik.gait.rig import GRAVITY, Rig
from limbik.springs import pulled, travelled

STEERING_STIFFNESS = 1.5  # over the creature's tempo
FACING_RATE = 0.3  # rate of turning to face the velocity, over the stiffness of the spring
JOINT_BEND = 0.36  # radians between the segments of a row on its tightest circle
FOOT_SPEED = 1.0  # greatest speed of a foot by moving and turning, over the top speed
SLOW_TURN = 0.4  # turning rate that is always possible, over the greatest
SLOW_ABOUT = 0.1  # fraction of the requested speed at which creatures go that face the other way
MAX_ACCELERATION = 0.5 * GRAVITY  # m/s²: what legs can push and brake with
HOLD_STIFFNESS = 4.0  # of the spring by which creatures slow down for the ground, over their tempo


class Steering:
    """Motions in the frame of the creature: to the left and ahead, m/s, and turning, radians/s; (3, creatures).

    fastest: top speed, m/s, to which requested velocities are limited. now: the present motion. command: that of
    `request`. requested: the motion to which the springs pull; it approaches the command at no more than the greatest
    acceleration. hold: the fractions, from 0 to 1, of the motion that the ground and the feet allow.
    """

    def __init__(self, rig: Rig, count: int, fastest: float) -> None:
        self._turn, self.fastest = rig.turn, fastest
        self._radius = float(np.hypot(rig.foothold[0], rig.foothold[1] + rig.along).max())
        # A row of segments turns along a circle: on the spot it would go through itself.
        self._circle = rig.creature.body.length / JOINT_BEND if rig.follows else 0.0
        self._stiffness = STEERING_STIFFNESS * rig.tempo
        self._hold_stiffness = HOLD_STIFFNESS * rig.tempo
        self._free, self.requested, self.change, self.command, self._hold_change = np.zeros((5, 3, count))
        self.hold = np.ones((3, count))
        self.now = self._free  # the present motion
        self._faces = False

    def request(self, velocity: Array, turn: Array | None, yaw: Array) -> None:
        """Sets the requested motion.

        velocity: (2, creatures), x and z in the world, m/s. turn: (creatures,), radians/s; None to face the velocity.
        yaw: (creatures,), the present heading, radians.
        """
        self._faces = turn is None
        left, ahead = seen_from(yaw, velocity)
        speed = np.hypot(left, ahead)
        rate = FACING_RATE * self._stiffness * np.arctan2(left, ahead) * (speed > 0.0) if turn is None else turn
        slower = self.fastest / np.maximum(speed, self.fastest)
        if turn is None:  # who faces away turns first
            facing = 0.5 + 0.5 * ahead / np.maximum(speed, 1e-9)
            slower = slower * np.maximum(facing * facing, SLOW_ABOUT)
            if self._circle:  # a row of segments goes where its head points
                left, ahead = 0.0 * left, speed
        # No foot moves much faster than at the top speed.
        most = np.minimum(
            np.maximum((FOOT_SPEED * self.fastest - speed * slower) / self._radius, SLOW_TURN * self._turn), self._turn
        )
        rate = np.minimum(np.maximum(rate, -most), most)
        ahead = ahead * slower
        if self._circle:
            least = np.abs(rate) * self._circle
            ahead = np.where(np.abs(ahead) < least, np.where(ahead < 0.0, -least, least), ahead)
        self.command = np.array([left * slower, ahead, rate])

    def divert(self, angle: Array) -> None:
        """Turns the requested velocity by angles (creatures,), radians from ahead to the left, and shortens it."""
        left, ahead = self.command[:2]
        sine, cosine = np.sin(angle), np.cos(angle)
        self.command[:2] = cosine * (left * cosine + ahead * sine), cosine * (ahead * cosine - left * sine)
        if self._faces:
            turn = self.command[2] + FACING_RATE * self._stiffness * angle
            self.command[2] = np.minimum(np.maximum(turn, -self._turn), self._turn)

    def advance(self, seconds: float, hold: Array) -> Array:
        """Advances in time; returns displacement and turn meanwhile, (3, creatures).

        hold: (3, creatures), the fractions of the motion that are allowed; they are approached within a few frames.
        """
        self.requested = self._approached(seconds)
        gap = self._free - self.requested
        way = self.requested * seconds + travelled(gap, self.change, self._stiffness, seconds)
        gap, self.change = pulled(gap, self.change, self._stiffness, seconds)
        self._free = self.requested + gap
        before = self.hold
        gap, self._hold_change = pulled(before - hold, self._hold_change, self._hold_stiffness, seconds)
        self.hold = np.minimum(np.maximum(hold + gap, 0.0), 1.0)
        self.now = self._free * self.hold
        return way * (0.5 * (before + self.hold))

    def _approached(self, seconds: Any) -> Array:
        """The requested motion after times (...), (3, ...), as it approaches that of `request`."""
        gap = self.command - self.requested
        size = np.sqrt(gap[0] * gap[0] + gap[1] * gap[1])
        part = np.minimum(MAX_ACCELERATION * seconds / np.maximum(size, 1e-9), 1.0)
        shape = (3, *part.shape[:-1], gap.shape[-1])
        gap = gap[:, None] if len(shape) == 3 else gap
        return (self.requested if gap.ndim == 2 else self.requested[:, None]) + gap * np.array(
            [part, part, 0 * part + 1.0]
        )

    def ahead(self, seconds: Array) -> Array:
        """Predicts displacement and turn, (3, legs, creatures), after times (legs, creatures), seconds."""
        requested = self._approached(0.5 * seconds)  # on average
        gap = self._free[:, None] - requested
        way = requested * seconds + travelled(gap, self.change[:, None], self._stiffness, seconds)
        return way * self.hold[:, None]

    def soon(self, seconds: Array) -> Array:
        """(2, creatures) Predicts the mean velocity, to the left and ahead, over times (creatures,), seconds."""
        now = self.now[:2]
        gap = self.command[:2] * self.hold[:2] - now
        most = 0.5 * MAX_ACCELERATION * seconds / np.sqrt(gap[0] * gap[0] + gap[1] * gap[1] + 1e-12)
        return now + gap * np.minimum(most, 0.5) * (seconds / (seconds + 2.0 / self._stiffness))

    def push(self, velocity: Array, yaw: Array) -> None:
        """Adds a velocity, (2, creatures), x and z in the world."""
        self._free[:2] += seen_from(yaw, velocity)
        self.now = self._free * self.hold


def steering_lag(kind: Creature) -> float:
    """Seconds by which a creature's motion is behind the requested one."""
    return 2.0 / (STEERING_STIFFNESS * sqrt(GRAVITY / kind.height))


def seen_from(yaw: Array, places: Array) -> Array:
    """Vectors (2, ...), x and z, in the frame of something with that yaw: to the left and ahead."""
    x, z = places
    sine, cosine = np.sin(yaw), np.cos(yaw)
    return np.array([x * cosine - z * sine, x * sine + z * cosine])


def in_world(yaw: Array, left: Array, ahead: Array) -> Array:
    """(2, ...) The opposite of `seen_from`: x and z of vectors to the left and ahead."""
    sine, cosine = np.sin(yaw), np.cos(yaw)
    return np.array([left * cosine + ahead * sine, ahead * cosine - left * sine])
