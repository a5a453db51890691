"""Plants: when a foot stands, first on its heel, then flat, then on its ball and on the tip of its toes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array
from limbik.grounding.contacts import planted, quantile
from limbik.grounding.settings import Settings
from limbik.rotations import rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import UP, Foot
from limbik.skeleton.timing import intervals

STRIKE = 0.25  # seconds: a heel that strikes longer before the ball belongs to another plant
BRIEF = 0.03  # seconds: a heel that stands for less at the beginning of a clip is about to leave
RAISED = 0.04  # leg lengths above the ball: a heel that rests higher does not stand
TURNING = 0.06  # leg lengths: a heel that moves farther turns about the ball
APART = 0.05  # seconds between two plants, in which a foot gets from one to the other
LEVEL = 0.04  # leg lengths above other stances of the heel: one that ends the clip stands if it is lower
PUSH = 0.1  # seconds: a tip that stands longer after the ball has risen does not belong to its plant


@dataclass(frozen=True)
class Plant:
    """One stance of a foot, frames first to stop − 1.

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


def plants_of(
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
        balls = [_within(positions[:, foot.ball], *one, away) for one in intervals(stands)]
    if contacts is not None or foot.pointlike:
        return [Plant(first, first, first, stop, stop, stop) for first, stop in balls]
    heel = foot.heel_positions(*world)
    raised = heel[:, 1] - (foot.ball_positions(*world)[:, 1] - foot.sole) > RAISED * foot.leg
    heels = intervals(planted(heel, fps, foot.leg, settings, slow, rolls=True) & ~raised)
    heels = [_within(heel, *one, TURNING * foot.leg) for one in heels]
    tips = []
    sole = foot.sole_points(positions[:, foot.ankle], world[1][:, foot.ankle], clip.rotations[:, foot.ball])
    if foot.tip != foot.ball:  # under the tip of the toes, as they roll over the ground and not over their joint
        tips = intervals(planted(sole[:, -1], fps, foot.leg, settings, slow, rolls=True))
    plants = plants_between(balls, heels, tips, fps)
    return [*plants, *_landing(heels, plants, sole[:, :2, 1].min(axis=1), LEVEL * foot.leg, fps)]


def _landing(
    heels: list[tuple[int, int]], plants: list[Plant], heights: Array, most: float, fps: float
) -> Iterator[Plant]:
    """The plant of a heel that has landed when the clip ends, before its ball.

    heights: (frames,), of the lowest point of the heel. most: how much higher than in its other stances it may be.
    """
    frames = len(heights)
    if len(heels) < 2 or heels[-1][1] < frames or (plants and plants[-1].stop > heels[-1][0]):
        return
    first = max(heels[-1][0], plants[-1].stop + max(round(APART * fps), 1) if plants else 0)
    usual = max(quantile(heights[a:b], 0.5) for a, b in heels[:-1])
    if first < frames and float(heights[first:].min()) <= usual + most:
        yield Plant(first, frames, frames, frames, frames, frames, heel_first=True)


def ball_of(foot: Foot, plant: Plant, world: tuple[Array, Array]) -> Array:
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


def _within(points: Array, first: int, stop: int, radius: float) -> tuple[int, int]:
    """An interval, shortened until the point stays within a horizontal radius of its mean position."""
    while stop - first > 2:
        away = np.linalg.norm(points[first:stop, [0, 2]] - np.mean(points[first:stop, [0, 2]], axis=0), axis=-1)
        if max(away[0], away[-1]) <= radius:
            break
        first, stop = (first + 1, stop) if away[0] > away[-1] else (first, stop - 1)
    return first, stop


def plants_between(
    balls: list[tuple[int, int]], heels: list[tuple[int, int]], tips: list[tuple[int, int]], fps: float
) -> list[Plant]:
    """Plants from the intervals in which ball, heel and tip stand; each interval of the ball is one plant."""
    plants: list[Plant] = []
    strike, push, apart = int(STRIKE * fps), int(PUSH * fps), max(round(APART * fps), 1)
    for k, (ball, rise) in enumerate(balls):
        after = plants[-1].stop + apart if plants else 0
        before = balls[k + 1][0] - apart if k + 1 < len(balls) else rise + strike + push
        heel = _overlapping(heels, ball, rise)
        if heel is not None and heel[0] == 0 and heel[1] <= BRIEF * fps:
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


def _overlapping(spans: list[tuple[int, int]], first: int, stop: int) -> tuple[int, int] | None:
    """The interval that has most frames in common with another, or touches it; None if there is none."""
    near = [(min(b, stop) - max(a, first), a, b) for a, b in spans if a <= stop and b >= first]
    return max(near)[1:] if near else None
