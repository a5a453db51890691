"""The support polygon of a creature: the convex hull of the ground that its standing feet cover."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array

FOOT_CORNERS = 8  # of the polygon that a foot covers


def hull(places: Array) -> Array:
    """Corners (m, 2) of the convex hull of points (n, 2), counter-clockwise from the first axis to the second."""
    ordered = sorted({(float(x), float(y)) for x, y in places})
    if len(ordered) < 3:
        return np.array(ordered).reshape(-1, 2)
    below, above = _chain(ordered), _chain(ordered[::-1])
    return np.array(below[:-1] + above[:-1])


def _chain(places: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """One side of the hull, from the first to the last of sorted points (monotone chain)."""
    found: list[tuple[float, float]] = []
    for x, y in places:
        while len(found) > 1:
            (ax, ay), (bx, by) = found[-2:]
            if (bx - ax) * (y - ay) > (by - ay) * (x - ax):
                break
            found.pop()
        found.append((x, y))
    return found


def support_polygon(feet: Array, radius: float) -> Array:
    """Corners (m, 2) of the support polygon of feet at (n, 2), each covering a disc; no corners for no feet."""
    angle = 2.0 * np.pi * np.arange(FOOT_CORNERS) / FOOT_CORNERS
    patch = radius * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    return hull((np.asarray(feet)[:, None] + patch).reshape(-1, 2))


def contains(corners: Array, place: Array) -> bool:
    """Whether a point (2,) lies within a convex polygon with corners (m, 2)."""
    if len(corners) < 3:
        return False
    edge, away = np.roll(corners, -1, axis=0) - corners, place - corners
    return bool(np.all(edge[:, 0] * away[:, 1] >= edge[:, 1] * away[:, 0]))


def along_edge(corners: Array, count: int) -> Array:
    """Points (count, 2) spaced evenly along the edge of a polygon with at least three corners."""
    closed = np.concatenate([corners, corners[:1]])
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=-1))])
    at = along[-1] * np.arange(count) / count
    return np.stack([np.interp(at, along, axis) for axis in closed.T], axis=-1)
