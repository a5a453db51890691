"""Where a foot stands in each of its plants, and which way it faces there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from limbik.arrays import Array
from limbik.grounding.footholds import find_footholds, keep_levels
from limbik.grounding.motion import Motion
from limbik.grounding.plants import Plant, ball_position
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import smooth
from limbik.grounding.strides import MAX_STEP_LEG_LENGTHS, TWO_STEP_SWING_SECONDS
from limbik.rotations import rotate
from limbik.skeleton.foot import UP, Foot
from limbik.terrains.base import Terrain

Z = np.array([0.0, 0.0, 1.0])
MIN_PIVOT_RADIANS = np.radians(6.8)  # by which a standing foot turns before it pivots
PIVOT_SMOOTHING_SECONDS = 0.04  # to either side over which a pivot is smoothed


@dataclass(frozen=True, eq=False)
class Footholds:
    """Where a foot stands in each of its plants. Rows are the frames of each plant, in order."""

    plants: list[Plant]
    place: Array  # (plants, 3) the point under the ball
    normal: Array  # (plants, 3) up from the sole
    facing: Array  # (rows,) heading of the foot in radians, from +z towards +x

    @property
    def headings(self) -> Array:
        """The headings (plants,) of the flat foot."""
        return self.facing[flat_rows(self.plants)]


def choose_footholds(
    motion: Motion, k: int, terrain: Terrain, settings: Settings, places: Sequence[Array] | None
) -> Footholds:
    """The footholds of foot number k.

    places: where the ball goes in each plant, (2,) x and z; by default where it is in the clip.
    """
    foot, plants = motion.feet[k], motion.plants[k]
    facing = headings(motion, k, plants)
    yaw, starts = facing[flat_rows(plants)], first_rows(plants)
    ends = np.stack([starts, np.append(starts[1:], len(facing))[: len(plants)] - 1], axis=-1)
    balls = np.array([ball_position(foot, one, motion.world) for one in plants]).reshape(-1, 3)
    spots = balls[:, [0, 2]] if places is None else np.array(places, float).reshape(-1, 2)
    on_heels = np.array([(one.heel_first, one.heel_last) for one in plants], bool).reshape(-1, 2)
    found = find_footholds(foot, terrain, spots, yaw, settings, (facing[ends], on_heels))
    most = _level_changes(foot, plants, motion.clip.fps)
    place, tilt = keep_levels(foot, terrain, spots, yaw, settings, found, most)
    return Footholds(plants, place, rotate(tilt, UP), facing)


def first_rows(plants: Sequence[Plant]) -> Array:
    """The row (plants,) in which each plant begins."""
    counts = np.array([plant.stop - plant.first for plant in plants], int)
    return np.cumsum(counts) - counts


def flat_rows(plants: Sequence[Plant]) -> Array:
    """The row (plants,) in the middle of each plant in which the foot is flat."""
    flat = [min((one.down + max(one.lift - 1, one.down)) // 2, one.stop - 1) - one.first for one in plants]
    return first_rows(plants) + np.array(flat, int)


def headings(motion: Motion, k: int, plants: Sequence[Plant]) -> Array:
    """The headings (rows,) of foot number k in the frames of such plants, in radians.

    A standing foot keeps one heading for as long as the clip's is near; what turns farther is a pivot on the ball.
    """
    ahead = rotate(motion.feet[k].orientation(motion.world[1]), Z)
    yaw = np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 2]))
    width = round(PIVOT_SMOOTHING_SECONDS * motion.clip.fps)
    return np.concatenate([_steady_heading(yaw[one.first : one.stop], one, width) for one in plants] or [np.zeros(0)])


def _steady_heading(yaw: Array, plant: Plant, width: int) -> Array:
    """The headings (frames,) of a foot in a plant. yaw: (frames,), those of the clip."""
    down, lift = plant.down - plant.first, plant.lift - plant.first
    if lift <= down:  # its heel never stands
        down = min((plant.ball + plant.rise) // 2, plant.stop - 1) - plant.first
        lift = down + 1
    flat = yaw[down:lift]
    mean = float(np.mean(flat))
    # One heading in between is near all of them.
    low, high = float(yaw.max()) - MIN_PIVOT_RADIANS, float(yaw.min()) + MIN_PIVOT_RADIANS
    wanted = min(max(mean, low), high) if low <= high else 0.5 * (low + high)
    free = max(MIN_PIVOT_RADIANS - float(np.abs(flat - mean).max()), 0.0)
    heading = mean + min(max(wanted - mean, -free), free)
    held = np.full(len(yaw), heading)
    if low > heading or high < heading:
        for t in range(lift, len(yaw)):
            held[t] = min(max(held[t - 1], yaw[t] - MIN_PIVOT_RADIANS), yaw[t] + MIN_PIVOT_RADIANS)
        for t in range(down - 1, -1, -1):
            held[t] = min(max(held[t + 1], yaw[t] - MIN_PIVOT_RADIANS), yaw[t] + MIN_PIVOT_RADIANS)
        eased = smooth(held, width)
        held[lift + width :], held[: max(down - width, 0)] = eased[lift + width :], eased[: max(down - width, 0)]
    return held


def _level_changes(foot: Foot, plants: list[Plant], fps: float) -> Array:
    """By how much (plants,) a foot can rise or drop in the time since its last plant, in metres."""
    swing = np.array([one.first - before.stop for before, one in pairwise(plants)]) / fps
    part = np.minimum(swing / TWO_STEP_SWING_SECONDS, 1.0)
    return np.append(np.inf, 2.0 * MAX_STEP_LEG_LENGTHS * foot.leg * part**2)[: len(plants)]
