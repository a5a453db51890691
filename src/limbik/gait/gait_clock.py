"""The clock of a gait: when each leg steps, and how gaits change with speed."""

from __future__ import annotations

from functools import cache
from math import exp
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.row_formulas import RowFormula
from limbik.formulas.elementary import smoothstep
from limbik.formulas.operations import floor, maximum, minimum, sqrt, where
from limbik.gait.rig import GaitNumbers, Rig
from limbik.gait.swing_arcs import Course, advanced, bow_rate, hump_rate

HYSTERESIS = 0.9  # a creature changes to a slower gait below this fraction of that gait's top speed
BLEND_CYCLES = 0.5  # time constant with which the parameters of one gait change to those of another
BLEND_TOLERANCE = 1e-6  # remaining difference at which blending ends
# A leg out of phase runs faster or slower: relative change of rate per cycle of difference, and its greatest value.
CATCH_UP, MAX_CATCH_UP = 4.0, 0.5
MAX_SWING_RATE = 1.15  # rate of a swing that catches up
MAX_FOOT_SPEED = 2.2  # speed of a foot, over the mean speed of usual swings; their own greatest is 15/8
LATE = 1.0 + MAX_CATCH_UP  # phase since lift-off, over that in a frame, from which on a leg is late
LANDING = 0.85  # fraction of the swing from which on a leg counts as supporting when another is about to lift off
LEAST_STRIDE = 0.4  # length of the usual steps of a slow creature, over the longest of its gait
SLOPE_SHORTENING = 1.0  # relative shortening of the cycle for each unit of slope
SLOPE_DECAY = 0.5  # decay of the remembered slope in a cycle
SLOPE_RISE = 1.25  # greatest increase of the remembered slope in a cycle: swings do not become faster at once
FULL_SWAY_SPEED = 0.4  # speed from which on the body sways fully, over the slowest gait's top speed
SWAY_RATE = 2.0  # rate at which sway sets in and ends, over the creature's tempo
MIN_ACTIVITY = 1e-3  # activity below which there is none


class GaitClock:
    """When legs step. One beat is one cycle of the gait.

    phase: (legs, creatures), 0 at touch-down, then stance up to the duty factor, then swing up to 1. rhythm: (legs,
    creatures), the phase if every leg stepped in time; it is continuous. swing: (legs, creatures), the fraction of the
    swing that is over. swing_rate: (legs, creatures), the rate at which it goes on, 1 usually, less for a long step.
    passing: (legs, creatures) bool, legs that skip their swing. gait: (creatures,), index of the present gait. mixed:
    (numbers, creatures), its parameters, those of `numbers`. character: (numbers, creatures), factors on the parameters
    of the gaits, or None. pace: (creatures,), the speed of the ground under the fastest foot, m/s. activity:
    (creatures,), from 0 for standing to 1. stride: (creatures,), the length of the usual steps, metres. beat:
    (creatures,), cycles in the last frame.
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
        self.pace, self.activity, self._usual, self.stride, self._foot_speed, self._steep = np.zeros((6, len(start)))
        self.swing_rate = np.ones(self.phase.shape)
        self.passing = self.phase >= self.numbers.duty
        self.beat: Array = np.zeros(len(start))
        self._foothold = rig.foothold.reshape(-1, 1)
        self._sway = np.array([0.0, FULL_SWAY_SPEED * rig.speeds[0], 1.0])
        self._set_duties()

    def _parameters(self) -> Array:
        """(numbers, creatures) The parameters of the present gaits."""
        numbers = self._rig.numbers.take(self.gait, axis=1)
        return numbers if self._character is None else numbers * self._character

    def choose(self, seconds: float, now: Array, command: Array, hold: Array) -> None:
        """Chooses the slowest gait that is fast enough, and sets the duration of a cycle, and the activity.

        seconds: since the step before. now, command, hold: (3, creatures), those of Steering.
        """
        if seconds != self._sway[0]:
            self._sway[0], self._sway[2] = seconds, exp(-SWAY_RATE * self._rig.tempo * seconds)
        state = self._range, self.mixed, self._steep, self.activity, self._sway
        found = _cycling(self._rig.legs, len(self._rig.speeds))(
            now, command, hold, self._foothold, *state, self._duties
        )
        self.pace, self.seconds, self.activity, self._usual, self.stride, self._foot_speed, leaving = found
        if self._kept is None and np.count_nonzero(leaving):
            speeds = self._rig.speeds
            fast_enough = np.minimum(speeds.searchsorted(self._usual), len(speeds) - 1)
            no_faster = np.minimum((HYSTERESIS * speeds).searchsorted(self._usual), len(speeds) - 1)
            self._change(np.maximum(np.minimum(self.gait, no_faster), fast_enough))

    @property
    def landing(self) -> Array:
        """(legs, creatures) Seconds until feet land: those in swing, or if they lifted off now."""
        return (1.0 - self.numbers.duty) * self.seconds * (1.0 - self.swing) / self.swing_rate

    def keep_to(self, gait: int | None) -> None:
        """Keeps a gait, by its index; with None the gait follows from the pace."""
        self._kept = gait
        self._set_duties()
        if gait is not None:
            self._change(np.full_like(self.gait, gait))

    def _set_duties(self) -> None:
        """Sets the top speeds of the gaits and their duty factors, that of the kept gait for all where one is kept."""
        duties = self._rig.numbers[0]
        self._duties = np.concatenate(
            [self._rig.speeds, duties if self._kept is None else 0.0 * duties + duties[self._kept]]
        )

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
        self._offsets = np.ascontiguousarray(self._rig.phases.take(self.gait, axis=0).T)
        least, most = np.append(-np.inf, HYSTERESIS * speeds[:-1]), np.append(speeds[:-1], np.inf)
        self._range = np.array([least, most]).take(self.gait, axis=1)

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
        self, seconds: float, running: Array, planted: Array, steep: Array, hanging: Array, course: Course, arch: Array
    ) -> Array:
        """Advances in time; legs that have touched down or skipped their swing begin a new cycle.

        running: (creatures,) bool, whose clock runs. planted: (legs, creatures) bool, legs in stance. steep:
        (creatures,), the slope of the ground, up or down; steps are short and quick where it is steep, or was a moment
        ago. hanging: (legs, creatures) bool, legs without a foothold, which stay in the air. course: of the feet in
        swing, which goes on with them. arch: (3, legs, creatures), that of `FootMotion`.

        Returns:
            1 or 0, (2, legs, creatures): which legs have touched down, and which are to lift off.
        """
        if self._blending:
            part = np.minimum(seconds * running / (BLEND_CYCLES * self.seconds), 1.0)
            self.mixed += (self._wanted - self.mixed) * part
            self._blending = bool((np.abs(self._wanted - self.mixed) > BLEND_TOLERANCE).any())
        self.beat = seconds / self.seconds
        legs = self.rhythm, self.phase, self.swing, self.swing_rate, self._offsets, planted, self.passing, hanging
        time = np.array([seconds]), self.seconds, running, self._beats, self._steep, steep, self.mixed[0]
        values = len(course.now)
        path = self._foot_speed, arch, course.now, course.goal, course.rate, course.force
        found = _beating(values)(*legs, *time, *path)
        found = found.reshape(-1, *planted.shape)
        self.rhythm = found[0].copy()  # states keep it
        self.phase, self.swing, self.passing = found[1], found[2], found[3] > 0.5
        self._beats, self._steep, self.swing_rate = found[6, 0], found[7, 0], found[8]
        course.set(found[9:].reshape(3, values, *planted.shape))
        return found[4:6]

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
        late = np.maximum(self.phase - duty, 0.0)
        # A leg that is in time lifted off between two frames; one that waited begins at the ground, or it would jump.
        over = late * (late <= LATE * self.beat) / (1.0 - duty)
        self.swing = np.where(legs, over, self.swing)
        self.phase = np.where(legs, duty + (1.0 - duty) * over, self.phase)


# --- formulas


def _cycle(
    now: Any,
    command: Any,
    hold: Any,
    foothold: Any,
    kept: Any,
    numbers: Any,
    steep: Any,
    before: Any,
    sway: Any,
    duties: Any,
) -> Any:
    """The present pace; seconds of a cycle; the activity; the pace of the steps, their length; the speed of feet.

    Then whether the pace is none of the gait. A pace is the speed of the ground under the fastest foot, m/s; that of
    the steps is the present one, or the one that is requested where ground and feet allow more. The greatest speed of a
    foot in swing depends on what is requested, not on the ground. foothold: all x, then all z. kept: the paces between
    which the gait is kept. before: the activity before. duties: top speeds of the gaits, then their duty factors.
    """
    _, slow, fast, speed, *_ = numbers
    allowed = tuple(asked * part for asked, part in zip(command, hold, strict=True))
    present, *others = (_pace(foothold, motion) for motion in (now, allowed, command))
    pace = maximum(present, others[0])
    usual = slow + (fast - slow) * minimum(pace / speed, 1.0)
    # No stride is longer than at the top speed of the gait, even where turning adds to the pace.
    seconds = minimum(usual, speed * fast / maximum(pace, 1e-9)) / (1.0 + SLOPE_SHORTENING * steep)
    _, full, fade = sway
    busy = smoothstep(minimum(maximum(present / full, 0.0), 1.0))
    activity = busy + (before - busy) * fade
    leaving = where((pace > kept[1]) | (pace <= kept[0]), 1.0, 0.0)
    asked = maximum(pace, others[1])
    gaits = len(duties) // 2
    duty = duties[-1]
    for k in reversed(range(gaits - 1)):
        duty = where(asked <= duties[k], duties[gaits + k], duty)
    least = LEAST_STRIDE * speed * fast
    foot_speed = MAX_FOOT_SPEED * maximum(asked, least / slow) / (1.0 - duty)
    stride = maximum(pace * seconds, least)
    return present, seconds, where(activity > MIN_ACTIVITY, activity, 0.0), pace, stride, foot_speed, leaving


def _pace(foothold: Any, motion: Any) -> Any:
    """The speed of the ground under the fastest of feet, from a motion to the left, ahead, and turn."""
    left, ahead, turn = motion
    fastest, legs = 0.0, len(foothold) // 2
    for x, z in zip(foothold[:legs], foothold[legs:], strict=True):
        aside, along = left + turn * z, ahead - turn * x
        fastest = maximum(aside * aside + along * along, fastest)
    return sqrt(fastest)


def _beat(
    rhythm: Any,
    phase: Any,
    swing: Any,
    swing_rate: Any,
    offset: Any,
    planted: Any,
    passing: Any,
    hanging: Any,
    seconds: Any,
    cycle: Any,
    running: Any,
    beats: Any,
    steep: Any,
    slope: Any,
    duty: Any,
    fastest: Any,
    arch: Any,
    *course: Any,
) -> Any:
    """A leg after some seconds: rhythm, phase, swing, `passing`, and what `GaitClock.advance` returns.

    Then the beats and the slope that the clock remembers, the rate of the swing, 1 until the next one is planned, and
    the numbers of the foot's course. fastest: greatest speed of a foot, m/s. arch: that of its path.
    """
    beat = seconds * running / cycle
    aloft, before = planted < 0.5, swing
    rate = _catch_up_rate(rhythm - phase)
    faster = where(aloft, minimum(rate, MAX_SWING_RATE), rate)
    rhythm = rhythm + beat * _catch_up_rate(beats - offset - rhythm)
    x, y, z = course[2][:3]
    aside, y = bow_rate(swing), y + arch[1] * hump_rate(swing, sqrt, maximum)
    x, z = x + arch[0] * aside, z + arch[2] * aside
    steps = minimum(beat * faster * swing_rate / (1.0 - duty), fastest * seconds / sqrt(x * x + y * y + z * z + 1e-12))
    swing = where(aloft, swing + steps, 0.0)
    phase = where(aloft, duty + (1.0 - duty) * swing, phase + beat * faster)
    swing = where(hanging > 0.5, minimum(swing, 0.5), swing)
    landed = where(aloft & (swing >= 1.0), 1.0, 0.0)
    passed = where((passing > 0.5) & (phase >= 1.0), 1.0, 0.0)
    over = maximum(landed, passed)
    step, phase, swing, passing = swing - before, phase - over, swing * (1.0 - over), passing - passed
    stands = where(aloft, landed, 1.0) - passing > 0.5
    due = where(stands & (phase >= duty), 1.0, 0.0)
    steep = maximum(steep * (1.0 - SLOPE_DECAY * beat), minimum(slope, steep + SLOPE_RISE * beat))
    rate = where(aloft, swing_rate, 1.0)
    return rhythm, phase, swing, passing, landed, due, beats + beat, steep, rate, advanced(step, before, *course)


def _catch_up_rate(behind: Any) -> Any:
    """The rate, relative to the clock, of something that is so many cycles behind it, or ahead."""
    nearest = floor(behind + 0.5)
    # From halfway between two cycles to the even one.
    odd = nearest - 2.0 * floor(0.5 * nearest) == 1.0
    nearest = where((nearest - behind == 0.5) & odd, nearest - 1.0, nearest)
    return 1.0 + minimum(maximum(CATCH_UP * (behind - nearest), -MAX_CATCH_UP), MAX_CATCH_UP)


@cache
def _cycling(legs: int, gaits: int) -> RowFormula:
    motion = {"now": 3, "command": 3, "hold": 3, "foothold": 2 * legs}
    clock = {"kept": 2, "numbers": len(GaitNumbers._fields), "steep": 1, "before": 1, "sway": 3, "duties": 2 * gaits}
    return RowFormula(_cycle, **motion, **clock)


@cache
def _beating(values: int) -> RowFormula:
    legs: dict[str, Any] = {"rhythm": 1, "phase": 1, "swing": 1, "swing_rate": 1, "offset": 1}
    legs |= {"planted": bool, "passing": bool, "hanging": bool}
    time: dict[str, Any] = {"seconds": 1, "cycle": 1, "running": bool, "beats": 1, "steep": 1, "slope": 1, "duty": 1}
    time |= {"fastest": 1, "arch": 3}
    return RowFormula(_beat, **legs, **time, now=values, goal=values, rate=values, force=values)
