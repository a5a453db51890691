"""Routes of a walk: straight ahead or in a circle, or along waypoints."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from limbik.arguments import numbers
from limbik.arrays import Array
from limbik.errors import ArgumentError, ShapeError
from limbik.gait.creature import Creature
from limbik.gait.steering import GRAVITY, steering_lag, turning_circle
from limbik.gait.walker import Walker

ARRIVED = 0.02  # metres from the end within which a creature has arrived; less for small ones
BRAKE = 0.8  # seconds before the end at which it starts to slow down
LINGER = 1.0  # least seconds that a walk continues after the last creature has arrived, or is blocked
CORNER = 0.45  # greatest distance from a rounded corner to its waypoint, over the body's width
SHARPEST = np.radians(175.0)  # greatest angle of a corner that is rounded
SIDEWAYS = 0.55 * GRAVITY  # greatest acceleration in a corner, m/s²
SPEEDING = 0.4 * GRAVITY  # greatest acceleration before and after a corner, m/s²
TURNING = 0.3  # least speed at which a row of segments turns, over the requested one
CRAWL = 0.15  # least speed in a corner, over the requested one
LEAD = 0.82  # how far ahead on the route creatures aim, over the way in the time by which their motion is behind
HEADING_LEAD = 0.15  # seconds by which creatures turn ahead of a corner
MAX_SAMPLES = 20_000  # of a route


class StraightRoute:
    """Straight ahead at a speed, m/s, with a constant turning rate, degrees per second."""

    def __init__(self, speed: float, turn_degrees: float) -> None:
        self._speed, self._turn = speed, turn_degrees

    def step(self, walker: Walker, seconds: float) -> bool:
        """Advances the creatures; returns whether the route goes on: always."""
        yaw = np.radians(walker.heading_degrees)
        velocity = self._speed * np.array([np.sin(yaw), np.cos(yaw)]).T
        walker.step(seconds, velocity, turn_degrees=self._turn)
        return True


class WaypointRoute:
    """Along waypoints (n, 2), x and z, at a speed; the creatures of a crowd stay beside one another.

    Corners are rounded, within a body's width, and walked more slowly where they are sharp.
    """

    def __init__(self, waypoints: Array, speed: float, kind: Creature) -> None:
        self._speed, self._lag = speed, steering_lag(kind)
        self._circle = turning_circle(kind)
        self._arrived = min(ARRIVED, 0.2 * kind.height)
        self._length = float(np.linalg.norm(np.diff(waypoints, axis=0), axis=-1).sum())
        self._points = _rounded(waypoints, CORNER * kind.body.width)
        steps = np.linalg.norm(np.diff(self._points, axis=0), axis=-1)
        self._lengths = np.concatenate([[0.0], np.cumsum(steps)])
        middles = 0.5 * (self._lengths[1:] + self._lengths[:-1])
        yaw = np.unwrap(np.arctan2(*np.diff(self._points, axis=0).T))
        self._places, self._yaws = (
            np.concatenate([[0.0], middles, self._lengths[-1:]]),
            np.concatenate([yaw[:1], yaw, yaw[-1:]]),
        )
        self._speeds = _speeds(self._lengths, self._places, self._yaws, speed)
        self._along: Array = np.zeros(0)
        self._lingered = 0.0

    @property
    def length(self) -> float:
        """Length of the route from waypoint to waypoint, metres."""
        return self._length

    @property
    def heading_degrees(self) -> float:
        """Heading at the start, degrees from +z toward +x."""
        return float(np.degrees(self._yaws[0]))

    def step(self, walker: Walker, seconds: float) -> bool:
        """Advances the creatures; returns whether any is still on its way."""
        places, heading = walker.places[:, ::2], np.radians(walker.heading_degrees)
        if not self._along.size:
            self._along, self._beside, self._heading = np.zeros(walker.count), places - self._points[0], heading
            self._seconds = seconds
        turning, self._heading = (heading - self._heading) / self._seconds, heading
        self._seconds = seconds
        places = places - self._beside
        off = self._progress(places)
        going = np.hypot(*walker.velocities.T)
        soon = self._along + LEAD * self._lag * going
        distance = self._lengths[-1] - self._along
        end = self._points[-1] - places
        there = (distance < self._arrived) & (np.hypot(*end.T) < self._arrived)
        left = np.maximum(distance, np.hypot(*end.T))  # a route may end where it starts
        speed = np.minimum(np.interp(soon, self._lengths, self._speeds), left / BRAKE)
        yaw = np.interp(soon, self._places, self._yaws)
        near = distance < BRAKE * self._speed * 0.5
        direction = np.where(near, end.T / np.maximum(np.hypot(*end.T), 1e-9), [np.sin(yaw), np.cos(yaw)])
        # A creature on its way always has some velocity, so that it turns to face the route.
        velocity = np.maximum(speed, 1e-3 * self._speed) * direction + (off.T * (0.5 / self._lag)) * ~near
        sine, cosine = np.sin(self._lag * turning), np.cos(self._lag * turning)  # it turns before it follows
        velocity = (
            np.array([velocity[0] * cosine - velocity[1] * sine, velocity[0] * sine + velocity[1] * cosine]) * ~there
        )
        facing = np.interp(soon + HEADING_LEAD * going, self._places, self._yaws)
        gap = facing - (heading + self._lag * turning)
        gap = gap - (2.0 * np.pi) * np.rint(gap / (2.0 * np.pi))
        bend = np.interp(soon + 0.05 * self._speed, self._places, self._yaws) - np.interp(
            soon - 0.05 * self._speed, self._places, self._yaws
        )
        turn = bend / (0.1 * self._speed) * going + gap / self._lag
        if self._circle > 0.0:  # who cannot turn on the spot does not hurry in order to turn
            most = np.maximum(speed * np.cos(gap), TURNING * self._speed) / self._circle
            turn = np.minimum(np.maximum(turn, -most), most)
        walker.step(seconds, velocity.T, turn_degrees=np.degrees(turn) * ~there)
        done = there | walker.blocked
        self._lingered = self._lingered + seconds if done.all() else 0.0
        return self._lingered < LINGER or not (walker.at_rest | walker.blocked).all()

    def _progress(self, places: Array) -> Array:
        """Updates how far along the route creatures are; returns (count, 2), from them to the route."""
        for _ in range(2):
            yaw = np.interp(self._along, self._places, self._yaws)
            off = self._at(self._along) - places
            ahead = -(off * np.array([np.sin(yaw), np.cos(yaw)]).T).sum(axis=1)
            self._along = np.minimum(
                np.maximum(self._along + np.maximum(ahead, -0.01 * self._speed), 0.0), self._lengths[-1]
            )
        return self._at(self._along) - places

    def _at(self, along: Array) -> Array:
        return np.array([np.interp(along, self._lengths, axis) for axis in self._points.T]).T


def _rounded(points: Array, within: float) -> Array:
    """A polyline (n, 2) along waypoints, with arcs in its corners that stay within a distance of them."""
    steps = np.diff(points, axis=0)
    lengths = np.linalg.norm(steps, axis=-1)
    directions = steps / lengths[:, None]
    spacing = max(0.25 * within, lengths.sum() / MAX_SAMPLES)
    found = [points[:1]]
    for k in range(1, len(points) - 1):
        before, after = directions[k - 1], directions[k]
        angle = float(np.arctan2(before[1] * after[0] - before[0] * after[1], before @ after))
        half = 0.5 * min(abs(angle), SHARPEST)
        if half < 1e-3:
            continue
        cut = min(within / (1.0 / np.cos(half) - 1.0) * np.tan(half), 0.49 * min(lengths[k - 1], lengths[k]))
        radius = cut / np.tan(half)
        count = max(3, int(np.ceil(radius * 2.0 * half / spacing)) + 1)
        turned = np.sign(angle) * np.linspace(0.0, 2.0 * half, count)
        yaw = np.arctan2(before[0], before[1]) + turned
        start = points[k] - cut * before
        centre = start + np.sign(angle) * radius * np.array([before[1], -before[0]])
        found.append(centre - np.sign(angle) * radius * np.array([np.cos(yaw), -np.sin(yaw)]).T)
    corners = np.concatenate([*found, points[-1:]])
    keep = np.concatenate([[True], np.linalg.norm(np.diff(corners, axis=0), axis=-1) > 1e-12])
    corners = corners[keep]
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(corners, axis=0), axis=-1))])
    even = np.unique(np.concatenate([way, np.arange(0.0, way[-1], spacing)]))
    return np.array([np.interp(even, way, axis) for axis in corners.T]).T


def _speeds(lengths: Array, places: Array, yaws: Array, speed: float) -> Array:
    """(n,) Speeds at distances (n,) along a route, from yaws at places: less in corners, and before and after."""
    bend = (
        np.abs(np.gradient(np.interp(lengths, places, yaws), lengths)) if len(lengths) > 2 else np.zeros(len(lengths))
    )
    allowed = np.sqrt(SIDEWAYS / np.maximum(bend, 1e-9))
    squares = np.minimum(np.maximum(allowed, CRAWL * speed), speed) ** 2
    gains = 2.0 * SPEEDING * np.diff(lengths)
    for k in range(1, len(squares)):
        squares[k] = min(squares[k], squares[k - 1] + gains[k - 1])
    for k in range(len(squares) - 2, -1, -1):
        squares[k] = min(squares[k], squares[k + 1] + gains[k])
    return np.sqrt(squares)


def waypoints(path: ArrayLike) -> Array:
    """Waypoints (n, 2), x and z, checked."""
    found = numbers("path", path)
    if found.ndim != 2 or found.shape[1] != 2 or len(found) < 2:
        raise ShapeError("path", found.shape, "(n, 2), x and z of at least two waypoints")
    same = np.flatnonzero(np.linalg.norm(np.diff(found, axis=0), axis=-1) == 0.0)
    if len(same):
        raise ArgumentError("path", f"waypoint {same[0] + 1} equal to the one before", "waypoints that differ")
    return found
