"""Layout of the Ground tab's scene: how much terrain a clip needs, and where its copy goes side by side."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from limbik.arrays import Array
from limbik.grounding.ground import Grounded
from limbik.scenes.scene_clip import SceneClip

# In multiples of the figures' size:
MARGIN, NARROW = 1.5, 0.45  # terrain around the figures' path; and across it where two clips are side by side
ROUND = 0.125  # corners of the terrain are rounded to multiples of this
GAP = 0.2  # between the two patches of terrain


@dataclass(frozen=True, eq=False)
class ClipLayout:
    """A grounded clip, and the measures of its scene."""

    grounded: Grounded

    @cached_property
    def motion(self) -> SceneClip:
        """Size, path and heading of the figures, as pages show them."""
        return SceneClip.of("clip", self.grounded.clip)

    @cached_property
    def offset(self) -> Array:
        """Translation of the copy beside the clip, (3,), metres: to the left of the camera, along x or z."""
        low, high = self._extent
        width = high[self._across] - low[self._across] + (2.0 * NARROW + GAP) * self.motion.size
        right = np.cos(self.motion.heading), -np.sin(self.motion.heading)
        shift = np.zeros(3)
        shift[2 * self._across] = -width if right[self._across] >= 0.0 else width
        return shift

    def corners(self, apart: bool) -> tuple[Array, Array]:
        """Lowest and highest corner of the terrain, (2,) each: x and z, metres.

        They are rounded, so that the terrain is not redrawn for every small change of a setting.

        Args:
            apart: whether it is one of two patches side by side.
        """
        margin = np.full(2, MARGIN * self.motion.size)
        if apart:
            margin[self._across] = NARROW * self.motion.size
        (low, high), whole = self._extent, ROUND * self.motion.size
        return np.floor((low - margin) / whole) * whole, np.ceil((high + margin) / whole) * whole

    @property
    def _across(self) -> int:
        """The axis along which the path extends less: 0 for x, 1 for z."""
        low, high = self._extent
        return int(np.argmin(high - low))

    @cached_property
    def _extent(self) -> tuple[Array, Array]:
        """Lowest and highest x and z of all joints in all frames."""
        places = self.motion.positions[..., [0, 2]].reshape(-1, 2)
        return places.min(axis=0), places.max(axis=0)
