"""How creatures carry themselves: lean, bank, stride, and what they do while they stand."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.formulas.elementary import smoothstep
from limbik.formulas.operations import maximum, minimum, where
from limbik.gait.rig import GRAVITY, Rig

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


PARAMETERS = "beginning", "slow", "hurrying", "sloping", "swinging", "banking", "most"  # of `carried`
FIRST_SECONDS = 2.0  # in which the first shift of weight sets in


class Bearing:
    """What creatures do while they stand, and how far they lean.

    times: (creatures,), seconds from which each one's idle motions start, or None for no secondary motion. parameters:
    those of `carried`.
    """

    def __init__(self, rig: Rig, times: Array | None, count: int) -> None:
        kind = rig.creature
        slow, fast = float(rig.speeds[0]), float(rig.speeds[-1])
        hurrying = 1.0 / (fast - slow) if fast > slow else 0.0
        swinging, most = (ACCELERATION_LEAN / GRAVITY, MAX_LEAN) if kind.bank > 0.0 else (0.0, np.inf)
        sloping = SLOPE_LEAN * (1.0 - kind.tilt)
        self.parameters = np.array([0.0, slow, hurrying, sloping, swinging, kind.bank / GRAVITY, most])
        # Radians per second of the breath, and of the two waves in which weight is shifted.
        self._rates = (2.0 * np.pi * rig.tempo) * np.array([[BREATHS], [SHIFTS], [1.618 * SHIFTS]])
        self._times, self._none = times, np.zeros((3, count))

    def idle(self, time: float) -> tuple[Array, Array]:
        """Each one's time, (creatures,) seconds, and its waves, (3, creatures). time: seconds since the start."""
        self.parameters[0] = min(time / FIRST_SECONDS, 1.0)
        if self._times is None:
            return self._none[0], self._none
        times = self._times + time
        return times, np.sin(self._rates * times)


def carried(now: Any, gait: Any, motion: Any, waves: Any, parameters: Any) -> Any:
    """The numbers of a posture, as a formula.

    now: heading, pace, activity, slope, seconds of a cycle, time. gait: GaitNumbers. motion: `Steering.motion`.
    """
    heading, pace, activity, slope, seconds, time = now
    change, hold, (_, ahead, turn) = motion[7], motion[10], motion[15:18]
    beginning, slow, hurrying, sloping, swinging, banking, most = parameters
    stride = minimum(pace * seconds / (gait.speed * gait.fast), 1.0)
    hurry = smoothstep(minimum(maximum((pace - slow) * hurrying, 0.0), 1.0))
    lean = gait.lean * minimum(pace / gait.speed, 1.0) + sloping * slope * activity + swinging * change * hold
    lean = minimum(maximum(lean, -most), most)
    bank = minimum(maximum(banking * ahead * turn, -MAX_BANK), MAX_BANK)
    breath, wave = waves[0], 0.7 * waves[1] + 0.45 * waves[2]
    shift = wave * (1.5 - 0.5 * wave * wave) * (1.0 - activity) * beginning
    shift = where(activity > STRIDING, 0.0, shift)
    return heading, stride, hurry, lean, bank, turn, shift, breath, time, activity
