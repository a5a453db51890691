"""Mesh: ground made of triangles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any, NamedTuple, Self

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError, ShapeError
from limbik.skeleton.skeleton import as_frozen_array, freeze
from limbik.terrains.base import MAX_EXTENT, Terrain
from limbik.terrains.face_grid import FaceGrid

WALL_NORMAL = 1e-6  # upward component of a normal below which a face is a wall, on which nothing stands
COINCIDENT_METRES = 1e-6  # within which two places are one
BATCH_PAIRS = 1 << 15  # places times edges in one batch, so that intermediate arrays stay in the cache


@dataclass(frozen=True, eq=False, repr=False)
class Mesh(Terrain):
    """Ground made of triangles.

    Where several faces lie above each other the highest is the ground. Normals are those of the faces, so that a sole
    lies flat on one. Beside the mesh, and in its holes, height and normal are those of the nearest place of the mesh
    seen from above.

    Attributes:
        vertices: (V, 3) in the world, metres, +y up.
        faces: (F, 3) indices of vertices, in any winding order.
        source: the spec from which it was read.
    """

    vertices: Array
    faces: Array
    source: str | None = None

    def __post_init__(self) -> None:
        vertices, faces = as_frozen_array("vertices", self.vertices), as_frozen_array("faces", self.faces, None)
        for name, array in (("vertices", vertices), ("faces", faces)):
            if array.ndim != 2 or array.shape[-1] != 3:
                raise ShapeError(name, array.shape, "(n, 3)")
        if faces.dtype.kind not in "iu":
            raise ArgumentError("faces", f"numbers of type {faces.dtype}", "whole numbers, indices of vertices")
        if not np.all(np.abs(vertices) <= MAX_EXTENT):
            vertex = np.argwhere(~(np.abs(vertices) <= MAX_EXTENT))[0, 0]
            where = f"{vertices[vertex].tolist()} as vertex {vertex}"
            raise ArgumentError("vertices", where, f"finite numbers within ±{MAX_EXTENT:g} m")
        if faces.size and not (faces.min() >= 0 and faces.max() < len(vertices)):
            raise ArgumentError("faces", f"indices {faces.min()} to {faces.max()}", f"0 to {len(vertices) - 1}")
        self._set_fields(vertices=vertices, faces=freeze(faces.astype(np.int64)))
        if not len(self._ground[0]):
            raise ArgumentError("faces", f"{len(faces)}, none to stand on", "at least one that is not upright")

    def __repr__(self) -> str:
        return self.source or f"Mesh({len(self.vertices)} vertices, {len(self.faces)} faces)"

    def __reduce__(self) -> tuple[Any, ...]:
        return Mesh, (self.vertices, self.faces, self.source)  # without the grid

    def _content_key(self) -> str:
        data = self.vertices.astype("<f8").tobytes() + self.faces.astype("<i8").tobytes()
        return "mesh:" + sha256(f"{len(self.vertices)} ".encode() + data).hexdigest()

    def _heights(self, x: Array, z: Array) -> Array:
        face, x, z = self._faces_below(x, z)
        _, corner, normal, lowest, highest = self._ground
        away_x, away_z = x - corner[face, 0], z - corner[face, 2]
        rise = (normal[face, 0] * away_x + normal[face, 2] * away_z) / normal[face, 1]
        # A place beside a steep face, by rounding or by the width of an edge, is no higher than the face.
        return np.clip(corner[face, 1] - rise, lowest[face], highest[face])

    def _gradients(self, x: Array, z: Array) -> tuple[Array, Array]:
        normal = self._ground[2][self._faces_below(x, z)[0]]
        return -normal[:, 0] / normal[:, 1], -normal[:, 2] / normal[:, 1]

    def _faces_below(self, x: Array, z: Array) -> tuple[Array, Array, Array]:
        """The face at each place, (n,), and x and z of the place, moved onto the mesh where it lay beside it."""
        face = self._grid.faces_at(x, z)
        beside = face < 0
        if beside.any():
            x, z = x.copy(), z.copy()
            face[beside], x[beside], z[beside] = self._outline.nearest(x[beside], z[beside])
        return face, x, z

    @cached_property
    def _ground(self) -> tuple[Array, Array, Array, Array, Array]:
        """The faces (n, 3) that are not walls; of each a corner, its upward normal, least and greatest height."""
        corners = self.vertices[self.faces]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        length = np.linalg.norm(normal, axis=-1)
        flat = np.abs(normal[:, 1]) > WALL_NORMAL * length
        corners, normal = corners[flat], normal[flat] / np.copysign(length, normal[:, 1])[flat, None]
        heights = corners[..., 1]
        return self.faces[flat], corners[:, 0], normal, heights.min(axis=1), heights.max(axis=1)

    @cached_property
    def _outline(self) -> Outline:
        return Outline.of(self.vertices, self._ground[0])

    @cached_property
    def _grid(self) -> FaceGrid:
        return FaceGrid.of(self.vertices[self._ground[0]])

    def _mesh(self, low: Array, high: Array, spacing: float | None) -> tuple[Array, Array]:
        """The faces that touch the rectangle, unchanged."""
        places = self.vertices[:, ::2][self.faces]
        inside = np.all((places.max(axis=1) >= low) & (places.min(axis=1) <= high), axis=-1)
        used, faces = np.unique(self.faces[inside], return_inverse=True)
        return self.vertices[used], faces.reshape(-1, 3)


class Outline(NamedTuple):
    """The border of a mesh and of its holes: start and end of edges, (n, 3) each, and a face of each, (n,)."""

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
        step = max(1, BATCH_PAIRS // len(self.start))
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
        best = np.argmax(np.where(apart < COINCIDENT_METRES, at_y, -np.inf), axis=1)
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
