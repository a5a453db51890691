"""The support of a creature: the convex hull of what its feet cover, and whether its body is above it."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array

PATCH = 8  # corners of the ground that a foot covers


def hull(places: Array) -> Array:
    """The corners (m, 2) of the convex hull of places (n, 2), in the order in which +x turns to the second axis."""
    ordered = sorted({(float(x), float(y)) for x, y in places})
    if len(ordered) < 3:
        return np.array(ordered).reshape(-1, 2)
    below, above = _chain(ordered), _chain(ordered[::-1])
    return np.array(below[:-1] + above[:-1])


def _chain(places: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Half a hull: from the first to the last of sorted places, turning one way only."""
    found: list[tuple[float, float]] = []
    for x, y in places:
        while len(found) > 1:
            (ax, ay), (bx, by) = found[-2:]
            if (bx - ax) * (y - ay) > (by - ay) * (x - ax):
                break
            found.pop()
        found.append((x, y))
    return found


def support(feet: Array, radius: float) -> Array:
    """The corners (m, 2) of what feet at (n, 2) support, each of which covers ground of a radius; none for no feet."""
    angle = 2.0 * np.pi * np.arange(PATCH) / PATCH
    patch = radius * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    return hull((np.asarray(feet)[:, None] + patch).reshape(-1, 2))


def contains(corners: Array, place: Array) -> bool:
    """Whether a place (2,) is within the corners (m, 2) of a hull."""
    if len(corners) < 3:
        return False
    edge, away = np.roll(corners, -1, axis=0) - corners, place - corners
    return bool(np.all(edge[:, 0] * away[:, 1] >= edge[:, 1] * away[:, 0]))


def around(corners: Array, count: int) -> Array:
    """(count, 2): places evenly along the edges of a hull of three corners or more."""
    closed = np.concatenate([corners, corners[:1]])
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=-1))])
    at = along[-1] * np.arange(count) / count
    return np.stack([np.interp(at, along, axis) for axis in closed.T], axis=-1)
