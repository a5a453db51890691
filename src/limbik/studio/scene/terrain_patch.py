"""Terrain in the scene: the ground around a place, with a grid of lines that shows its shape; stairs as a flight."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.scenes.staircase import SOIL, staircase
from limbik.studio.scene.coloured_mesh import as_glb
from limbik.studio.scene.shaded_ground import opacity, painted_flight, shaded_ground
from limbik.studio.scene.solids import segments
from limbik.terrains.base import Terrain
from limbik.terrains.function_terrain import Function
from limbik.terrains.stairs import Stairs

if TYPE_CHECKING:
    from viser import SceneApi

    from limbik.studio.page.stage import Stage

LINE_OPACITY = 0.11
LINES_END = 0.6  # opacity of the ground below which it has no lines: they cannot fade with it
CELLS = 120  # along a side of the mesh, where the terrain is curved
ALONG, MOST_PARTS = 16, 400  # segments of a grid line per square, and at most in total
MOST_EDGES = 5000
NEAR, FIGURE = 0.4, 0.2  # how far the subject may leave a patch's middle, and its size, over the patch's reach
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
        if self._middle is not None and np.abs(place - self._middle).max() < NEAR * self._reach:
            return
        self._middle = np.round(place / self._square) * self._square
        self.draw()

    def draw(self) -> None:
        """Draws the patch where it was moved to, in the colours that the studio has now."""
        if self._middle is not None:
            around = np.array([[-1.0], [1.0]]) * self._reach
            way, corners = self._middle + NEAR * around, self._middle + around
            show_terrain(self._stage, self._name, self._terrain, corners, self._square, way, FIGURE * self._reach)


def show_terrain(
    stage: Stage, name: str, terrain: Terrain, corners: Array, square: float, way: Array, size: float
) -> None:
    """Shows a terrain between two corners, (2, 2), with grid lines every `square` metres.

    way: (2, 2), the corners between which figures go: stairs are drawn there. size: of the figures, metres.
    """
    low, high = corners
    meshes = []
    flight = staircase(terrain, _box(way), size, low, high) if isinstance(terrain, Stairs) else None
    if flight:
        vertices, faces, paint = flight
        meshes.append(painted_flight(vertices, faces, paint, stage.dark))
        faces = faces[paint[faces[:, 0]] == SOIL]
        floor = float(vertices[faces, 1].min())
        terrain = Function(lambda x, z: np.full(x.shape, floor))
    else:
        vertices, faces = terrain.mesh(low, high, sqrt(float(np.prod(high - low))) / CELLS)
    ground = shaded_ground(vertices, faces, low, high, stage.dark)
    stage.scene.add_glb(f"{name}/surface", as_glb("ground", ground, *meshes), cast_shadow=False)
    draped = [_lines(terrain, low, high, square, axis) for axis in (0, 1)]
    lines = np.concatenate([*draped, _edges(vertices, faces)])
    clear = opacity(lines.mean(axis=1)[:, ::2], low, high) > LINES_END
    _add_wires(stage.scene, f"{name}/lines", lines[clear])


def _box(corners: Array) -> Array:
    """The corners (4, 3) of a rectangle of level ground between two of them, (2, 2)."""
    (left, near), (right, far) = corners
    return np.array([[left, 0.0, near], [left, 0.0, far], [right, 0.0, far], [right, 0.0, near]])


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
