"""The middle of the picture, which follows a creature."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.gait.springs import pulled

STIFFNESS = 2.5  # 1/s: so soft that a push is seen, and a step is not


class Follower:
    """A point that goes along with a creature: it lags behind a change of speed, but not behind speed.

    middle: (3,), where it is.
    """

    def __init__(self, place: Array) -> None:
        self.middle, self._place, self._speed = place, place, np.zeros(3)

    def advance(self, place: Array, seconds: float) -> None:
        """Goes on in time; place: (3,), where the creature is now."""
        velocity = (place - self._place) / seconds
        gap, change = pulled(self.middle - self._place, self._speed - velocity, STIFFNESS, seconds)
        self.middle, self._place, self._speed = place + gap, place, change + velocity
