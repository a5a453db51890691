"""Figures in the scene, with their bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.rendering.posed_figures import PosedFigures
from limbik.rendering.raster_meshes import MaterialTable, RasterMesh
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.studio.scene.solids import Solid

if TYPE_CHECKING:
    from viser import SceneApi

MAX_COLOURS = 6  # meshes of a figure: the scene has one colour for each
MIN_COLOUR_DISTANCE = 24.0  # distance of displayed colours below which they are one


class FigureMeshes:
    """All figures of a clip, as a few meshes of one colour each.

    colour: "#rrggbb" for all of them (default: their own colours). opacity: as for `Solid`. swell: how far the skin is
    moved outward, metres, so that a translucent figure lies over another one and does not flicker where they coincide.
    """

    def __init__(
        self,
        scene: SceneApi,
        name: str,
        clip: Clip,
        colour: str | None = None,
        opacity: float | None = None,
        swell: float = 0.0,
    ) -> None:
        self._swell = swell
        self._figures = PosedFigures(clip)
        still = self._figures.mesh_of([clip[0]])
        colours = [colour] if colour else []
        chosen = np.zeros(len(still.faces), int)
        if not colour:
            colours, chosen = few_colours(face_colours(still, self._figures.materials))
        self._parts: list[tuple[Solid, Array, Array]] = []
        for number, own in enumerate(colours):
            vertices, faces = np.unique(still.faces[chosen == number], return_inverse=True)
            self._parts.append((Solid(scene, f"{name}/{number}", own, opacity), vertices, faces.reshape(-1, 3)))

    def pose(self, pose: Pose) -> None:
        posed = self._figures.mesh_of([pose])
        places = posed.places + self._swell * posed.normals if self._swell else posed.places
        for solid, vertices, faces in self._parts:
            solid.draw(places[vertices], faces)

    def hide(self) -> None:
        for solid, _, _ in self._parts:
            solid.hide()


def face_colours(mesh: RasterMesh, materials: MaterialTable) -> Array:
    """(faces, 3): displayed colours, 0 to 255; of a texture it is the one in the middle of the face."""
    # Vertices are numbered ring by ring: with the colour of the first one, the triangles of a hem end along a ring.
    linear = materials.colours[mesh.materials, :3] * mesh.colours[mesh.faces.min(axis=1)]
    textures, middles = materials.textures[mesh.materials], mesh.uvs[mesh.faces].mean(axis=1)
    for texture in np.unique(textures[textures >= 0]):
        own = textures == texture
        start, width, height = materials.levels[materials.firsts[texture]]
        column, row = (np.floor((middles[own] % 1.0) * (width, height))).astype(int).T
        linear[own] *= materials.texels[start + np.minimum(row, height - 1) * width + np.minimum(column, width - 1), :3]
    return 255.0 * np.clip(linear, 0.0, 1.0) ** (1.0 / 2.2)


def few_colours(colours: Array) -> tuple[list[str], Array]:
    """At most MAX_COLOURS "#rrggbb" for colours (n, 3), and which of them each takes, (n,)."""
    centres = colours[:1]
    while len(centres) < MAX_COLOURS:  # always the colour that is farthest from those chosen
        gaps = np.linalg.norm(colours[:, None] - centres, axis=-1).min(axis=1)
        if gaps.max(initial=0.0) < MIN_COLOUR_DISTANCE:
            break
        centres = np.concatenate([centres, colours[[gaps.argmax()]]])
    for _ in range(4):
        chosen = np.linalg.norm(colours[:, None] - centres, axis=-1).argmin(axis=1)
        centres = np.array([colours[chosen == k].mean(axis=0) for k in np.unique(chosen)])
    chosen = np.linalg.norm(colours[:, None] - centres, axis=-1).argmin(axis=1)
    return ["#{:02X}{:02X}{:02X}".format(*np.rint(one).astype(int)) for one in centres], chosen
