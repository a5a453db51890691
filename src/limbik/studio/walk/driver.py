"""Steering a creature: along a heading, by keys, or to a place."""

from __future__ import annotations

from typing import Literal

import numpy as np

from limbik.arrays import Array
from limbik.gait.walker import Walker

HEADING_TOLERANCE = 1.0  # degrees; a standing creature that is off by less does not turn
TURN_RATE = 75.0  # degrees/s by keys, where the creature can turn as fast
BACKWARD = 0.5  # speed backward, over that ahead
NEAR = 0.04  # a place is reached at this distance, over the creature's size
BRAKING = 1.2  # 1/s: speed toward a place over the distance that is left


class Driver:
    """Turns what a user asks for into the velocity and turning rate of each step of a walker.

    mode: "heading": keep to a heading. "keys": go as keys are held, else stand. "place": go to `goal`. "rest": stand,
    as it does once it is there.
    goal: (2,) x and z of the place, metres; None in the other modes.
    """

    def __init__(self) -> None:
        self.mode: Literal["heading", "keys", "place", "rest"] = "heading"
        self.goal: Array | None = None

    def keep_heading(self) -> None:
        self.mode, self.goal = "heading", None

    def obey_keys(self) -> None:
        self.mode, self.goal = "keys", None

    def go_to(self, place: Array) -> None:
        """Sends the creature to a place, (2,) x and z."""
        self.mode, self.goal = "place", place

    def rest(self) -> None:
        self.mode, self.goal = "rest", None

    def words(self, walker: Walker) -> str:
        """What steers the creature now, for users."""
        return {
            "heading": "keeps to the heading set above",
            "keys": "follows the arrow keys, or W A S D",
            "place": f"walks to where you clicked: {self.distance(walker):.2f} m to go",
            "rest": "stands until you click or press an arrow key",
        }[self.mode]

    def distance(self, walker: Walker) -> float:
        """How far the goal is, metres; 0 where there is none."""
        return 0.0 if self.goal is None else float(np.hypot(*(self.goal - walker.places[0, ::2])))

    def steer(
        self, walker: Walker, size: float, speed: float, heading_degrees: float, keys: tuple[float, float]
    ) -> tuple[Array, float | None]:
        """The velocity (2,), m/s, and the turning rate, degrees/s, or None to face the velocity.

        size: of the creature, metres. speed: to walk at, m/s. heading_degrees: to keep. keys: ahead and left, as held.
        """
        if self.mode == "heading":
            return self._toward(walker, speed, heading_degrees), None
        if self.mode == "rest":
            return np.zeros(2), 0.0
        yaw = np.radians(walker.heading_degrees[0])
        if self.mode == "keys":
            ahead, left = keys
            pace = speed * (ahead if ahead > 0.0 else BACKWARD * ahead)
            return pace * np.array([np.sin(yaw), np.cos(yaw)]), TURN_RATE * left
        away = self.goal - walker.places[0, ::2]
        if self.distance(walker) < NEAR * size:
            self.rest()
            return np.zeros(2), 0.0
        pace = min(speed, BRAKING * self.distance(walker))
        return self._toward(walker, pace, float(np.degrees(np.arctan2(*away)))), None

    def _toward(self, walker: Walker, speed: float, heading_degrees: float) -> Array:
        """A velocity: slow while the creature faces elsewhere, and enough to turn in place."""
        off = (heading_degrees - walker.heading_degrees[0] + 180.0) % 360.0 - 180.0
        pace = speed * max(np.cos(np.radians(off)), 0.0) ** 2
        if abs(off) > HEADING_TOLERANCE:
            pace = max(pace, 1e-3 * walker.fastest)
        heading = np.radians(heading_degrees)
        return pace * np.array([np.sin(heading), np.cos(heading)])
