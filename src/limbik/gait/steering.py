"""Velocity and turning rate of creatures, which follow the requested ones by springs."""

from __future__ import annotations

from math import exp, pi
from math import sqrt as root
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.row_formulas import RowFormula
from limbik.formulas.operations import absolute, floor, maximum, minimum, sqrt, where
from limbik.gait.creature import Creature
from limbik.gait.rig import GRAVITY, Rig
from limbik.springs import close_gap_by, gap_integral_by

STEERING_STIFFNESS = 1.5  # over the creature's tempo
FACING_RATE = 0.3  # rate of turning to face the velocity, over the stiffness of the spring
JOINT_BEND = 0.36  # radians between the segments of a row on its tightest circle
FOOT_SPEED = 1.0  # greatest speed of a foot by moving and turning, over the top speed
SLOW_TURN = 0.4  # turning rate that is always possible, over the greatest
SLOW_ABOUT = 0.1  # fraction of the requested speed at which creatures go that face the other way
BACKWARDS = 0.6  # top speed backwards, over that ahead, of creatures whose knees point forward or back
MAX_ACCELERATION = 0.5 * GRAVITY  # m/s²: what legs can push and brake with
HOLD_STIFFNESS = 4.0  # of the spring by which creatures slow down for the ground, over their tempo
UPHILL, DOWNHILL = 1.0, 0.4  # relative slowing for each unit of slope
MOTION_NUMBERS = 21  # of `MOTION`: requested, free, change, hold, hold_change, now, way; 3 each


class Steering:
    """Motions in the frame of the creature: to the left and ahead, m/s, and turning, radians/s; (3, creatures).

    fastest: top speed, m/s, to which requested velocities are limited. lag: (1,), seconds by which the motion is behind
    the requested one. now: the present motion. command: that of
    `request`. requested: the motion to which the springs pull; it approaches the command at no more than the greatest
    acceleration. motion: all of them, as `MOTION` returns them. hold: the fractions, from 0 to 1, of the motion that
    the ground and the feet allow.
    """

    def __init__(self, rig: Rig, count: int, fastest: float) -> None:
        self._turn, self.fastest = rig.turn, fastest
        self._radius = float(np.hypot(rig.foothold[0], rig.foothold[1] + rig.along).max())
        # A row of segments turns along a circle: on the spot it would go through itself.
        self._circle = turning_circle(rig.creature)
        self.stiffness = STEERING_STIFFNESS * rig.tempo
        self.lag = np.array([2.0 / self.stiffness])
        self._hold_stiffness = HOLD_STIFFNESS * rig.tempo
        self.motion = np.zeros((MOTION_NUMBERS, count))
        self.hold[:] = 1.0
        self.command = np.zeros((3, count))
        self._faces = False
        self._velocity: Array | None = None  # that was requested last
        self._direction = np.zeros(count)  # of that velocity, radians
        facing, backwards = FACING_RATE * self.stiffness, 1.0 if rig.sprawls else BACKWARDS
        self._limits = np.array([fastest, 0.0, facing, self._radius, self._turn, self._circle, backwards])
        self._springs = np.array([0.0, self.stiffness, self._hold_stiffness, 1.0, 1.0])

    @property
    def requested(self) -> Array:
        """(3, creatures) The motion to which the springs pull."""
        return self.motion[0:3]

    @property
    def _free(self) -> Array:
        return self.motion[3:6]

    @property
    def change(self) -> Array:
        """(3, creatures) The rate of change of the motion, before `hold`."""
        return self.motion[6:9]

    @property
    def hold(self) -> Array:
        """(3, creatures) The fractions of the motion that ground and feet allow."""
        return self.motion[9:12]

    @property
    def now(self) -> Array:
        """(3, creatures) The present motion."""
        return self.motion[15:18]

    def request(self, velocity: Array, turn: Array | None, yaw: Array, heading: Array) -> None:
        """Sets the requested motion.

        velocity: (2, creatures), x and z in the world, m/s; not changed afterwards. turn: (creatures,), radians/s; None
        to face the velocity. yaw, heading: (creatures,) and (2, creatures), the present yaw, and its sine and cosine.
        """
        if velocity is not self._velocity:
            self._velocity, self._direction = velocity, np.arctan2(velocity[0], velocity[1])
        self._faces = turn is None
        self._limits[0], self._limits[1] = self.fastest, self._faces
        self.command = COMMAND(velocity, heading, yaw, self._direction if turn is None else turn, self._limits)

    def divert(self, angle: Array) -> None:
        """Turns the requested velocity by angles (creatures,), radians from ahead to the left, and shortens it."""
        left, ahead = self.command[:2]
        sine, cosine = np.sin(angle), np.cos(angle)
        self.command[:2] = cosine * (left * cosine + ahead * sine), cosine * (ahead * cosine - left * sine)
        if self._faces:
            turn = self.command[2] + FACING_RATE * self.stiffness * angle
            self.command[2] = np.minimum(np.maximum(turn, -self._turn), self._turn)

    def advance(self, seconds: float, slope: Array, most: Array, tether: Array) -> Array:
        """Advances in time; returns displacement and turn meanwhile, (3, creatures).

        slope: (creatures,), of the ground ahead. most: (creatures,) or (1,), the greatest speed, m/s. tether:
        (creatures,), the fraction of the motion that the feet allow. What is allowed is approached within a few frames.
        """
        if seconds != self._springs[0]:
            rates = self.stiffness, self._hold_stiffness
            self._springs = np.array([seconds, *rates, *(exp(-rate * seconds) for rate in rates)])
        self.motion = MOTION(self.command, self.motion[:15], slope, most, tether, self._springs)
        return self.motion[18:]

    def ahead(self, seconds: Array) -> Array:
        """Predicts displacement and turn, (3, legs, creatures), after times (legs, creatures), seconds."""
        fade = np.exp(-(self.stiffness * seconds))
        way = AHEAD(seconds, fade, self.command, self.motion[:12], self._springs[1:2])
        return way.reshape(3, *seconds.shape)

    def push(self, velocity: Array, yaw: Array) -> None:
        """Adds a velocity, (2, creatures), x and z in the world."""
        self._free[:2] += seen_from(yaw, velocity)
        self.now[:] = self._free * self.hold


def turning_circle(kind: Creature) -> float:
    """Radius, metres, of the tightest circle of a row of segments that follow the first; 0 for other creatures."""
    body = kind.body
    return body.length / JOINT_BEND if body.segments > 1 and body.spine == "following" else 0.0


def steering_lag(kind: Creature) -> float:
    """Seconds by which a creature's motion is behind the requested one."""
    return 2.0 / (STEERING_STIFFNESS * root(GRAVITY / kind.height))


def seen_from(yaw: Array, places: Array) -> Array:
    """Vectors (2, ...), x and z, in the frame of something with that yaw: to the left and ahead."""
    x, z = places
    sine, cosine = np.sin(yaw), np.cos(yaw)
    return np.array([x * cosine - z * sine, x * sine + z * cosine])


def in_world(yaw: Array, left: Array, ahead: Array) -> Array:
    """(2, ...) The opposite of `seen_from`: x and z of vectors to the left and ahead."""
    sine, cosine = np.sin(yaw), np.cos(yaw)
    return np.array([left * cosine + ahead * sine, ahead * cosine - left * sine])


# --- formulas


def _commanded(velocity: Any, heading: Any, yaw: Any, turn: Any, limits: Any) -> Any:
    """The motion that is asked for, from a velocity in the world, and the direction to face or the rate of turning."""
    (x, z), (sine, cosine) = velocity, heading
    left, ahead = x * cosine - z * sine, x * sine + z * cosine
    fastest, faces, facing_rate, radius, most_turn, circle, backwards = limits
    faces, follows = faces > 0.5, circle > 0.0
    speed = sqrt(left * left + ahead * ahead)
    angle = turn - yaw
    angle = angle + (2.0 * pi) * floor(0.5 - angle * (0.5 / pi))  # who may turn either way turns to the left
    rate = where(faces, where(speed > 0.0, facing_rate * angle, 0.0), turn)
    fastest = fastest * (1.0 + (backwards - 1.0) * maximum(-ahead / maximum(speed, 1e-9), 0.0))
    slower = fastest / maximum(speed, fastest)
    facing = 0.5 + 0.5 * ahead / maximum(speed, 1e-9)  # who faces away turns first
    slower = where(faces, slower * maximum(facing * facing, SLOW_ABOUT), slower)
    left = where(faces & follows, 0.0, left)  # a row of segments goes where its head points
    ahead = where(faces & follows, speed, ahead)
    # No foot moves much faster than at the top speed.
    most = minimum(maximum((FOOT_SPEED * fastest - speed * slower) / radius, SLOW_TURN * most_turn), most_turn)
    rate = minimum(maximum(rate, -most), most)
    ahead = ahead * slower
    least = absolute(rate) * circle
    ahead = where(absolute(ahead) < least, where(ahead < 0.0, -least, least), ahead)
    return left * slower, ahead, rate


def _approached(command: Any, requested: Any, seconds: Any) -> Any:
    """The requested motion after a time, as it approaches the command."""
    gaps = [a - b for a, b in zip(command, requested, strict=True)]
    size = sqrt(gaps[0] * gaps[0] + gaps[1] * gaps[1])
    part = minimum(MAX_ACCELERATION * seconds / maximum(size, 1e-9), 1.0)
    return tuple(b + gap * share for b, gap, share in zip(requested, gaps, (part, part, 1.0), strict=True))


def _allowed(requested: Any, slope: Any, most: Any, tether: Any) -> Any:
    """The fractions of a motion: on a slope, at no more than a speed, and as the feet allow."""
    left, ahead, _ = requested
    speed = sqrt(left * left + ahead * ahead)
    part = 1.0 / (sqrt(1.0 + slope * slope) * (1.0 + UPHILL * maximum(slope, -DOWNHILL / UPHILL * slope)))
    part = minimum(minimum(part, most / maximum(speed, 1e-9)), 1.0) * tether
    return part, part, tether


def _motion(command: Any, before: Any, slope: Any, most: Any, tether: Any, springs: Any) -> Any:
    """One step in time; `before` and the result are the numbers of `Steering.motion`, without and with the last."""
    requested, free, change, hold, hold_change = (before[k : k + 3] for k in range(0, 15, 3))
    allowed = _allowed(requested, slope, most, tether)
    seconds, stiffness, hold_stiffness, fade, hold_fade = springs
    requested = _approached(command, requested, seconds)
    found = []
    for goal, value, rate, held, held_rate, share in zip(
        requested, free, change, hold, hold_change, allowed, strict=True
    ):
        way = goal * seconds + gap_integral_by(value - goal, rate, stiffness, seconds, fade)
        gap, change_after = close_gap_by(value - goal, rate, stiffness, seconds, fade)
        rest, hold_after = close_gap_by(held - share, held_rate, hold_stiffness, seconds, hold_fade)
        after = minimum(maximum(share + rest, 0.0), 1.0)
        now = goal + gap
        found.append((goal, now, change_after, after, hold_after, now * after, way * (0.5 * (held + after))))
    return tuple(zip(*found, strict=True))


def _ahead(seconds: Any, fade: Any, command: Any, motion: Any, stiffness: Any) -> Any:
    """The way in the next seconds, to the left, ahead, and turn."""
    now, free, change, hold = (motion[k : k + 3] for k in range(0, 12, 3))
    requested = _approached(command, now, 0.5 * seconds)  # on average
    return tuple(
        (goal * seconds + gap_integral_by(value - goal, rate, stiffness, seconds, fade)) * held
        for goal, value, rate, held in zip(requested, free, change, hold, strict=True)
    )


COMMAND = RowFormula(_commanded, velocity=2, heading=2, yaw=1, turn=1, limits=7)
MOTION = RowFormula(_motion, command=3, before=15, slope=1, most=1, tether=1, springs=5)
AHEAD = RowFormula(_ahead, seconds=1, fade=1, command=3, motion=12, stiffness=1)
