"""The ground around a motion, as triangles."""

from __future__ import annotations

from math import log10, sqrt
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.skeleton.clip import Clip
from limbik.terrains.base import Terrain
from limbik.terrains.coercion import TerrainLike, as_terrain
from limbik.terrains.function_terrain import Function
from limbik.terrains.planes import Plane

MARGIN = 4.0  # how far the ground goes on beyond where figures have been, over the radius of what is seen of them
MOST_VERTICES = 25_000
SUNK = 0.1  # a figure this part of its size under height 0 was not meant to stand there


def ground_of(clip: Clip, terrain: TerrainLike | None, positions: Array, size: float) -> Terrain:
    """What a clip is shown on: what is told, a Terrain or what describes one; or its own; or level ground.

    positions: (n, 3), of its joints. size: of its figures, metres.
    """
    given = clip.terrain if terrain is None else terrain
    return level(positions, size) if given is None else as_terrain(given)


def level(positions: Array, size: float) -> Terrain:
    """Level ground for figures with joints at positions (n, 3): at height 0, or as low as they are."""
    lowest = float(positions[:, 1].min())
    return Plane() if lowest > -SUNK * size else Function(lambda x, z: np.full(x.shape, lowest))


def grid(size: float) -> float:
    """The side of the squares on the ground under figures of a size, metres: a power of ten."""
    return 10.0 ** round(log10(0.6 * size))


class GroundPatch(NamedTuple):
    """GroundPatch to look at, which fades towards its edge.

    vertices: (n, 3), metres. faces: (m, 3), numbers of vertices. low, high: (2,), its corners, x and z. margin: how far
    from its edge it begins to fade.
    """

    vertices: Array
    faces: Array
    low: Array
    high: Array
    margin: float

    @property
    def middle(self) -> list[float]:
        """Its middle, x and z, and half its extent along each."""
        return [*(0.5 * (self.low + self.high)).tolist(), *(0.5 * (self.high - self.low)).tolist()]


def around(terrain: Terrain, positions: Array, size: float, radius: float) -> GroundPatch:
    """The ground around positions (n, 3). size: of a figure, metres. radius: of what is seen at a time."""
    places = positions[:, [0, 2]]
    margin = MARGIN * radius
    low, high = places.min(axis=0) - margin, places.max(axis=0) + margin
    return GroundPatch(*_mesh(terrain, low, high, size), low, high, margin)


def _mesh(terrain: Terrain, low: Array, high: Array, size: float) -> tuple[Array, Array]:
    """The terrain's own triangles, or a grid where they are too many."""
    spacing = max(sqrt(float(np.prod(high - low)) / MOST_VERTICES), size / 25.0)
    vertices, faces = terrain.mesh(low, high, spacing)
    if len(vertices) > 2 * MOST_VERTICES:
        whole = Function(lambda x, z: terrain.height(np.stack([x, z], axis=-1)))
        vertices, faces = whole.mesh(low, high, spacing)
    if not len(faces):
        where = f"none from x, z = {low.round(2).tolist()} to {high.round(2).tolist()}"
        raise ArgumentError("terrain", where, "ground where the clip is")
    return vertices, faces
