"""Footholds: where a foot finds even ground for a plant, and how its sole lies there."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.grounding.settings import Settings
from limbik.rotations import about, multiply, normalized, rotate, shortest_arc
from limbik.skeleton.foot import UP, Foot
from limbik.terrains.base import Terrain

X = np.array([1.0, 0.0, 0.0])
SHIFTS_PER_SIDE = 21  # shifts tried to either side
EDGE_ROUGHNESS_LEG_LENGTHS = 0.010  # ground under a sole that deviates more from a plane is an edge
SOLE_MARGIN_LEG_LENGTHS = 0.02  # distance of the sole from an edge
MIN_TURN_RADIANS = 0.35  # feet that turn farther while they stand need even ground in both directions
HALF_SOLE_WIDTH_LEG_LENGTHS = 0.04  # half the width of a foot, over which the sideways slope is measured
POINT_FOOT_RADIUS_LEG_LENGTHS = 0.1  # around a foot without toes, over which the slope of the ground is measured
SAMPLES_ACROSS, SAMPLES_ALONG = 3, 9  # points across a sole, and along it where it comes to rest
MAX_STAY_LEG_LENGTHS = 0.5  # from where a foot would be set down to where it stays
WAYS_BACK = np.linspace(0.1, 1.0, 10)  # parts of that way that are tried
EDGE_ROUGHNESS_FACTOR = 4.0  # times as bumpy: ground under a sole of which a part lies beyond an edge
MIN_EDGE_SLOPE = 1.2  # slope of ground, from one point under a sole to the next, that is an edge


def find_footholds(
    foot: Foot,
    terrain: Terrain,
    balls: Array,
    yaw: Array,
    settings: Settings,
    turned: tuple[Array, Array] | None = None,
) -> tuple[Array, Array]:
    """Footholds for a foot with its ball at (x, z), (n, 2), that faces `yaw` (n,), in radians from +z towards +x.

    turned: headings (n, 2) at the beginning and end of a plant, and whether it turns about its heel there, (n, 2);
    default: it does not turn.

    Returns the points under the ball (n, 3), and the rotations (n, 4) from level ground to the ground there.
    """
    if foot.pointlike or not len(balls):
        heights = terrain.height(balls)
        return np.stack([balls[:, 0], heights, balls[:, 1]], axis=-1), _tilts_around(foot, terrain, balls, settings)
    along = np.stack([np.sin(yaw), np.cos(yaw)], axis=-1)[:, None]
    reach = sole_extent(foot)
    search = settings.foothold_search * foot.leg
    shifts = np.linspace(-search, search, 2 * SHIFTS_PER_SIDE + 1)
    wide, spots = sole_spots(reach, SOLE_MARGIN_LEG_LENGTHS * foot.leg), np.linspace(*reach, SAMPLES_ALONG)
    shift = np.zeros(len(balls))
    across = np.stack([along[:, 0, 1], -along[:, 0, 0]], axis=-1)[:, None]  # towards the foot's +x
    wings = HALF_SOLE_WIDTH_LEG_LENGTHS * foot.leg * np.linspace(-1.0, 1.0, SAMPLES_ACROSS)
    under = wide[:, None, None] * along[:, None] + wings[:, None] * across[:, None]  # (n, spots, wings, 2)
    lines = _soles_at_ends(wide, reach[0], along, yaw, turned)
    edge = EDGE_ROUGHNESS_LEG_LENGTHS * foot.leg
    rough = _roughness(terrain.height(balls[:, None, None] + under), wide, wings) > edge
    rough |= bumps(terrain.height(balls[:, None, None] + lines), wide).max(axis=-1, initial=0.0) > edge
    if rough.any():
        moved = balls[rough, None] + shifts[:, None] * along[rough]
        heights = terrain.height(moved[:, :, None, None] + under[rough, None])
        uneven = _roughness(heights, wide, wings)
        lengthwise = bumps(heights[..., SAMPLES_ACROSS // 2], wide)  # beside an edge that no place avoids
        uneven = np.where(uneven.min(axis=1, keepdims=True) > EDGE_ROUGHNESS_FACTOR * edge, lengthwise, uneven)
        across_way = bumps(terrain.height(moved[:, :, None, None] + lines[rough, None]), wide).max(axis=-1, initial=0.0)
        both = np.maximum(uneven, across_way)  # but a foot cannot always turn without touching an edge
        uneven = np.where(both.min(axis=1, keepdims=True) > EDGE_ROUGHNESS_FACTOR * edge, uneven, both)
        good = uneven <= np.maximum(edge, 1.001 * uneven.min(axis=1, keepdims=True))
        shift[rough] = shifts[np.argmin(np.where(good, np.abs(shifts), np.inf), axis=1)]
    balls = balls + shift[:, None] * along[:, 0]
    under = balls[:, None, None] + spots[:, None, None] * along[:, None] + wings[:, None] * across[:, None]
    slope, sideways, middle = _resting_planes(
        terrain.height(under), spots, wings, EDGE_ROUGHNESS_LEG_LENGTHS * foot.leg
    )
    normal = normalized(rotate(about(UP, yaw), np.stack([-sideways, np.ones(len(yaw)), -slope], axis=-1)))
    place = np.stack([balls[:, 0], middle, balls[:, 1]], axis=-1)
    return place, _tilts(normal, np.radians(settings.align_limit_degrees))


def keep_levels(
    foot: Foot,
    terrain: Terrain,
    balls: Array,
    yaw: Array,
    settings: Settings,
    found: tuple[Array, Array],
    most: Array,
) -> tuple[Array, Array]:
    """Footholds (n, 3) and tilts (n, 4) as `found`, but where a foot has no time to change its level it stays on it.

    most: (n,), by how much higher or lower than the last each foothold may be, in metres. The ball is then set down as
    near to where it would be as that level reaches, on the way from the last foothold; farther than
    MAX_STAY_LEG_LENGTHS away, it changes its level even so. balls, yaw: as of `find_footholds`.
    """
    place, tilt = found[0].copy(), found[1].copy()
    for k in range(1, len(place)):
        away = place[k - 1, [0, 2]] - balls[k]
        near = float(np.hypot(*away)) <= MAX_STAY_LEG_LENGTHS * foot.leg
        if abs(place[k, 1] - place[k - 1, 1]) <= most[k] or not near:
            continue
        tried = balls[k] + WAYS_BACK[:, None] * away
        places, tilts = find_footholds(foot, terrain, tried, np.full(len(tried), yaw[k]), settings)
        level = np.abs(places[:, 1] - place[k - 1, 1]) <= most[k]
        if level.any():
            place[k], tilt[k] = places[np.argmax(level)], tilts[np.argmax(level)]
    return place, tilt


def _tilts_around(foot: Foot, terrain: Terrain, places: Array, settings: Settings) -> Array:
    """The rotations (n, 4) from level ground to the ground around feet of unknown length at places (n, 2)."""
    wings = POINT_FOOT_RADIUS_LEG_LENGTHS * foot.leg * np.linspace(-1.0, 1.0, SAMPLES_ACROSS)
    grid = np.stack(np.meshgrid(wings, wings), axis=-1)  # (z, x, 2)
    heights = terrain.height(places[:, None, None] + grid)
    slopes = _fit_slopes(heights, wings, wings)
    edge = _roughness(heights, wings, wings) > EDGE_ROUGHNESS_LEG_LENGTHS * foot.leg  # no slope to tip over
    normal = np.stack([-slopes[1], np.ones(len(places)), -slopes[0]], axis=-1)
    normal = np.where(edge[:, None], UP, normalized(normal))
    return _tilts(normal, np.radians(settings.align_limit_degrees))


def _roughness(heights: Array, spots: Array, wings: Array) -> Array:
    """How far heights (..., spots, wings) under a sole deviate from a plane, (...,)."""
    along, across = _fit_slopes(heights, spots, wings)
    off = heights - along[..., None, None] * spots[:, None] - across[..., None, None] * wings
    return np.maximum(bumps(heights[..., len(wings) // 2], spots), np.ptp(off, axis=(-2, -1)))


def _resting_planes(heights: Array, spots: Array, wings: Array, bumpy: float) -> tuple[Array, Array, Array]:
    """The planes on which soles rest: slopes (n,) along the foot and across it, and heights (n,) under the ball.

    heights: (n, spots, wings), of the ground. On stones it is the plane nearest to the ground under the whole sole,
    half way between the highest and the lowest of what deviates from it. An edge, such as a step's, is no slope to tip
    over: there the foot lies along its middle line.
    """
    middle = heights[:, :, len(wings) // 2]
    line = (middle[:, -1] - middle[:, 0]) / (spots[-1] - spots[0])
    ball = heights[:, np.argmin(np.abs(spots))]
    tilt = (ball[:, -1] - ball[:, 0]) / (wings[-1] - wings[0])
    beside = bumps(ball[:, [0, len(wings) // 2, -1]], wings[[0, len(wings) // 2, -1]]) > bumpy
    steepest_along = (np.abs(np.diff(heights, axis=1)) / np.diff(spots)[:, None]).max(axis=(1, 2))
    steepest_across = (np.abs(np.diff(heights, axis=2)) / np.diff(wings)).max(axis=(1, 2))
    edge = np.maximum(steepest_along, steepest_across) > MIN_EDGE_SLOPE
    along, across = _fit_slopes(heights, spots, wings)
    slope, sideways = np.where(edge, line, along), np.where(edge, np.where(beside, 0.0, tilt), across)
    off = heights - slope[:, None, None] * spots[:, None] - sideways[:, None, None] * wings
    counts = np.where(edge[:, None, None] & (wings != 0.0), np.nan, off)
    return slope, sideways, 0.5 * (np.nanmax(counts, axis=(1, 2)) + np.nanmin(counts, axis=(1, 2)))


def _fit_slopes(heights: Array, spots: Array, wings: Array) -> tuple[Array, Array]:
    """The slopes (...,) along and across of the planes nearest to heights (..., spots, wings), by least squares."""
    z = spots - np.mean(spots)
    along = np.mean(heights, axis=-1) @ (z / np.sum(z * z))
    return along, np.mean(heights, axis=-2) @ (wings / np.sum(wings * wings))


def _soles_at_ends(spots: Array, heel: float, along: Array, yaw: Array, turned: tuple[Array, Array] | None) -> Array:
    """Points (n, 2, spots, 2) along soles around their balls as they land and as they leave; none if none turns.

    heel: position of the heel along the foot. along: directions (n, 1, 2) of the feet.
    """
    headings, on_heel = turned or (yaw[:, None], np.zeros((len(yaw), 1), bool))
    if not np.any(np.abs(headings - yaw[:, None]) > MIN_TURN_RADIANS):
        return np.zeros((len(yaw), 0, len(spots), 2))
    ways = np.stack([np.sin(headings), np.cos(headings)], axis=-1)[:, :, None]
    pivot = np.where(on_heel, heel, 0.0)[..., None, None]
    return pivot * along[:, None] + (spots[:, None] - pivot) * ways


def sole_extent(foot: Foot) -> tuple[float, float]:
    """Positions of the back of the heel (negative) and tip (positive) along the foot from the ball, in metres."""
    heel = rotate(foot.flat, foot.back - foot.to_ball)[2]
    tip = rotate(multiply(foot.flat, foot.toes_flat), foot.to_front)[2]
    return float(min(heel, -0.05 * foot.leg)), float(max(tip, 0.02 * foot.leg))


def sole_spots(reach: tuple[float, float], margin: float) -> Array:
    """Five positions along a sole, from heel to tip, the third at the ball."""
    back, front = reach[0] - margin, reach[1] + margin
    return np.array([back, 0.5 * back, 0.0, 0.5 * front, front])


def bumps(heights: Array, spots: Array) -> Array:
    """How far heights (..., spots) deviate from a straight line, (...,)."""
    slope = (heights[..., -1:] - heights[..., :1]) / (spots[-1] - spots[0])
    return np.ptp(heights - slope * spots, axis=-1)


def _tilts(normal: Array, limit: float) -> Array:
    """The rotations (n, 4) from upright to normals (n, 3), by at most `limit` radians."""
    angle = np.arccos(np.clip(normal[:, 1], -1.0, 1.0))
    limited = about(normalized(np.cross(UP, normal)), np.full(len(normal), limit))
    return np.where((angle <= limit)[:, None], shortest_arc(np.broadcast_to(UP, normal.shape), normal, X), limited)
