"""The way of a foot through the air: along the ground the curve of least jerk, and over it half an ellipse."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.terrains.base import Terrain

# Parts of the way where a foot's height is looked at; close together where it leaves the ground and comes down.
_NEAR = np.array([0.0, 0.02, 0.04, 0.06, 0.08, 0.11, 0.15, 0.2, 0.27, 0.35, 0.45])
LOOKS = np.concatenate([_NEAR, 1.0 - _NEAR[::-1]])[:, None]
CLEARANCE = 0.25  # of a foot's lift: how far above the ground it passes


def travel(swing: Array) -> Array:
    """How much of its way a foot has behind it when so much of its swing is over."""
    return swing * swing * swing * (10.0 - swing * (15.0 - 6.0 * swing))


def hump(part: Array) -> Array:
    """The height of half an ellipse over a part of the way."""
    return 2.0 * np.sqrt(np.maximum(part * (1.0 - part), 0.0))


def hump_rate(swing: Array) -> Array:
    """How fast `hump(travel(swing))` rises for each unit of swing; 0 at either end."""
    part = travel(swing)
    rest = swing * (1.0 - swing)
    return 30.0 * rest * rest * (1.0 - 2.0 * part) / np.maximum(0.5 * hump(part), 1e-9)


class Course:
    """Numbers (...) on their way to goals, at rest when they arrive there.

    Each moves along the curve of least jerk from wherever it is and however fast it goes: when a goal changes, it goes
    on smoothly, and still arrives in time. rate and force are the first and second derivative, for each unit of swing.
    """

    def __init__(self, now: Array) -> None:
        self.now, self.goal = now.copy(), now.copy()
        self.rate, self._force = np.zeros_like(now), np.zeros_like(now)

    def advance(self, swing: Array, step: Array) -> None:
        """Goes on. swing: how much of it was over before, and step: how much more is now."""
        self.now, self.rate, self._force = self.after(swing, step)

    def after(self, swing: Array, step: Array) -> tuple[Array, Array, Array]:
        """What `now`, `rate` and force will be, as long as the goals stay; steps may have leading axes, for many."""
        left = np.maximum(1.0 - swing, 1e-9)
        t = np.minimum(step / left, 1.0)
        rest = 1.0 - t
        # What is left to the goal is rest³ · (a + b t + c t²).
        a = self.now - self.goal
        b = 3.0 * a + left * self.rate
        c = 3.0 * (b - a) + (0.5 * left * left) * self._force
        whole, slope = a + t * (b + t * c), b + 2.0 * t * c
        now = self.goal + (rest * rest * rest) * whole
        rate = (rest * rest / left) * (rest * slope - 3.0 * whole)
        return now, rate, (rest / (left * left)) * (6.0 * whole - rest * (6.0 * slope - 2.0 * rest * c))


def lift_needed(terrain: Terrain, start: Array, goal: Array, swing: Array, lift: Array, back: Array) -> Array:
    """How high, (n,), the ellipse must be to clear the ground from start to goal, (3, n), from some of the swing on.

    back: (2, n), x and z from the tips to the heels.
    """
    way = (goal - start)[:, None] * LOOKS + start[:, None]
    places = way[::2]
    behind = places[:, :-1] + back[:, None]
    ground = terrain.highest(behind.transpose(1, 2, 0), places[:, 1:].transpose(1, 2, 0), samples=2)
    over = np.maximum(ground[:-1], ground[1:]) - way[1, 1:-1]  # at its ends a foot is on the ground
    done = travel(swing)
    need = over / hump(done + (1.0 - done) * LOOKS[1:-1]) + CLEARANCE * lift
    return np.maximum(need.max(axis=0), lift)
