"""How a foot stands through a plant: heel first, then flat, then over the ball; locked to its foothold all along."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array
from limbik.grounding.contacts import planted
from limbik.grounding.foothold_search import Foothold, foothold, point_foothold
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import bridge
from limbik.rotations import about, inverse, multiply, rotate
from limbik.skeleton.foot import Foot
from limbik.skeleton.intervals import intervals
from limbik.terrains.base import Terrain

X = np.array([1.0, 0.0, 0.0])
Z = np.array([0.0, 0.0, 1.0])
STRIKE = 0.25  # seconds: a heel that strikes earlier than this before the ball belongs to another plant


@dataclass(frozen=True)
class Plant:
    """One stance of a foot, in frames: first … stop − 1; the ball stands from `ball` on, the heel up to `lift` − 1."""

    first: int
    ball: int
    lift: int
    stop: int


@dataclass(frozen=True)
class Stance:
    """A foot's stances: where it is known how the foot must be, and how; all in the world.

    stands, ball, heel: (frames,) bool: planted at all, by the ball, by the heel. ankle: (frames, 3). turn: (frames, 4),
    of the ankle's joint. toes: (frames, 4), the ball's local rotation. Meaningless where the foot does not stand.
    """

    plants: tuple[Plant, ...]
    footholds: tuple[Foothold, ...]
    stands: Array
    ball: Array
    heel: Array
    ankle: Array
    turn: Array
    toes: Array


def plants_of(
    foot: Foot, positions: Array, rotations: Array, fps: float, settings: Settings, slow: float
) -> list[Plant]:
    """The plants of a foot, from its motion."""
    balls = intervals(planted(positions[:, foot.ball], fps, foot.leg, settings, slow))
    balls = [_within(positions[:, foot.ball], *one, settings.unplant_radius * foot.leg) for one in balls]
    if foot.pointlike:
        return [Plant(first, first, stop, stop) for first, stop in balls]
    heels = intervals(planted(foot.heel_positions(positions, rotations), fps, foot.leg, settings, slow))
    return plants_between(balls, heels, STRIKE * fps)


def _within(points: Array, first: int, stop: int, radius: float) -> tuple[int, int]:
    """A stretch, cut short at its ends until the point keeps within a radius of its mean place, on the level."""
    while stop - first > 2:
        away = np.linalg.norm(points[first:stop, [0, 2]] - np.mean(points[first:stop, [0, 2]], axis=0), axis=-1)
        if max(away[0], away[-1]) <= radius:
            break
        first, stop = (first + 1, stop) if away[0] > away[-1] else (first, stop - 1)
    return first, stop


def plants_between(balls: list[tuple[int, int]], heels: list[tuple[int, int]], strike: float) -> list[Plant]:
    """Plants from the stretches in which ball and heel stand; a plant is one stretch of the ball."""
    plants: list[Plant] = []
    for first, stop in balls:
        mine = [(a, b) for a, b in heels if a < stop and b >= first - 1 and a >= first - strike]
        begun = min([first, *(a for a, _ in mine)])
        after = plants[-1].stop + 1 if plants else 0
        lift = min(max([first, *(b for _, b in mine)]), stop)
        plants.append(Plant(max(begun, after), first, lift, stop))
    return plants


def stance_of(
    foot: Foot,
    plants: list[Plant],
    positions: Array,
    rotations: Array,
    toes: Array,
    terrain: Terrain,
    fps: float,
    settings: Settings,
) -> Stance:
    """The foot through its plants, each on its foothold. toes: (frames, 4), the ball's local rotations in the clip."""
    frames = len(positions)
    turned = foot.orientation(rotations)
    ahead = rotate(turned, Z)
    pitch = _flattened(np.arcsin(np.clip(ahead[:, 1], -1.0, 1.0)), plants, settings.release * fps)
    flags = np.zeros((3, frames), bool)
    ankle, turn, toe_turns = positions[:, foot.ankle].copy(), rotations[:, foot.ankle].copy(), toes.copy()
    footholds = []
    for plant in plants:
        level_part = slice(plant.ball, max(plant.lift, plant.ball + 1))
        whole = slice(plant.first, plant.stop)
        ball = np.mean(positions[plant.ball : plant.stop, foot.ball], axis=0)[[0, 2]]
        yaw = float(np.arctan2(*np.mean(ahead[level_part], axis=0)[[0, 2]]))
        hold = _held(foot, terrain, ball, yaw, settings)
        footholds.append(hold)
        ankle[whole], turn[whole], toe_turns[whole] = _through(
            foot, plant, hold, pitch[whole], turn[whole], toes[whole]
        )
        flags[0, whole] = flags[1, plant.ball : plant.stop] = flags[2, plant.first : plant.lift] = True
    return Stance(tuple(plants), tuple(footholds), flags[0], flags[1], flags[2], ankle, turn, toe_turns)


def _held(foot: Foot, terrain: Terrain, ball: Array, yaw: float, settings: Settings) -> Foothold:
    if foot.pointlike:
        return point_foothold(terrain, ball, yaw)
    return foothold(
        foot, terrain, ball, yaw, np.radians(settings.align_limit_degrees), settings.foothold_search * foot.leg
    )


def _flattened(pitch: Array, plants: list[Plant], window: float) -> Array:
    """The pitch (frames,) of a foot, toe up positive, without what it lacks to be flat where heel and ball stand."""
    frames = np.arange(len(pitch))
    near = np.zeros(len(pitch), bool)
    flat = np.zeros(len(pitch), bool)
    for plant in plants:
        near |= (frames > plant.ball - window) & (frames < plant.lift + window)
        flat |= (frames >= plant.ball) & (frames < plant.lift)
    excess = np.where(flat, pitch, 0.0)
    result = pitch - bridge(excess[:, None], flat | ~near, window)[:, 0]
    for plant in plants:  # toes do not go under the ground while the heel stands, nor heels while the ball does
        result[plant.first : plant.ball] = np.maximum(result[plant.first : plant.ball], 0.0)
        result[plant.lift : plant.stop] = np.minimum(result[plant.lift : plant.stop], 0.0)
    return result


def _through(
    foot: Foot, plant: Plant, hold: Foothold, pitch: Array, turn: Array, toes: Array
) -> tuple[Array, Array, Array]:
    """Ankle (n, 3), its rotation (n, 4) and the toes' (n, 4) in the frames of a plant."""
    if foot.pointlike:
        place = np.broadcast_to(hold.place + [0.0, foot.sole, 0.0], (len(pitch), 3))
        return place, turn, toes
    turns = multiply(multiply(hold.turn, about(-X, pitch)), foot.flat)
    ball = hold.place + rotate(hold.turn, np.array([0.0, foot.sole, 0.0]))
    heel = ball + rotate(multiply(hold.turn, foot.flat), foot.heel - foot.to_ball)
    on_ball = ball - rotate(turns, foot.to_ball)
    on_heel = heel - rotate(turns, foot.heel)
    early = (np.arange(plant.first, plant.stop) < plant.ball)[:, None]
    # Toes lie flat while the heel is up; they follow the foot while they are up themselves.
    bent = multiply(multiply(inverse(foot.flat), about(X, np.minimum(pitch, 0.0))), foot.flat)
    return np.where(early, on_heel, on_ball), turns, multiply(bent, foot.toes_flat)
