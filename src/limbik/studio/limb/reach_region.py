"""The region that a limb's tip can reach, in the scene: between two circles, or between two spheres."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.bodies.capsules import sphere
from limbik.pictures import palette
from limbik.pictures.limb_scene import circle
from limbik.studio.scene.solids import Solid, bands, rgb

if TYPE_CHECKING:
    from viser import SceneApi

SIDES = 48
SMALLEST = 1e-4  # metres; smaller spheres are hidden
BEHIND = 0.004  # distance of the ring behind the limb, as a fraction of its radius


class ReachRegion:
    """A translucent annulus or spherical shell."""

    def __init__(self, scene: SceneApi, name: str) -> None:
        looks = {"color": rgb(palette.REGION_EDGE), "cast_shadow": False, "receive_shadow": False}
        # viser's own sphere is too coarse.
        shape = sphere(SIDES)
        mesh = shape.positions.astype(np.float32), shape.triangles.astype(np.uint32)
        self._far = scene.add_mesh_simple(f"{name}/far", *mesh, opacity=0.16, side="back", **looks)
        self._near = scene.add_mesh_simple(f"{name}/near", *mesh, opacity=0.3, **looks)
        self._ring = Solid(scene, f"{name}/ring", palette.REGION_EDGE, 0.35)
        self.hide()

    def hide(self) -> None:
        self._far.visible = self._near.visible = False
        self._ring.hide()

    def show_annulus(self, near: float, far: float) -> None:
        """Shows the ring between two radii about the origin of the x-y plane, metres."""
        self._far.visible = self._near.visible = False
        places = np.concatenate([circle(near), circle(far)])
        behind = np.full((len(places), 1), -BEHIND * far)
        self._ring.draw(np.concatenate([places, behind], axis=-1), bands(1, 2, len(places) // 2))

    def show_shell(self, near: float, far: float, centre: Array) -> None:
        """Shows the shell between two radii about a centre, (3,), metres."""
        self._ring.hide()
        for surface, radius in ((self._far, far), (self._near, near)):
            surface.position, surface.scale = centre, max(radius, SMALLEST)
            surface.visible = radius > SMALLEST
