"""When the feet of a clip stand, by the referee's own rules: speed, height, and the fall of the body between steps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limbik.arrays import Array
from limbik.referee.soles import HUMAN_LEG_METRES, MAX_HEIGHTS_METRES, Sole, average, is_at_rest, lowest_nearby, speeds
from limbik.rotations import rotate
from limbik.skeleton.timing import intervals

MIN_STANCE_SECONDS = 0.05  # stances and gaps in them that are shorter do not count
MAX_DRIFT_METRES = 0.02  # a point farther from its median place at the ends of a stance scrapes over the ground
GRAVITY_M_S2 = 9.81  # of a person; smaller figures move as if it were less
FLIGHT_GRAVITIES = 0.5  # of gravity: a body that accelerates downwards by more is in flight
MAX_STANDING_COST = 3.0  # times the height and speed of a stance: what somebody who must stand may have
MAX_RESTING_HEIGHT_METRES = 0.06  # of a person's sole above the floor: one that rests higher does not stand on it
MIN_UPRIGHT_COSINE = 0.5  # cosine: a foot turned further from flat does not stand on its sole
MIN_HIP_HEIGHT_LEG_LENGTHS = 0.25  # a hip that is lower above its foot does not rest on it


def stances(soles: Sequence[Sole], points: Array, world: tuple[Array, Array], fps: float) -> tuple[Array, Array]:
    """Where the points of soles stand, (frames, feet, 4) bool, and where feet do, (frames, feet) bool.

    points: (frames, feet, 4, 3) in the world. world: positions and rotations of all joints. In frames in which no point
    stands although the body does not fall, the foot that comes nearest to standing does: walks have no flight.
    """
    if not len(points):
        return np.zeros(points.shape[:-1], bool), np.zeros(points.shape[:-2], bool)
    travel, able = travel_speed(world[0], fps), feet_able_to_stand(soles, world)
    found = np.stack(
        [is_at_rest(points[:, k], fps, sole.leg, travel, MAX_HEIGHTS_METRES) for k, sole in enumerate(soles)],
        axis=1,
    )
    found &= able[..., None]
    for k, point in np.ndindex(found.shape[1:]):
        found[:, k, point] = remove_short(found[:, k, point], MIN_STANCE_SECONDS * fps)
        found[:, k, point] = trim_scraping(found[:, k, point], points[:, k, point], MAX_DRIFT_METRES * soles[k].human)
    feet: Array = np.any(found, axis=-1)
    costs = [_standing_cost(sole, points[:, k], fps, travel).min(axis=-1) for k, sole in enumerate(soles)]
    cost = np.where(able, np.stack(costs, axis=1), np.inf)
    must = ~feet.any(axis=1) & ~flight(soles, world[0], fps) & (cost.min(axis=1) < MAX_STANDING_COST)
    feet[must, np.argmin(cost, axis=1)[must]] = True
    return found, feet


def without_raised(stands: Array, standing: Array, points: Array, human: Sequence[float]) -> tuple[Array, Array]:
    """The stances of feet whose soles are known, without those held still in the air, as a dancer's free foot.

    stands, standing: of `stances`. points: as there. human: of each foot. Where most stances are not on a level floor
    at y = 0, such as on recorded stairs, all are kept.
    """
    lowest = points[..., 1].min(axis=-1)
    low = np.abs(lowest) < MAX_RESTING_HEIGHT_METRES * np.asarray(human)
    if 3 * np.sum(standing & low) < 2 * np.sum(standing):
        return stands, standing
    return stands & low[..., None], standing & low


def feet_able_to_stand(soles: Sequence[Sole], world: tuple[Array, Array]) -> Array:
    """Where a foot can stand (frames, feet): on its sole, with the hip above it."""
    positions, rotations = world
    able = []
    for sole in soles:
        hip, ankle = positions[:, sole.limb.joints[0]], positions[:, sole.ankle]
        upright = (ankle - hip)[:, 1] < -MIN_HIP_HEIGHT_LEG_LENGTHS * sole.leg
        if not sole.pointlike:
            upright &= rotate(rotations[:, sole.ankle], sole.down)[:, 1] < -MIN_UPRIGHT_COSINE
        able.append(upright)
    return np.stack(able, axis=1)


def travel_speed(positions: Array, fps: float) -> float:
    """The usual horizontal speed of the body in m/s. positions: (frames, joints, 3)."""
    if len(positions) < 2:
        return 0.0
    middle = average(np.mean(positions, axis=1)[:, [0, 2]], fps)
    return float(np.median(np.linalg.norm(np.diff(middle, axis=0), axis=-1)) * fps)


def flight(soles: Sequence[Sole], positions: Array, fps: float) -> Array:
    """Where the body falls freely (frames,): the mean of its joints accelerates downwards by half of gravity."""
    if len(positions) < 3:
        return np.zeros(len(positions), bool)
    height = average(average(np.mean(positions[..., 1], axis=1), fps), fps)
    leg = float(np.mean([sole.leg for sole in soles]))
    fall = average(np.gradient(np.gradient(height, 1.0 / fps), 1.0 / fps), fps)
    return fall < -FLIGHT_GRAVITIES * GRAVITY_M_S2 * leg / HUMAN_LEG_METRES


def _standing_cost(sole: Sole, points: Array, fps: float, travel: float) -> Array:
    """How far (frames, 4) the points of a sole are from standing: 1 is just standing."""
    height = points[..., 1] - lowest_nearby(points[..., 1], round(0.6 * fps))
    speed = speeds(points, fps) / max(0.25 * sole.human, 0.1 * travel)
    return np.maximum(speed, height / (MAX_HEIGHTS_METRES * sole.human))


def trim_scraping(flags: Array, points: Array, radius: float) -> Array:
    """Flags (frames,) without the ends of intervals in which a point (frames, 3) is farther from its usual place."""
    result = np.zeros_like(flags)
    for first, stop in intervals(flags):
        place = points[first:stop][:, [0, 2]]
        near = np.flatnonzero(np.linalg.norm(place - np.median(place, axis=0), axis=-1) <= radius)
        if len(near):
            result[first + near[0] : first + near[-1] + 1] = True
    return result


def remove_short(flags: Array, least: float) -> Array:
    """Flags (frames,) with gaps and then intervals of fewer frames than `least` removed, but at the ends."""
    result = flags.copy()
    for value in (True, False):
        for first, stop in intervals(result != value):
            if stop - first < least and first > 0 and stop < len(flags):
                result[first:stop] = value
    return result
