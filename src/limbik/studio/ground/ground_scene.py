"""The scene of the Ground tab: a clip as it was and as it is, the ground under both, and where feet stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from limbik.grounding.ground import Grounded
from limbik.scenes.ground_patch import grid
from limbik.studio.ground.clip_layout import Staging
from limbik.studio.ground.plant_marks import PlantMarks
from limbik.studio.page.stage import Stage
from limbik.studio.scene.figure_meshes import FigureMeshes
from limbik.studio.scene.terrain_patch import lay

if TYPE_CHECKING:
    from viser import FrameHandle


class View(NamedTuple):
    """Whether the clip is shown as it was, and as it is; and whether the two are apart."""

    before: bool
    after: bool
    apart: bool = False


VIEWS = {
    "Overlay": View(before=True, after=True),
    "Side by side": View(before=True, after=True, apart=True),
    "After only": View(before=False, after=True),
    "Before only": View(before=True, after=False),
}
EYE = 1.0, 0.75, 0.75  # where one looks from, over the figures' size, if they go along +z
WIDER = 0.5  # what is added to that size where two are apart, over how far


class GroundScene:
    """What is seen of a grounded clip. The figures are kept in the middle, and the ground passes below them.

    staging: what is shown; None at first.
    """

    def __init__(self, stage: Stage, root: str, frame: FrameHandle) -> None:
        self.staging: Staging | None = None
        self._stage, self._root, self._frame = stage, root, frame
        self._aside, self._under_aside, _ = (
            stage.scene.add_frame(f"{root}/{name}", show_axes=False) for name in ("before", "before/ground", "ground")
        )
        self._marks = PlantMarks(stage.scene, f"{root}/marks")
        self._figures: list[FrameHandle] = []
        self._laid: tuple[object, ...] = ()
        self._view = VIEWS["Overlay"]

    def show(self, grounded: Grounded) -> None:
        """Shows a clip that was grounded; the last one stays if that cannot be done."""
        old, new = self.staging, Staging(grounded)
        if old is None or old.grounded.clip.skeleton is not new.grounded.clip.skeleton:
            bodies = self._bodies(new)
            self._lay(new)
            self._embody(*bodies)
        else:
            self._lay(new)
        self._marks.show(new.grounded, new.take.positions, new.take.size)
        self.staging = new

    def view(self, name: str) -> None:
        """Chooses what is shown, one of VIEWS."""
        assert self.staging is not None
        old, self._view = self._view, VIEWS[name]
        self._lay(self.staging)
        if self._view.apart != old.apart:
            self.place_camera()

    def at(self, frame: int) -> None:
        """Shows a frame."""
        assert self.staging is not None
        view, staging = self._view, self.staging
        self._ghost.pose(staging.grounded.before_on_terrain[frame]) if view.before else self._ghost.hide()
        self._body.pose(staging.grounded.clip[frame]) if view.after else self._body.hide()
        self._marks.at(frame) if view.after else self._marks.hide()
        shift = staging.aside if view.apart else np.zeros(3)
        self._aside.position = shift
        self._frame.position = -(staging.take.centres[frame] + 0.5 * shift)

    def place_camera(self) -> None:
        """Places the cameras: before the figures, to their left, so that they come closer as they walk."""
        assert self.staging is not None
        turn, far = self.staging.take.heading, self.staging.take.size
        if self._view.apart:
            far += WIDER * float(np.linalg.norm(self.staging.aside))
        x, y, z = EYE
        eye = np.cos(turn) * x + np.sin(turn) * z, y, np.cos(turn) * z - np.sin(turn) * x
        self._stage.set_camera(far * np.array(eye), (0.0, 0.0, 0.0))

    def _bodies(self, staging: Staging) -> tuple[FigureMeshes, FigureMeshes]:
        """The figures of another clip, before and after; not yet drawn."""
        scene = self._stage.scene
        ghost = FigureMeshes(scene, f"{self._root}/before/figure", staging.grounded.before_on_terrain, ghost=True)
        return ghost, FigureMeshes(scene, f"{self._root}/after", staging.grounded.clip)

    def _embody(self, ghost: FigureMeshes, body: FigureMeshes) -> None:
        """Puts figures in the place of the last ones."""
        for figure in self._figures:
            figure.remove()  # and all below it
        names = f"{self._root}/before/figure", f"{self._root}/after"
        self._figures = [self._stage.scene.add_frame(name, show_axes=False) for name in names]
        self._ghost, self._body = ghost, body

    def _lay(self, staging: Staging) -> None:
        """The ground for all of a clip; twice where the figures are apart."""
        apart, terrain = self._view.apart, staging.grounded.terrain
        low, high = staging.corners(apart)
        laid = terrain, apart, *low, *high
        if laid == self._laid:
            return
        for name in ("ground", "before/ground") if apart else ("ground",):
            lay(self._stage.scene, f"{self._root}/{name}", terrain, low, high, grid(staging.take.size))
        self._under_aside.visible, self._laid = apart, laid
