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
from limbik.gait.leg_geometry import TOE_RATIO, knee_direction, reach_of, side_of_knee, toe_direction

GRAVITY = 9.81
FAR_APART = 1e9  # metres
# Shift of weight while standing, at most: over the distance of the feet from the middle, and over the body's height.
SHIFT_WIDTH, SHIFT_HEIGHT = 0.25, 0.02
BESIDE = 0.7  # distance from the middle of feet that pass another leg, and step width, over those at rest
OVERLAP = 0.15  # distance along the body up to which tips are beside each other, over the leg's length, and the foot's
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
    drop: Array
    arch: Array
    lean: Array


ANGLES = {"rock", "twist", "strike", "push", "drop", "arch", "lean"}


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
        # Whether the legs stand wide, with knees beside the body, and step alike in any direction.
        self.sprawls = all(leg.knee in ("up", "out") for leg in legs)
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
        # Weights of the legs in the mean of each segment, (segments, legs); segments without legs are in between.
        self.leg_weights = _weights(self.segment, self.segments)
        self.left = np.sign(self.foothold[0])
        # Least distance from the middle, to their side, of feet that pass another leg.
        narrow = _column(leg.knee in ("forward", "back") for leg in legs)
        self.beside = narrow * BESIDE * np.abs(self.foothold[0])
        # The other leg of the pair, itself where there is none, and the numbers of `step_width.widening`.
        self.partner = _partners(creature)
        self.paired = self.beside.any() and bool((self.partner != np.arange(self.legs)).any())
        apart = BESIDE * np.abs(self.foothold[0] - self.foothold[0, self.partner]) * (self.beside > 0.0)
        overlap = OVERLAP * (self.far + self.last) + (1.0 + TOE_RATIO) * self.heel
        self.width = np.array([self.left, apart - (apart == 0.0) * FAR_APART, self.heel, overlap])
        front = np.sign(np.round(self.foothold[1] - self.foothold[1].mean(), 6))
        # Weights of the legs in the differences left - right and hind - front, (2, legs), and in the mean.
        self.sides = np.concatenate([self.left, -front], axis=1).T / self.legs
        self.mean = np.full((1, self.legs), 1.0 / self.legs)
        self.side_weights = self.leg_weights * self.left.T
        # Whether segments follow the first; otherwise they stay in line. Then z of the legs' segments from the centre.
        self.follows = self.segments > 1 and creature.body.spine == "following"
        in_line = (0.5 * (self.segments - 1) - self.segment)[:, None] * creature.body.length
        self.along = np.zeros((self.legs, 1)) if self.follows else in_line
        # Weights of the legs in how far hind legs reach forward and front legs back.
        self.gather = _gather(self.segment)
        self.shift_width = min(SHIFT_WIDTH * float(np.abs(self.foothold[0]).mean()), SHIFT_HEIGHT * creature.height)
        self.phases = np.array([gait.phases for gait in gaits])  # (gaits, legs)
        self.speeds = np.array([gait.speed for gait in gaits])
        self.most_aloft = np.array([_most_aloft(gait) for gait in gaits])
        self.numbers = np.array([_numbers(gait) for gait in gaits]).T  # (numbers, gaits)
        self.rolls = any(gait.strike or gait.push for gait in gaits)
        # The natural rate of the body's motions, that of a pendulum as long as the legs: large creatures are slow.
        self.tempo = float(np.sqrt(GRAVITY / creature.height))
        self.turn = float(np.radians(creature.turn))
        self.segment_of_parts = _segments_of_parts(creature)
        self.springs = sum(part.spring > 0.0 for part in creature.parts)
        self.steepest = float(np.tan(np.radians(creature.steepest)))
        self.length = self.far + self.last
        self.reach = float(self.length.max())
        self.toe_length = float(TOE_RATIO * self.heel.max())
        self.front = 0.5 * creature.body.length * (1 if self.follows else self.segments)

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


def _partners(creature: Creature) -> Array:
    """(legs,) Index of the leg on the other side of the same segment whose foot is nearest; its own where none is."""
    found = np.arange(len(creature.legs))
    for k, leg in enumerate(creature.legs):
        others = [
            (abs(one.foothold[1] - leg.foothold[1]), n)
            for n, one in enumerate(creature.legs)
            if one.segment == leg.segment and one.foothold[0] * leg.foothold[0] < 0.0
        ]
        found[k] = min(others)[1] if others else k
    return found


def _weights(segment: Array, segments: int) -> Array:
    """(segments, legs): equal for the legs of a segment; those of a segment without legs lie between its neighbours."""
    found = np.zeros((segments, len(segment)))
    found[segment, np.arange(len(segment))] = 1.0
    found /= np.maximum(found.sum(axis=1, keepdims=True), 1.0)
    legged = np.unique(segment)
    return np.array([np.interp(np.arange(segments), legged, column) for column in found[legged].T]).T


def _segments_of_parts(creature: Creature) -> Array:
    """(parts,): the segment to which each part belongs, by way of its parents."""
    found = {"body": 0} | {f"body_{k + 1}": k for k in range(1, creature.body.segments)}
    for part in creature.parts:
        found[part.name] = found[part.parent]
    return np.array([found[part.name] for part in creature.parts], int)


def _gather(segment: Array) -> Array:
    """(1, legs): positive for the legs of the last segment with legs, negative for those of the first, 0 for others."""
    first, last = segment == segment.min(), segment == segment.max()
    return (0.5 * (last / last.sum() - 1.0 * first / first.sum()))[None]


def _column(numbers: Iterable[float]) -> Array:
    return np.array(list(numbers), float)[:, None]


def _columns(vectors: Iterable[Any]) -> Array:
    return np.ascontiguousarray(np.array(list(vectors), float).T)[:, :, None]
