"""The place on the ground that a ray from the camera meets."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.terrains.base import Terrain

SAMPLES = 2000  # along the ray, before the first crossing is refined
HALVINGS = 40


def ground_pick(terrain: Terrain, origin: Array, direction: Array, farthest: float) -> Array | None:
    """The first point of the ground, (3,), on a ray, within a distance; None where it meets none.

    origin: (3,), metres. direction: (3,), of unit length.
    """
    along = np.linspace(0.0, farthest, SAMPLES + 1)
    crossed = np.flatnonzero(_above(terrain, origin, direction, along) <= 0.0)
    if not len(crossed) or crossed[0] == 0:
        return None
    near, far = along[crossed[0] - 1], along[crossed[0]]
    for _ in range(HALVINGS):
        middle = 0.5 * (near + far)
        below = _above(terrain, origin, direction, np.array([middle]))[0] <= 0.0
        near, far = (near, middle) if below else (middle, far)
    return origin + far * direction


def _above(terrain: Terrain, origin: Array, direction: Array, along: Array) -> Array:
    """How high points of the ray are above the ground; infinite where there is none."""
    points = origin + along[:, None] * direction
    height = terrain.height(points[:, ::2])
    return np.where(np.isfinite(height), points[:, 1] - height, np.inf)
