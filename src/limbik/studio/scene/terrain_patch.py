"""Terrain in the scene: the ground around a place, with a grid of lines that shows its shape."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.studio.scene.shaded_ground import opacity, shaded_ground
from limbik.studio.scene.solids import segments
from limbik.terrains.base import Terrain

if TYPE_CHECKING:
    from viser import SceneApi

    from limbik.studio.page.stage import Stage

LINE_OPACITY = 0.11
LINES_END = 0.6  # opacity of the ground below which it has no lines: they cannot fade with it
CELLS = 120  # along a side of the mesh, where the terrain is curved
ALONG, MOST_PARTS = 16, 400  # segments of a grid line per square, and at most in total
MOST_EDGES = 5000
ABOVE = 0.002  # height of grid lines above the ground, as a fraction of a square


class TerrainPatch:
    """A square patch of a terrain, which is redrawn when the subject leaves its middle.

    reach: half the side of the patch, metres. square: distance between grid lines, metres.
    """

    def __init__(self, stage: Stage, name: str, terrain: Terrain, reach: float, square: float) -> None:
        self._stage, self._name, self._terrain = stage, name, terrain
        self._reach, self._square = reach, square
        self._middle: Array | None = None

    def move_to(self, x: float, z: float) -> None:
        """Makes sure that the patch surrounds a place."""
        place = np.array([x, z])
        if self._middle is not None and np.abs(place - self._middle).max() < 0.4 * self._reach:
            return
        self._middle = np.round(place / self._square) * self._square
        self.draw()

    def draw(self) -> None:
        """Draws the patch where it was moved to, in the colours that the studio has now."""
        if self._middle is not None:
            low, high = self._middle - self._reach, self._middle + self._reach
            show_terrain(self._stage, self._name, self._terrain, low, high, self._square)


def show_terrain(stage: Stage, name: str, terrain: Terrain, low: Array, high: Array, square: float) -> None:
    """Shows a terrain between two corners, (2,) each, with grid lines every `square` metres."""
    vertices, faces = terrain.mesh(low, high, sqrt(float(np.prod(high - low))) / CELLS)
    surface = shaded_ground(vertices, faces, low, high, stage.dark)
    stage.scene.add_glb(f"{name}/surface", surface, cast_shadow=False)
    draped = [_lines(terrain, low, high, square, axis) for axis in (0, 1)]
    lines = np.concatenate([*draped, _edges(vertices, faces)])
    clear = opacity(lines.mean(axis=1)[:, ::2], low, high) > LINES_END
    _add_wires(stage.scene, f"{name}/lines", lines[clear])


def _add_wires(scene: SceneApi, name: str, lines: Array) -> None:
    """Adds line segments, (n, 2, 3), as a wireframe of degenerate triangles.

    viser draws each of its own line segments as a small mesh, which is expensive for thin lines. Wires take no light
    and are black: their opacity sets how dark they look.
    """
    faces = 2 * np.arange(len(lines), dtype=np.uint32)[:, None] + np.array([0, 1, 1], np.uint32)
    looks: dict[str, Any] = {"color": (0, 0, 0), "opacity": LINE_OPACITY, "wireframe": True}
    looks |= {"cast_shadow": False, "receive_shadow": False}
    scene.add_mesh_simple(name, np.asarray(lines, np.float32).reshape(-1, 3), faces, **looks)


def _edges(vertices: Array, faces: Array) -> Array:
    """Boundary and crease edges of a mesh, such as those of stairs, (n, 2, 3); none if there are too many."""
    sides = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=-1)
    once, counts = np.unique(sides, axis=0, return_counts=True)
    edges = vertices[once[counts == 1]]
    return edges if len(edges) <= MOST_EDGES else edges[:0]


def _lines(terrain: Terrain, low: Array, high: Array, square: float, axis: int) -> Array:
    """Segments of grid lines along x or z, draped over the ground, (n, 2, 3)."""
    across = 1 - axis
    parts = min(int(np.ceil(ALONG * (high - low)[axis] / square)), MOST_PARTS)
    at = square * np.arange(np.ceil(low[across] / square - 1e-9), np.floor(high[across] / square + 1e-9) + 1.0)
    places = np.empty((len(at), parts + 1, 2))
    places[..., axis], places[..., across] = np.linspace(low[axis], high[axis], parts + 1), at[:, None]
    height = terrain.height(places) + ABOVE * square
    points = np.stack([places[..., 0], height, places[..., 1]], axis=-1).astype(np.float32)
    return segments(points)
