"""The path of a swinging foot: a minimum-jerk curve along the ground, and an arch over it, half an ellipse.

Where it goes round another leg, the arch also leads aside, along a parabola.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.row_formulas import RowFormula
from limbik.formulas.operations import maximum, minimum
from limbik.gait.leg_geometry import TOE_RATIO
from limbik.terrains.base import Terrain

# Fractions of the path at which its clearance is checked; dense where the foot lifts off and touches down.
_NEAR = np.array([0.0, 0.02, 0.04, 0.06, 0.08, 0.11, 0.15, 0.2, 0.27, 0.35, 0.45])
CHECKPOINTS = np.concatenate([_NEAR, 1.0 - _NEAR[::-1]])[:, None]
POINTS = np.array([0.0, -1.0, TOE_RATIO])[:, None, None, None]  # of a foot: tip, heel, end of the toes, in heels
PATH_CLEARANCE = 0.25  # least height of the path above the ground, over the lift of the foot


def travel(swing: Any) -> Any:
    """The fraction of its path that a foot has covered after a fraction of its swing: minimum jerk."""
    return swing * swing * swing * (10.0 - swing * (15.0 - 6.0 * swing))


def hump(part: Any, sqrt: Any = np.sqrt, maximum: Any = np.maximum) -> Any:
    """The height of half an ellipse at a fraction of the path, from 0 to 1 and back; formulas pass their functions."""
    return 2.0 * sqrt(maximum(part * (1.0 - part), 0.0))


def hump_rate(swing: Any, sqrt: Any = np.sqrt, maximum: Any = np.maximum) -> Any:
    """The derivative of `hump(travel(swing))`; 0 at either end."""
    part = travel(swing)
    rest = swing * (1.0 - swing)
    return 30.0 * rest * rest * (1.0 - 2.0 * part) / maximum(0.5 * hump(part, sqrt, maximum), 1e-9)


def bow(part: Any) -> Any:
    """The height of a parabola at a fraction of the path, from 0 to 1 and back."""
    return 4.0 * part * (1.0 - part)


def bow_rate(swing: Any) -> Any:
    """The derivative of `bow(travel(swing))`; 0 at either end."""
    rest = swing * (1.0 - swing)
    return 120.0 * rest * rest * (1.0 - 2.0 * travel(swing))


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
        self.set(self.after(swing, step))

    def set(self, found: Array) -> None:
        """Sets value, rate and force, (3, ...)."""
        self.now, self.rate, self.force = found[0].copy(), found[1], found[2]  # states keep the first

    def after(self, swing: Array, step: Array) -> Array:
        """(3, ..., steps) Predicts value, rate and force while the goals stay; steps may have leading axes."""
        values = len(self.now)
        found = _course(values)(step, swing, self.now, self.goal, self.rate, self.force)
        return found.reshape(3, values, *step.shape)


def lift_needed(
    terrain: Terrain, start: Array, goal: Array, aside: Array | None, swing: Array, lift: Array, toes: Array | None
) -> Array:
    """The height (n,) of the ellipse that clears the ground from start to goal, (3, n), for the rest of the swing.

    aside: (2, n), x and z of the arch, if it has any. swing: (n,) the fraction already over. lift: (n,) the least
    height. toes: (2, 3, n), from heel to tip, at the start and at the goal, of feet with heels: heel and toes must be
    above the ground, too, and a foot on a slope is inclined as the ground is.
    """
    done = travel(swing)
    part = done + (1.0 - done) * CHECKPOINTS
    way = (goal - start)[:, None] * CHECKPOINTS + start[:, None]
    if aside is not None:
        way[::2] += aside[:, None] * bow(part)
    if toes is None:
        x, y, z = way
        below = terrain.height(x, z)
        ground = np.maximum(below[:-1], below[1:])
    else:
        first, last = toes[:, :, None]
        x, y, z = (way + POINTS * (first + (last - first) * CHECKPOINTS)).transpose(1, 2, 0, 3)
        places = np.array([x, z]).transpose(1, 2, 3, 0)
        ground = terrain.highest(places[:-1], places[1:], samples=2)
    over = np.maximum(ground[:-1], ground[1:]) - y[1:-1]  # at its ends the foot is on the ground
    if toes is not None:
        over = over.max(axis=1)
    need = over / hump(part[1:-1]) + PATH_CLEARANCE * lift
    return np.maximum(need.max(axis=0), lift)


def advanced(step: Any, swing: Any, now: Any, goal: Any, rate: Any, force: Any) -> Any:
    """Values, rates and forces after a step of the swing."""
    now, goal, rate, force = (one if isinstance(one, tuple) else (one,) for one in (now, goal, rate, force))
    left = maximum(1.0 - swing, 1e-9)
    t = minimum(step / left, 1.0)
    rest = 1.0 - t
    found = []
    for value, end, first, second in zip(now, goal, rate, force, strict=True):
        # The remaining distance to the goal is rest³ · (a + b t + c t²).
        a = value - end
        b = 3.0 * a + left * first
        c = 3.0 * (b - a) + (0.5 * left * left) * second
        whole, slope = a + t * (b + t * c), b + 2.0 * t * c
        there = end + (rest * rest * rest) * whole
        speed = (rest * rest / left) * (rest * slope - 3.0 * whole)
        found.append((there, speed, (rest / (left * left)) * (6.0 * whole - rest * (6.0 * slope - 2.0 * rest * c))))
    return tuple(zip(*found, strict=True))


@cache
def _course(values: int) -> RowFormula:
    return RowFormula(advanced, step=1, swing=1, now=values, goal=values, rate=values, force=values)
