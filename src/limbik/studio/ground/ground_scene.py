"""The scene of the Ground tab: a clip before and after grounding, the terrain below, and marks under the feet."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.grounding.ground import Grounded
from limbik.pictures import palette
from limbik.scenes.ground_patch import grid
from limbik.scenes.looks import LOOKS
from limbik.skeleton.intervals import intervals
from limbik.studio.ground.clip_layout import ClipLayout
from limbik.studio.ground.report_table import BEFORE
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
CAMERA = 1.0, 0.75, 0.75  # in multiples of the figures' size, for figures that walk along +z
ABOVE = 0.004  # height of marks above the ground, in multiples of the figures' size
WIDER = 0.5  # added to that size where two are apart, as a fraction of their distance


class GroundScene:
    """A grounded clip in the scene. The figures stay in the middle, and the terrain moves below them.

    Attributes:
        layout: of the clip that is shown; None before the first one.
    """

    def __init__(self, stage: Stage, root: str, frame: FrameHandle) -> None:
        self.layout: ClipLayout | None = None
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
            ghost = FigureMeshes(scene, names[0], grounded.before_on_terrain, BEFORE, opacity=0.4)
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

    def show_frame(self, frame: int) -> None:
        """Shows a frame."""
        assert self.layout is not None
        view, layout = self._view, self.layout
        self._ghost.pose(layout.grounded.before_on_terrain[frame]) if view.before else self._ghost.hide()
        self._body.pose(layout.grounded.clip[frame]) if view.after else self._body.hide()
        self._marks.show_frame(frame) if view.after else self._marks.hide()
        shift = layout.offset if view.apart else np.zeros(3)
        self._before.position = shift
        self._frame.position = -(layout.motion.centres[frame] + 0.5 * shift)

    def place_camera(self) -> None:
        """Moves the camera of every page to the front left of the figures, which walk towards it."""
        assert self.layout is not None
        turn, far = self.layout.motion.heading, self.layout.motion.size
        if self._view.apart:
            far += WIDER * float(np.linalg.norm(self.layout.offset))
        x, y, z = CAMERA
        position = np.cos(turn) * x + np.sin(turn) * z, y, np.cos(turn) * z - np.sin(turn) * x
        self._stage.set_camera(far * np.array(position), (0.0, 0.0, 0.0))

    def _show_terrain(self, layout: ClipLayout) -> None:
        """Shows the terrain of a whole clip, twice where the figures are apart."""
        apart, terrain = self._view.apart, layout.grounded.terrain
        low, high = layout.corners(apart)
        shown = terrain, apart, *low, *high
        if shown == self._shown_terrain:
            return
        for name in ("ground", "before/ground") if apart else ("ground",):
            show_terrain(self._stage.scene, f"{self._root}/{name}", terrain, low, high, grid(layout.motion.size))
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
