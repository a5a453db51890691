"""When feet stand: frames of contact, the plants that they make up, and how far feet carry the figure.

A contact is a frame in which a point of a foot stands, by its height and speed. A plant is an interval of them: first
on the heel, then flat, then on the ball and on the tip of the toes. Support says how far feet carry the figure, which
may also sit, lie, fall, fly or stand on its hands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import smooth, window_maximum
from limbik.rotations import rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import UP, Foot
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import RigLimb
from limbik.skeleton.timing import intervals
from limbik.skeleton.torso import pelvis_of

GROUND_WINDOW_SECONDS = 0.6  # seconds to either side: the lowest point of a foot in this window counts as the ground
POSITION_SMOOTHING_SECONDS = 0.03  # seconds to either side over which positions are smoothed before speeds are taken
ROLLING_UNPLANT_SHARE = 0.45  # of `unplant_height`, at which the ends of a foot let go
MAX_HEEL_STRIKE_SECONDS = 0.25  # a heel that strikes longer before the ball belongs to another plant
LEAVING_HEEL_SECONDS = 0.03  # a heel that stands for less at the beginning of a clip is about to leave
MIN_RAISED_HEEL_LEG_LENGTHS = 0.04  # leg lengths above the ball: a heel that rests higher does not stand
MAX_HEEL_DRIFT_LEG_LENGTHS = 0.06  # a heel that moves farther turns about the ball
MIN_SECONDS_BETWEEN_PLANTS = 0.05  # seconds between two plants, in which a foot gets from one to the other
MAX_LANDING_HEEL_LEG_LENGTHS = 0.04  # above its other plants: a heel that ends the clip stands if it is lower
MAX_TOE_PUSH_SECONDS = 0.1  # a tip that stands longer after the ball has risen does not belong to its plant
MIN_HIP_HEIGHT_LEG_LENGTHS = 0.2  # above its ankle: a lower hip does not rest on the foot; in deep squats 0.24
MAX_BALL_RISE_LEG_LENGTHS = 0.05  # above its lowest: a foot that rests higher is not on the floor
MAX_LOWEST_BALL_LEG_LENGTHS = 0.05  # above its height in the rest pose: one that never comes lower is not on it either
MAX_BALL_HEIGHT_LEG_LENGTHS = 0.25  # leg lengths above y = 0, where the figure at rest does not stand there
MIN_TRAVEL_LEG_LENGTHS = 1.0  # a figure that goes farther walks on what is under its feet, however high
SUPPORT_FADE_SECONDS = 0.15  # seconds to either side over which feet take over
MIN_STANDING_SHARE = 0.1  # of the time: feet that stand for less do not carry the figure


def speeds(points: Array, fps: float) -> Array:
    """Speeds (frames,) of a point (frames, n) in m/s, without the noise of recordings.

    Since the frame before or until the next, whichever is less: a foot stands in the frame in which it begins to leave.
    """
    if len(points) < 2:
        return np.zeros(len(points))
    steps = np.linalg.norm(np.diff(smooth(points, round(POSITION_SMOOTHING_SECONDS * fps)), axis=0), axis=-1) * fps
    # Beyond the ends nothing is known: a foot may just have landed there, or be about to leave.
    ends = np.linalg.norm(points[[1, -1]] - points[[0, -2]], axis=-1) * fps
    steps[[0, -1]] = np.minimum(steps[[0, -1]], ends)
    return np.minimum(np.append(steps, steps[-1]), np.insert(steps, 0, steps[0]))


def contact_frames(
    points: Array, fps: float, leg: float, settings: Settings, slow: float, rolls: bool = False
) -> Array:
    """The frames in which a point of a foot (frames, 3) stands on the ground: (frames,) bool.

    leg: the leg's length in metres. slow: a speed in m/s below which the point counts as standing in any case. rolls:
    whether it is an end of the foot, which rolls off the ground and lets go sooner.
    """
    speed = speeds(points, fps)
    least = max(slow, settings.plant_speed * leg, settings.plant_share * quantile(speed, 0.9))
    lowest = -window_maximum(-points[:, 1], round(GROUND_WINDOW_SECONDS * fps))
    low = points[:, 1] - lowest < settings.plant_height * leg
    touching = low & (speed < least)
    staying = low & (speed < settings.unplant_ratio * least)
    most = (ROLLING_UNPLANT_SHARE if rolls else 1.0) * settings.unplant_height * leg
    down = _trim_above_level(hysteresis(touching, staying), points[:, 1], speed, most)
    # Hand-made runs, which travel by their feet, touch the ground for a single frame of 1/30 s; n frames may be n + 1.
    frames = settings.shortest_plant * fps
    return remove_short(down, frames, frames - 1.0 if slow else frames)


def _trim_above_level(flags: Array, heights: Array, speed: Array, most: float) -> Array:
    """Intervals without the ends in which the point is more than `most` above the level at which it rests.

    That level is the median height of the slower half of an interval: a dip at toe-off is not the ground.
    """
    result = np.zeros(len(flags), bool)
    for first, stop in intervals(flags):
        part, slowness = heights[first:stop], speed[first:stop]
        level = quantile(part[slowness <= quantile(slowness, 0.5)], 0.5)
        down = np.flatnonzero(part <= level + most)
        result[first + down[0] : first + down[-1] + 1] = True
    return result


def quantile(numbers: Array, part: float) -> float:
    """As `np.quantile` of numbers (n,), which takes ten times as long for a few; 0.5 is the median."""
    ordered = np.sort(numbers)
    place = part * (len(ordered) - 1)
    below = int(place)
    low, high = float(ordered[below]), float(ordered[min(below + 1, len(ordered) - 1)])
    return low + (place - below) * (high - low)


def hysteresis(begin: Array, stay: Array) -> Array:
    """True from the first frame of `begin` for as long as `stay` holds; both (frames,)."""
    result = np.zeros(len(begin), bool)
    for first, stop in intervals(begin | stay):
        started = np.flatnonzero(begin[first:stop])
        if len(started):
            result[first + started[0] : stop] = True
    return result


def remove_short(flags: Array, least: float, briefest: float) -> Array:
    """Fills gaps of fewer frames than `least`, then removes intervals of fewer than `briefest`, but at the ends."""
    result = flags.copy()
    for value, frames in ((True, least), (False, briefest)):
        for first, stop in intervals(result != value):
            if stop - first < frames and first > 0 and stop < len(flags):
                result[first:stop] = value
    return result


@dataclass(frozen=True)
class Plant:
    """An interval in which a foot stands, frames first to stop − 1.

    The ball stands from frame `ball` to rise − 1, the heel with it from `down` to lift − 1. Before and after, the foot
    stands on its heel or on the tip of its toes: forwards it lands on the heel and leaves from the tip, backwards it
    lands on the tip and leaves from the heel. Where the clip ends before the ball has landed, that would stand from
    frame `stop` on.
    """

    first: int
    ball: int
    down: int
    lift: int
    rise: int
    stop: int
    heel_first: bool = False  # it lands on its heel
    heel_last: bool = False  # it leaves from its heel


def find_plants(
    foot: Foot,
    clip: Clip,
    world: tuple[Array, Array],
    settings: Settings,
    slow: float,
    stands: Array,
    contacts: Array | None,
) -> list[Plant]:
    """The plants of a foot: where `contacts` (frames,) says so, or else where its ball `stands` (frames,)."""
    positions, fps = world[0], clip.fps
    if contacts is not None:
        balls = intervals(contacts)
    else:
        away = settings.unplant_radius * foot.leg
        balls = [_shorten_to_radius(positions[:, foot.ball], *one, away) for one in intervals(stands)]
    if contacts is not None or foot.pointlike:
        return [Plant(first, first, first, stop, stop, stop) for first, stop in balls]
    heel = foot.heel_positions(*world)
    raised = heel[:, 1] - (foot.ball_positions(*world)[:, 1] - foot.sole) > MIN_RAISED_HEEL_LEG_LENGTHS * foot.leg
    heels = intervals(contact_frames(heel, fps, foot.leg, settings, slow, rolls=True) & ~raised)
    heels = [_shorten_to_radius(heel, *one, MAX_HEEL_DRIFT_LEG_LENGTHS * foot.leg) for one in heels]
    tips = []
    sole = foot.sole_points(positions[:, foot.ankle], world[1][:, foot.ankle], clip.rotations[:, foot.ball])
    if foot.tip != foot.ball:  # under the tip of the toes, as they roll over the ground and not over their joint
        tips = intervals(contact_frames(sole[:, -1], fps, foot.leg, settings, slow, rolls=True))
    plants = combine_plants(balls, heels, tips, fps)
    lowest = sole[:, :2, 1].min(axis=1)
    return [*plants, *_landing_plant(heels, plants, lowest, MAX_LANDING_HEEL_LEG_LENGTHS * foot.leg, fps)]


def _landing_plant(
    heels: list[tuple[int, int]], plants: list[Plant], heights: Array, most: float, fps: float
) -> Iterator[Plant]:
    """The plant of a heel that has landed when the clip ends, before its ball.

    heights: (frames,), of the lowest point of the heel. most: how much higher than in its other plants it may be.
    """
    frames = len(heights)
    if len(heels) < 2 or heels[-1][1] < frames or (plants and plants[-1].stop > heels[-1][0]):
        return
    first = max(heels[-1][0], plants[-1].stop + max(round(MIN_SECONDS_BETWEEN_PLANTS * fps), 1) if plants else 0)
    usual = max(quantile(heights[a:b], 0.5) for a, b in heels[:-1])
    if first < frames and float(heights[first:].min()) <= usual + most:
        yield Plant(first, frames, frames, frames, frames, frames, heel_first=True)


def ball_position(foot: Foot, plant: Plant, world: tuple[Array, Array]) -> Array:
    """The mean position (3,) of the ball of a foot while it stands in a plant, or where it is about to land.

    world: positions and rotations of all joints in the world.
    """
    if plant.rise > plant.ball:
        mean: Array = np.mean(world[0][plant.ball : plant.rise, foot.ball], axis=0)
        return mean
    some = slice(plant.first, plant.stop)
    heel = np.mean(foot.heel_positions(*(part[some] for part in world)), axis=0)
    ahead = rotate(foot.orientation(world[1][plant.stop - 1 : plant.stop]), np.array([0.0, 0.0, 1.0]))[0]
    ahead = np.array([ahead[0], 0.0, ahead[2]]) / max(float(np.hypot(ahead[0], ahead[2])), 1e-9)
    length = float(rotate(foot.flat, foot.to_ball - foot.heel)[2])
    return heel + length * ahead + foot.sole * UP


def _shorten_to_radius(points: Array, first: int, stop: int, radius: float) -> tuple[int, int]:
    """An interval, shortened until the point stays within a horizontal radius of its mean position."""
    while stop - first > 2:
        away = np.linalg.norm(points[first:stop, [0, 2]] - np.mean(points[first:stop, [0, 2]], axis=0), axis=-1)
        if max(away[0], away[-1]) <= radius:
            break
        first, stop = (first + 1, stop) if away[0] > away[-1] else (first, stop - 1)
    return first, stop


def combine_plants(
    balls: list[tuple[int, int]], heels: list[tuple[int, int]], tips: list[tuple[int, int]], fps: float
) -> list[Plant]:
    """Plants from the intervals in which ball, heel and tip stand; each interval of the ball is one plant."""
    plants: list[Plant] = []
    strike, push = int(MAX_HEEL_STRIKE_SECONDS * fps), int(MAX_TOE_PUSH_SECONDS * fps)
    apart = max(round(MIN_SECONDS_BETWEEN_PLANTS * fps), 1)
    for k, (ball, rise) in enumerate(balls):
        after = plants[-1].stop + apart if plants else 0
        before = balls[k + 1][0] - apart if k + 1 < len(balls) else rise + strike + push
        heel = _most_overlapping(heels, ball, rise)
        if heel is not None and heel[0] == 0 and heel[1] <= LEAVING_HEEL_SECONDS * fps:
            heel = None
        down, lift = (ball, ball) if heel is None else (max(ball, heel[0]), max(min(rise, heel[1]), ball))
        first, stop = ball, rise
        heel_first = heel is not None and ball - strike <= heel[0] < ball
        heel_last = heel is not None and rise < heel[1]
        if heel is not None and heel_first:
            first = heel[0]
        elif tips:
            first = min([ball, *(max(a, ball - push) for a, b in tips if a < ball <= b + 1)])
        if heel is not None and heel_last:
            stop = min(heel[1], rise + strike)
        elif tips:
            stop = max([rise, *(min(b, rise + push) for a, b in tips if a <= rise + 1)])
        stop = max(min(stop, before), rise)
        plants.append(
            Plant(min(max(first, after), ball), ball, min(down, lift), lift, rise, stop, heel_first, heel_last)
        )
    return plants


def _most_overlapping(spans: list[tuple[int, int]], first: int, stop: int) -> tuple[int, int] | None:
    """The interval that has most frames in common with another, or touches it; None if there is none."""
    near = [(min(b, stop) - max(a, first), a, b) for a, b in spans if a <= stop and b >= first]
    return max(near)[1:] if near else None


def feet_able_to_stand(clip: Clip, limbs: Sequence[RigLimb], positions: Array) -> Array:
    """Where feet may carry the figure (frames, feet): hips are above them, and they are down on the floor."""
    hips, ankles = (positions[:, [limb.joints[k] for limb in limbs], 1] for k in (0, -1))
    links = [np.linalg.norm(np.diff(positions[:, list(limb.joints)], axis=1), axis=-1) for limb in limbs]
    leg = np.array([np.median(one.sum(axis=-1)) for one in links])
    upright: Array = hips - ankles > MIN_HIP_HEIGHT_LEG_LENGTHS * leg
    pelvis = positions[:, pelvis_of(clip.skeleton, limbs)][:, [0, 2]]
    if np.ptp(pelvis, axis=0).max(initial=0.0) > MIN_TRAVEL_LEG_LENGTHS * leg.mean():
        return upright
    balls = [(limb.toes or limb.joints[-1:])[0] for limb in limbs]
    heights = positions[:, balls, 1]
    return upright & (heights < _highest_standing_balls(clip, balls, heights.min(axis=0), leg))


def _highest_standing_balls(clip: Clip, balls: Sequence[int], lowest: Array, leg: Array) -> Array:
    """The height (feet,) above which a ball is not on the floor: by the figure at rest, if that stands at y = 0.

    lowest: (feet,), how low each ball comes; the feet of a figure that was posed by hand may be above the floor.
    """
    rest = Pose.rest(clip.skeleton).positions()[balls, 1]
    if np.any((rest < 0.0) | (rest >= MAX_BALL_HEIGHT_LEG_LENGTHS * leg)):
        return MAX_BALL_HEIGHT_LEG_LENGTHS * leg
    down = lowest <= rest + MAX_LOWEST_BALL_LEG_LENGTHS * leg
    return np.where(down, np.maximum(lowest, rest), rest) + MAX_BALL_RISE_LEG_LENGTHS * leg


def foot_support(able: Array, fps: float) -> Array:
    """How far (frames,) feet carry the figure, from 0 to 1. able: (frames, feet), where each could."""
    feet = np.any(able, axis=1)
    if feet.all():
        return np.ones(len(feet))
    return np.clip(smooth(feet.astype(float), round(SUPPORT_FADE_SECONDS * fps)), 0.0, 1.0)


def hardly_stands(plants: Sequence[Sequence[Plant]], able: Array) -> bool:
    """Whether plants of all feet last so briefly that the figure is as good as never on them. able: (frames, feet)."""
    down = np.zeros(len(able), bool)
    for plant in (one for some in plants for one in some):
        down[plant.first : plant.stop] = True
    return bool(np.sum(down) < MIN_STANDING_SHARE * np.sum(np.any(able, axis=1)))
