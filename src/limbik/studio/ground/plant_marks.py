"""Discs on the ground under standing feet."""

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

ABOVE = 0.004  # height above the ground, in multiples of the figures' size


class PlantMarks(Solid):
    """The marks of a grounded clip."""

    def __init__(self, scene: SceneApi, name: str) -> None:
        super().__init__(scene, name, palette.UP)

    def show(self, grounded: Grounded, positions: Array, size: float) -> None:
        """Switches to another clip.

        Args:
            grounded: the clip.
            positions: of its joints, (frames, joints, 3), metres.
            size: of its figures, metres.
        """
        stands = np.asarray(grounded.clip.contacts)
        places = positions[:, list(grounded.clip.feet)][..., [0, 2]]
        for foot in range(stands.shape[1]):
            for first, stop in intervals(stands[:, foot]):
                places[first:stop, foot] = places[first:stop, foot].mean(axis=0)
        self._normals = grounded.terrain.normal(places)
        on_ground = np.insert(places, 1, grounded.terrain.height(places), axis=-1)
        self._centres = on_ground + ABOVE * size * self._normals
        self._radii = stands[..., None] * np.array([0.0, LOOKS.mark * size])

    def show_frame(self, frame: int) -> None:
        """Draws the marks of a frame; those of swinging feet have radius 0, so that the triangles stay the same."""
        self.draw(*rings(self._centres[frame], self._normals[frame], self._radii[frame]))
