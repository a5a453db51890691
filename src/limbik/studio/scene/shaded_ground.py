"""Ground as pages show it: steep ground is brown, and it fades towards the edge; flights of stairs are painted."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.bodies.body import vertex_normals
from limbik.scenes.looks import Triple, colours
from limbik.scenes.staircase import SOIL
from limbik.studio.scene.coloured_mesh import ColouredMesh

STEEP = 0.02, 0.3  # 1 minus the upward part of the normal, where ground begins to be steep and where it is
FADING = 0.45  # width of the edge that fades, over half the smaller side
FINE, MOST_TRIANGLES = 0.09, 40_000  # longest edge, over the smaller side; no more triangles than these are halved


def shaded_ground(vertices: Array, faces: Array, low: Array, high: Array, dark: bool) -> ColouredMesh:
    """Ground between two corners, (2,) each. vertices: (n, 3), metres. faces: (m, 3) vertex indices."""
    vertices, faces = refined(vertices, faces, FINE * float((high - low).min()))
    normals = vertex_normals(vertices, faces, default=(0.0, 1.0, 0.0))
    shown = colours(dark)
    steep = _smooth((1.0 - np.abs(normals[:, 1:2]) - STEEP[0]) / (STEEP[1] - STEEP[0]))
    level, slope = _linear([shown.ground, shown.steep])
    soil = level + steep * (slope - level)
    painted = np.concatenate([soil, opacity(vertices[:, ::2], low, high)[:, None]], axis=1)
    return ColouredMesh(vertices, faces, painted, normals)


def painted_flight(vertices: Array, faces: Array, paint: Array, dark: bool) -> ColouredMesh:
    """The flight of a `staircase`, without the soil around it: opaque, as it stands before the ground behind it."""
    shown = colours(dark)
    paints = _linear([shown.ground, shown.tread, shown.nosing, shown.wall])
    return ColouredMesh(vertices, faces[paint[faces[:, 0]] != SOIL], paints[paint], vertex_normals(vertices, faces))


def _linear(displayed: list[Triple]) -> Array:
    """(n, 3): linear colours of displayed ones, 0 to 255."""
    return (np.array(displayed) / 255.0) ** 2.2


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
