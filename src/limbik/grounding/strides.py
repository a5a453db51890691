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
from limbik.grounding.footholds import (
    EDGE_ROUGHNESS_LEG_LENGTHS,
    SOLE_MARGIN_LEG_LENGTHS,
    bumps,
    sole_extent,
    sole_spots,
)
from limbik.grounding.motion import Motion
from limbik.grounding.plants import Plant, ball_position
from limbik.grounding.smoothing import smooth
from limbik.skeleton.foot import Foot
from limbik.skeleton.timing import ease
from limbik.terrains.base import Terrain

MAX_STEP_LEG_LENGTHS = 0.26  # how far apart in height two feet may be set down; a step of common stairs is 0.2
MAX_RUNNING_STEP_LEG_LENGTHS = 0.42  # the same with a flight between: two of these steps
MIN_RUNNING_STEP_LEG_LENGTHS = 1.15  # from plant to plant; a fast walk takes 1.1
MIN_FLIGHT_SHARE = 0.5  # of the steps of a figure that runs
MAX_CLIMBED_PART = 1.1  # of these: what a figure climbs well
HEIGHTS_BETWEEN_PLANTS = 25  # heights between two plants
MIN_GROUND_JUMP_LEG_LENGTHS = 0.05  # between neighbouring ones, where the ground is stepped
MIN_STRIDE_SHARE = 0.2  # of a stride: the least that is kept
DELAYS_PER_PLANT = 21  # ways to fall behind, tried at each plant
BEAM_WIDTH = 40  # best sequences kept
ROUGH_FOOTHOLD_COST = 2.0  # of a foothold on an edge, relative to that of a step too high by this
COSTLY_STEP_LEG_LENGTHS = 0.05
UNEVEN_STRIDE_COST = 0.6  # cost of strides that differ from one to the next
DELAY_COST = 0.15  # cost of falling behind
DELAY_RATE_LEG_LENGTHS = 0.3  # plants that are as far apart on the path tell how quickly the figure falls behind
TWO_STEP_SWING_SECONDS = 0.3  # in which a foot rises or drops by two steps; in half the time by a quarter of it
MIN_EXTENT_PATH_LENGTHS = 0.2  # figures that wander about on less ground than that have no strides
MAX_STAY_LEG_LENGTHS = 0.075  # between plants with which a foot stays in one place
MAX_STAY_SECONDS = 0.2  # between them
PATH_SMOOTHING_SECONDS = 0.3  # seconds to either side over which the path is smoothed


@dataclass(frozen=True, eq=False)
class Strides:
    """How a figure falls behind on its way."""

    shift: Array  # (frames, 3) displacement of the figure, metres
    ratio: Array  # (frames,) of the length of strides to that of the clip's
    way: Array  # (frames, 2) direction of the path, x and z
    places: tuple[tuple[Array, ...], ...]  # for each foot and plant, where its ball goes, (2,) x and z
    steepest: float  # the largest difference in height of a step, in leg lengths
    fits: bool  # whether every step is low enough

    def shorten_steps(self, ankles: Array, hips: Array) -> Array:
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


def fit_strides(motion: Motion, terrain: Terrain, share: float, frames: slice) -> Strides | None:
    """How the figure falls behind so that its steps fit the ground; None where they do as they are.

    share: how much of that it does, from 0 to 1. frames: those that count; before them it keeps up.
    """
    clip, feet, world, leg = motion.clip, motion.feet, motion.world, motion.leg
    begin = frames.start or 0
    pelvis = world[0][:, motion.pelvis][:, [0, 2]]
    path = _Path(smooth(pelvis, round(PATH_SMOOTHING_SECONDS * clip.fps)))
    if not share or path.length[-1] < leg or path.extent < MIN_EXTENT_PATH_LENGTHS * path.length[-1]:
        return None
    stays = [
        _Stay(path, foot, k, _partner(feet, k), together, world)
        for k, (foot, some) in enumerate(zip(feet, motion.plants, strict=True))
        for together in _group_stays(foot, some, world, clip.fps)
    ]
    for before, one in pairwise(stays):
        if before.k == one.k:
            one.limit_rise(before, clip.fps)
    stays.sort(key=lambda one: (one.time, one.k))
    if len(stays) < 2:
        return None
    _allow_high_steps_after_flights(stays, leg)
    none = np.zeros(len(stays))
    if _highest_step(stays, none, terrain, leg)[1] <= 1.0 or not _is_stepped(stays, terrain, leg):
        return None
    behind = share * _search_delays(stays, terrain, leg, len(feet), float(path.length[begin]))
    width = round(PATH_SMOOTHING_SECONDS * clip.fps)
    delay = np.pad(_delays(path.length, stays, behind, leg), (0, width), "reflect", reflect_type="odd")  # it goes on so
    delay = smooth(delay, width)[: len(clip)]
    delay = delay * ease((np.arange(len(clip)) - begin) / max(width, 1) if begin else 1.0)
    shift = np.zeros((len(clip), 3))
    shift[:, [0, 2]] = path.at(path.length - delay)[0] - path.at(path.length)[0]
    ratio, way = _stride_ratios(path.length, delay, width), path.at(path.length)[1]
    places: list[list[Array]] = [[] for _ in feet]
    for one, late in zip(stays, behind, strict=True):
        places[one.k] += list(one.place(np.array([late]))[0][0] + one.around)
    steepest, part = _highest_step(stays, behind, terrain, leg, frames)
    return Strides(shift, ratio, way, tuple(tuple(some) for some in places), steepest, part <= MAX_CLIMBED_PART)


def _allow_high_steps_after_flights(stays: Sequence[_Stay], leg: float) -> None:
    """Lets feet of those who run be set down two steps higher: far ahead, and when the other foot has left."""
    left: dict[int, int] = {}  # when feet left their last plant
    flights = []
    for one in stays:
        if left.get(one.partner, one.first) < one.first and left.get(one.k, one.first) < one.first:
            flights.append(one)
        left[one.k] = one.stop
    far = abs(stays[-1].progress - stays[0].progress) / (len(stays) - 1) >= MIN_RUNNING_STEP_LEG_LENGTHS * leg
    if not far or len(flights) < MIN_FLIGHT_SHARE * (len(stays) - len(left)):
        return
    for one in flights:
        one.most *= MAX_RUNNING_STEP_LEG_LENGTHS / one.highest
        one.highest = MAX_RUNNING_STEP_LEG_LENGTHS


def _group_stays(foot: Foot, plants: Sequence[Plant], world: tuple[Array, Array], fps: float) -> list[list[Plant]]:
    """The plants of a foot, those together between which it hardly moves: it goes to one place with them."""
    found: list[list[Plant]] = []
    for plant in plants:
        if found:
            before, after = (ball_position(foot, one, world) for one in (found[-1][-1], plant))
            brief = plant.stop - plant.first < MAX_STAY_SECONDS * fps  # cut off by the end of the clip
            most = (2.0 if brief else 1.0) * MAX_STAY_LEG_LENGTHS * foot.leg
            near = float(np.linalg.norm((after - before)[[0, 2]])) < most
            if near and plant.first - found[-1][-1].stop < MAX_STAY_SECONDS * fps:
                found[-1].append(plant)
                continue
        found.append([plant])
    return found


def _delays(length: Array, stays: Sequence[_Stay], behind: Array, leg: float) -> Array:
    """How far behind (frames,) the figure is. After its last plant, it falls behind as quickly as before.

    length: (frames,), along the path. behind: (plants,).
    """
    delay = np.interp(np.arange(len(length)), [one.time for one in stays], behind)
    last = stays[-1]
    before = [k for k, one in enumerate(stays) if one.progress < last.progress - DELAY_RATE_LEG_LENGTHS * leg]
    if before:
        rate = (behind[-1] - behind[before[-1]]) / (last.progress - stays[before[-1]].progress)
        delay[last.time :] += np.clip(rate, 0.0, 1.0) * (length[last.time :] - length[last.time])
    return delay


def _stride_ratios(length: Array, delay: Array, width: int) -> Array:
    """The lengths (frames,) of strides relative to the clip's. length and delay: (frames,), along the path."""
    own = smooth(np.gradient(length), width)
    return np.clip(1.0 - np.gradient(delay) / np.maximum(own, 1e-9), MIN_STRIDE_SHARE, 1.0)


class _Stay:
    """A plant on the path, or several in one place: when, of which foot, and where beside the path."""

    def __init__(
        self, path: _Path, foot: Foot, k: int, partner: int, plants: Sequence[Plant], world: tuple[Array, Array]
    ) -> None:
        self.foot, self.k, self.partner, self._path = foot, k, partner, path
        longest = max(plants, key=lambda one: one.rise - one.ball)
        self.time = min((longest.ball + longest.rise) // 2, longest.stop - 1)
        self.progress = float(path.length[self.time])
        here, way = path.at(np.array(self.progress))
        ball = ball_position(foot, longest, world)
        self.around = np.stack([ball_position(foot, one, world) - ball for one in plants])[:, [0, 2]]
        self.level = float(ball[1])
        away = ball[[0, 2]] - here
        self._ahead = float(away @ way)
        self._aside = float(away @ np.array([-way[1], way[0]]))
        self._pointlike = foot.pointlike
        self.first, self.stop = plants[0].first, plants[-1].stop
        self.highest = MAX_STEP_LEG_LENGTHS  # above or below the other foot, in leg lengths
        self.most = 2.0 * self.highest  # leg lengths by which the foot may rise or drop on its way here

    def limit_rise(self, before: _Stay, fps: float) -> None:
        """Limits how far the foot rises or drops to what it can in the time since its last plant."""
        self.most *= min((self.first - before.stop) / (TWO_STEP_SWING_SECONDS * fps), 1.0) ** 2

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
        spots = sole_spots(sole_extent(self.foot), SOLE_MARGIN_LEG_LENGTHS * self.foot.leg)
        heights = terrain.height(place[:, None] + spots[:, None] * way[:, None])
        return heights[:, 2] - self.level, bumps(heights, spots) / self.foot.leg


def _partner(feet: Sequence[Foot], k: int) -> int:
    """The foot on the other side, or the same one if there is none."""
    limb = feet[k].limb
    others = [n for n, foot in enumerate(feet) if n != k and foot.limb.kind == limb.kind]
    return others[0] if len(others) == 1 else k


def _highest_step(
    stays: Sequence[_Stay], behind: Array, terrain: Terrain, leg: float, frames: slice = slice(None)
) -> tuple[float, float]:
    """The largest difference in height, in leg lengths, between a plant and the partner's before it.

    Also the largest as a part of what the foot may rise or drop by.

    frames: only for plants to which the foot is on its way, or stands, in some of them.
    """
    last: dict[int, float] = {}
    left: dict[int, int] = {}  # when feet left their last plant
    steepest, part = 0.0, 0.0
    places = np.concatenate([one.place(np.array([late]))[0] for one, late in zip(stays, behind, strict=True)])
    heights = terrain.height(places) - [one.level for one in stays]
    for one, height in zip(stays, heights.tolist(), strict=True):
        other = last.get(one.partner)
        if other is not None and (frames.start or 0) < one.stop and left.get(one.k, 0) < (frames.stop or inf):
            rise = abs(height - other) / leg
            steepest, part = max(steepest, rise), max(part, rise / one.highest)
        left[one.k] = one.stop
        last[one.k] = height
    return steepest, part


def _is_stepped(stays: Sequence[_Stay], terrain: Terrain, leg: float) -> bool:
    """Whether the ground between plants is stepped; on smooth slopes strides of any length are kept."""
    last: dict[int, Array] = {}
    ends = []
    for one in stays:
        here = one.place(np.zeros(1))[0][0]
        other = last.get(one.partner)
        if other is not None:
            ends.append((other, here))
        last[one.k] = here
    if not ends:
        return False
    a, b = np.moveaxis(np.array(ends), 1, 0)
    heights = terrain.height(a[:, None] + np.linspace(0.0, 1.0, HEIGHTS_BETWEEN_PLANTS)[:, None] * (b - a)[:, None])
    return bool(np.any(np.abs(np.diff(heights, 2, axis=1)).max(axis=1) > MIN_GROUND_JUMP_LEG_LENGTHS * leg))


def _search_delays(stays: Sequence[_Stay], terrain: Terrain, leg: float, feet: int, begin: float) -> Array:
    """How far behind (plants,) the figure is at each plant, metres: a beam search over sequences.

    begin: how far along its path it is when it may begin to fall behind, metres.
    """
    cost, late, ratio = np.zeros(1), np.zeros(1), np.zeros(1)
    heights = np.full((1, feet), np.nan)
    heights[0, stays[0].k] = stays[0].ground(np.zeros(1), terrain)[0][0]
    trail: list[tuple[Array, Array]] = []  # for each later plant, where a sequence came from and how late it is
    every = np.linspace(0.0, 1.0 - MIN_STRIDE_SHARE, DELAYS_PER_PLANT)
    for before, one in pairwise(stays):
        progress = max(one.progress - max(before.progress, begin), 0.0)
        shares = every if progress > 0.0 else every[:1]
        next_late = (late[:, None] + progress * shares).ravel()
        source = np.repeat(np.arange(len(late)), len(shares))
        own = np.tile(shares, len(late))
        height, rough = one.ground(next_late, terrain)
        other = heights[source, one.partner]
        rise = np.where(np.isnan(other), 0.0, np.abs(height - other)) / leg
        stride = np.nan_to_num(np.abs(height - heights[source, one.k])) / leg
        too_high = np.maximum(rise - one.highest, 0.0) + np.maximum(stride - one.most, 0.0)
        roughness = np.minimum(rough / EDGE_ROUGHNESS_LEG_LENGTHS, 2.0)
        total = cost[source] + (too_high / COSTLY_STEP_LEG_LENGTHS) ** 2 + ROUGH_FOOTHOLD_COST * roughness**2 / 4.0
        weight = progress / leg  # plants at the same time are no strides
        total = total + weight * (UNEVEN_STRIDE_COST * (own - ratio[source]) ** 2 + DELAY_COST * own)
        best = np.argsort(total, kind="stable")
        best = best[np.unique(np.round(next_late[best] / (0.01 * leg)), return_index=True)[1]]
        best = best[np.argsort(total[best], kind="stable")[:BEAM_WIDTH]]
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
