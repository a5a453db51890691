"""How creatures carry themselves: lean, bank, stride, and what they do while they stand."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.gait.gait_clock import GaitClock
from limbik.gait.rig import GRAVITY, Rig
from limbik.gait.steering import Steering
from limbik.skeleton.easing import ease

SLOPE_LEAN = 0.8  # lean into a slope of a body that does not tilt with the ground, over the slope
ACCELERATION_LEAN = 0.5  # lean into an acceleration, over the angle that balances it
MAX_LEAN = 0.45  # radians
MAX_BANK = 0.7  # slope
BREATHS = 0.078  # breaths per second, over the creature's tempo: 15 a minute for a human
SHIFTS = 0.033  # shifts of weight per second, over the creature's tempo: one in ten seconds for a human


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
        self._bank = kind.bank / GRAVITY
        self._slow, self._fast = float(rig.speeds[0]), float(rig.speeds[-1])
        self._slope_lean = SLOPE_LEAN * (1.0 - kind.tilt)
        self._dynamic = kind.bank > 0.0
        self._none = np.zeros_like(times)

    def posture(
        self,
        heading: Array,
        steering: Steering,
        clock: GaitClock,
        slope: Array,
        pace: Array,
        activity: Array,
        time: float,
    ) -> Posture:
        """The present posture.

        heading: (creatures,), radians. slope: (creatures,), of the ground ahead. pace: (creatures,), m/s. activity:
        (creatures,). time: seconds since the start.
        """
        numbers, none = clock.numbers, self._none
        stride = np.minimum(pace * clock.seconds / (numbers.speed * numbers.fast), 1.0)
        hurry = ease((pace - self._slow) / (self._fast - self._slow)) if self._fast > self._slow else none
        _, ahead, turn = steering.now
        lean = numbers.lean * np.minimum(pace / numbers.speed, 1.0)
        bank = none
        if self._slope_lean:
            lean = lean + self._slope_lean * slope * activity
        if self._dynamic:
            lean = lean + (ACCELERATION_LEAN / GRAVITY) * steering.change[1] * steering.hold[1]
            lean = np.minimum(np.maximum(lean, -MAX_LEAN), MAX_LEAN)
            bank = np.minimum(np.maximum(self._bank * ahead * turn, -MAX_BANK), MAX_BANK)
        times = shift = breath = none
        if self._secondary:
            times = self._times + time
            rate = (2.0 * np.pi) * self._rig.tempo
            breath = np.sin((BREATHS * rate) * times)
            if activity.min() > 0.999:
                return Posture(heading, stride, hurry, lean, bank, turn, shift, breath, times, activity)
            wave = 0.7 * np.sin(SHIFTS * rate * times) + 0.45 * np.sin(1.618 * SHIFTS * rate * times)
            shift = wave * (1.5 - 0.5 * wave * wave) * (1.0 - activity) * min(0.5 * time, 1.0)
        return Posture(heading, stride, hurry, lean, bank, turn, shift, breath, times, activity)
