"""A limb in the scene, with the other poses that reach its target, and the region that its tip can reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.bodies.capsules import sphere
from limbik.limbs.planar import PlanarTwoLink
from limbik.limbs.solution import Solution
from limbik.pictures import palette
from limbik.pictures.limb_scene import circle, radii
from limbik.rotations import normalized
from limbik.studio.limb_call import LimbCall, points_in_space
from limbik.studio.scene.solids import Links, Solid, add_screen_lines, bands, rgb

if TYPE_CHECKING:
    from viser import MeshHandle, SceneApi

LINK_RADIUS, GHOST_RADIUS = 0.045, 0.036  # of the first link, as a fraction of the limb's length
MAX_GHOSTS = 3
LABEL_RISE = np.array([0.0, 0.06, 0.0])  # from the target to its label, metres
POLE_LENGTH = 0.35  # of its arrow, as a fraction of the limb's length
REGION_SIDES = 48
MIN_SPHERE_RADIUS = 1e-4  # metres; smaller ones are hidden
RING_DEPTH = 0.004  # distance of the ring behind the limb, as a fraction of its radius
NO_DIRECTION = 0.0, 0.0, 0.0


class LimbFigure:
    """What the scene shows of a call: the limb, its target with a label, its pole or hint, ghosts and region."""

    def __init__(self, scene: SceneApi, root: str) -> None:
        self.links = Links(scene, f"{root}/limb", palette.LINK)
        self.ghosts = [Links(scene, f"{root}/ghost{k}", palette.GHOST, 0.35) for k in range(MAX_GHOSTS)]
        self.region = ReachRegion(scene, f"{root}/region")
        self.label = scene.add_label(f"{root}/target-label", "", anchor="bottom-right")
        self._error_line = add_screen_lines(scene, f"{root}/error")
        self._pole = scene.add_arrows(f"{root}/pole", np.zeros((1, 2, 3)), rgb(palette.POLE), head_length=0.05)
        self._pole.shaft_radius, self._pole.head_radius = 0.006, 0.018
        self._pole_label = scene.add_label(f"{root}/pole-label", "", anchor="bottom-center")

    def draw(self, call: LimbCall, solution: Solution, ghosts: bool, region: bool) -> None:
        """Draws a call and its solution, with or without ghosts and region."""
        joints, target = points_in_space(solution.joints), points_in_space(np.array(call.arguments["target"]))
        self.draw_links(call, joints)
        self.label.position = target + LABEL_RISE
        self._error_line.points = np.stack([joints[-1], target])[None].astype(np.float32)
        self._draw_pole(call)
        others = call.branches().others(solution) if ghosts else []
        for k, ghost in enumerate(self.ghosts):
            if k < len(others):
                ghost.chain(points_in_space(others[k]), GHOST_RADIUS * sum(call.lengths))
            else:
                ghost.hide()
        if region:
            self.region.show(call, solution)
        else:
            self.region.hide()

    def draw_links(self, call: LimbCall, joints: Array) -> None:
        """Draws the limb of a call alone, through joints (n, 3)."""
        self.links.chain(joints, LINK_RADIUS * sum(call.lengths))

    def _draw_pole(self, call: LimbCall) -> None:
        name = "pole" if "pole" in call.arguments else "hint"
        pole = np.asarray(call.arguments.get(name, NO_DIRECTION))
        self._pole.visible = self._pole_label.visible = bool(pole.any())
        if pole.any():
            tip = POLE_LENGTH * sum(call.lengths) * normalized(pole)
            self._pole.points = np.array([[[0.0, 0.0, 0.0], tip]], np.float32)
            self._pole_label.text, self._pole_label.position = name, tip


class ReachRegion:
    """The region that a limb's tip can reach: a translucent annulus or spherical shell."""

    def __init__(self, scene: SceneApi, name: str) -> None:
        self._far, self._near = _add_sphere(scene, f"{name}/far", 0.16), _add_sphere(scene, f"{name}/near", 0.3)
        self._far.side = "back"
        self._ring = Solid(scene, f"{name}/ring", palette.REGION_EDGE, 0.35)
        self.hide()

    @property
    def visible(self) -> bool:
        """Whether a shell is shown."""
        return self._far.visible

    def hide(self) -> None:
        self._far.visible = self._near.visible = False
        self._ring.hide()

    def show(self, call: LimbCall, solution: Solution) -> None:
        """Shows the region of a call's limb."""
        near, far = radii(solution)
        if call.kind is PlanarTwoLink:
            self._show_annulus(near, far)
        else:
            up = np.asarray(call.arguments.get("up", NO_DIRECTION))  # none for limbs of two links
            self._show_shell(near, far, call.lengths[-1] * normalized(up))

    def _show_annulus(self, near: float, far: float) -> None:
        """Shows the ring between two radii about the origin of the x-y plane, metres."""
        self._far.visible = self._near.visible = False
        places = np.concatenate([circle(near), circle(far)])
        depth = np.full((len(places), 1), -RING_DEPTH * far)
        self._ring.draw(np.concatenate([places, depth], axis=-1), bands(1, 2, len(places) // 2))

    def _show_shell(self, near: float, far: float, centre: Array) -> None:
        """Shows the shell between two radii about a centre, (3,), metres."""
        self._ring.hide()
        for surface, radius in ((self._far, far), (self._near, near)):
            surface.position, surface.scale = centre, max(radius, MIN_SPHERE_RADIUS)
            surface.visible = radius > MIN_SPHERE_RADIUS


def _add_sphere(scene: SceneApi, name: str, opacity: float) -> MeshHandle:
    """A sphere of radius 1, finer than viser's own."""
    shape = sphere(REGION_SIDES)
    vertices, faces = shape.positions.astype(np.float32), shape.triangles.astype(np.uint32)
    colour = rgb(palette.REGION_EDGE)
    return scene.add_mesh_simple(
        name, vertices, faces, color=colour, opacity=opacity, cast_shadow=False, receive_shadow=False
    )
