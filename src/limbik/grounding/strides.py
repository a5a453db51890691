"""Strides that fit the ground: where steps are too high for the strides of a clip, the figure slows down on its way.

The body keeps to its path and falls behind on it. How far, is chosen plant by plant, so that no foot has to rise or
drop by more than legs do on stairs, and soles lie on even ground.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf

import numpy as np

from limbik.arrays import Array
from limbik.grounding.plants import Plant, ball_of
from limbik.grounding.smoothing import smoothed
from limbik.grounding.sole_ground import BUMPY, MARGIN, bumps, sole_reach, sole_spots
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import Foot
from limbik.skeleton.timing import ease
from limbik.skeleton.torso import pelvis_of
from limbik.terrains.base import Terrain

HIGH = 0.26  # leg lengths: how far apart in height two feet may be set down; a step of common stairs is 0.2
SAMPLES = 25  # heights between two plants
STEPPED = 0.05  # leg lengths by which the ground jumps between neighbouring ones, where it is stepped
SHORTEST = 0.2  # of a stride: the least that is kept
CHOICES = 21  # ways to fall behind, tried at each plant
BEAM = 40  # best sequences kept
ROUGH = 2.0  # cost of a foothold on an edge, relative to that of a height beyond the limit by a twentieth of a leg
UNEVEN = 0.6  # cost of strides that differ from one to the next
SLOW = 0.15  # cost of falling behind
FURTHER = 0.3  # leg lengths along the path: plants that are as far apart tell how quickly the figure falls behind
SWING = 0.3  # seconds of a swing in which a foot rises or drops by two steps; in half the time by a quarter of it
STRAIGHT = 0.2  # of the length of a path: figures that wander about on less ground than that have no strides
STAYS, STAYS_FOR = 0.075, 0.2  # leg lengths and seconds between plants with which a foot stays in one place
PATH = 0.3  # seconds to either side over which the path is smoothed


@dataclass(frozen=True, eq=False)
class Strides:
    """How a figure falls behind on its way."""

    shift: Array  # (frames, 3) displacement of the figure, metres
    ratio: Array  # (frames,) of the length of strides to that of the clip's
    way: Array  # (frames, 2) direction of the path, x and z
    places: tuple[tuple[Array, ...], ...]  # for each foot and plant, where its ball goes, (2,) x and z
    steepest: float  # the largest difference in height of a step, in leg lengths

    @property
    def fits(self) -> bool:
        """Whether every step is low enough."""
        return self.steepest <= 1.1 * HIGH

    def feet(self, ankles: Array, hips: Array) -> Array:
        """Positions (frames, feet, 3) of ankles that step less far from where they are on average, as the figure slows.

        ankles and hips: (frames, feet, 3), where the clip has them. Feet that stand in the clip then stand in the
        shorter stride, too, instead of sliding back under a body that falls behind.
        """
        ahead = np.einsum("fkc,fc->fk", (ankles - hips)[..., [0, 2]], self.way)
        ahead = ahead - np.mean(ahead, axis=0)
        moved = ankles + self.shift[:, None]
        moved[..., [0, 2]] += ((self.ratio[:, None] - 1.0) * ahead)[..., None] * self.way[:, None]
        return moved


class _Path:
    """A path over the ground by its length, straight beyond its ends."""

    def __init__(self, places: Array) -> None:
        self.length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=-1))])
        kept = np.flatnonzero(np.diff(self.length, prepend=-1.0) > 1e-9)
        self._at, self._places = self.length[kept], places[kept]

    @property
    def extent(self) -> float:
        """The largest distance between places, along x or z, metres."""
        return float(np.ptp(self._places, axis=0).max())

    def at(self, length: Array) -> tuple[Array, Array]:
        """Places and directions (..., 2) at lengths (...) along the path."""
        total = self._at[-1]
        inside = np.clip(length, 0.0, total)
        place = np.stack([np.interp(inside, self._at, self._places[:, k]) for k in (0, 1)], axis=-1)
        span = 0.05 * total + 1e-9
        ends = [np.clip(inside + d, 0.0, total) for d in (-span, span)]
        before, after = (
            np.stack([np.interp(end, self._at, self._places[:, k]) for k in (0, 1)], axis=-1) for end in ends
        )
        way = (after - before) / np.maximum(np.linalg.norm(after - before, axis=-1, keepdims=True), 1e-9)
        return place + (np.asarray(length) - inside)[..., None] * way, way


def fitted_strides(
    clip: Clip,
    feet: Sequence[Foot],
    plants: Sequence[list[Plant]],
    world: tuple[Array, Array],
    terrain: Terrain,
    share: float,
    frames: slice,
) -> Strides | None:
    """How the figure falls behind so that its steps fit the ground; None where they do as they are.

    world: positions and rotations of all joints in the world. share: how much of that it does, from 0 to 1. frames:
    those that count; before them it keeps up.
    """
    begin = frames.start or 0
    pelvis = world[0][:, pelvis_of(clip.skeleton, [foot.limb for foot in feet])][:, [0, 2]]
    leg = float(np.mean([foot.leg for foot in feet]))
    path = _Path(smoothed(pelvis, round(PATH * clip.fps)))
    if not share or path.length[-1] < leg or path.extent < STRAIGHT * path.length[-1]:
        return None
    steps = [
        _Event(path, foot, k, stays, world)
        for k, (foot, some) in enumerate(zip(feet, plants, strict=True))
        for stays in _stays(foot, some, world, clip.fps)
    ]
    for before, one in pairwise(steps):
        if before.k == one.k:
            one.after(before, clip.fps)
    steps.sort(key=lambda one: (one.time, one.k))
    if len(steps) < 2:
        return None
    partners = [_partner(feet, k) for k in range(len(feet))]
    none = np.zeros(len(steps))
    if _steepest(steps, none, partners, terrain, leg) <= HIGH or not _stepped(steps, partners, terrain, leg):
        return None
    behind = share * _search(steps, partners, terrain, leg, len(feet), float(path.length[begin]))
    width = round(PATH * clip.fps)
    delay = np.pad(_delay(path.length, steps, behind, leg), (0, width), "reflect", reflect_type="odd")  # it goes on so
    delay = smoothed(delay, width)[: len(clip)]
    delay = delay * ease((np.arange(len(clip)) - begin) / max(width, 1) if begin else 1.0)
    shift = np.zeros((len(clip), 3))
    shift[:, [0, 2]] = path.at(path.length - delay)[0] - path.at(path.length)[0]
    ratio, way = _ratio(path.length, delay, width), path.at(path.length)[1]
    places: list[list[Array]] = [[] for _ in plants]
    for one, late in zip(steps, behind, strict=True):
        places[one.k] += list(one.place(np.array([late]))[0][0] + one.around)
    steepest = _steepest(steps, behind, partners, terrain, leg, frames)
    return Strides(shift, ratio, way, tuple(tuple(some) for some in places), steepest)


def _stays(foot: Foot, plants: Sequence[Plant], world: tuple[Array, Array], fps: float) -> list[list[Plant]]:
    """The plants of a foot, those together between which it hardly moves: it goes to one place with them."""
    found: list[list[Plant]] = []
    for plant in plants:
        if found:
            before, after = (ball_of(foot, one, world) for one in (found[-1][-1], plant))
            brief = plant.stop - plant.first < STAYS_FOR * fps  # cut off by the end of the clip
            near = float(np.linalg.norm((after - before)[[0, 2]])) < (2.0 if brief else 1.0) * STAYS * foot.leg
            if near and plant.first - found[-1][-1].stop < STAYS_FOR * fps:
                found[-1].append(plant)
                continue
        found.append([plant])
    return found


def _delay(length: Array, steps: Sequence[_Event], behind: Array, leg: float) -> Array:
    """How far behind (frames,) the figure is. After its last plant, it falls behind as quickly as before.

    length: (frames,), along the path. behind: (plants,).
    """
    delay = np.interp(np.arange(len(length)), [one.time for one in steps], behind)
    last = steps[-1]
    before = [k for k, one in enumerate(steps) if one.progress < last.progress - FURTHER * leg]
    if before:
        rate = (behind[-1] - behind[before[-1]]) / (last.progress - steps[before[-1]].progress)
        delay[last.time :] += np.clip(rate, 0.0, 1.0) * (length[last.time :] - length[last.time])
    return delay


def _ratio(length: Array, delay: Array, width: int) -> Array:
    """The lengths (frames,) of strides relative to the clip's. length and delay: (frames,), along the path."""
    own = smoothed(np.gradient(length), width)
    return np.clip(1.0 - np.gradient(delay) / np.maximum(own, 1e-9), SHORTEST, 1.0)


class _Event:
    """A plant on the path, or several in one place: when, of which foot, and where beside the path."""

    def __init__(self, path: _Path, foot: Foot, k: int, plants: Sequence[Plant], world: tuple[Array, Array]) -> None:
        self.foot, self.k, self._path = foot, k, path
        longest = max(plants, key=lambda one: one.rise - one.ball)
        self.time = min((longest.ball + longest.rise) // 2, longest.stop - 1)
        self.progress = float(path.length[self.time])
        here, way = path.at(np.array(self.progress))
        ball = ball_of(foot, longest, world)
        self.around = np.stack([ball_of(foot, one, world) - ball for one in plants])[:, [0, 2]]
        self.level = float(ball[1])
        away = ball[[0, 2]] - here
        self._ahead = float(away @ way)
        self._aside = float(away @ np.array([-way[1], way[0]]))
        self._pointlike = foot.pointlike
        self.first, self.stop = plants[0].first, plants[-1].stop
        self.most = 2.0 * HIGH  # leg lengths by which the foot may rise or drop on its way here

    def after(self, before: _Event, fps: float) -> None:
        """Limits how far the foot rises or drops to what it can in the time since its last plant."""
        self.most *= min((self.first - before.stop) / (SWING * fps), 1.0) ** 2

    def place(self, behind: Array) -> tuple[Array, Array]:
        """Places of the ball (n, 2) and ways (n, 2) if the figure is `behind` (n,) metres."""
        here, way = self._path.at(self.progress - behind)
        side = np.stack([-way[:, 1], way[:, 0]], axis=-1)
        return here + self._ahead * way + self._aside * side, way

    def ground(self, behind: Array, terrain: Terrain) -> tuple[Array, Array]:
        """Heights (n,) of the ground above the clip's, and how uneven (n,) it is under the sole, in leg lengths."""
        place, way = self.place(behind)
        if self._pointlike:
            return terrain.height(place) - self.level, np.zeros(len(place))
        spots = sole_spots(sole_reach(self.foot), MARGIN * self.foot.leg)
        heights = terrain.height(place[:, None] + spots[:, None] * way[:, None])
        return heights[:, 2] - self.level, bumps(heights, spots) / self.foot.leg


def _partner(feet: Sequence[Foot], k: int) -> int | None:
    """The foot on the other side, if there is one."""
    limb = feet[k].limb
    others = [n for n, foot in enumerate(feet) if n != k and foot.limb.kind == limb.kind]
    return others[0] if len(others) == 1 else None


def _steepest(
    steps: Sequence[_Event],
    behind: Array,
    partners: Sequence[int | None],
    terrain: Terrain,
    leg: float,
    frames: slice = slice(None),
) -> float:
    """The largest difference in height, in leg lengths, between a plant and the partner's before it.

    frames: only for plants to which the foot is on its way, or stands, in some of them.
    """
    last: dict[int, float] = {}
    left: dict[int, int] = {}  # when feet left their last plant
    steepest = 0.0
    places = np.concatenate([one.place(np.array([late]))[0] for one, late in zip(steps, behind, strict=True)])
    heights = terrain.height(places) - [one.level for one in steps]
    for one, height in zip(steps, heights.tolist(), strict=True):
        partner = partners[one.k]
        other = last.get(one.k if partner is None else partner)
        if other is not None and (frames.start or 0) < one.stop and left.get(one.k, 0) < (frames.stop or inf):
            steepest = max(steepest, abs(height - other) / leg)
        left[one.k] = one.stop
        last[one.k] = height
    return steepest


def _stepped(steps: Sequence[_Event], partners: Sequence[int | None], terrain: Terrain, leg: float) -> bool:
    """Whether the ground between plants is stepped; on smooth slopes strides of any length are kept."""
    last: dict[int, Array] = {}
    ends = []
    for one in steps:
        partner = partners[one.k]
        here = one.place(np.zeros(1))[0][0]
        other = last.get(one.k if partner is None else partner)
        if other is not None:
            ends.append((other, here))
        last[one.k] = here
    if not ends:
        return False
    a, b = np.moveaxis(np.array(ends), 1, 0)
    heights = terrain.height(a[:, None] + np.linspace(0.0, 1.0, SAMPLES)[:, None] * (b - a)[:, None])
    return bool(np.any(np.abs(np.diff(heights, 2, axis=1)).max(axis=1) > STEPPED * leg))


def _search(
    steps: Sequence[_Event], partners: Sequence[int | None], terrain: Terrain, leg: float, feet: int, begin: float
) -> Array:
    """How far behind (plants,) the figure is at each plant, metres: a beam search over sequences.

    begin: how far along its path it is when it may begin to fall behind, metres.
    """
    cost, late, ratio = np.zeros(1), np.zeros(1), np.zeros(1)
    heights = np.full((1, feet), np.nan)
    heights[0, steps[0].k] = steps[0].ground(np.zeros(1), terrain)[0][0]
    trail: list[tuple[Array, Array]] = []  # for each later plant, where a sequence came from and how late it is
    every = np.linspace(0.0, 1.0 - SHORTEST, CHOICES)
    for before, one in pairwise(steps):
        progress = max(one.progress - max(before.progress, begin), 0.0)
        shares = every if progress > 0.0 else every[:1]
        next_late = (late[:, None] + progress * shares).ravel()
        source = np.repeat(np.arange(len(late)), len(shares))
        own = np.tile(shares, len(late))
        height, rough = one.ground(next_late, terrain)
        partner = partners[one.k]
        other = heights[source, one.k if partner is None else partner]
        rise = np.where(np.isnan(other), 0.0, np.abs(height - other)) / leg
        stride = np.nan_to_num(np.abs(height - heights[source, one.k])) / leg
        too_high = np.maximum(rise - HIGH, 0.0) + np.maximum(stride - one.most, 0.0)
        total = cost[source] + (too_high / 0.05) ** 2 + ROUGH * np.minimum(rough / BUMPY, 2.0) ** 2 / 4.0
        weight = progress / leg  # plants at the same time are no strides
        total = total + weight * (UNEVEN * (own - ratio[source]) ** 2 + SLOW * own)
        best = np.argsort(total, kind="stable")
        best = best[np.unique(np.round(next_late[best] / (0.01 * leg)), return_index=True)[1]]
        best = best[np.argsort(total[best], kind="stable")[:BEAM]]
        trail.append((source[best], next_late[best]))
        heights = heights[source[best]]
        heights[:, one.k] = height[best]
        cost, late = total[best], next_late[best]
        ratio = own[best] if weight > 0.05 else ratio[source[best]]
    behind, at = [], int(np.argmin(cost))
    for source, values in reversed(trail):
        behind.append(values[at])
        at = int(source[at])
    return np.array([0.0, *behind[::-1]])
