"""Marks under the feet that stand: a disc on the ground for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.grounding.contacts import stretches
from limbik.grounding.ground import Grounded
from limbik.pages.looks import LOOKS
from limbik.pictures import palette
from limbik.skeleton.rotations import Array, normalized
from limbik.studio.solids import Solid

if TYPE_CHECKING:
    from viser import SceneApi

SIDES = 24  # of a disc
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
            for first, stop in stretches(stands[:, foot]):
                places[first:stop, foot] = places[first:stop, foot].mean(axis=0)
        self._normals = grounded.terrain.normal(places)
        on_ground = np.insert(places, 1, grounded.terrain.height(places), axis=-1)
        self._middles = on_ground + ABOVE * size * self._normals
        self._radii = np.where(stands, LOOKS.mark * size, 0.0)

    def at(self, frame: int) -> None:
        """Draws the marks of a frame. Those of feet that do not stand are points, so that triangles stay the same."""
        turns = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)[:, None]
        normals, radii = self._normals[frame][:, None], self._radii[frame][:, None, None]
        across = normalized(np.cross(normals, [1.0, 0.0, 0.0]))
        rims = np.sin(turns) * across + np.cos(turns) * np.cross(across, normals)
        discs = self._middles[frame][:, None] + radii * np.concatenate([0.0 * normals, rims], axis=1)
        rim = np.arange(1, SIDES + 1)
        fan = np.stack([np.zeros(SIDES, int), rim, np.roll(rim, -1)], axis=-1)
        faces = fan + (SIDES + 1) * np.arange(len(discs))[:, None, None]
        self.draw(discs.reshape(-1, 3), faces.reshape(-1, 3))
