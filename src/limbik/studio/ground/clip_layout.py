"""Where a grounded clip takes place: how much ground it needs, and how far aside another one has space."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from limbik.arrays import Array
from limbik.grounding.ground import Grounded
from limbik.scenes.scene_clip import SceneClip

MARGIN, NARROW = 1.5, 0.45  # ground around where figures have been, over their size; and across, side by side
ROUND = 0.125  # corners of the ground are at multiples of this, over the figures' size
GAP = 0.2  # between the two grounds, over the figures' size


@dataclass(frozen=True, eq=False)
class Staging:
    """A grounded clip, and what its scene needs to know."""

    grounded: Grounded

    @cached_property
    def take(self) -> SceneClip:
        """Size, way and heading of its figures, as pages have them."""
        return SceneClip.of("clip", self.grounded.clip)

    @cached_property
    def aside(self) -> Array:
        """(3,): by how much another one is shifted that has space beside this one, to the left as one looks.

        Along x or along z, whichever takes less.
        """
        low, high = self._extent
        width = high[self._across] - low[self._across] + (2.0 * NARROW + GAP) * self.take.size
        right = np.cos(self.take.heading), -np.sin(self.take.heading)
        shift = np.zeros(3)
        shift[2 * self._across] = -width if right[self._across] >= 0.0 else width
        return shift

    def corners(self, apart: bool) -> tuple[Array, Array]:
        """The corners of the ground, (2,) each; apart: for one of two that are side by side.

        They are rounded: where a setting hardly moves them, ground need not be laid anew.
        """
        margin = np.full(2, MARGIN * self.take.size)
        if apart:
            margin[self._across] = NARROW * self.take.size
        (low, high), whole = self._extent, ROUND * self.take.size
        return np.floor((low - margin) / whole) * whole, np.ceil((high + margin) / whole) * whole

    @property
    def _across(self) -> int:
        """The axis along which less happens, 0 for x and 1 for z."""
        low, high = self._extent
        return int(np.argmin(high - low))

    @cached_property
    def _extent(self) -> tuple[Array, Array]:
        """From where to where joints ever are, x and z."""
        places = self.take.positions[..., [0, 2]].reshape(-1, 2)
        return places.min(axis=0), places.max(axis=0)
