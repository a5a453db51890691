"""The clock of a gait: when each leg steps, and how gaits change with speed."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.row_formulas import RowFormula
from limbik.formulas.operations import floor, maximum, minimum, where
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
    passing: (legs, creatures) bool, legs that skip their swing. gait: (creatures,), index of the present gait. mixed:
    (numbers, creatures), its parameters, those of `numbers`. character: (numbers, creatures), factors on the parameters
    of the gaits, or None.
    """

    def __init__(self, rig: Rig, start: Array, gait: int | None, character: Array | None = None) -> None:
        self._rig, self._kept, self._character = rig, gait, character
        self._beats = start
        self.gait = np.full(len(start), gait or 0)
        self._wanted = self._parameters()
        self.mixed = self._wanted.copy()
        self._blending = False
        self._set_range()
        self.numbers = GaitNumbers._make(self.mixed)
        self.rhythm = self._beats - self._offsets
        self.phase = self.rhythm % 1.0
        self.swing = np.zeros(self.phase.shape)
        self.seconds = self.numbers.slow  # (creatures,), duration of a cycle
        self._pace = np.zeros(len(start))
        self.swing_rate = np.ones(self.phase.shape)
        self.passing = self.phase >= self.numbers.duty
        self._steep = np.zeros(len(start))

    def _parameters(self) -> Array:
        """(numbers, creatures) The parameters of the present gaits."""
        numbers = self._rig.numbers.take(self.gait, axis=1)
        return numbers if self._character is None else numbers * self._character

    def choose(self, pace: Array) -> None:
        """Chooses the slowest gait that is fast enough for each pace, (creatures,) m/s, and sets `seconds`."""
        if self._kept is None and np.count_nonzero((pace > self._most) | (pace <= self._least)):
            speeds = self._rig.speeds
            fast_enough = np.minimum(speeds.searchsorted(pace), len(speeds) - 1)
            no_faster = np.minimum((HYSTERESIS * speeds).searchsorted(pace), len(speeds) - 1)
            self._change(np.maximum(np.minimum(self.gait, no_faster), fast_enough))
        self._pace = pace
        self.seconds = CYCLE(pace, self.mixed, self._steep)[0]

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
            self._set_range()

    def _set_range(self) -> None:
        """Sets the phases of the present gaits, and the paces between which they are kept."""
        speeds = self._rig.speeds
        self._offsets = self._rig.phases.take(self.gait, axis=0).T
        self._most = np.append(speeds[:-1], np.inf)[self.gait]
        self._least = np.append(-np.inf, HYSTERESIS * speeds[:-1])[self.gait]

    def start(self, creatures: Array) -> None:
        """Starts creatures, (creatures,) bool, that stood: one leg steps at once, and all are in phase."""
        self.mixed[:] = np.where(creatures, self._wanted, self.mixed)
        rhythm = self._beats - self._offsets
        wait = (self.numbers.duty - rhythm) % 1.0
        ahead = np.where(creatures, wait.min(axis=0), 0.0)
        self._beats = self._beats + ahead
        self.rhythm = np.where(creatures, rhythm + ahead, self.rhythm)
        self.phase = np.where(creatures, self.rhythm % 1.0, self.phase)
        self.passing = np.where(creatures, self.phase > self.numbers.duty + 1e-9, self.passing)

    def advance(
        self, seconds: float, running: Array, aloft: Array, steep: Array, hanging: Array
    ) -> tuple[Array, Array]:
        """Advances in time; legs that have touched down or skipped their swing begin a new cycle.

        running: (creatures,) bool, whose clock runs. aloft: (legs, creatures) bool, legs in swing. steep: (creatures,),
        the slope of the ground, up or down; steps are short and quick where it is steep, or was a moment ago. hanging:
        (legs, creatures), 1 for legs without a foothold, which stay in the air, 0 for others.

        Returns:
            By how much the swing of each leg has gone on, (legs, creatures); and 1 or 0, (2, legs, creatures): which
            have touched down, and which are to lift off.
        """
        beat = seconds * running / self.seconds
        self._steep = np.maximum(self._steep * (1.0 - SLOPE_DECAY * beat), steep)
        if self._blending:
            self.mixed += (self._wanted - self.mixed) * np.minimum(beat / BLEND_CYCLES, 1.0)
            self._blending = bool((np.abs(self._wanted - self.mixed) > BLEND_TOLERANCE).any())
        legs = [self.rhythm, self.phase, self.swing, self.swing_rate, self._offsets, aloft, self.passing, hanging]
        found = BEAT(np.array(legs), self._beats, beat, self.numbers.duty).reshape(7, *aloft.shape)
        self.rhythm, self.phase, self.swing = found[0].copy(), found[1], found[2]  # states keep the first
        self._beats = self._beats + beat
        self.passing = found[4] > 0.5
        return found[3], found[5:]

    def may_lift(self, planted: Array) -> Array:
        """(creatures,) Whether fewer legs are in swing than the gait allows at once; planted: (legs, creatures)."""
        aloft = (~planted & (self.swing < LANDING)).sum(axis=0)
        return aloft < self._rig.most_aloft.take(self.gait)

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


# --- formulas


def _cycle(pace: Any, numbers: Any, steep: Any) -> Any:
    """The duration of a cycle, seconds."""
    _, slow, fast, speed, *_ = numbers
    usual = slow + (fast - slow) * minimum(pace / speed, 1.0)
    # No stride is longer than at the top speed of the gait, even where turning adds to the pace.
    return minimum(usual, speed * fast / maximum(pace, 1e-9)) / (1.0 + SLOPE_SHORTENING * steep)


def _beat(legs: Any, beats: Any, beat: Any, duty: Any) -> Any:
    """Rhythm, phase and swing of a leg after so many cycles; then what `GaitClock.advance` returns, and `passing`."""
    rhythm, phase, swing, swing_rate, offset, aloft, passing, hanging = legs
    aloft, before = aloft > 0.5, swing
    rate = _catch_up_rate(rhythm - phase)
    steps = beat * where(aloft, minimum(rate, MAX_SWING_RATE), rate)
    rhythm = rhythm + beat * _catch_up_rate(beats - offset - rhythm)
    swing = where(aloft, swing + steps * swing_rate / (1.0 - duty), 0.0)
    phase = where(aloft, duty + (1.0 - duty) * swing, phase + steps)
    swing = where(hanging > 0.5, minimum(swing, 0.5), swing)
    landed = where(aloft & (swing >= 1.0), 1.0, 0.0)
    passed = where((passing > 0.5) & (phase >= 1.0), 1.0, 0.0)
    over = maximum(landed, passed)
    step, phase, swing, passing = swing - before, phase - over, swing * (1.0 - over), passing - passed
    stands = where(aloft, landed, 1.0) - passing > 0.5
    return rhythm, phase, swing, step, passing, landed, where(stands & (phase >= duty), 1.0, 0.0)


def _catch_up_rate(behind: Any) -> Any:
    """The rate, relative to the clock, of something that is so many cycles behind it, or ahead."""
    nearest = floor(behind + 0.5)
    # From halfway between two cycles to the even one.
    odd = nearest - 2.0 * floor(0.5 * nearest) == 1.0
    nearest = where((nearest - behind == 0.5) & odd, nearest - 1.0, nearest)
    return 1.0 + minimum(maximum(CATCH_UP * (behind - nearest), -MAX_CATCH_UP), MAX_CATCH_UP)


CYCLE = RowFormula(_cycle, pace=1, numbers=len(GaitNumbers._fields), steep=1)
BEAT = RowFormula(_beat, legs=8, beats=1, beat=1, duty=1)
