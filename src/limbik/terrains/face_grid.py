"""Which of many triangles lies at a place, seen from above: only the faces of its grid cell are compared with it."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from limbik.arrays import Array

EDGE_SIZES = 1e-9  # over the size of the mesh: how far beside a face a place still lies on it, so that no edge is a gap
MAX_CELLS_ALONG = 1024
MAX_CELLS_PER_FACE, MIN_ENTRIES = 16, 1 << 21  # entries that the grid may have: so many for each face, but at least
BATCH_PAIRS = 1 << 20  # places times faces compared in one batch


class FaceGrid(NamedTuple):
    """A grid of square cells; each lists the faces that may lie in it. x and z are relative to `low`."""

    low: Array  # (2,) x and z of the grid's corner, metres
    cell_size: float  # metres
    cells: Array  # (2,) the number of cells along x and z
    first: Array  # (cells + 1,) where each cell's faces begin in `faces`
    faces: Array  # face indices, cell by cell
    edges: Array  # (3, 3, faces): of each edge the inward unit normal (x, z) and its distance from the origin
    planes: Array  # (3, faces): height at the origin and slopes along x and z
    tolerance: float  # metres beside an edge

    @classmethod
    def of(cls, corners: Array) -> Self:
        """The grid of faces (n, 3, 3), none of which is upright."""
        places = corners[..., ::2]
        low, high = places.min(axis=(0, 1)), places.max(axis=(0, 1))
        size, places = float((high - low).max()), places - low
        tolerance = EDGE_SIZES * size
        nearest, farthest = places.min(axis=1) - tolerance, places.max(axis=1) + tolerance
        cell_size = max(float(np.median((farthest - nearest).min(axis=1))), size / MAX_CELLS_ALONG)
        while True:
            cells = (np.floor((high - low) / cell_size) + 1.0).astype(np.int64)
            start, end = (
                np.clip(np.floor(at / cell_size), 0, cells - 1).astype(np.int64) for at in (nearest, farthest)
            )
            width, depth = (end - start + 1).T
            if np.sum(width * depth) <= max(MIN_ENTRIES, MAX_CELLS_PER_FACE * len(corners)):
                break
            cell_size *= 2.0
        face, nth = expand(width * depth)
        column, row = start[face, 0] + nth % width[face], start[face, 1] + nth // width[face]
        cell = row * cells[0] + column
        first = np.concatenate([[0], np.cumsum(np.bincount(cell, minlength=int(cells.prod())))])
        faces = face[np.argsort(cell, kind="stable")]
        return cls(low, cell_size, cells, first, faces, _edges(places), _planes(corners, low), tolerance)

    def faces_at(self, x: Array, z: Array) -> Array:
        """The highest face at each place (n,), and -1 where there is none."""
        x, z = x - self.low[0], z - self.low[1]
        column, row = np.floor(x / self.cell_size), np.floor(z / self.cell_size)
        inside = (column >= 0) & (column < self.cells[0]) & (row >= 0) & (row < self.cells[1])
        cell = np.where(inside, row * self.cells[0] + column, 0.0).astype(np.int64)
        count = np.where(inside, self.first[cell + 1] - self.first[cell], 0)
        found, end = np.full(len(x), -1), np.cumsum(count)
        start = 0
        while start < len(x):
            done = end[start - 1] if start else 0
            stop = max(int(np.searchsorted(end, done + BATCH_PAIRS, side="right")), start + 1)
            part = slice(start, stop)
            found[part] = self._highest(x[part], z[part], self.first[cell[part]], count[part])
            start = stop
        return found

    def _highest(self, x: Array, z: Array, first: Array, count: Array) -> Array:
        """The highest of `count` faces, the first of them entry `first`, at each place (n,); -1 for none."""
        place, nth = expand(count)
        face = self.faces[first[place] + nth]
        for normal_x, normal_z, distance in self.edges:
            within = normal_x[face] * x[place] + normal_z[face] * z[place] >= distance[face] - self.tolerance
            place, face = place[within], face[within]
        height, along_x, along_z = self.planes
        heights = height[face] + along_x[face] * x[place] + along_z[face] * z[place]
        highest, found = np.full(len(x), -np.inf), np.full(len(x), -1)
        np.maximum.at(highest, place, heights)
        best = heights == highest[place]
        found[place[best]] = face[best]
        return found


def expand(counts: Array) -> tuple[Array, Array]:
    """For counts (n,) the index of each item's owner, and its number among the owner's items."""
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)


def _edges(places: Array) -> Array:
    """Lines (3, 3, n) of the edges of triangles (n, 3, 2): inward unit normal and distance from the origin."""
    start, along = places, np.roll(places, -1, axis=1) - places
    normal = np.stack([along[..., 1], -along[..., 0]], axis=-1) / np.linalg.norm(along, axis=-1, keepdims=True)
    opposite = np.sum(normal * (np.roll(places, -2, axis=1) - start), axis=-1, keepdims=True)
    normal = np.copysign(1.0, opposite) * normal
    distance = np.sum(normal * start, axis=-1, keepdims=True)
    return np.ascontiguousarray(np.concatenate([normal, distance], axis=-1).transpose(1, 2, 0))


def _planes(corners: Array, low: Array) -> Array:
    """Height at `low` and slopes (3, n) of faces (n, 3, 3) that are not upright."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    along_x, along_z = -normal[:, 0] / normal[:, 1], -normal[:, 2] / normal[:, 1]
    x, height, z = corners[:, 0].T
    return np.stack([height - along_x * (x - low[0]) - along_z * (z - low[1]), along_x, along_z])
