"""Stairs as one sees them: a flight with closed sides, edges on its treads and a landing, on level ground."""

from __future__ import annotations

from math import ceil, inf

import numpy as np

from limbik.arrays import Array
from limbik.terrains.base import direction
from limbik.terrains.stairs import Stairs

SOIL, TREAD, NOSING, WALL = range(4)  # paint
BESIDE = 0.4  # how far a flight is wider than the way of the figures, on each side, over their size
LANDING = 1.2  # least length of a landing, over the figures' size
BEYOND = 3  # treads beyond the way of the figures where the flight has no end
NOSE = 0.1  # depth of a tread's edge, over the tread's
MOST_STEPS = 4000


def staircase(
    stairs: Stairs, positions: Array, size: float, low: Array, high: Array
) -> tuple[Array, Array, Array] | None:
    """The staircase along the way of figures, and level ground around it.

    Args:
        stairs: the terrain.
        positions: (n, 3), where figures are, metres.
        size: of the figures, metres.
        low: (2,), the least x and z of the ground.
        high: (2,), the greatest.

    Returns:
        Vertices (n, 3), faces (m, 3) and paint (n,); None where there is no step on the ground, or too many.
    """
    ahead = np.array(direction(stairs.heading_degrees))
    axes = np.array([[ahead[1], 0.0, -ahead[0]], [0.0, 1.0, 0.0], [ahead[0], 0.0, ahead[1]]])  # left, up, ahead
    left, _, along = axes @ positions.T
    nearest, farthest = (float(most(low * ahead, high * ahead).sum()) for most in (np.minimum, np.maximum))
    reached = min(farthest, inf if stairs.steps else along.max() + BEYOND * stairs.run)
    count = int(min(ceil((reached - stairs.start) / stairs.run), stairs.steps or inf))
    if not 1 <= count <= MOST_STEPS or stairs.rise == 0.0:
        return None
    edges = stairs.start + stairs.run * np.arange(count)
    if edges[-1] < nearest:
        return None
    first = min(edges[0] - LANDING * size, along.min() - BESIDE * size)
    last = max(edges[-1] + max(LANDING * size, stairs.run), along.max() + BESIDE * size)
    sides = left.min() - BESIDE * size, left.max() + BESIDE * size
    quads, paint = _flight(np.array([first, *edges, last]), stairs.rise, sides)
    floor = min(0.0, count * stairs.rise)
    ground = np.array([[low[0], low[1]], [low[0], high[1]], [high[0], high[1]], [high[0], low[1]]])
    vertices = np.concatenate([np.insert(ground, 1, floor, axis=1), quads.reshape(-1, 3) @ axes])
    corners = 4 * np.arange(len(vertices) // 4)[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])
    return vertices, corners.reshape(-1, 3), np.repeat([SOIL, *paint], 4)


def _flight(edges: Array, rise: float, sides: tuple[float, float]) -> tuple[Array, list[int]]:
    """The faces of a flight on the lowest of its levels, (n, 4, 3): left, up and ahead; and the paint of each.

    edges: where levels begin and the last one ends, (levels + 1,). sides: its right and left.
    """
    right, left = sides
    heights = rise * np.arange(len(edges) - 1)
    floor = heights.min()
    quads, paint = [], []

    def add(corners: list[tuple[float, float, float]], of: int, turned: bool = False) -> None:
        quads.append(corners[::-1] if turned else corners)
        paint.append(of)

    def level(start: float, end: float, height: float, of: int) -> None:
        add([(right, height, start), (right, height, end), (left, height, end), (left, height, start)], of)

    def riser(low: float, high: float, at: float, forward: bool) -> None:
        add([(right, low, at), (right, high, at), (left, high, at), (left, low, at)], WALL, forward)

    for start, end, height in zip(edges[:-1], edges[1:], heights, strict=True):
        if height == floor:
            continue
        nose = NOSE * min(end - start, abs(edges[2] - edges[1]) if len(edges) > 3 else inf)
        middle = start + nose if rise > 0.0 else end - nose
        level(start, middle, height, NOSING if rise > 0.0 else TREAD)
        level(middle, end, height, TREAD if rise > 0.0 else NOSING)
        for side in (left, right):
            wall = [(side, floor, start), (side, height, start), (side, height, end), (side, floor, end)]
            add(wall, WALL, turned=side == right)
    for at, height in zip(edges[1:-1], heights, strict=False):
        riser(min(height, height + rise), max(height, height + rise), at, rise < 0.0)
    riser(floor, heights.max(), edges[-1] if rise > 0.0 else edges[0], rise > 0.0)
    return np.array(quads), paint
