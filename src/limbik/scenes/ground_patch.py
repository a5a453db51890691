"""The ground around a motion, as triangles."""

from __future__ import annotations

from math import log10, sqrt
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.scenes.staircase import SOIL, staircase
from limbik.skeleton.clip import Clip
from limbik.terrains.base import Terrain
from limbik.terrains.function_terrain import Function
from limbik.terrains.planes import Plane
from limbik.terrains.specs import TerrainLike, as_terrain
from limbik.terrains.stairs import Stairs

GROUND_MARGIN_RADII = 8.0  # how far the ground extends beyond the figures, over the radius of what is seen of them
MAX_VERTICES = 25_000
MAX_SUNK_SIZES = 0.1  # a figure lower than this part of its size below height 0 does not stand on height 0


def ground_of(clip: Clip, terrain: TerrainLike | None, positions: Array, size: float) -> Terrain:
    """The ground under a clip: the one given, else the clip's own, else a plane at height 0 or at the lowest joint.

    positions: (n, 3), of the joints in all frames. size: of the figures, metres.
    """
    chosen = clip.terrain if terrain is None else terrain
    if chosen is not None:
        return as_terrain(chosen)
    lowest = float(positions[:, 1].min())
    return Plane() if lowest > -MAX_SUNK_SIZES * size else Function(lambda x, z: np.full(x.shape, lowest))


def grid(size: float) -> float:
    """The side of the grid's squares for figures of a size, metres: a power of ten."""
    return 10.0 ** round(log10(0.6 * size))


class GroundPatch(NamedTuple):
    """A rectangle of ground that fades towards its edge."""

    vertices: Array  # (n, 3), metres
    faces: Array  # (m, 3) vertex indices
    paint: Array  # (n,), of the vertices: see `staircase`
    low: Array  # (2,), its least x and z
    high: Array  # (2,), its greatest
    margin: float  # distance from the edge at which the ground begins to fade, metres

    @property
    def middle(self) -> list[float]:
        """Its centre, x and z, and half its extent along each."""
        return [*(0.5 * (self.low + self.high)).tolist(), *(0.5 * (self.high - self.low)).tolist()]


def around(terrain: Terrain, positions: Array, size: float, radius: float) -> GroundPatch:
    """The ground around positions (n, 3). size: of a figure, metres. radius: of what is seen at a time."""
    places = positions[:, [0, 2]]
    margin = GROUND_MARGIN_RADII * radius
    low, high = places.min(axis=0) - margin, places.max(axis=0) + margin
    if isinstance(terrain, Stairs) and (flight := staircase(terrain, positions, size, low, high)):
        return GroundPatch(*flight, low, high, margin)
    spacing = max(sqrt(float(np.prod(high - low)) / MAX_VERTICES), size / 25.0)
    vertices, faces = terrain.mesh(low, high, spacing)
    if len(vertices) > 2 * MAX_VERTICES:  # a regular grid in place of the terrain's own triangles
        whole = Function(lambda x, z: terrain.height(np.stack([x, z], axis=-1)))
        vertices, faces = whole.mesh(low, high, spacing)
    if not len(faces):
        where = f"none from x, z = {low.round(2).tolist()} to {high.round(2).tolist()}"
        raise ArgumentError("terrain", where, "ground where the clip is")
    return GroundPatch(vertices, faces, np.full(len(vertices), SOIL), low, high, margin)
