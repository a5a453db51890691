"""Mesh: ground made of triangles, found by ray casting from above."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from limbik.arguments import shown
from limbik.arrays import Array
from limbik.errors import ArgumentError, MissingExtraError, ShapeError
from limbik.terrains.base import MAX_EXTENT, Terrain
from limbik.terrains.outline import Outline

WALL_NORMAL = 1e-6  # upward component of a normal below which a face is a wall, on which nothing stands
BOX = 100.0  # size to which the mesh is scaled for ray casting, which has single precision
# A ray straight at a vertex or an edge may miss. Rays are displaced a little, and again elsewhere after a miss: by a
# few units of single precision relative to the size of the mesh, in directions along which meshes rarely have edges.
NUDGES = 3e-7 * np.array([(0.8, 0.6), (-0.6, 0.8), (-0.8, -0.6), (0.6, -0.8)])


@dataclass(frozen=True, eq=False, repr=False)
class Mesh(Terrain):
    """Ground made of triangles; needs the extra `mesh`.

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
        vertices = _frozen("vertices", self.vertices, float)
        faces = _frozen("faces", self.faces, np.int64)
        if not np.all(np.abs(vertices) <= MAX_EXTENT):
            vertex = np.argwhere(~(np.abs(vertices) <= MAX_EXTENT))[0, 0]
            where = f"{vertices[vertex].tolist()} as vertex {vertex}"
            raise ArgumentError("vertices", where, f"finite numbers within ±{MAX_EXTENT:g} m")
        if faces.size and not (faces.min() >= 0 and faces.max() < len(vertices)):
            raise ArgumentError("faces", f"indices {faces.min()} to {faces.max()}", f"0 to {len(vertices) - 1}")
        self._keep(vertices=vertices, faces=faces)
        if not len(self._ground):
            raise ArgumentError("faces", f"{len(faces)}, none to stand on", "at least one that is not upright")

    def __repr__(self) -> str:
        return self.source or f"Mesh({len(self.vertices)} vertices, {len(self.faces)} faces)"

    def __reduce__(self) -> tuple[Any, ...]:
        return Mesh, (self.vertices, self.faces, self.source)  # without the scene of the ray caster

    def _content_key(self) -> str:
        data = self.vertices.astype("<f8").tobytes() + self.faces.astype("<i8").tobytes()
        return "mesh:" + sha256(f"{len(self.vertices)} ".encode() + data).hexdigest()

    def _heights(self, x: Array, z: Array) -> Array:
        face, x, z = self._below(x, z)
        corner, normal, lowest, highest = self._planes
        away_x, away_z = x - corner[face, 0], z - corner[face, 2]
        rise = (normal[face, 0] * away_x + normal[face, 2] * away_z) / normal[face, 1]
        # Single precision may hit a steep face a little beyond its edge, where its plane is not the ground.
        return np.clip(corner[face, 1] - rise, lowest[face], highest[face])

    def _slopes(self, x: Array, z: Array) -> tuple[Array, Array]:
        normal = self._planes[1][self._below(x, z)[0]]
        return -normal[:, 0] / normal[:, 1], -normal[:, 2] / normal[:, 1]

    def _below(self, x: Array, z: Array) -> tuple[Array, Array, Array]:
        """The face at each place, (n,), and x and z of the place, moved onto the mesh where it lay beside it."""
        face = self._rays(x, z)
        beside = face < 0
        if beside.any():
            x, z = x.copy(), z.copy()
            face[beside], x[beside], z[beside] = self._outline.nearest(x[beside], z[beside])
        return face, x, z

    @cached_property
    def _ground(self) -> Array:
        """The faces (n, 3) that are not walls."""
        a, b, c = (self.vertices[self.faces[:, k]] for k in range(3))
        normal = np.cross(b - a, c - a)
        length = np.linalg.norm(normal, axis=-1)
        return self.faces[np.abs(normal[:, 1]) > WALL_NORMAL * length]

    @cached_property
    def _planes(self) -> tuple[Array, Array, Array, Array]:
        """Of each face that is not a wall: a corner (n, 3), upward normal (n, 3), least and greatest height (n,)."""
        corners = self.vertices[self._ground]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normal /= np.copysign(np.linalg.norm(normal, axis=-1), normal[:, 1])[:, None]
        heights = corners[..., 1]
        return corners[:, 0], normal, heights.min(axis=1), heights.max(axis=1)

    @cached_property
    def _outline(self) -> Outline:
        return Outline.of(self.vertices, self._ground)

    @cached_property
    def _scene(self) -> Any:
        try:
            from embreex.mesh_construction import TriangleMesh
            from embreex.rtcore_scene import EmbreeScene
        except ImportError:
            raise MissingExtraError("a terrain of triangles", "embreex", "mesh") from None
        scene = EmbreeScene()
        TriangleMesh(scene=scene, vertices=self._boxed(self.vertices), indices=self._ground.astype(np.int32))
        return scene

    @cached_property
    def _box(self) -> tuple[Array, float]:
        """Centre (3,) and size of the mesh."""
        low, high = self.vertices.min(axis=0), self.vertices.max(axis=0)
        return (low + high) / 2.0, float((high - low).max())

    def _boxed(self, points: Array) -> Array:
        middle, size = self._box
        return ((points - middle) * (BOX / size)).astype(np.float32)

    def _rays(self, x: Array, z: Array) -> Array:
        """The highest face at each place, (n,); -1 for none."""
        face = np.full(len(x), -1)
        for aside_x, aside_z in NUDGES * self._box[1]:
            missed = np.flatnonzero(face < 0)
            if len(missed):
                face[missed] = self._cast(x[missed] + aside_x, z[missed] + aside_z)
        return face

    def _cast(self, x: Array, z: Array) -> Array:
        above = np.full(x.shape, self.vertices[:, 1].max() + 0.1 * self._box[1])
        origins = self._boxed(np.stack([x, above, z], axis=-1))
        down = np.tile(np.array([0.0, -1.0, 0.0], np.float32), (len(origins), 1))
        return self._scene.run(origins, down)

    def _mesh(self, low: Array, high: Array, spacing: float | None) -> tuple[Array, Array]:
        """The faces that touch the rectangle, unchanged."""
        places = self.vertices[:, ::2][self.faces]
        inside = np.all((places.max(axis=1) >= low) & (places.min(axis=1) <= high), axis=-1)
        used, faces = np.unique(self.faces[inside], return_inverse=True)
        return self.vertices[used], faces.reshape(-1, 3)


def _frozen(name: str, value: Any, dtype: Any) -> Array:
    """A read-only copy (n, 3)."""
    try:
        found = np.asarray(value)
        copy = np.array(found, dtype, order="C")
    except (TypeError, ValueError, OverflowError):
        raise ArgumentError(name, shown(value), "numbers (n, 3)") from None
    if copy.ndim != 2 or copy.shape[-1] != 3:
        raise ShapeError(name, copy.shape, "(n, 3)")
    if np.issubdtype(dtype, np.integer) and found.dtype.kind not in "iu":
        raise ArgumentError(name, f"numbers of type {found.dtype}", "whole numbers, indices of vertices")
    copy.flags.writeable = False
    return copy
