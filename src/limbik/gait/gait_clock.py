"""The clock of a gait: which leg's turn it is, and how gaits change with speed."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.gait.rig import GaitNumbers, Rig

STAY = 0.9  # a creature falls back to a slower gait only below this part of that gait's top speed
BLEND = 0.5  # cycles in which most of a gait's numbers change to another's
BLENDED = 1e-6  # how near to the other's they are then
# A leg out of step hurries or dawdles by so much of the clock's rate for each cycle that it is off, and at most.
EAGER, MOST = 4.0, 0.5
LATE = 0.15  # of a swing: a leg that should have begun it longer ago is late
LANDING = 0.85  # of a swing, from which on a leg counts as standing when another asks whether it may leave the ground
STEEP = 1.0  # how much shorter a cycle is, for each unit of slope
FORGET = 0.5  # how much of the steepness is forgotten in a cycle


class GaitClock:
    """When legs step. One beat is a fraction of a gait's cycle.

    phase: (legs, creatures), 0 at touch-down, then stance up to the duty factor, then swing up to 1.
    rhythm: (legs, creatures), what the phase would be if every leg stepped in time; it never jumps.
    swing: (legs, creatures), how much of its swing a leg in the air has behind it. gait: (creatures,), its number.
    """

    def __init__(self, rig: Rig, start: Array, gait: int | None) -> None:
        self._rig, self._kept = rig, gait
        self._beats = start
        self.gait = np.full(len(start), gait or 0)
        self._wanted = rig.numbers.take(self.gait, axis=1)
        self._mixed = self._wanted.copy()
        self._blending = False
        self._offsets = rig.phases.take(self.gait, axis=0).T
        self.numbers = GaitNumbers._make(self._mixed)
        self.rhythm = self._beats - self._offsets
        self.phase = self.rhythm % 1.0
        self.swing = np.zeros(self.phase.shape)
        self.seconds = self.numbers.slow  # (creatures,), that a cycle takes
        self._steep = np.zeros(len(start))

    def choose(self, pace: Array) -> None:
        """The slowest gait that is fast enough for each creature's pace, (creatures,), m/s; and how long a cycle is."""
        speeds = self._rig.speeds
        if self._kept is None and len(speeds) > 1:
            fast_enough = np.minimum(speeds.searchsorted(pace), len(speeds) - 1)
            no_faster = np.minimum((STAY * speeds).searchsorted(pace), len(speeds) - 1)
            self._change(np.maximum(np.minimum(self.gait, no_faster), fast_enough))
        now = self.numbers
        usual = now.slow + (now.fast - now.slow) * np.minimum(pace / now.speed, 1.0)
        # No stride is longer than at the gait's top speed: a creature that turns may ask for more.
        self.seconds = np.minimum(usual, now.speed * now.fast / np.maximum(pace, 1e-9)) / (1.0 + STEEP * self._steep)

    def keep_to(self, gait: int | None) -> None:
        """Keeps to a gait, by its number, from now on; or, with None, to whichever the pace asks for."""
        self._kept = gait
        if gait is not None:
            self._change(np.full_like(self.gait, gait))

    def _change(self, gait: Array) -> None:
        """Goes over to gaits, (creatures,), by and by."""
        if (gait != self.gait).any():
            self.gait = gait
            self._blending = True
            self._wanted = self._rig.numbers.take(gait, axis=1)
            self._offsets = self._rig.phases.take(gait, axis=0).T

    def start(self, creatures: Array) -> None:
        """Creatures, (creatures,) bool, that stood and set off: a leg's turn comes at once, and none is out of step."""
        self._mixed[:] = np.where(creatures, self._wanted, self._mixed)
        rhythm = self._beats - self._offsets
        wait = (self.numbers.duty - rhythm) % 1.0
        ahead = np.where(creatures, wait.min(axis=0), 0.0)
        self._beats = self._beats + ahead
        self.rhythm = np.where(creatures, rhythm + ahead, self.rhythm)
        self.phase = np.where(creatures, self.rhythm % 1.0, self.phase)

    def advance(self, seconds: float, running: Array, aloft: Array, steep: Array) -> None:
        """Goes on in time.

        running: (creatures,) bool, whose clock runs. aloft: (legs, creatures) bool, in the air. steep: (creatures,),
        the slope of the ground, up or down; where it is steep, or was a moment ago, steps are short and quick.
        """
        beat = seconds * running / self.seconds
        self._steep = np.maximum(self._steep * (1.0 - FORGET * beat), steep)
        if self._blending:
            self._mixed += (self._wanted - self._mixed) * np.minimum(beat / BLEND, 1.0)
            self._blending = bool((np.abs(self._wanted - self._mixed) > BLENDED).any())
        steps = beat * _hurry(self.rhythm - self.phase)
        self.rhythm = self.rhythm + beat * _hurry(self._beats - self._offsets - self.rhythm)
        self._beats = self._beats + beat
        duty = self.numbers.duty
        self.swing = (self.swing + steps / (1.0 - duty)) * aloft
        self.phase = np.where(aloft, duty + (1.0 - duty) * self.swing, self.phase + steps)

    def may_lift(self, planted: Array) -> Array:
        """(creatures,) Whether fewer legs are in the air than the gait ever has there; planted: (legs, creatures)."""
        aloft = (~planted & (self.swing < LANDING)).sum(axis=0)
        return aloft < self._rig.most_aloft.take(self.gait)

    def land(self, legs: Array) -> None:
        """Legs, (legs, creatures) bool, that have touched down, or have let their turn pass: a new cycle begins."""
        self.phase -= legs
        self.swing *= ~legs

    def lift(self, legs: Array) -> None:
        """Legs, (legs, creatures) bool, that leave the ground; those that are early or late begin their swing now."""
        duty = self.numbers.duty
        over = np.maximum(self.phase - duty, 0.0) / (1.0 - duty)
        over *= over < LATE
        self.swing = np.where(legs, over, self.swing)
        self.phase = np.where(legs, duty + (1.0 - duty) * over, self.phase)


def _hurry(behind: Array) -> Array:
    """How much faster than the clock something goes that is so many cycles behind it, or ahead."""
    return 1.0 + np.minimum(np.maximum(EAGER * (behind - np.rint(behind)), -MOST), MOST)
