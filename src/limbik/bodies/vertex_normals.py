"""Normals of triangle meshes."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array


def vertex_normals(vertices: Array, faces: Array, default: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Array:
    """Area-weighted unit normals at vertices.

    Args:
        vertices: (n, 3).
        faces: (m, 3) vertex indices, counter-clockwise from outside.
        default: the normal of vertices whose faces have no area.

    Returns:
        (n, 3).
    """
    a, b, c = vertices[faces.T]
    crosses = np.repeat(np.cross(b - a, c - a), 3, axis=0)
    sums = np.stack([np.bincount(faces.ravel(), crosses[:, axis], len(vertices)) for axis in range(3)], axis=-1)
    lengths = np.linalg.norm(sums, axis=-1, keepdims=True)
    return np.where(lengths > 0.0, sums / np.where(lengths > 0.0, lengths, 1.0), default)
