"""The scene of the Ground tab: a clip before and after grounding, the terrain below, and marks under the feet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.grounding.ground import Grounded
from limbik.pictures import palette
from limbik.scenes.ground_patch import GROUND_MARGIN_RADII, grid
from limbik.scenes.looks import LOOKS
from limbik.scenes.scene_clip import SceneClip
from limbik.skeleton.timing import intervals
from limbik.studio.ground_panel import BEFORE_COLOUR
from limbik.studio.page.cameras import CameraView
from limbik.studio.page.stage import Stage
from limbik.studio.scene.figure_meshes import FigureMeshes
from limbik.studio.scene.solids import Solid, rings
from limbik.studio.scene.terrain_patch import show_terrain

if TYPE_CHECKING:
    from viser import FrameHandle, SceneApi


class View(NamedTuple):
    """Which versions of the clip are shown, and whether they are side by side."""

    before: bool
    after: bool
    apart: bool = False


VIEWS = {
    "Overlay": View(before=True, after=True),
    "Side by side": View(before=True, after=True, apart=True),
    "After only": View(before=False, after=True),
    "Before only": View(before=True, after=False),
}
# In multiples of the figures' size:
ABOVE = 0.004  # height of marks above the ground
SWELL = 0.003  # by which the figure before is thicker
NARROW = 0.45  # terrain beside the figures' path where two clips are side by side
ROUND = 0.125  # corners of the terrain are rounded to multiples of this
GAP = 0.2  # between the two patches of terrain
ELEVATION = 0.42  # of the camera, radians: above the ground that rises in front of the figures


class ClipLayout:
    """A grounded clip, its SceneClip, and the offset (3,) of the copy beside it: to the camera's left, along x or z.

    way: (2, 2), the corners, x and z, between which the figures go, metres.
    """

    def __init__(self, grounded: Grounded) -> None:
        self.grounded = grounded
        self.motion = SceneClip.of("clip", grounded.clip)
        places = self.motion.positions[..., [0, 2]].reshape(-1, 2)
        self._low, self._high = places.min(axis=0), places.max(axis=0)
        self.way = self._widened(np.zeros(2))
        extent = self._high - self._low
        self._across = int(np.argmin(extent))  # the axis along which the path extends less: 0 for x, 1 for z
        width = extent[self._across] + (2.0 * NARROW + GAP) * self.motion.size
        right = np.cos(self.motion.heading), -np.sin(self.motion.heading)
        self.offset = np.zeros(3)
        self.offset[2 * self._across] = -width if right[self._across] >= 0.0 else width

    def corners(self, apart: bool) -> Array:
        """Lowest and highest corner of the terrain, (2, 2): x and z, metres; apart: of two patches side by side."""
        margin = np.full(2, GROUND_MARGIN_RADII * self.motion.radius)
        if apart:
            margin[self._across] = NARROW * self.motion.size
        return self._widened(margin)

    def _widened(self, margin: Array) -> Array:
        """The corners of the way with a margin, (2,), around it.

        They are rounded, so that the terrain is not redrawn for every small change of a setting.
        """
        whole = ROUND * self.motion.size
        return np.stack([np.floor((self._low - margin) / whole), np.ceil((self._high + margin) / whole)]) * whole


class GroundScene:
    """A grounded clip in the scene. The figures stay in the middle, and the terrain moves below them."""

    def __init__(self, stage: Stage, root: str, frame: FrameHandle) -> None:
        self.layout: ClipLayout | None = None  # of the clip that is shown; None before the first one
        self._stage, self._root, self._frame = stage, root, frame
        self._before, self._terrain_before, _ = (
            stage.scene.add_frame(f"{root}/{name}", show_axes=False) for name in ("before", "before/ground", "ground")
        )
        self._marks = PlantMarks(stage.scene, f"{root}/marks")
        self._figures: list[FrameHandle] = []
        self._shown_terrain: tuple[object, ...] = ()
        self._view = VIEWS["Overlay"]

    def show(self, grounded: Grounded) -> None:
        """Shows a grounded clip; if that fails, the previous one stays."""
        old, new = self.layout, ClipLayout(grounded)
        if old is not None and old.grounded.clip.skeleton is new.grounded.clip.skeleton:
            self._show_terrain(new)
        else:
            scene, names = self._stage.scene, (f"{self._root}/before/figure", f"{self._root}/after")
            ghost = FigureMeshes(
                scene, names[0], grounded.before_on_terrain, BEFORE_COLOUR, opacity=0.4, swell=SWELL * new.motion.size
            )
            body = FigureMeshes(scene, names[1], grounded.clip)
            self._show_terrain(new)
            for figure in self._figures:
                figure.remove()  # with everything below it in the scene tree
            self._figures = [scene.add_frame(name, show_axes=False) for name in names]
            self._ghost, self._body = ghost, body
        self._marks.show(new.grounded, new.motion.positions, new.motion.size)
        self.layout = new

    def view(self, name: str) -> None:
        """Chooses what is shown: a key of VIEWS."""
        assert self.layout is not None
        old, self._view = self._view, VIEWS[name]
        self._show_terrain(self.layout)
        if self._view.apart != old.apart:
            self.place_camera()

    def recolour(self) -> None:
        """Draws the terrain in the colours that the studio has now."""
        if self.layout is not None:
            self._show_terrain(self.layout)

    def show_frame(self, frame: int) -> None:
        assert self.layout is not None
        view, layout = self._view, self.layout
        self._ghost.pose(layout.grounded.before_on_terrain[frame]) if view.before else self._ghost.hide()
        self._body.pose(layout.grounded.clip[frame]) if view.after else self._body.hide()
        self._marks.show_frame(frame) if view.after else self._marks.hide()
        shift = layout.offset if view.apart else np.zeros(3)
        self._before.position = shift
        self._frame.position = -(layout.motion.centres[frame] + 0.5 * shift)

    def place_camera(self) -> None:
        """Moves the camera of every page to the default view of the figures."""
        assert self.layout is not None
        motion, radius = self.layout.motion, self.layout.motion.radius
        if self._view.apart:
            radius += 0.5 * float(np.linalg.norm(self.layout.offset))
        self._stage.cameras.show(CameraView(radius, azimuth=motion.azimuth, elevation=ELEVATION))

    def _show_terrain(self, layout: ClipLayout) -> None:
        """Shows the terrain of a whole clip, twice where the figures are apart."""
        apart, terrain = self._view.apart, layout.grounded.terrain
        corners, size = layout.corners(apart), layout.motion.size
        shown = terrain, apart, self._stage.dark, *corners.ravel(), *layout.way.ravel()
        if shown == self._shown_terrain:
            return
        for name in ("ground", "before/ground") if apart else ("ground",):
            show_terrain(self._stage, f"{self._root}/{name}", terrain, corners, grid(size), layout.way, size)
        self._terrain_before.visible, self._shown_terrain = apart, shown


class PlantMarks(Solid):
    """Discs on the ground under the standing feet of a grounded clip."""

    def __init__(self, scene: SceneApi, name: str) -> None:
        super().__init__(scene, name, palette.UP)

    def show(self, grounded: Grounded, positions: Array, size: float) -> None:
        """Switches to a clip with joints at positions (frames, joints, 3) and figures of a size, metres."""
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
