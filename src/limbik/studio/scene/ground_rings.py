"""Triangles of rings and discs that lie on the ground."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.rotations import normalized

RING_SIDES = 24


def rings(centres: Array, normals: Array, radii: Array) -> tuple[Array, Array]:
    """Vertices (m, 3) and faces (k, 3) of rings about centres (n, 3), on ground with unit normals (n, 3), up.

    radii: (n, 2), inside and outside; those of size 0 are points, so that faces stay the same when one is not shown.
    """
    across = normalized(np.stack([normals[:, 1], -normals[:, 0], np.zeros(len(normals))], axis=-1))
    along = np.cross(across, normals)
    turn = 2.0 * np.pi * np.arange(RING_SIDES)[:, None] / RING_SIDES
    circle = across[:, None] * np.cos(turn) + along[:, None] * np.sin(turn)
    vertices = centres[:, None, None] + radii[:, :, None, None] * circle[:, None]
    return vertices.reshape(-1, 3), bands(len(centres), 2, RING_SIDES)


def bands(count: int, circles: int, sides: int) -> Array:
    """The faces between circles of vertices about one another, for many such: (m, 3)."""
    first = sides * np.arange(circles - 1)[:, None]
    a, b = first + np.arange(sides), first + (np.arange(sides) + 1) % sides
    faces = np.stack([a, b, a + sides, b, b + sides, a + sides], axis=-1).reshape(-1, 3)
    return (faces + circles * sides * np.arange(count)[:, None, None]).reshape(-1, 3)
