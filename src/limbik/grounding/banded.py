"""Smooth curves by least squares: symmetric systems of five diagonals, which `numba_banded.py` solves.

A system is (3, n): its main diagonal, the next one and the one after; the last one and two of these do not count.
"""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array


def bending(weights: Array) -> Array:
    """The system (3, n) of the sum of squared second differences of n values. weights: (n - 2,), of each of them."""
    system = np.zeros((3, len(weights) + 2))
    system[0, :-2] += weights
    system[0, 1:-1] += 4.0 * weights
    system[0, 2:] += weights
    system[1, :-2] -= 2.0 * weights
    system[1, 1:-1] -= 2.0 * weights
    system[2, :-2] = weights
    return system


def applied(system: Array, values: Array) -> Array:
    """The product (n,) of a system and values (n,)."""
    result = system[0] * values
    for k in (1, 2):
        result[:-k] += system[k, :-k] * values[k:]
        result[k:] += system[k, :-k] * values[:-k]
    return result


def scaled(system: Array, factors: Array) -> Array:
    """The system of values that are multiplied by factors (n,) first."""
    result = system * factors
    for k in range(3):
        result[k, : len(factors) - k] *= factors[k:]
    return result
