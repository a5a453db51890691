"""What a limb can reach, in the scene: the tip is somewhere between two circles, or two spheres."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.bodies.capsules import sphere
from limbik.pictures import palette
from limbik.pictures.region import circle
from limbik.studio.scene.solids import Solid, rgb

if TYPE_CHECKING:
    from viser import SceneApi

SIDES = 48
LEAST = 1e-4  # metres: a smaller sphere is none
BEHIND = 0.004  # how far a ring lies behind its limb, of its radius


class Region:
    """The reachable region, translucent."""

    def __init__(self, scene: SceneApi, name: str) -> None:
        looks = {"color": rgb(palette.REGION_EDGE), "cast_shadow": False, "receive_shadow": False}
        # viser's own ball shows its corners.
        shape = sphere(SIDES)
        mesh = shape.positions.astype(np.float32), shape.triangles.astype(np.uint32)
        self._far = scene.add_mesh_simple(f"{name}/far", *mesh, opacity=0.16, side="back", **looks)
        self._near = scene.add_mesh_simple(f"{name}/near", *mesh, opacity=0.3, **looks)
        self._ring = Solid(scene, f"{name}/ring", palette.REGION_EDGE, 0.35)
        self.hide()

    def hide(self) -> None:
        """Shows nothing."""
        self._far.visible = self._near.visible = False
        self._ring.hide()

    def flat(self, near: float, far: float) -> None:
        """A ring about the origin of the plane."""
        self._far.visible = self._near.visible = False
        places = np.concatenate([circle(near), circle(far)])
        count, k = len(places) // 2, np.arange(len(places) // 2 - 1)
        faces = np.concatenate([np.stack([k, k + count, k + 1], -1), np.stack([k + 1, k + count, k + count + 1], -1)])
        self._ring.draw(np.concatenate([places, np.full((2 * count, 1), -BEHIND * far)], axis=-1), faces)

    def round(self, near: float, far: float, centre: Array) -> None:
        """Two spheres about a centre, (3,)."""
        self._ring.hide()
        for mesh, radius in ((self._far, far), (self._near, near)):
            mesh.position, mesh.scale = centre, max(radius, LEAST)
            mesh.visible = radius > LEAST
