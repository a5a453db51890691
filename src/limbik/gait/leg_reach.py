"""Keeps every foot within reach: the body gives way, feet in swing come nearer, and knees stay on their side."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.gait.leg_formulas import SWING_EXCESS
from limbik.gait.rig import Rig

# Extension of a leg up to which the body rises, and greatest extension, beyond which the knee angle changes too fast;
# of legs in general, and of legs with heels, which walk with straight knees.
COMFORTABLE, FULL = (0.975, 0.9965), (0.988, 0.9985)
FOLDED = 1.05, 0.3  # least distance from hip to ankle, over the least that the links allow, and over the leg's length
MAX_ITERATIONS = 8  # in the search for a body position from which all legs reach
REACH_TOLERANCE = 0.1  # of that search, over what is left between full and greatest extension
SINKING = 0.5  # weight of the vertical in that search: bodies rather slow down than sink
TETHER_SLACK = 0.12  # of a leg's length, by which bodies may be ahead of their feet
ASIDE = 0.7  # horizontal distance from hip to ankle up to which a foot that is out of reach only rises, over its reach
HEEL_REACH = 0.7  # reach that is gained when the heel is raised, over the length of the foot


class LegReach:
    """Limits on the distance from hips to ankles, (numbers, legs, creatures), as the formulas of legs take them.

    limits: the least distance, the greatest, usually and ever, what the body tolerates, and the numbers of `tether`.
    """

    def __init__(self, rig: Rig, count: int) -> None:
        self._near = np.maximum(FOLDED[0] * rig.near, FOLDED[1] * rig.far)
        heels = (rig.heel > 0.0).astype(int)
        self._full, self._far = np.take(FULL, heels) * rig.far, rig.far
        self._slack = REACH_TOLERANCE * (self._far - self._full)
        shape = rig.legs, count
        self.tether = stacked(shape, rig.far + HEEL_REACH * rig.last * heels, TETHER_SLACK * rig.far)
        self.comfortable = stacked(shape, np.take(COMFORTABLE, heels) * rig.far, rig.far)
        self.limits = np.concatenate([stacked(shape, self._near, self._full, self._far, self._slack), self.tether])

    def given_way(self, line: Array, planted: Array, swing: Array, lost: Array | None) -> tuple[Array | None, Array]:
        """How the body must move, (3, creatures) or None, and which legs need it most, (legs, creatures) bool.

        line: (3, legs, creatures), from hips to ankles. Feet in swing count more the nearer they are to touch-down;
        lost ones, (legs, creatures) bool, do not.
        """
        full = self._full + SWING_EXCESS * (1.0 - swing) * ~planted * self._far
        slack = self._slack
        shift = first = None
        for _ in range(MAX_ITERATIONS):
            distance = np.sqrt(_dot(line, line))
            excess = np.maximum(distance - full, 0.0) - np.maximum(self._near - distance, 0.0) * planted
            asking = np.abs(excess) > slack
            if lost is not None:
                asking = asking & ~lost
            if not asking.any():
                break
            if first is None:
                first = planted & (excess > slack) & (excess == excess.max(axis=0))
            pull = np.where(asking, excess / np.maximum(distance, 1e-12), 0.0)
            by = (line * pull).sum(axis=1) / np.maximum(asking.sum(axis=0), 1)
            by[1] *= np.where(excess.max(axis=0) > 0.0, SINKING, 1.0)
            shift = by if shift is None else shift + by
            line = line - by[:, None]
        return shift, np.zeros_like(planted) if first is None else first

    def drawn_in(self, line: Array) -> tuple[Array, Array]:
        """How feet must move to be within reach, (3, legs, creatures), and which must, (legs, creatures) bool.

        line: (3, legs, creatures), from hips to ankles. Feet that are too far away rise: towards the hip they would run
        into risers.
        """
        distance = np.sqrt(_dot(line, line))
        kept = np.minimum(np.maximum(distance, self._near), 0.5 * (self._full + self._far))
        there = line * (kept / np.maximum(distance, 1e-12))
        aside, nearer = (np.sqrt(one[0] * one[0] + one[2] * one[2]) for one in (line, there))
        wide = np.minimum(np.maximum(nearer, ASIDE * kept), aside)
        rises = (kept < distance) & (line[1] < 0.0) & (wide > nearer)
        there[::2] = np.where(rises, line[::2] * (wide / np.maximum(aside, 1e-12)), there[::2])
        there[1] = np.where(rises, -np.sqrt(np.maximum(kept * kept - wide * wide, 0.0)), there[1])
        return there - line, kept != distance


def _dot(a: Array, b: Array) -> Array:
    return np.add.reduce(a * b, axis=0)


def stacked(shape: tuple[int, int], *numbers: Array) -> Array:
    """(numbers, legs, creatures) The numbers of legs, (legs, 1) each, for all creatures."""
    return np.array([np.broadcast_to(one, shape) for one in numbers])
