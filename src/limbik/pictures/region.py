"""Where the end of the first two links can be: the ring between two radii."""

from __future__ import annotations

import math

import numpy as np

from limbik.arrays import Array
from limbik.limbs.solution import Solution

STEPS = 181


def radii(solution: Solution) -> tuple[float, float]:
    """The least and the greatest distance of the second link's end, within the middle joint's range, as stretched.

    Of a single solution, which knows its links and their range.
    """
    first, second = solution._groups["lengths"][:2]
    near, far = solution._groups["chord_range"]
    stretch = solution.stretch if solution._program.name == "two_link" else 1.0
    return max(near * (first + second), abs(first - second)), far * (first + second) * stretch


def circle(radius: float) -> Array:
    """Points (steps, 2) once around."""
    turn = np.linspace(0.0, 2.0 * math.pi, STEPS)
    return radius * np.stack([np.cos(turn), np.sin(turn)], -1)


def ring(near: float, far: float) -> Array:
    """The outline (points, 2) of a ring: around the outside, and back around the inside."""
    return np.concatenate([circle(far), circle(near)[::-1]]) if near > 0 else circle(far)
