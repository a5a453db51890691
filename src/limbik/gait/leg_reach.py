"""Keeps every foot within reach: the body gives way, feet in swing come nearer, and knees stay on their side."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.gait.rig import Rig

MIN_LEAN_SINE = float(np.sin(np.radians(10.0)))  # between the last link and the line from hip to tip
COMFORTABLE = 0.975  # extension of a leg up to which the body rises
FULL = 0.988  # greatest extension of a leg; beyond it the knee angle changes too fast
FOLDED = 1.05, 0.3  # least distance from hip to ankle, over the least that the links allow, and over the leg's length
SWING_EXCESS = 0.6  # excess length that the body tolerates at lift-off, over the leg's length
SWING_HEADROOM = 0.03  # additional height of the body at lift-off, over the leg's length
MAX_ITERATIONS = 8  # in the search for a body position from which all legs reach
REACH_TOLERANCE = 1e-3  # of that search, over the leg's length


class LegReach:
    """Limits on the distance from hips to ankles, (legs, creatures)."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._near = np.maximum(FOLDED[0] * rig.near, FOLDED[1] * rig.far)
        self._easy, self._full, self._far = COMFORTABLE * rig.far, FULL * rig.far, rig.far

    def kept_aside(self, last: Array, hips: Array, tips: Array, knees: Array) -> Array:
        """Directions of the last links, (3, legs, creatures), at an angle to the line from hip to tip.

        The plane of bending is then well defined, and the knee never changes sides. knees: directions of the knees.
        Feet with heels lie flat on the ground: the knees of such legs point as body and toes do.
        """
        line = _unit(tips - hips)
        side = self._rig.side * knees
        side = _unit(side - _dot(side, line) * line)
        lacking = np.maximum(MIN_LEAN_SINE - _dot(last, side), 0.0) * self._rig.natural
        return _unit(last + lacking * side) if lacking.any() else last

    def headroom(self, line: Array, planted: Array, swing: Array) -> Array:
        """(legs, creatures) How much higher hips can go before hip-to-ankle lines (3, legs, creatures) are too long.

        Lines of legs in swing are those at touch-down; they leave more room early in the swing.
        """
        x, y, z = line
        room = y + np.sqrt(np.maximum(self._easy * self._easy - x * x - z * z, 0.0))
        return room + SWING_HEADROOM * (1.0 - swing) * ~planted * self._far

    def given_way(self, line: Array, planted: Array, swing: Array) -> tuple[Array | None, Array]:
        """How the body must move, (3, creatures) or None, and which legs need it most, (legs, creatures) bool.

        line: (3, legs, creatures), from hips to ankles. Feet in swing count more the nearer they are to touch-down.
        """
        full = self._full + SWING_EXCESS * (1.0 - swing) * ~planted * self._far
        slack = REACH_TOLERANCE * self._far
        shift = first = None
        for _ in range(MAX_ITERATIONS):
            distance = np.sqrt(_dot(line, line))
            excess = np.maximum(distance - full, 0.0) - np.maximum(self._near - distance, 0.0) * planted
            asking = np.abs(excess) > slack
            if not asking.any():
                break
            if first is None:
                first = planted & (excess > slack) & (excess == excess.max(axis=0))
            pull = np.where(asking, excess / np.maximum(distance, 1e-12), 0.0)
            by = (line * pull).sum(axis=1) / np.maximum(asking.sum(axis=0), 1)
            shift = by if shift is None else shift + by
            line = line - by[:, None]
        return shift, np.zeros_like(planted) if first is None else first

    def drawn_in(self, line: Array) -> tuple[Array, Array]:
        """How feet must move to be within reach, (3, legs, creatures), and which must, (legs, creatures) bool."""
        distance = np.sqrt(_dot(line, line))
        kept = np.minimum(np.maximum(distance, self._near), 0.5 * (self._full + self._far))
        return line * (kept / np.maximum(distance, 1e-12) - 1.0), kept != distance


def _dot(a: Array, b: Array) -> Array:
    return np.add.reduce(a * b, axis=0)


def _unit(v: Array) -> Array:
    return v * (1.0 / np.sqrt(_dot(v, v) + 1e-30))
