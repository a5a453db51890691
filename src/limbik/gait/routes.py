"""Routes of a walk: straight ahead or in a circle, or along waypoints."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from limbik.arguments import numbers
from limbik.arrays import Array
from limbik.errors import ArgumentError, ShapeError
from limbik.gait.walker import Walker

ARRIVED = 0.02  # metres from the end within which a creature has arrived; less for small ones
BRAKE = 0.8  # seconds before the end at which it starts to slow down
LINGER = 1.0  # least seconds that a walk continues after the last creature has arrived


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
    """Along waypoints (n, 2), x and z, at a speed; the creatures of a crowd stay beside one another."""

    def __init__(self, waypoints: Array, speed: float) -> None:
        self._speed = speed
        self._points = waypoints
        self._lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(waypoints, axis=0), axis=-1))])
        self._along: Array = np.zeros(0)
        self._lingered = 0.0

    @property
    def length(self) -> float:
        """Length of the route, metres."""
        return float(self._lengths[-1])

    @property
    def heading_degrees(self) -> float:
        """Heading at the start, degrees from +z toward +x."""
        return float(np.degrees(np.arctan2(*(self._points[1] - self._points[0]))))

    def step(self, walker: Walker, seconds: float) -> bool:
        """Advances the creatures toward points that move ahead of them; returns whether any has not arrived yet."""
        places = walker.places[:, ::2]
        if not self._along.size:
            self._along, self._beside = np.zeros(walker.count), places - self._points[0]
        gap = self._at(self._along) + self._beside - places
        lead = max(walker.creature.body.length, 0.5 * self._speed)
        self._along = np.minimum(self._along + np.maximum(lead - np.hypot(*gap.T), 0.0), self._lengths[-1])
        gap = self._at(self._along) + self._beside - places
        distance = np.hypot(*gap.T)
        there = (self._along >= self._lengths[-1]) & (distance < min(ARRIVED, 0.2 * walker.creature.height))
        yaw = np.radians(walker.heading_degrees)
        facing = np.maximum((gap[:, 0] * np.sin(yaw) + gap[:, 1] * np.cos(yaw)) / np.maximum(distance, 1e-9), 0.0)
        pace = np.minimum(self._speed * facing * facing, distance / BRAKE) * ~there
        # A creature on its way always has some velocity, so that it turns to face the route.
        velocity = np.maximum(pace, 1e-3 * self._speed * ~there)[:, None] * gap / np.maximum(distance, 1e-9)[:, None]
        walker.step(seconds, velocity)
        self._lingered = self._lingered + seconds if there.all() else 0.0
        return self._lingered < LINGER or not walker.at_rest.all()

    def _at(self, along: Array) -> Array:
        return np.array([np.interp(along, self._lengths, axis) for axis in self._points.T]).T


def waypoints(path: ArrayLike) -> Array:
    """Waypoints (n, 2), x and z, checked."""
    found = numbers("path", path)
    if found.ndim != 2 or found.shape[1] != 2 or len(found) < 2:
        raise ShapeError("path", found.shape, "(n, 2), x and z of at least two waypoints")
    same = np.flatnonzero(np.linalg.norm(np.diff(found, axis=0), axis=-1) == 0.0)
    if len(same):
        raise ArgumentError("path", f"waypoint {same[0] + 1} equal to the one before", "waypoints that differ")
    return found
