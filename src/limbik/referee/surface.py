"""Where points are relative to the ground: how deep inside it, how high above it, how a sole lies on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limbik.arrays import Array
from limbik.referee.comparison import FootMotion, angles_between
from limbik.terrains.base import Terrain

RINGS = 1e-3 * np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 30.0, 50.0, 80.0, 120.0])  # metres
EDGE = 0.01  # metres: a point this close to an edge may stand on the higher ground beside it
BETWEEN = 4  # parts of the way from one frame to the next at which swings are looked at
ACROSS = 0.03  # leg lengths: half the width of a sole


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


def tilts(motion: FootMotion, terrain: Terrain, leg: float, frames: Sequence[int]) -> Array:
    """Angles (n,) between a sole and the ground under it in some frames, in radians.

    The ground's normal is that of the plane that fits the ground under the whole sole best, in the sense of least
    squares, or the mean of its normals under heel and ball, whichever is nearer: a foot rests on stones as on the
    first, and beside an edge as on the second.
    """
    sole, up = motion.sole[frames], motion.up[frames]
    back, tip = sole[:, 0], sole[:, 3]
    side = np.cross(up, tip - back)
    side *= ACROSS * leg / np.maximum(np.linalg.norm(side, axis=-1, keepdims=True), 1e-12)
    along, across = (part.ravel() for part in np.meshgrid(np.linspace(0.0, 1.0, 9), np.linspace(-1.0, 1.0, 5)))
    points = back[:, None] + along[:, None] * (tip - back)[:, None] + across[:, None] * side[:, None]
    ground = _on_ground(points, terrain)
    off = ground - np.mean(ground, axis=1, keepdims=True)
    xz = off[..., [0, 2]]
    slopes = np.linalg.pinv(np.swapaxes(xz, 1, 2) @ xz) @ np.swapaxes(xz, 1, 2) @ off[..., 1:2]
    plane = np.stack([-slopes[:, 0, 0], np.ones(len(sole)), -slopes[:, 1, 0]], axis=-1)
    mean = np.mean(terrain.normal(sole[:, 1:3, [0, 2]]), axis=1)
    return np.minimum(angles_between(up, plane), angles_between(up, mean))


def _on_ground(points: Array, terrain: Terrain) -> Array:
    return np.stack([points[..., 0], terrain.height(points[..., [0, 2]]), points[..., 2]], axis=-1)
