"""Marks under the feet that stand: a disc on the ground for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.grounding.ground import Grounded
from limbik.pictures import palette
from limbik.scenes.looks import LOOKS
from limbik.skeleton.intervals import intervals
from limbik.studio.scene.ground_rings import rings
from limbik.studio.scene.solids import Solid

if TYPE_CHECKING:
    from viser import SceneApi

ABOVE = 0.004  # the ground, over the figures' size


class PlantMarks(Solid):
    """The marks of a grounded clip."""

    def __init__(self, scene: SceneApi, name: str) -> None:
        super().__init__(scene, name, palette.UP)

    def show(self, grounded: Grounded, positions: Array, size: float) -> None:
        """Takes another clip. positions: of its joints, (frames, joints, 3). size: of its figures, metres."""
        stands = np.asarray(grounded.clip.contacts)
        places = positions[:, list(grounded.clip.feet)][..., [0, 2]]
        for foot in range(stands.shape[1]):
            for first, stop in intervals(stands[:, foot]):
                places[first:stop, foot] = places[first:stop, foot].mean(axis=0)
        self._normals = grounded.terrain.normal(places)
        on_ground = np.insert(places, 1, grounded.terrain.height(places), axis=-1)
        self._middles = on_ground + ABOVE * size * self._normals
        self._radii = stands[..., None] * np.array([0.0, LOOKS.mark * size])

    def at(self, frame: int) -> None:
        """Draws the marks of a frame. Those of feet that do not stand are points, so that triangles stay the same."""
        self.draw(*rings(self._middles[frame], self._normals[frame], self._radii[frame]))
