"""The mark of the place to which a creature was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.pictures import palette
from limbik.studio.scene.solids import Solid, rings

if TYPE_CHECKING:
    from viser import SceneApi

RADII = (0.0, 0.022), (0.055, 0.07)  # of its disc and its ring, over the creature's size
ABOVE = 0.006  # height above the ground, over the creature's size


class GoalMark(Solid):
    """A disc in a ring on the ground; hidden until it is shown. size: of the creature, metres."""

    def __init__(self, scene: SceneApi, name: str, size: float) -> None:
        super().__init__(scene, name, palette.TARGET)
        self._size = size

    def show(self, place: Array, normal: Array) -> None:
        """Shows it at a place, (3,), on ground with a unit normal, (3,)."""
        centre = place + ABOVE * self._size * normal
        self.draw(*rings(np.array([centre] * 2), np.array([normal] * 2), self._size * np.array(RADII)))
