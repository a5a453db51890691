"""A creature as arrays, for the computation of many of a kind at once.

Arrays in this package have components first, then legs (or segments), and creatures last, (3, legs, creatures): one
operation then runs along contiguous memory, for one creature as for ten thousand.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.gait.creature import Creature, Gait
from limbik.gait.leg_geometry import knee_direction, reach_of, side_of_knee, toe_direction

GRAVITY = 9.81
MIN_SPACING = 0.8  # distance that feet keep, over the least distance between them at rest


class GaitNumbers(NamedTuple):
    """The parameters of a gait that are blended when it changes, angles in radians; (creatures,) each in use."""

    duty: Array
    slow: Array
    fast: Array
    speed: Array
    lift: Array
    bob: Array
    sway: Array
    rock: Array
    twist: Array
    crouch: Array
    strike: Array
    push: Array


ANGLES = {"rock", "twist", "strike", "push"}


class Rig:
    """The parameters of a creature, (legs, 1) or (components, legs, 1); the last axis is that of the creatures."""

    def __init__(self, creature: Creature) -> None:
        legs, gaits = creature.legs, creature.gaits
        self.creature = creature
        self.legs, self.segments = len(legs), creature.body.segments
        self.segment = np.array([leg.segment for leg in legs])
        self.attachment = _columns(leg.attachment for leg in legs)
        self.foothold = _columns(leg.foothold for leg in legs)
        self.toe = _columns(toe_direction(leg)[[0, 2]] for leg in legs)
        self.knee = _columns(knee_direction(leg) for leg in legs)
        self.knees_up = all(leg.knee == "up" for leg in legs)
        self.lean = np.radians(_column(leg.lean for leg in legs))
        self.heel = _column(leg.heel for leg in legs)
        self.has_heel = bool(self.heel.any())
        self.last = _column(leg.lengths[2] if len(leg.lengths) == 3 else 0.0 for leg in legs)
        self.near, self.far = (_column(reach_of(leg)[k] for leg in legs) for k in (0, 1))
        # 1 where the last link defines the plane of bending, so that it must keep an angle to the line from hip to tip.
        self.natural = _column(len(leg.lengths) == 3 and not leg.heel for leg in legs)
        # +1 where the knee is on the side to which the last link leans, −1 on the other.
        self.side = _column(side_of_knee(leg, creature.height)[0] for leg in legs)
        self.apart = _apart(creature)
        # Weights of the legs in the mean of each segment, (segments, legs).
        self.leg_weights = np.zeros((self.segments, self.legs))
        self.leg_weights[self.segment, np.arange(self.legs)] = 1.0
        self.leg_weights /= np.maximum(self.leg_weights.sum(axis=1, keepdims=True), 1.0)
        self.left = np.sign(self.foothold[0])
        front = np.sign(np.round(self.foothold[1] - self.foothold[1].mean(), 6))
        # Weights of the legs in the differences left - right and hind - front, (2, legs), and in the mean.
        self.sides = np.concatenate([self.left, -front], axis=1).T / self.legs
        self.mean = np.full((1, self.legs), 1.0 / self.legs)
        self.phases = np.array([gait.phases for gait in gaits])  # (gaits, legs)
        self.speeds = np.array([gait.speed for gait in gaits])
        self.most_aloft = np.array([_most_aloft(gait) for gait in gaits])
        self.numbers = np.array([_numbers(gait) for gait in gaits]).T  # (numbers, gaits)
        self.rolls = any(gait.strike or gait.push for gait in gaits)
        # The natural rate of the body's motions, that of a pendulum as long as the legs: large creatures are slow.
        self.tempo = float(np.sqrt(GRAVITY / creature.height))
        self.turn = float(np.radians(creature.turn))

    def fastest(self, gait: int | None) -> float:
        """Top speed, m/s, in any gait, or in the gait of an index."""
        return float(self.speeds[-1 if gait is None else gait])

    def of_legs(self, segments: Array) -> Array:
        """(components, segments, creatures) repeated for the legs; unchanged where there is one segment."""
        return segments if self.segments == 1 else segments.take(self.segment, axis=1)


def _numbers(gait: Gait) -> list[float]:
    parts: dict[str, Any] = {**vars(gait), "slow": gait.cycle[0], "fast": gait.cycle[1]}
    return [float(np.radians(parts[name])) if name in ANGLES else parts[name] for name in GaitNumbers._fields]


def _most_aloft(gait: Gait) -> int:
    """The greatest number of legs that a gait has in swing at once."""
    times = (np.arange(1000) + 0.5)[:, None] / 1000.0
    return int((((times - np.array(gait.phases)) % 1.0) > gait.duty).sum(axis=1).max())


def _apart(creature: Creature) -> float:
    """The distance that feet keep from one another: twice their radius, limited by their distance at rest."""
    places = np.array(
        [(leg.foothold[0], leg.foothold[1] - creature.body.length * leg.segment) for leg in creature.legs]
    )
    gaps = np.linalg.norm(places[:, None] - places, axis=-1)[~np.eye(len(places), dtype=bool)]
    return float(min(2.0 * creature.foot, MIN_SPACING * gaps.min(initial=np.inf)))


def _column(numbers: Iterable[float]) -> Array:
    return np.array(list(numbers), float)[:, None]


def _columns(vectors: Iterable[Any]) -> Array:
    return np.ascontiguousarray(np.array(list(vectors), float).T)[:, :, None]
