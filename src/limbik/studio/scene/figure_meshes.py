"""Figures in the scene, with their bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.rendering.posed_figures import PosedFigures
from limbik.rendering.raster_meshes import MaterialTable
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.studio.scene.solids import Solid

if TYPE_CHECKING:
    from viser import SceneApi


class FigureMeshes:
    """All figures of a clip; each material has one colour.

    colour: "#rrggbb" for all of them (default: the colours of their materials). opacity: as for `Solid`.
    """

    def __init__(
        self, scene: SceneApi, name: str, clip: Clip, colour: str | None = None, opacity: float | None = None
    ) -> None:
        self._figures = PosedFigures(clip)
        still = self._figures.posed([clip[0]])
        materials = still.materials if colour is None else np.zeros_like(still.materials)
        self._parts: list[tuple[Solid, Array, Array]] = []
        for material in np.unique(materials):
            vertices, faces = np.unique(still.faces[materials == material], return_inverse=True)
            own = colour or mean_colour(self._figures.materials, material)
            solid = Solid(scene, f"{name}/{material}", own, opacity)
            self._parts.append((solid, vertices, faces.reshape(-1, 3)))

    def pose(self, pose: Pose) -> None:
        places = self._figures.posed([pose]).places
        for solid, vertices, faces in self._parts:
            solid.draw(places[vertices], faces)

    def hide(self) -> None:
        for solid, _, _ in self._parts:
            solid.hide()


def mean_colour(materials: MaterialTable, material: int) -> str:
    """The mean colour of a material, "#rrggbb"; of a texture it is the smallest mipmap level."""
    linear, texture = materials.colours[material, :3], materials.textures[material]
    if texture >= 0:
        smallest = materials.levels[materials.firsts[texture] + materials.counts[texture] - 1, 0]
        linear = linear * materials.texels[smallest, :3]
    return "#{:02X}{:02X}{:02X}".format(*np.rint(255.0 * np.clip(linear, 0.0, 1.0) ** (1.0 / 2.2)).astype(int))
