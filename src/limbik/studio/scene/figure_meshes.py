"""Figures as they look: with the meshes of the document that a clip came from, or else as simple bones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.rendering.posed_figures import Figures
from limbik.rendering.raster_meshes import Paints
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.studio.scene.solids import Solid

if TYPE_CHECKING:
    from viser import SceneApi

GHOST, GHOSTLY = "#3F6FB5", 0.4


class Body:
    """Everybody in a clip, to be posed; each material has one colour.

    Args:
        scene: viser's.
        name: in the scene's tree.
        clip: whose figures they are.
        ghost: whether they are seen through, in the colour of ghosts.
    """

    def __init__(self, scene: SceneApi, name: str, clip: Clip, *, ghost: bool = False) -> None:
        self._figures = Figures(clip)
        still = self._figures.posed([clip[0]])
        paints = np.zeros_like(still.paints) if ghost else still.paints
        self._parts: list[tuple[Solid, Array, Array]] = []
        for paint in np.unique(paints):
            vertices, faces = np.unique(still.faces[paints == paint], return_inverse=True)
            colour = GHOST if ghost else shown_colour(self._figures.paints, paint)
            solid = Solid(scene, f"{name}/{paint}", colour, GHOSTLY if ghost else None)
            self._parts.append((solid, vertices, faces.reshape(-1, 3)))

    def pose(self, pose: Pose) -> None:
        """Draws them in a pose."""
        places = self._figures.posed([pose]).places
        for solid, vertices, faces in self._parts:
            solid.draw(places[vertices], faces)

    def hide(self) -> None:
        """Shows nothing."""
        for solid, _, _ in self._parts:
            solid.hide()


def shown_colour(paints: Paints, paint: int) -> str:
    """The one colour of a paint, "#rrggbb": of a picture its mean, which is its smallest size."""
    linear, picture = paints.colours[paint, :3], paints.pictures[paint]
    if picture >= 0:
        smallest = paints.levels[paints.firsts[picture] + paints.counts[picture] - 1, 0]
        linear = linear * paints.texels[smallest, :3]
    return "#{:02X}{:02X}{:02X}".format(*np.rint(255.0 * np.clip(linear, 0.0, 1.0) ** (1.0 / 2.2)).astype(int))
