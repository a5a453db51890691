"""Terrain in the scene: the ground around a place, with lines every metre, so that one sees how it runs."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.studio.scene.solids import add_wires, pieces, rgb
from limbik.terrains.base import Terrain

if TYPE_CHECKING:
    from viser import SceneApi

GROUND, FAINT = "#E9EDE4", 0.16
PARTS = 80  # of a patch's side, where the ground is curved
ALONG, MOST_PARTS = 16, 400  # parts of a line for each of its squares, and at the most
MOST_EDGES = 5000
ABOVE = 0.002  # of a square: how far lines are above the ground, so that they are seen


class Ground:
    """A square patch of a terrain. When what is looked at has left its middle, it is laid anew.

    Args:
        scene: viser's.
        name: in the scene's tree.
        terrain: the ground.
        reach: from the middle of a patch to its sides, metres.
        square: between lines, metres.
    """

    def __init__(self, scene: SceneApi, name: str, terrain: Terrain, reach: float, square: float) -> None:
        self._scene, self._name, self._terrain = scene, name, terrain
        self._reach, self._square = reach, square
        self._middle: Array | None = None

    def around(self, x: float, z: float) -> None:
        """Sees to it that there is ground around a place."""
        place = np.array([x, z])
        if self._middle is not None and np.abs(place - self._middle).max() < 0.4 * self._reach:
            return
        self._middle = np.round(place / self._square) * self._square
        low, high = self._middle - self._reach, self._middle + self._reach
        lay(self._scene, self._name, self._terrain, low, high, self._square)


def lay(scene: SceneApi, name: str, terrain: Terrain, low: Array, high: Array, square: float) -> None:
    """Shows a terrain from corner low to corner high, (2,) each, with lines every `square` metres."""
    vertices, faces = terrain.mesh(low, high, sqrt(float(np.prod(high - low))) / PARTS)
    scene.add_mesh_simple(
        f"{name}/surface",
        vertices.astype(np.float32),
        faces.astype(np.uint32),
        color=rgb(GROUND),
        side="double",
        cast_shadow=False,
    )
    draped = np.concatenate([_lines(terrain, low, high, square, axis) for axis in (0, 1)])
    add_wires(scene, f"{name}/lines", np.concatenate([draped, _edges(vertices, faces)]), FAINT)


def _edges(vertices: Array, faces: Array) -> Array:
    """(n, 2, 3): where faces end, or meet in a sharp edge, as those of stairs do; none if they are too many to see."""
    sides = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=-1)
    once, counts = np.unique(sides, axis=0, return_counts=True)
    edges = vertices[once[counts == 1]]
    return edges if len(edges) <= MOST_EDGES else edges[:0]


def _lines(terrain: Terrain, low: Array, high: Array, square: float, axis: int) -> Array:
    """(n, 2, 3): pieces of lines along x, or along z, draped over the ground."""
    across = 1 - axis
    parts = min(int(np.ceil(ALONG * (high - low)[axis] / square)), MOST_PARTS)
    at = square * np.arange(np.ceil(low[across] / square - 1e-9), np.floor(high[across] / square + 1e-9) + 1.0)
    places = np.empty((len(at), parts + 1, 2))
    places[..., axis], places[..., across] = np.linspace(low[axis], high[axis], parts + 1), at[:, None]
    height = terrain.height(places) + ABOVE * square
    points = np.stack([places[..., 0], height, places[..., 1]], axis=-1).astype(np.float32)
    return pieces(points)
