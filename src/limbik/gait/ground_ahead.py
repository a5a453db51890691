"""How far a creature can walk in a direction: walls, ledges, gaps and holes ahead, from the heights of the ground."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.row_formulas import RowFormula
from limbik.formulas.operations import absolute, maximum, sqrt
from limbik.gait.rig import Rig
from limbik.terrains.base import Terrain

SAMPLES = 32  # places on the track of each foot
# Over a leg's length:
STEP = 0.35  # greatest height of a step, up or down
STRIDE = 0.27  # how far a foot can stand from where it stands at rest: a gap may be twice as wide
SIDES = -1.0, 0.0, 1.0  # of a body, under each of which the ground is looked at
BODY_TRACKS = len(SIDES)
BELLY = 0.9  # greatest height of an obstacle below the body, over the body's own clearance
ROUGHNESS = 0.35  # unevenness that a foot bridges, over its radius
SLOPE_SAMPLES = 3  # neighbouring intervals that must all be steep: where one is level, a foot stands there


class GroundAhead:
    """Looks at the ground along the tracks of the feet, and below the body."""

    def __init__(self, rig: Rig, terrain: Terrain) -> None:
        self._terrain = terrain
        kind = rig.creature
        leading = rig.segment == rig.segment.min() if rig.follows else np.ones(rig.legs, bool)
        self._legs = np.flatnonzero(leading)
        tracks = np.array([rig.foothold[0], rig.foothold[1] + rig.along])[:, leading, 0]
        self._tracks = np.append(tracks, [0.5 * kind.body.width, rig.front])
        length = (rig.far + rig.last)[leading]
        self._step, self._stride = STEP * length, STRIDE * length
        self._belly = BELLY * (kind.height - 0.5 * kind.body.thickness)
        self._steepest = rig.steepest
        self._finest = max(0.7 * kind.foot, float(0.06 * length.min()))
        self._tolerance = ROUGHNESS * kind.foot
        self._margin = kind.foot + rig.toe_length

    def clear(self, place: Array, heading: Array, heights: Array, direction: Array, look: float) -> Array:
        """(n,) Distances, metres, that bodies can go; infinite where nothing is in the way.

        place: (2, n), x and z of bodies. heading: (2, n), sine and cosine of their yaw. heights: (legs, n), where the
        feet stand. direction: (2, n), unit, x and z in the world. look: how far to look, metres.
        """
        behind = float(self._stride.max())
        spacing = max(self._finest, (look + behind) / (SAMPLES - 1))
        distance = spacing * np.arange(SAMPLES) - behind
        found = _starting(len(self._legs))(place, heading, direction, self._tracks)
        starts, side = found[:-1].reshape(2, -1, found.shape[1]), found[-1]
        x, z = starts[:, None] + direction[:, None, None] * distance[:, None, None]
        ground = self._terrain.height(x, z)
        along = (ground[1:] - ground[:-1]) / spacing
        across = (ground[:, 1 - BODY_TRACKS :] - ground[:, -BODY_TRACKS:-1]) / side
        most = max(along.max(), -along.min())
        if most * most + np.abs(across).max() ** 2 <= self._steepest**2:
            return np.full(len(side), np.inf)
        rough = self._steepest + self._tolerance / spacing
        steep = self._steep(along[:, :-BODY_TRACKS], across, int(behind / spacing))
        if most <= rough and not steep.any():
            return np.full(len(side), np.inf)
        even = (np.abs(along[:, :-BODY_TRACKS]) <= rough) & ~steep
        return self._walked(ground, even, heights[self._legs], distance, spacing) - self._margin

    def _steep(self, along: Array, across: Array, here: int) -> Array:
        """(intervals, legs, n) bool: where ground is too steep for a foot, from slopes that neighbours have in common.

        along: (intervals, legs, n), the slopes on the tracks. across: (samples, 2, n), those to either side of the
        body's middle. here: the sample at which feet stand. Who stands on such ground can only go down.
        """
        windows = np.lib.stride_tricks.sliding_window_view
        along = _common(windows(along, SLOPE_SAMPLES, axis=0), -1)
        across = _common(windows(across, SLOPE_SAMPLES + 1, axis=0), (1, 3))[:, None]
        steep = along * along + across * across > (self._steepest * (1.0 + 1e-6)) ** 2
        stranded = steep[max(here - SLOPE_SAMPLES, 0)].mean(axis=0) > 0.5
        steep = steep & ((along > 0.0) | ~stranded)
        found = np.zeros((SAMPLES - 1, *steep.shape[1:]), bool)
        for k in range(SLOPE_SAMPLES):
            found[k : k + len(steep)] |= steep
        return found

    def _walked(self, ground: Array, even: Array, last: Array, distance: Array, spacing: float) -> Array:
        """How far feet find footholds one after the other, the worst of each body.

        even: (intervals, legs, n) bool, where they could stand.
        """
        under, ground = ground[:, -BODY_TRACKS:].max(axis=1), ground[:, :-BODY_TRACKS]
        at = distance[0] + np.zeros_like(last)  # where each foot stands, along its track
        stopped = np.zeros(last.shape, bool)
        found = np.full(last.shape[1:], np.inf)
        for k, here in enumerate(distance.tolist()):
            gap = here - at
            limit = np.maximum(self._step, self._steepest * np.minimum(gap, 2.0 * spacing))
            up = ground[k] - last
            stops = ((gap > 2.0 * self._stride) | (up > limit)) & (here >= 0.0)
            flat = (even[k - 1] if k else True) & (even[k] if k < SAMPLES - 1 else True)
            stands = flat & (np.abs(up) <= limit) & ~stopped
            below = (under[k] - last.max(axis=0) > self._belly) & (here >= 0.0)
            if (now := (stops & ~stopped).any(axis=0) | below).any():
                reached = np.where(stops & ~stopped, np.maximum(at, 0.0), np.inf).min(axis=0)
                found = np.where(now, np.minimum(found, np.minimum(reached, np.where(below, here, np.inf))), found)
                stopped = stopped | stops
                if stopped.any(axis=0).all():
                    break
            at = np.where(stands, here, at)
            last = np.where(stands, ground[k], last)
        return found


def _common(slopes: Array, axes: int | tuple[int, ...]) -> Array:
    """The least of slopes along axes if all have the same sign, with that sign; otherwise 0."""
    return np.maximum(slopes.min(axis=axes), 0.0) + np.minimum(slopes.max(axis=axes), 0.0)


# --- formulas


def _start(place: Any, heading: Any, direction: Any, tracks: Any) -> Any:
    """All x, then all z, of the places of feet and of a line across the body at its front; and half that line's length.

    tracks: all x, then all z, of feet from the body, half its width and half its length.
    """
    (x, z), (sine, cosine), (way_x, way_z) = place, heading, direction
    *feet, wide, long = tracks
    legs = len(feet) // 2
    starts = [
        (x + (left * cosine + ahead * sine), z + (ahead * cosine - left * sine))
        for left, ahead in zip(feet[:legs], feet[legs:], strict=True)
    ]
    along = absolute(way_x * sine + way_z * cosine)
    across = sqrt(maximum(1.0 - along * along, 0.0))
    front, side = long * along + wide * across, wide * along + long * across
    starts += [(x + front * way_x + part * side * way_z, z + front * way_z - part * side * way_x) for part in SIDES]
    return *zip(*starts, strict=True), side


@cache
def _starting(legs: int) -> RowFormula:
    return RowFormula(_start, place=2, heading=2, direction=2, tracks=2 * legs + 2)
