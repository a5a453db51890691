"""The clock of a gait: when each leg steps, and how gaits change with speed."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.gait.rig import GaitNumbers, Rig

HYSTERESIS = 0.9  # a creature changes to a slower gait below this fraction of that gait's top speed
BLEND_CYCLES = 0.5  # time constant with which the parameters of one gait change to those of another
BLEND_TOLERANCE = 1e-6  # remaining difference at which blending ends
# A leg out of phase runs faster or slower: relative change of rate per cycle of difference, and its greatest value.
CATCH_UP, MAX_CATCH_UP = 4.0, 0.5
MAX_SWING_RATE = 1.15  # rate of a swing that catches up
LATE = 0.15  # fraction of the swing after which a leg that has not lifted off is late
LANDING = 0.85  # fraction of the swing from which on a leg counts as supporting when another is about to lift off
LEAST_STRIDE = 0.4  # length of the usual steps of a slow creature, over the longest of its gait
SLOPE_SHORTENING = 1.0  # relative shortening of the cycle for each unit of slope
SLOPE_DECAY = 0.5  # decay of the remembered slope in a cycle


class GaitClock:
    """When legs step. One beat is one cycle of the gait.

    phase: (legs, creatures), 0 at touch-down, then stance up to the duty factor, then swing up to 1. rhythm: (legs,
    creatures), the phase if every leg stepped in time; it is continuous. swing: (legs, creatures), the fraction of the
    swing that is over. swing_rate: (legs, creatures), the rate at which it goes on, 1 usually, less for a long step.
    gait: (creatures,), index of the present gait. character: (numbers, creatures), factors on the parameters of the
    gaits, or None.
    """

    def __init__(self, rig: Rig, start: Array, gait: int | None, character: Array | None = None) -> None:
        self._rig, self._kept, self._character = rig, gait, character
        self._beats = start
        self.gait = np.full(len(start), gait or 0)
        self._wanted = self._parameters()
        self._mixed = self._wanted.copy()
        self._blending = False
        self._offsets = rig.phases.take(self.gait, axis=0).T
        self.numbers = GaitNumbers._make(self._mixed)
        self.rhythm = self._beats - self._offsets
        self.phase = self.rhythm % 1.0
        self.swing = np.zeros(self.phase.shape)
        self.seconds = self.numbers.slow  # (creatures,), duration of a cycle
        self._pace = np.zeros(len(start))
        self.swing_rate = np.ones(self.phase.shape)
        self._steep = np.zeros(len(start))

    def _parameters(self) -> Array:
        """(numbers, creatures) The parameters of the present gaits."""
        numbers = self._rig.numbers.take(self.gait, axis=1)
        return numbers if self._character is None else numbers * self._character

    def choose(self, pace: Array) -> None:
        """Chooses the slowest gait that is fast enough for each pace, (creatures,) m/s, and sets `seconds`."""
        speeds = self._rig.speeds
        if self._kept is None and len(speeds) > 1:
            fast_enough = np.minimum(speeds.searchsorted(pace), len(speeds) - 1)
            no_faster = np.minimum((HYSTERESIS * speeds).searchsorted(pace), len(speeds) - 1)
            self._change(np.maximum(np.minimum(self.gait, no_faster), fast_enough))
        now = self.numbers
        self._pace = pace
        usual = now.slow + (now.fast - now.slow) * np.minimum(pace / now.speed, 1.0)
        # No stride is longer than at the top speed of the gait, even where turning adds to the pace.
        self.seconds = np.minimum(usual, now.speed * now.fast / np.maximum(pace, 1e-9)) / (
            1.0 + SLOPE_SHORTENING * self._steep
        )

    @property
    def stride(self) -> Array:
        """(creatures,) The length of the usual steps, metres."""
        return np.maximum(self._pace * self.seconds, LEAST_STRIDE * self.numbers.speed * self.numbers.fast)

    def keep_to(self, gait: int | None) -> None:
        """Keeps a gait, by its index; with None the gait follows from the pace."""
        self._kept = gait
        if gait is not None:
            self._change(np.full_like(self.gait, gait))

    def _change(self, gait: Array) -> None:
        """Changes to gaits, (creatures,), gradually."""
        if (gait != self.gait).any():
            self.gait = gait
            self._blending = True
            self._wanted = self._parameters()
            self._offsets = self._rig.phases.take(gait, axis=0).T

    def start(self, creatures: Array) -> None:
        """Starts creatures, (creatures,) bool, that stood: one leg steps at once, and all are in phase."""
        self._mixed[:] = np.where(creatures, self._wanted, self._mixed)
        rhythm = self._beats - self._offsets
        wait = (self.numbers.duty - rhythm) % 1.0
        ahead = np.where(creatures, wait.min(axis=0), 0.0)
        self._beats = self._beats + ahead
        self.rhythm = np.where(creatures, rhythm + ahead, self.rhythm)
        self.phase = np.where(creatures, self.rhythm % 1.0, self.phase)

    def advance(self, seconds: float, running: Array, aloft: Array, steep: Array) -> None:
        """Advances in time.

        running: (creatures,) bool, whose clock runs. aloft: (legs, creatures) bool, legs in swing. steep: (creatures,),
        the slope of the ground, up or down; steps are short and quick where it is steep, or was a moment ago.
        """
        beat = seconds * running / self.seconds
        self._steep = np.maximum(self._steep * (1.0 - SLOPE_DECAY * beat), steep)
        if self._blending:
            self._mixed += (self._wanted - self._mixed) * np.minimum(beat / BLEND_CYCLES, 1.0)
            self._blending = bool((np.abs(self._wanted - self._mixed) > BLEND_TOLERANCE).any())
        rate = _catch_up_rate(self.rhythm - self.phase)
        steps = beat * np.where(aloft, np.minimum(rate, MAX_SWING_RATE), rate)
        self.rhythm = self.rhythm + beat * _catch_up_rate(self._beats - self._offsets - self.rhythm)
        self._beats = self._beats + beat
        duty = self.numbers.duty
        self.swing = (self.swing + steps * self.swing_rate / (1.0 - duty)) * aloft
        self.phase = np.where(aloft, duty + (1.0 - duty) * self.swing, self.phase + steps)

    def may_lift(self, planted: Array) -> Array:
        """(creatures,) Whether fewer legs are in swing than the gait allows at once; planted: (legs, creatures)."""
        aloft = (~planted & (self.swing < LANDING)).sum(axis=0)
        return aloft < self._rig.most_aloft.take(self.gait)

    def land(self, legs: Array) -> None:
        """Begins a new cycle of legs, (legs, creatures) bool, that have touched down or skipped their swing."""
        self.phase -= legs
        self.swing *= ~legs

    def wait(self, legs: Array) -> None:
        """Lets legs, (legs, creatures) bool, that were to lift off stay in stance until the next try."""
        self.swing = self.swing * ~legs
        self.phase = np.where(legs, self.numbers.duty, self.phase)

    def lift(self, legs: Array) -> None:
        """Lifts legs, (legs, creatures) bool, off the ground; those that are early or late begin their swing now."""
        duty = self.numbers.duty
        over = np.maximum(self.phase - duty, 0.0) / (1.0 - duty)
        over *= over < LATE
        self.swing = np.where(legs, over, self.swing)
        self.phase = np.where(legs, duty + (1.0 - duty) * over, self.phase)


def _catch_up_rate(behind: Array) -> Array:
    """The rate, relative to the clock, of something that is so many cycles behind it, or ahead."""
    return 1.0 + np.minimum(np.maximum(CATCH_UP * (behind - np.rint(behind)), -MAX_CATCH_UP), MAX_CATCH_UP)
