"""The outline of a mesh seen from above: its border and the borders of its holes."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from limbik.arrays import Array

COINCIDENT = 1e-6  # metres within which two places are one
PAIRS = 1 << 20  # places times edges in one batch


class Outline(NamedTuple):
    """Edges: start and end, (n, 3) each, and the index of a face to which each belongs, (n,)."""

    start: Array
    end: Array
    face: Array

    @classmethod
    def of(cls, vertices: Array, faces: Array) -> Self:
        """The edges with faces on one side only, seen from above."""
        corners, points = _first_alike(vertices)[faces], vertices  # files split vertices along seams
        start, end = corners.ravel(), np.roll(corners, -1, axis=1).ravel()
        opposite = np.roll(corners, -2, axis=1).ravel()
        start, end = np.minimum(start, end), np.maximum(start, end)
        (ax, _, az), (bx, _, bz) = (points[end] - points[start]).T, (points[opposite] - points[start]).T
        left = az * bx > ax * bz  # whether the face lies on this side of the edge
        _, first, edge = np.unique(start * len(points) + end, return_index=True, return_inverse=True)
        on_left, all_of_it = np.bincount(edge, left), np.bincount(edge)
        ours = first[(on_left == 0) | (on_left == all_of_it)]
        return cls(points[start[ours]], points[end[ours]], ours // 3)

    def nearest(self, x: Array, z: Array) -> tuple[Array, Array, Array]:
        """For places beside the mesh: the nearest face, and the x and z of the nearest place on it, (n,) each."""
        face, at_x, at_z = np.empty(len(x), np.int64), np.empty(len(x)), np.empty(len(x))
        step = max(1, PAIRS // len(self.start))
        for first in range(0, len(x), step):
            part = slice(first, first + step)
            face[part], at_x[part], at_z[part] = self._nearest(x[part, None], z[part, None])
        return face, at_x, at_z

    def _nearest(self, x: Array, z: Array) -> tuple[Array, Array, Array]:
        start_x, start_y, start_z = self.start.T
        along_x, along_y, along_z = (self.end - self.start).T
        length = along_x * along_x + along_z * along_z
        share = ((x - start_x) * along_x + (z - start_z) * along_z) / np.where(length > 0.0, length, 1.0)
        share = np.clip(share, 0.0, 1.0)
        at_x, at_y, at_z = start_x + share * along_x, start_y + share * along_y, start_z + share * along_z
        rows = np.arange(len(x))
        best = np.argmin((x - at_x) ** 2 + (z - at_z) ** 2, axis=1)
        # Of several edges at the same distance, one above the other, the highest counts, whatever the rounding.
        apart = np.maximum(np.abs(at_x - at_x[rows, best, None]), np.abs(at_z - at_z[rows, best, None]))
        best = np.argmax(np.where(apart < COINCIDENT, at_y, -np.inf), axis=1)
        return self.face[best], at_x[rows, best], at_z[rows, best]


def _first_alike(vertices: Array) -> Array:
    """For each vertex the index of the first one at the same place, (n,)."""
    order = np.lexsort(vertices.T)  # a stable sort
    new = np.any(vertices[order[1:]] != vertices[order[:-1]], axis=-1)
    group = np.concatenate([[0], np.cumsum(new)])
    first = order[np.concatenate([[True], new])]
    found = np.empty(len(vertices), np.int64)
    found[order] = first[group]
    return found
