"""Footholds: where on the terrain a foot is set down, and a better place beside an edge."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.grounding.settings import Settings
from limbik.rotations import about, multiply, normalized, rotate, shortest_arc
from limbik.skeleton.foot import UP, Foot
from limbik.terrains.base import Terrain

CANDIDATES = 21  # shifts tried to either side
BUMPY = 0.012  # leg lengths: ground under a sole that deviates more from a plane is an edge
MARGIN = 0.02  # leg lengths: distance of the sole from an edge
SPREAD = 0.04  # leg lengths: half the width of a foot, over which the sideways slope is measured


def foothold(foot: Foot, terrain: Terrain, ball: Array, yaw: float, settings: Settings) -> tuple[Array, Array]:
    """The foothold for a foot with its ball at (x, z) that faces `yaw`, in radians from +z towards +x.

    Returns the point under the ball (3,), and the rotation (4,) of the foot from flat and facing +z.
    """
    facing = about(UP, yaw)
    if foot.pointlike:
        return np.array([ball[0], float(terrain.height(ball)), ball[1]]), facing
    along = rotate(facing, np.array([0.0, 0.0, 1.0]))[[0, 2]]
    reach = _sole_reach(foot)
    search = settings.foothold_search * foot.leg
    shifts = np.linspace(-search, search, 2 * CANDIDATES + 1)
    points = ball + (shifts[:, None, None] + _spots(reach, MARGIN * foot.leg)[:, None]) * along
    bumps = _bumps(terrain.height(points), _spots(reach, MARGIN * foot.leg))
    good = bumps <= max(BUMPY * foot.leg, 1.001 * bumps.min())
    best = int(np.argmin(np.where(good, np.abs(shifts), np.inf)))
    ball = ball + shifts[best] * along
    spots = _spots(reach, 0.0)
    heights = terrain.height(ball + spots[:, None] * along)
    slope = (heights[-1] - heights[0]) / (spots[-1] - spots[0])
    across = np.array([along[1], -along[0]]) * SPREAD * foot.leg  # towards the foot's +x
    sides = terrain.height(np.stack([ball + across, ball - across]))
    sideways = (sides[0] - sides[1]) / (2.0 * SPREAD * foot.leg)
    if _bumps(np.array([[sides[1], heights[2], sides[0]]]), np.array([-1.0, 0.0, 1.0]))[0] > BUMPY * foot.leg:
        sideways = 0.0  # an edge beside the foot is not a slope
    normal = normalized(rotate(facing, np.array([-sideways, 1.0, -slope])))
    off = heights - slope * spots
    place = np.array([ball[0], 0.5 * (off.max() + off.min()), ball[1]])
    return place, multiply(_tilt(normal, np.radians(settings.align_limit_degrees)), facing)


def _sole_reach(foot: Foot) -> tuple[float, float]:
    """Positions of heel (negative) and tip (positive) along the foot, relative to the ball, in metres."""
    heel = rotate(foot.flat, foot.heel - foot.to_ball)[2]
    tip = rotate(multiply(foot.flat, foot.toes_flat), foot.to_tip)[2]
    return float(min(heel, -0.05 * foot.leg)), float(max(tip, 0.02 * foot.leg))


def _spots(reach: tuple[float, float], margin: float) -> Array:
    """Five positions along a sole, from heel to tip, the third at the ball."""
    back, front = reach[0] - margin, reach[1] + margin
    return np.array([back, 0.5 * back, 0.0, 0.5 * front, front])


def _bumps(heights: Array, spots: Array) -> Array:
    """How far heights (..., spots) deviate from a straight line, (...,)."""
    slope = (heights[..., -1:] - heights[..., :1]) / (spots[-1] - spots[0])
    return np.ptp(heights - slope * spots, axis=-1)


def _tilt(normal: Array, limit: float) -> Array:
    """The rotation (4,) from upright to the normal, by at most `limit` radians."""
    angle = float(np.arccos(np.clip(normal[1], -1.0, 1.0)))
    if angle <= limit:
        return shortest_arc(UP, normal, np.array([1.0, 0.0, 0.0]))
    return about(normalized(np.cross(UP, normal)), np.asarray(limit))
