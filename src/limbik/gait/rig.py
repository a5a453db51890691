"""A creature as arrays, ready for many of it to be worked on at once.

Throughout this room arrays have components first, then legs (or segments), and creatures last, (3, legs, creatures):
one operation then runs along memory whether there is one creature or ten thousand.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.gait.creature import Creature, Gait
from limbik.gait.leg_geometry import knee_direction, reach_of, side_of_knee, toe_direction

GRAVITY = 9.81
CLOSE = 0.8  # part of the least distance between feet at rest that they keep


class GaitNumbers(NamedTuple):
    """The numbers of a gait that are blended when it changes, angles in radians: each (creatures,) where it is used."""

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
    """The numbers of a creature: (legs, 1) or (components, legs, 1), the last axis for the creatures."""

    def __init__(self, creature: Creature) -> None:
        legs = creature.legs
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
        # 1 where the last link spans the plane in which the leg bends, so that it must stay clear of the leg's line.
        self.natural = _column(len(leg.lengths) == 3 and not leg.heel for leg in legs)
        # +1 where the knee is on the side to which the last link leans off the leg, −1 on the other.
        self.side = _column(side_of_knee(leg, creature.height)[0] for leg in legs)
        self.apart = _apart(creature)
        # How much of a segment's mean each leg is, (segments, legs).
        self.share = np.zeros((self.segments, self.legs))
        self.share[self.segment, np.arange(self.legs)] = 1.0
        self.share /= np.maximum(self.share.sum(axis=1, keepdims=True), 1.0)
        self.left = np.sign(self.foothold[0])
        front = np.sign(np.round(self.foothold[1] - self.foothold[1].mean(), 6))
        # How much each leg is of the difference of left and right, and of hind and front, (2, legs); and of their mean.
        self.sides = np.concatenate([self.left, -front], axis=1).T / self.legs
        self.mean = np.full((1, self.legs), 1.0 / self.legs)
        self._set_gaits(creature.gaits)
        # The pace of all that the body does, as of a pendulum as long as its legs: large creatures are slow.
        self.tempo = float(np.sqrt(GRAVITY / creature.height))
        self.turn = float(np.radians(creature.turn))

    def fastest(self, gait: int | None) -> float:
        """The fastest that the creature goes, m/s, in any gait, or in one by its number."""
        return float(self.speeds[-1 if gait is None else gait])

    def _set_gaits(self, gaits: tuple[Gait, ...]) -> None:
        self.phases = np.array([gait.phases for gait in gaits])  # (gaits, legs)
        self.speeds = np.array([gait.speed for gait in gaits])
        self.most_aloft = np.array([_most_aloft(gait) for gait in gaits])
        self.numbers = np.array([_numbers(gait) for gait in gaits]).T  # (numbers, gaits)
        self.rolls = any(gait.strike or gait.push for gait in gaits)

    def of_legs(self, segments: Array) -> Array:
        """(components, segments, creatures) as those of the legs' segments; left as it is where there is one only."""
        return segments if self.segments == 1 else segments.take(self.segment, axis=1)


def _numbers(gait: Gait) -> list[float]:
    parts: dict[str, Any] = {**vars(gait), "slow": gait.cycle[0], "fast": gait.cycle[1]}
    return [float(np.radians(parts[name])) if name in ANGLES else parts[name] for name in GaitNumbers._fields]


def _most_aloft(gait: Gait) -> int:
    """How many legs a gait has in the air at once, at the most."""
    times = (np.arange(1000) + 0.5)[:, None] / 1000.0
    return int((((times - np.array(gait.phases)) % 1.0) > gait.duty).sum(axis=1).max())


def _apart(creature: Creature) -> float:
    """How far feet keep from one another: as their size asks, but not more than they are at rest."""
    places = np.array(
        [(leg.foothold[0], leg.foothold[1] - creature.body.length * leg.segment) for leg in creature.legs]
    )
    gaps = np.linalg.norm(places[:, None] - places, axis=-1)[~np.eye(len(places), dtype=bool)]
    return float(min(2.0 * creature.foot, CLOSE * gaps.min(initial=np.inf)))


def _column(numbers: Iterable[float]) -> Array:
    return np.array(list(numbers), float)[:, None]


def _columns(vectors: Iterable[Any]) -> Array:
    return np.ascontiguousarray(np.array(list(vectors), float).T)[:, :, None]
