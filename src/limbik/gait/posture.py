"""How creatures carry themselves: lean, bank, stride, and what they do while they stand."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines.row_formulas import RowFormula
from limbik.formulas.elementary import smoothstep
from limbik.formulas.operations import maximum, minimum, where
from limbik.gait.gait_clock import GaitClock
from limbik.gait.rig import GRAVITY, GaitNumbers, Rig
from limbik.gait.steering import MOTION_NUMBERS, Steering

SLOPE_LEAN = 0.8  # lean into a slope of a body that does not tilt with the ground, over the slope
ACCELERATION_LEAN = 0.5  # lean into an acceleration, over the angle that balances it
MAX_LEAN = 0.45  # radians
MAX_BANK = 0.7  # slope
BREATHS = 0.078  # breaths per second, over the creature's tempo: 15 a minute for a human
SHIFTS = 0.033  # shifts of weight per second, over the creature's tempo: one in ten seconds for a human
STRIDING = 0.999  # activity from which on weight is not shifted


class Posture(NamedTuple):
    """(creatures,) each.

    heading: radians. stride: length of the strides, over the longest of the gait, 0 to 1. hurry: 0 up to the top speed
    of the slowest gait, 1 at that of the fastest. lean: forward, radians. bank: slope of the body's roll in a turn,
    positive to the left. turn: rate, radians/s. shift: of weight while standing, −1 to 1, left positive. breath: −1
    to 1. time: seconds, different for each creature, 0 without secondary motion. activity: 0 for standing to 1.
    """

    heading: Array
    stride: Array
    hurry: Array
    lean: Array
    bank: Array
    turn: Array
    shift: Array
    breath: Array
    time: Array
    activity: Array


class Bearing:
    """Computes postures. times: (creatures,), seconds from which each one's idle motions start."""

    def __init__(self, rig: Rig, times: Array, secondary: bool) -> None:
        self._rig, self._times, self._secondary = rig, times, secondary
        kind = rig.creature
        slow, fast = float(rig.speeds[0]), float(rig.speeds[-1])
        hurrying = 1.0 / (fast - slow) if fast > slow else 0.0
        swinging, most = (ACCELERATION_LEAN / GRAVITY, MAX_LEAN) if kind.bank > 0.0 else (0.0, np.inf)
        sloping = SLOPE_LEAN * (1.0 - kind.tilt)
        self._parameters = np.array([slow, hurrying, sloping, swinging, kind.bank / GRAVITY, most])
        # Radians per second of the breath, and of the two waves in which weight is shifted.
        self._rates = (2.0 * np.pi * rig.tempo) * np.array([[BREATHS], [SHIFTS], [1.618 * SHIFTS]])
        self._none = np.zeros((3, len(times)))

    def posture(
        self,
        heading: Array,
        steering: Steering,
        clock: GaitClock,
        slope: Array,
        time: float,
    ) -> Array:
        """(10, creatures) The numbers of the present posture.

        heading: (creatures,), radians. slope: (creatures,), of the ground ahead. time: seconds since the start.
        """
        times, waves = self._none[0], self._none
        if self._secondary:
            times = self._times + time
            waves = np.sin(self._rates * times)
        now = np.array([heading, clock.pace, clock.activity, slope, clock.seconds, times])
        beginning = np.array([min(0.5 * time, 1.0)])
        return CARRIED(now, clock.mixed, steering.motion, waves, beginning, self._parameters)


def _carried(now: Any, gait: Any, motion: Any, waves: Any, beginning: Any, parameters: Any) -> Any:
    """The numbers of a posture.

    now: heading, pace, activity, slope, seconds of a cycle, time. gait: GaitNumbers. motion: `Steering.motion`.
    """
    heading, pace, activity, slope, seconds, time = now
    numbers = GaitNumbers._make(gait)
    change, hold, (_, ahead, turn) = motion[7], motion[10], motion[15:18]
    slow, hurrying, sloping, swinging, banking, most = parameters
    stride = minimum(pace * seconds / (numbers.speed * numbers.fast), 1.0)
    hurry = smoothstep(minimum(maximum((pace - slow) * hurrying, 0.0), 1.0))
    lean = numbers.lean * minimum(pace / numbers.speed, 1.0) + sloping * slope * activity + swinging * change * hold
    lean = minimum(maximum(lean, -most), most)
    bank = minimum(maximum(banking * ahead * turn, -MAX_BANK), MAX_BANK)
    breath, wave = waves[0], 0.7 * waves[1] + 0.45 * waves[2]
    shift = wave * (1.5 - 0.5 * wave * wave) * (1.0 - activity) * beginning
    shift = where(activity > STRIDING, 0.0, shift)
    return heading, stride, hurry, lean, bank, turn, shift, breath, time, activity


CARRIED = RowFormula(
    _carried, now=6, gait=len(GaitNumbers._fields), motion=MOTION_NUMBERS, waves=3, beginning=1, parameters=6
)
