"""Layout of the Ground tab's scene: how much terrain a clip needs, and where its copy goes side by side."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.grounding.ground import Grounded
from limbik.scenes.scene_clip import SceneClip

# In multiples of the figures' size:
MARGIN, NARROW = 1.5, 0.45  # terrain around the figures' path; and across it where two clips are side by side
ROUND = 0.125  # corners of the terrain are rounded to multiples of this
GAP = 0.2  # between the two patches of terrain


class ClipLayout:
    """A grounded clip, and the measures of its scene.

    Attributes:
        grounded: the clip.
        motion: size, path and heading of the figures, as pages show them.
        offset: translation of the copy beside the clip, (3,), metres: to the left of the camera, along x or z.
    """

    def __init__(self, grounded: Grounded) -> None:
        self.grounded = grounded
        self.motion = SceneClip.of("clip", grounded.clip)
        places = self.motion.positions[..., [0, 2]].reshape(-1, 2)
        self._low, self._high = places.min(axis=0), places.max(axis=0)
        extent = self._high - self._low
        self._across = int(np.argmin(extent))  # the axis along which the path extends less: 0 for x, 1 for z
        width = extent[self._across] + (2.0 * NARROW + GAP) * self.motion.size
        right = np.cos(self.motion.heading), -np.sin(self.motion.heading)
        self.offset = np.zeros(3)
        self.offset[2 * self._across] = -width if right[self._across] >= 0.0 else width

    def corners(self, apart: bool) -> tuple[Array, Array]:
        """Lowest and highest corner of the terrain, (2,) each: x and z, metres; apart: of two patches side by side.

        They are rounded, so that the terrain is not redrawn for every small change of a setting.
        """
        margin, whole = np.full(2, MARGIN * self.motion.size), ROUND * self.motion.size
        if apart:
            margin[self._across] = NARROW * self.motion.size
        return np.floor((self._low - margin) / whole) * whole, np.ceil((self._high + margin) / whole) * whole
