"""Ways to go, for a walk: straight on or in a circle, or along waypoints."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError, ShapeError
from limbik.gait.walker import Walker

ARRIVED = 0.02  # metres from the end, at which a creature is there; small ones get nearer
BRAKE = 0.8  # seconds before the end from which on it slows down
LINGER = 1.0  # seconds that a walk goes on, at least, after the last has arrived


class StraightRoute:
    """Straight ahead at a speed, m/s, while turning by degrees a second."""

    def __init__(self, speed: float, turn: float) -> None:
        self._speed, self._turn = speed, turn

    def step(self, walker: Walker, seconds: float) -> bool:
        """Lets creatures go on; whether there is any way left: always."""
        yaw = np.radians(walker.headings)
        velocity = self._speed * np.array([np.sin(yaw), np.cos(yaw)]).T
        walker.step(seconds, velocity, self._turn)
        return True


class WaypointRoute:
    """Along waypoints (n, 2), x and z, at a speed; those of a crowd keep beside one another."""

    def __init__(self, waypoints: Array, speed: float) -> None:
        self._speed = speed
        self._points = waypoints
        self._lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(waypoints, axis=0), axis=-1))])
        self._along: Array = np.zeros(0)
        self._lingered = 0.0

    @property
    def heading(self) -> float:
        """Degrees from +z to +x, at the start."""
        return float(np.degrees(np.arctan2(*(self._points[1] - self._points[0]))))

    def step(self, walker: Walker, seconds: float) -> bool:
        """Lets creatures go on towards points that keep ahead of them on the path; whether any is on its way."""
        places = walker.places[:, ::2]
        if not self._along.size:
            self._along, self._beside = np.zeros(walker.count), places - self._points[0]
        gap = self._at(self._along) + self._beside - places
        lead = max(walker.creature.body.length, 0.5 * self._speed)
        self._along = np.minimum(self._along + np.maximum(lead - np.hypot(*gap.T), 0.0), self._lengths[-1])
        gap = self._at(self._along) + self._beside - places
        distance = np.hypot(*gap.T)
        there = (self._along >= self._lengths[-1]) & (distance < min(ARRIVED, 0.2 * walker.creature.height))
        yaw = np.radians(walker.headings)
        facing = np.maximum((gap[:, 0] * np.sin(yaw) + gap[:, 1] * np.cos(yaw)) / np.maximum(distance, 1e-9), 0.0)
        pace = np.minimum(self._speed * facing * facing, distance / BRAKE) * ~there
        # However slow, a creature that is on its way turns to where it goes.
        velocity = np.maximum(pace, 1e-3 * self._speed * ~there)[:, None] * gap / np.maximum(distance, 1e-9)[:, None]
        walker.step(seconds, velocity)
        self._lingered = self._lingered + seconds if there.all() else 0.0
        return self._lingered < LINGER or not walker.at_rest.all()

    def _at(self, along: Array) -> Array:
        return np.array([np.interp(along, self._lengths, axis) for axis in self._points.T]).T


def waypoints(path: Any) -> Array:
    """Waypoints (n, 2), x and z, checked."""
    given = np.asarray(path, float)
    if given.ndim != 2 or given.shape[1] != 2 or len(given) < 2:
        raise ShapeError("path", given.shape, "(n, 2), x and z of two places or more")
    if not np.isfinite(given).all():
        raise ArgumentError("path", path, "finite numbers")
    if not np.all(np.linalg.norm(np.diff(given, axis=0), axis=-1) > 0.0):
        raise ArgumentError("path", given.tolist(), "places that differ from the one before")
    return given
