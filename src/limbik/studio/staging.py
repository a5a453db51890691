"""Where a grounded clip takes place: how large it is, which way it goes, and how much ground it needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from limbik.grounding.ground import Grounded
from limbik.grounding.smoothing import smoothed
from limbik.pages.bodies import trees
from limbik.skeleton.rotations import Array

STEADY = 0.5  # seconds to either side over which the way of the figures is smoothed
MARGIN, NARROW = 1.5, 0.45  # ground around where figures have been, over their size; and across, side by side
ROUND = 0.125  # corners of the ground are at multiples of this, over the figures' size
GAP = 0.2  # between the two grounds, over the figures' size


@dataclass(frozen=True, eq=False)
class Staging:
    """A grounded clip, and what its scene needs to know."""

    grounded: Grounded

    @cached_property
    def positions(self) -> Array:
        """(frames, joints, 3)."""
        return self.grounded.clip.positions()

    @cached_property
    def size(self) -> float:
        """The extent of the largest figure at the start, metres."""
        start = self.positions[0]
        return max(float(np.ptp(start[joints], axis=0).max()) for joints in trees(self.grounded.clip.skeleton)) or 1.0

    @cached_property
    def middles(self) -> Array:
        """(frames, 3): the middle of all figures, on a smooth way."""
        middles = 0.5 * (self.positions.min(axis=1) + self.positions.max(axis=1))
        return smoothed(middles, round(STEADY * self.grounded.clip.fps))

    @property
    def heading(self) -> float:
        """Where they go, radians from +z to +x; 0 where they stay."""
        x, _, z = self.middles[-1] - self.middles[0]
        return float(np.arctan2(x, z)) if np.hypot(x, z) > 0.5 * self.size else 0.0

    @cached_property
    def aside(self) -> Array:
        """(3,): by how much another one is shifted that has room beside this one, to the left as one looks.

        Along x or along z, whichever takes less.
        """
        low, high = self._extent
        width = high[self._across] - low[self._across] + (2.0 * NARROW + GAP) * self.size
        right = np.cos(self.heading), -np.sin(self.heading)
        shift = np.zeros(3)
        shift[2 * self._across] = -width if right[self._across] >= 0.0 else width
        return shift

    def corners(self, apart: bool) -> tuple[Array, Array]:
        """The corners of the ground, (2,) each; apart: for one of two that are side by side.

        They are rounded: where a setting hardly moves them, ground need not be laid anew.
        """
        margin = np.full(2, MARGIN * self.size)
        if apart:
            margin[self._across] = NARROW * self.size
        (low, high), whole = self._extent, ROUND * self.size
        return np.floor((low - margin) / whole) * whole, np.ceil((high + margin) / whole) * whole

    @property
    def _across(self) -> int:
        """The axis along which less happens, 0 for x and 1 for z."""
        low, high = self._extent
        return int(np.argmin(high - low))

    @cached_property
    def _extent(self) -> tuple[Array, Array]:
        """From where to where joints ever are, x and z."""
        places = self.positions[..., [0, 2]].reshape(-1, 2)
        return places.min(axis=0), places.max(axis=0)
