"""Where points are relative to the ground: how deep inside it, how high above it, how a sole lies on it."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.referee.comparison import FootMotion, angles_between
from limbik.terrains.base import Terrain

RINGS = 1e-3 * np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 30.0, 50.0, 80.0, 120.0])  # metres
EDGE = 0.01  # metres: a point this close to an edge may stand on the higher ground beside it
BETWEEN = 4  # parts of the way from one frame to the next at which swings are looked at
ACROSS = 0.03  # leg lengths to either side over which the sideways slope under a foot is measured


def heights(points: Array, terrain: Terrain) -> Array:
    """Heights (...,) of points (..., 3) above the terrain in metres; negative below it."""
    return points[..., 1] - terrain.height(points[..., [0, 2]])


def depths(points: Array, terrain: Terrain) -> Array:
    """How deep (...,) points (..., 3) are inside the ground, in metres: the way out, upwards or sideways; 0 outside.

    A toe 3 mm behind the front of a step is 3 mm deep, however high the step.
    """
    depth = np.maximum(-heights(points, terrain), 0.0)
    inside = depth > RINGS[0]
    if inside.any():
        some = points[inside]
        angle = np.arange(8) * (np.pi / 4.0)
        around = np.stack([np.sin(angle), np.cos(angle)], axis=-1)
        places = some[:, None, None, [0, 2]] + RINGS[:, None, None] * around
        outside = (terrain.height(places) <= some[:, None, None, 1]).any(axis=-1)
        sideways = np.where(outside.any(axis=-1), RINGS[np.argmax(outside, axis=-1)], np.inf)
        depth[inside] = np.minimum(depth[inside], sideways)
    return depth


def floats(points: Array, terrain: Terrain) -> Array:
    """How high (...,) points (..., 3) are above the ground, or above higher ground within a centimetre, in metres."""
    around = EDGE * np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    own = heights(points, terrain)
    high = own > EDGE
    if high.any():
        some = points[high]
        own[high] = some[:, 1] - terrain.height(some[:, None, [0, 2]] + around).max(axis=-1)
    return np.maximum(own, 0.0)


def deepest_between(points: Array, terrain: Terrain) -> Array:
    """The depth (frames,) of the deepest of points (frames, n, 3) in each frame and on the way to the next."""
    way = np.diff(points, axis=0, append=points[-1:])
    parts = np.arange(BETWEEN) / BETWEEN
    return depths(points[:, None] + parts[:, None, None] * way[:, None], terrain).max(axis=(1, 2))


def tilts(motion: FootMotion, terrain: Terrain, leg: float) -> Array:
    """Angles (frames,) between a sole and the ground under it, in radians.

    The ground's normal is that of the plane through the ground under the sole, or the mean of its normals there,
    whichever fits better: one is right across an edge, the other on rough ground.
    """
    back, ball = motion.sole[:, 1], motion.sole[:, 2]
    middle, along = 0.5 * (back + ball), ball - back
    side = np.cross(motion.up, along)
    side *= ACROSS * leg / np.maximum(np.linalg.norm(side, axis=-1, keepdims=True), 1e-12)
    ends = [_on_ground(point, terrain) for point in (back, ball, middle - side, middle + side)]
    plane = np.cross(ends[1] - ends[0], ends[3] - ends[2])
    plane *= np.where(plane[:, 1:2] < 0.0, -1.0, 1.0)
    mean = np.mean(terrain.normal(motion.sole[:, 1:3, [0, 2]]), axis=1)
    return np.minimum(angles_between(motion.up, plane), angles_between(motion.up, mean))


def _on_ground(points: Array, terrain: Terrain) -> Array:
    return np.stack([points[:, 0], terrain.height(points[:, [0, 2]]), points[:, 2]], axis=-1)
