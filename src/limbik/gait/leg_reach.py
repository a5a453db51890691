"""Legs always reach: last links keep the knee on its side, the body gives way, and feet in the air come nearer."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.gait.rig import Rig

ASIDE = float(np.sin(np.radians(10.0)))  # least sine between the last link and the line from hip to tip
COMFORTABLE = 0.975  # part of a leg's length up to which the body rises
FULL = 0.988  # part of a leg's length up to which it is stretched; the last bit is where knees snap
FOLDED = 1.05, 0.3  # an ankle is never nearer to the hip than so many times the least, or this part of the leg's length
AIRBORNE = 0.6  # part of a leg's length by which a foot that has just left the ground may be out of reach
EARLY = 0.03  # part of a leg's length by which a body is higher at first than a foot in the air needs it when it lands
ROUNDS = 8  # in which bodies look for a place that all legs reach from
SLACK = 1e-3  # part of a leg's length by which they may fail


class BodyShift(NamedTuple):
    """shift: (3, creatures), or None for not at all. asking: (legs, creatures) bool, which legs asked for it most."""

    shift: Array | None
    asking: Array


class LegReach:
    """How far ankles are from their hips, and how far they may be, (legs, creatures)."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._near = np.maximum(FOLDED[0] * rig.near, FOLDED[1] * rig.far)
        self._easy, self._full, self._far = COMFORTABLE * rig.far, FULL * rig.far, rig.far

    def kept_aside(self, last: Array, hips: Array, tips: Array, knees: Array) -> Array:
        """Directions of the last links, (3, legs, creatures), that stay clear of the line from hip to tip.

        So the plane in which a leg bends is always clear, and its knee never changes sides. knees: where those go. Feet
        with heels lie as the ground asks: the knees of such legs go where body and toes point.
        """
        line = _unit(tips - hips)
        side = self._rig.side * knees
        side = _unit(side - _dot(side, line) * line)
        lacking = np.maximum(ASIDE - _dot(last, side), 0.0) * self._rig.natural
        return _unit(last + lacking * side) if lacking.any() else last

    def headroom(self, line: Array, planted: Array, swing: Array) -> Array:
        """How much higher, (legs, creatures), hips may go before hip-to-ankle lines (3, legs, creatures) are too long.

        Lines of legs in the air are as they will be on landing; there is the more room, the longer it is until then.
        """
        x, y, z = line
        room = y + np.sqrt(np.maximum(self._easy * self._easy - x * x - z * z, 0.0))
        return room + EARLY * (1.0 - swing) * ~planted * self._far

    def given_way(self, line: Array, planted: Array, swing: Array) -> BodyShift:
        """How the body must give way for hip-to-ankle lines (3, legs, creatures).

        Feet in the air count the more, the nearer they are to landing.
        """
        full = self._full + AIRBORNE * (1.0 - swing) * ~planted * self._far
        slack = SLACK * self._far
        shift = first = None
        for _ in range(ROUNDS):
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
        return BodyShift(shift, np.zeros_like(planted) if first is None else first)

    def drawn_in(self, line: Array) -> tuple[Array, Array]:
        """How far feet must come nearer to be reached, (3, legs, creatures), and which must, (legs, creatures) bool."""
        distance = np.sqrt(_dot(line, line))
        kept = np.minimum(np.maximum(distance, self._near), 0.5 * (self._full + self._far))
        return line * (kept / np.maximum(distance, 1e-12) - 1.0), kept != distance


def _dot(a: Array, b: Array) -> Array:
    return np.add.reduce(a * b, axis=0)


def _unit(v: Array) -> Array:
    return v * (1.0 / np.sqrt(_dot(v, v) + 1e-30))
