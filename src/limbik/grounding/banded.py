"""Smooth curves by least squares: symmetric systems of five diagonals, in time linear in their length.

A system is (3, n): its main diagonal, the next one and the one after; the last one and two of these do not count.
"""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array

BLOCK = 48  # unknowns that are eliminated at a time
FEW = 2  # unknowns through which neighbouring blocks are coupled


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


def solved(system: Array, values: Array) -> Array:
    """What (n,) a positive definite system multiplies to obtain values (n,)."""
    count = len(values)
    blocks = -(-count // BLOCK)
    padded = np.zeros((4, blocks * BLOCK))
    padded[0] = 1.0
    padded[:3, :count], padded[3, :count] = system, values
    padded[1, count - 1 :], padded[2, max(count - 2, 0) :] = 0.0, 0.0
    main, next_, second, right = padded.reshape(4, blocks, BLOCK)
    matrix = np.zeros((blocks, BLOCK, BLOCK))
    rows = np.arange(BLOCK)
    matrix[:, rows, rows] = main
    for k, band in ((1, next_), (2, second)):
        matrix[:, rows[:-k], rows[k:]] = matrix[:, rows[k:], rows[:-k]] = band[:, :-k]
    # The last two unknowns of a block and the first two of the next one are coupled.
    corner = np.zeros((blocks, FEW, FEW))
    corner[:, 0, 0], corner[:, 1, 0], corner[:, 1, 1] = second[:, -2], next_[:, -1], second[:, -1]
    known = np.zeros((blocks, BLOCK, 1 + FEW))
    known[:, :, 0] = right
    known[:, -FEW:, 1:] = corner
    found = np.empty_like(known)
    for k in range(blocks):
        if k:
            known[k, :FEW, 0] -= corner[k - 1].T @ found[k - 1, -FEW:, 0]
            matrix[k, :FEW, :FEW] -= corner[k - 1].T @ found[k - 1, -FEW:, 1:]
        found[k] = np.linalg.solve(matrix[k], known[k])
    result = found[..., 0]
    for k in range(blocks - 2, -1, -1):
        result[k] -= found[k, :, 1:] @ result[k + 1, :FEW]
    return result.reshape(-1)[:count]
