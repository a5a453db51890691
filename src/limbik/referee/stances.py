"""When the feet of a clip stand, by the referee's own rules: speed, height, and the fall of the body between steps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limbik.arrays import Array
from limbik.referee.soles import HEIGHTS, HUMAN, Sole, averaged, lowest_nearby, speeds, still_and_low
from limbik.rotations import rotate
from limbik.skeleton.timing import intervals

SHORTEST = 0.05  # seconds: stances and gaps in them that are shorter do not count
SCRAPES = 0.02  # metres: at the ends of a stance, a point that is farther from its median place scrapes over the ground
GRAVITY = 9.81  # m/s², of a person; smaller figures move as if it were less
FALLING = 0.5  # of gravity: a body that accelerates downwards by more is in flight
NEAR = 3.0  # times the height and speed of a stance: what somebody who must stand may have
TILTED = 0.5  # cosine: a foot turned further from flat does not stand on its sole
DOWN = 0.25  # leg lengths: a hip that is lower above its foot does not rest on it


def stances(soles: Sequence[Sole], points: Array, world: tuple[Array, Array], fps: float) -> tuple[Array, Array]:
    """Where the points of soles stand, (frames, feet, 4) bool, and where feet do, (frames, feet) bool.

    points: (frames, feet, 4, 3) in the world. world: positions and rotations of all joints. In frames in which no point
    stands although the body does not fall, the foot that comes nearest to standing does: walks have no flight.
    """
    if not len(points):
        return np.zeros(points.shape[:-1], bool), np.zeros(points.shape[:-2], bool)
    travel, able = travel_speed(world[0], fps), supporting(soles, world)
    found = np.stack(
        [still_and_low(points[:, k], fps, sole.leg, travel, HEIGHTS) for k, sole in enumerate(soles)], axis=1
    )
    found &= able[..., None]
    for k, point in np.ndindex(found.shape[1:]):
        found[:, k, point] = without_short(found[:, k, point], SHORTEST * fps)
        found[:, k, point] = without_scraping(found[:, k, point], points[:, k, point], SCRAPES * soles[k].human)
    feet: Array = np.any(found, axis=-1)
    costs = [_cost(sole, points[:, k], fps, travel).min(axis=-1) for k, sole in enumerate(soles)]
    cost = np.where(able, np.stack(costs, axis=1), np.inf)
    must = ~feet.any(axis=1) & ~flight(soles, world[0], fps) & (cost.min(axis=1) < NEAR)
    feet[must, np.argmin(cost, axis=1)[must]] = True
    return found, feet


def supporting(soles: Sequence[Sole], world: tuple[Array, Array]) -> Array:
    """Where a foot can stand (frames, feet): on its sole, with the hip above it."""
    positions, rotations = world
    able = []
    for sole in soles:
        hip, ankle = positions[:, sole.limb.joints[0]], positions[:, sole.ankle]
        upright = (ankle - hip)[:, 1] < -DOWN * sole.leg
        if not sole.pointlike:
            upright &= rotate(rotations[:, sole.ankle], sole.down)[:, 1] < -TILTED
        able.append(upright)
    return np.stack(able, axis=1)


def travel_speed(positions: Array, fps: float) -> float:
    """The usual horizontal speed of the body in m/s. positions: (frames, joints, 3)."""
    if len(positions) < 2:
        return 0.0
    middle = averaged(np.mean(positions, axis=1)[:, [0, 2]], fps)
    return float(np.median(np.linalg.norm(np.diff(middle, axis=0), axis=-1)) * fps)


def flight(soles: Sequence[Sole], positions: Array, fps: float) -> Array:
    """Where the body falls freely (frames,): the mean of its joints accelerates downwards by half of gravity."""
    if len(positions) < 3:
        return np.zeros(len(positions), bool)
    height = averaged(averaged(np.mean(positions[..., 1], axis=1), fps), fps)
    leg = float(np.mean([sole.leg for sole in soles]))
    fall = averaged(np.gradient(np.gradient(height, 1.0 / fps), 1.0 / fps), fps)
    return fall < -FALLING * GRAVITY * leg / HUMAN


def _cost(sole: Sole, points: Array, fps: float, travel: float) -> Array:
    """How far (frames, 4) the points of a sole are from standing: 1 is just standing."""
    height = points[..., 1] - lowest_nearby(points[..., 1], round(0.6 * fps))
    speed = speeds(points, fps) / max(0.25 * sole.human, 0.1 * travel)
    return np.maximum(speed, height / (HEIGHTS * sole.human))


def without_scraping(flags: Array, points: Array, radius: float) -> Array:
    """Flags (frames,) without the ends of intervals in which a point (frames, 3) is farther from its usual place."""
    result = np.zeros_like(flags)
    for first, stop in intervals(flags):
        place = points[first:stop][:, [0, 2]]
        near = np.flatnonzero(np.linalg.norm(place - np.median(place, axis=0), axis=-1) <= radius)
        if len(near):
            result[first + near[0] : first + near[-1] + 1] = True
    return result


def without_short(flags: Array, least: float) -> Array:
    """Flags (frames,) with gaps and then intervals of fewer frames than `least` removed, but at the ends."""
    result = flags.copy()
    for value in (True, False):
        for first, stop in intervals(result != value):
            if stop - first < least and first > 0 and stop < len(flags):
                result[first:stop] = value
    return result
