"""The path of a swinging foot: a minimum-jerk curve along the ground, and half an ellipse over it."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.terrains.base import Terrain

# Fractions of the path at which its clearance is checked; dense where the foot lifts off and touches down.
_NEAR = np.array([0.0, 0.02, 0.04, 0.06, 0.08, 0.11, 0.15, 0.2, 0.27, 0.35, 0.45])
CHECKPOINTS = np.concatenate([_NEAR, 1.0 - _NEAR[::-1]])[:, None]
PATH_CLEARANCE = 0.25  # least height of the path above the ground, over the lift of the foot


def travel(swing: Array) -> Array:
    """The fraction of its path that a foot has covered after a fraction of its swing: minimum jerk."""
    return swing * swing * swing * (10.0 - swing * (15.0 - 6.0 * swing))


def hump(part: Array) -> Array:
    """The height of half an ellipse at a fraction of the path, from 0 to 1 and back."""
    return 2.0 * np.sqrt(np.maximum(part * (1.0 - part), 0.0))


def hump_rate(swing: Array) -> Array:
    """The derivative of `hump(travel(swing))`; 0 at either end."""
    part = travel(swing)
    rest = swing * (1.0 - swing)
    return 30.0 * rest * rest * (1.0 - 2.0 * part) / np.maximum(0.5 * hump(part), 1e-9)


class Course:
    """Values (...) that move to goals along minimum-jerk curves, and arrive at rest at the end of the swing.

    Each starts from its present value and rate, so that it stays smooth when its goal changes, and still arrives in
    time. rate and force are the first and second derivative with respect to the fraction of the swing.
    """

    def __init__(self, now: Array) -> None:
        self.now, self.goal = now.copy(), now.copy()
        self.rate, self.force = np.zeros_like(now), np.zeros_like(now)

    def advance(self, swing: Array, step: Array) -> None:
        """Advances. swing: the fraction of the swing before; step: how much is added."""
        self.now, self.rate, self.force = self.after(swing, step)

    def after(self, swing: Array, step: Array) -> tuple[Array, Array, Array]:
        """Predicts value, rate and force while the goals stay; steps may have leading axes."""
        left = np.maximum(1.0 - swing, 1e-9)
        t = np.minimum(step / left, 1.0)
        rest = 1.0 - t
        # The remaining distance to the goal is rest³ · (a + b t + c t²).
        a = self.now - self.goal
        b = 3.0 * a + left * self.rate
        c = 3.0 * (b - a) + (0.5 * left * left) * self.force
        whole, slope = a + t * (b + t * c), b + 2.0 * t * c
        now = self.goal + (rest * rest * rest) * whole
        rate = (rest * rest / left) * (rest * slope - 3.0 * whole)
        return now, rate, (rest / (left * left)) * (6.0 * whole - rest * (6.0 * slope - 2.0 * rest * c))


def lift_needed(
    terrain: Terrain, start: Array, goal: Array, swing: Array, lift: Array, back: Array, front: Array
) -> Array:
    """The height (n,) of the ellipse that clears the ground from start to goal, (3, n), for the rest of the swing.

    swing: (n,) the fraction already over. lift: (n,) the least height. back, front: (2, n), x and z from tips to heels
    and to the ends of the toes.
    """
    way = (goal - start)[:, None] * CHECKPOINTS + start[:, None]
    x, _, z = way
    ground = terrain.highest(
        np.array([x[:-1] + back[0], z[:-1] + back[1]]).transpose(1, 2, 0),
        np.array([x[1:] + front[0], z[1:] + front[1]]).transpose(1, 2, 0),
        samples=3 if front.any() else 2,
    )
    over = np.maximum(ground[:-1], ground[1:]) - way[1, 1:-1]  # at its ends the foot is on the ground
    done = travel(swing)
    need = over / hump(done + (1.0 - done) * CHECKPOINTS[1:-1]) + PATH_CLEARANCE * lift
    return np.maximum(need.max(axis=0), lift)
