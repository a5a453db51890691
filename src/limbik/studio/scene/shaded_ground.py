"""Ground as pages show it, as a .glb for the scene: steep ground is brown, and it fades towards the edge."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.bodies.body import vertex_normals
from limbik.scenes.looks import colours
from limbik.studio.scene.coloured_mesh import coloured_mesh

STEEP = 0.02, 0.3  # 1 minus the upward part of the normal, where ground begins to be steep and where it is
FADING = 0.45  # width of the edge that fades, over half the smaller side
FINE, MOST_TRIANGLES = 0.09, 40_000  # longest edge, over the smaller side; no more triangles than these are halved


def shaded_ground(vertices: Array, faces: Array, low: Array, high: Array, dark: bool) -> bytes:
    """A .glb of ground between two corners, (2,) each. vertices: (n, 3), metres. faces: (m, 3) vertex indices."""
    vertices, faces = refined(vertices, faces, FINE * float((high - low).min()))
    normals = vertex_normals(vertices, faces, default=(0.0, 1.0, 0.0))
    shown = colours(dark)
    steep = _smooth((1.0 - np.abs(normals[:, 1:2]) - STEEP[0]) / (STEEP[1] - STEEP[0]))
    level, slope = ((np.array(colour) / 255.0) ** 2.2 for colour in (shown.ground, shown.steep))
    soil = level + steep * (slope - level)
    painted = np.concatenate([soil, opacity(vertices[:, ::2], low, high)[:, None]], axis=1)
    return coloured_mesh(vertices, faces, painted, "ground", normals)


def refined(vertices: Array, faces: Array, longest: float) -> tuple[Array, Array]:
    """A mesh without edges longer than some metres: stairs have a few long triangles, which could not fade."""
    corners = vertices[faces]
    edges = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=-1)
    if not np.any(edges > longest):
        return vertices, faces
    while len(corners) < MOST_TRIANGLES and np.any(edges > longest):
        first = np.where(edges.max(axis=1) > longest, edges.argmax(axis=1), 0)
        a, b, c = (corners[np.arange(len(corners)), (first + k) % 3] for k in range(3))
        halved = edges.max(axis=1) > longest
        middle = 0.5 * (a + b)[halved]
        parts = np.stack([a[halved], middle, c[halved]], axis=1), np.stack([middle, b[halved], c[halved]], axis=1)
        corners = np.concatenate([corners[~halved], *parts])
        edges = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=-1)
    return corners.reshape(-1, 3), np.arange(3 * len(corners)).reshape(-1, 3)


def opacity(places: Array, low: Array, high: Array) -> Array:
    """(n,): how opaque the ground is at places (n, 2), 0 at the edge to 1."""
    edge = np.minimum(places - low, high - places).min(axis=-1)
    return _smooth(edge / (FADING * 0.5 * float((high - low).min())))


def _smooth(part: Array) -> Array:
    """0 below 0, 1 above 1, and smooth between."""
    part = np.clip(part, 0.0, 1.0)
    return part * part * (3.0 - 2.0 * part)
