"""The point in the middle of the picture, which follows a creature smoothly."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.gait.springs import pulled

STIFFNESS = 2.5  # 1/s; soft enough that a push is visible, and single steps are not


class CameraFollower:
    """A point that follows a creature: it lags while the speed changes, but not at constant speed.

    Attributes:
        position: (3,), metres.
    """

    def __init__(self, place: Array) -> None:
        self.position, self._place, self._speed = place, place, np.zeros(3)

    def advance(self, place: Array, seconds: float) -> None:
        """Advances by so many seconds; place: the position of the creature now, (3,)."""
        velocity = (place - self._place) / seconds
        gap, change = pulled(self.position - self._place, self._speed - velocity, STIFFNESS, seconds)
        self.position, self._place, self._speed = place + gap, place, change + velocity
