"""Keeps every foot within reach: the body gives way, feet in swing come nearer, and knees stay on their side."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.gait.rig import Rig

MIN_LEAN_SINE = float(np.sin(np.radians(10.0)))  # between the last link and the line from hip to tip
# Extension of a leg up to which the body rises, and greatest extension, beyond which the knee angle changes too fast;
# of legs in general, and of legs with heels, which walk with straight knees.
COMFORTABLE, FULL = (0.975, 0.9965), (0.988, 0.9985)
FOLDED = 1.05, 0.3  # least distance from hip to ankle, over the least that the links allow, and over the leg's length
SWING_EXCESS = 0.6  # excess length that the body tolerates at lift-off, over the leg's length
SWING_HEADROOM = 0.03  # additional height of the body at lift-off, over the leg's length
MAX_ITERATIONS = 8  # in the search for a body position from which all legs reach
REACH_TOLERANCE = 0.1  # of that search, over what is left between full and greatest extension
SINKING = 0.5  # weight of the vertical in that search: bodies rather slow down than sink
TETHER_SLACK = 0.12  # of a leg's length, by which bodies may be ahead of their feet
HEEL_REACH = 0.7  # reach that is gained when the heel is raised, over the length of the foot
TETHER_CYCLES = 0.03, 0.8  # cycles added to the time until a leg steps: always, and where it finds no foothold


class LegReach:
    """Limits on the distance from hips to ankles, (legs, creatures)."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._near = np.maximum(FOLDED[0] * rig.near, FOLDED[1] * rig.far)
        heels = (rig.heel > 0.0).astype(int)
        self._tether = rig.far + HEEL_REACH * rig.last * heels
        self._easy, self._full, self._far = (
            np.take(COMFORTABLE, heels) * rig.far,
            np.take(FULL, heels) * rig.far,
            rig.far,
        )

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

    def headroom(self, line: Array, planted: Array, swing: Array, lost: Array | None) -> Array:
        """(legs, creatures) How much higher hips can go before hip-to-ankle lines (3, legs, creatures) are too long.

        Lines of legs in swing are those at touch-down; they leave more room early in the swing. lost: (legs, creatures)
        bool, legs that do not count.
        """
        x, y, z = line
        room = y + np.sqrt(np.maximum(self._easy * self._easy - x * x - z * z, 0.0))
        room = room + SWING_HEADROOM * (1.0 - swing) * ~planted * self._far
        return room if lost is None else np.where(lost, self._far, room)

    def given_way(self, line: Array, planted: Array, swing: Array, lost: Array | None) -> tuple[Array | None, Array]:
        """How the body must move, (3, creatures) or None, and which legs need it most, (legs, creatures) bool.

        line: (3, legs, creatures), from hips to ankles. Feet in swing count more the nearer they are to touch-down;
        lost ones, (legs, creatures) bool, do not.
        """
        full = self._full + SWING_EXCESS * (1.0 - swing) * ~planted * self._far
        slack = REACH_TOLERANCE * (self._far - self._full)
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

    def tether(self, line: Array, velocity: Array, cycles: Array, seconds: Array, stuck: Array) -> Array:
        """(creatures,) The fraction of the body's motion at which every leg steps before it is stretched.

        line: (3, legs, creatures), from hips to ankles, of legs in swing as they land. velocity: (2, creatures), x and
        z, m/s. cycles: (legs, creatures) until each leg steps, or lands. seconds: (creatures,) of a cycle. stuck:
        (legs, creatures) bool, legs that find no foothold.
        """
        speed = np.sqrt(velocity[0] * velocity[0] + velocity[1] * velocity[1]) + 1e-9
        x, y, z = line
        along = (x * velocity[0] + z * velocity[1]) / speed
        left = along * along + self._tether * self._tether - (x * x + y * y + z * z)
        way = np.maximum(along + np.sqrt(np.maximum(left, 0.0)), 0.0) + (TETHER_SLACK * self._far) * ~stuck
        part = way / (speed * seconds * (cycles + TETHER_CYCLES[0] + TETHER_CYCLES[1] * stuck))
        return np.minimum(part.min(axis=0), 1.0)

    def drawn_in(self, line: Array) -> tuple[Array, Array]:
        """How feet must move to be within reach, (3, legs, creatures), and which must, (legs, creatures) bool."""
        distance = np.sqrt(_dot(line, line))
        kept = np.minimum(np.maximum(distance, self._near), 0.5 * (self._full + self._far))
        return line * (kept / np.maximum(distance, 1e-12) - 1.0), kept != distance


def _dot(a: Array, b: Array) -> Array:
    return np.add.reduce(a * b, axis=0)


def _unit(v: Array) -> Array:
    return v * (1.0 / np.sqrt(_dot(v, v) + 1e-30))
