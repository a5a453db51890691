"""Footsteps in the Ground tab: a disc for each, and a gizmo, frames and buttons for the chosen one."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from limbik.grounding.ground import Grounded
from limbik.pictures import palette
from limbik.rotations import about, rotate
from limbik.scenes.looks import LOOKS
from limbik.skeleton.foot import UP
from limbik.skeleton.footsteps import Footstep, Footsteps
from limbik.studio.page.stage import Job, Stage
from limbik.studio.scene.solids import Solid, rings

if TYPE_CHECKING:
    from viser import ClientHandle

ABOVE = 0.006  # height of the discs above the ground, in sizes of the figure
GIZMO_SIZE = 0.25  # in sizes of the figure


class FootstepEditor:
    """The footsteps of a grounded clip; controls are added to the folder that is open.

    `changed` is called when a page has changed `steps`, `chosen` when it has chosen another footstep.
    """

    def __init__(self, stage: Stage, root: str, changed: Job, chosen: Job) -> None:
        gui = stage.gui
        self.steps: list[Footstep] = []
        self.edited = False  # whether `steps` are not those of the clip itself
        self._changed, self._chosen = changed, chosen
        hint = "Shows where feet stand; drag the arrows of a footstep, or its ring to turn the foot."
        self._shown = gui.add_checkbox("Edit footsteps", False, hint=hint)
        hint = "Which footstep to change; they are numbered by when they begin."
        self._number = gui.add_slider("Footstep", 0, 1, 1, 0, hint=hint, disabled=True)
        self._about = gui.add_html("")
        hint = "The first frame in which the foot stands."
        self._start = gui.add_number("First frame", 0, step=1, hint=hint, disabled=True)
        hint = "The first frame in which it no longer does."
        self._stop = gui.add_number("Until frame", 1, step=1, hint=hint, disabled=True)
        self._delete = gui.add_button("Delete", disabled=True, hint="The foot swings on to its next footstep.")
        self._restore = gui.add_button("Restore all", disabled=True)
        self._notes = gui.add_html("", visible=False)
        self._discs = Solid(stage.scene, f"{root}/footsteps", palette.TARGET)
        self._gizmo = stage.scene.add_transform_controls(
            f"{root}/footstep", line_width=3.0, depth_test=False, visible=False, active_axes=(True, False, True)
        )
        self._at, self._dragged = self._pose(), False
        stage.on_change(self._choose, self._shown, self._number)
        stage.on_change(self._retime, self._start, self._stop)
        stage.on_change(self._drag, self._gizmo)
        stage.on_press(self._delete, self._remove)
        stage.on_press(self._restore, self._forget)

    @property
    def shown(self) -> bool:
        return self._shown.value and bool(self.steps)

    @property
    def step(self) -> Footstep:
        """The chosen footstep."""
        return self.steps[min(int(self._number.value), len(self.steps) - 1)]

    def asked(self, fps: float) -> Footsteps | None:
        """The footsteps that a page has edited, for a clip at fps; None for the clip's own."""
        return Footsteps(tuple(self.steps), fps) if self.edited else None

    def show(self, grounded: Grounded, size: float, edited: bool) -> None:
        """Shows the footsteps of a grounded clip of figures of a size, metres. The chosen one stays chosen."""
        before = self.step if self.steps else None
        self.steps, self.edited, self._size = list(grounded.footsteps), edited, size
        self._number.max = max(len(self.steps) - 1, 1)
        if before is not None and self.steps:
            near = [abs(one.start - before.start) + 1e6 * (one.foot != before.foot) for one in self.steps]
            self._number.value = int(np.argmin(near))
        notes = [note for note in grounded.notes if "footsteps[" in note]
        self._notes.content = "".join(f"<div class='limbik-note'>{escape(note)}</div>" for note in notes)
        self._notes.visible = bool(notes)
        self._draw()

    def _draw(self) -> None:
        """Shows what is chosen; moves the gizmo to it."""
        shown = self.shown
        for control in (self._number, self._start, self._stop, self._delete):
            control.disabled = not shown
        self._restore.disabled = not self.edited
        self._gizmo.visible = shown
        if not shown:
            self._discs.hide()
            return
        places = np.array([[np.nan if v is None else v for v in one.position] for one in self.steps])
        normals = np.array([one.normal or (0.0, 1.0, 0.0) for one in self.steps])
        radii = np.full((len(places), 1), 0.6 * LOOKS.mark * self._size) * [0.0, 1.0]
        self._discs.draw(*rings(places + ABOVE * self._size * normals, normals, radii))
        step = self.step
        self._start.value, self._stop.value = step.start, step.stop
        self._about.content = f"<div class='limbik-note'>{escape(step.foot.replace('_', ' '))}</div>"
        if self._dragged:  # a page is moving it
            self._dragged = False
            return
        x, y, z, w = about(UP, np.asarray(np.radians(step.heading_degrees))).tolist()
        self._gizmo.scale = GIZMO_SIZE * self._size
        self._gizmo.position, self._gizmo.wxyz = tuple(places[self.steps.index(step)].tolist()), (w, x, y, z)
        self._at = self._pose()

    def _pose(self) -> tuple[float, float, float]:
        """Where the gizmo is, x and z in metres, and its heading in degrees."""
        w, x, y, z = self._gizmo.wxyz
        ahead = rotate(np.array([x, y, z, w]), np.array([0.0, 0.0, 1.0]))
        heading = float(np.degrees(np.arctan2(ahead[0], ahead[2])))
        return float(self._gizmo.position[0]), float(self._gizmo.position[2]), heading

    # --- events

    def _choose(self) -> None:
        self._draw()
        if self.shown:
            self._chosen()

    def _drag(self) -> None:
        x, z, heading = self._pose()
        turned = (heading - self._at[2] + 180.0) % 360.0 - 180.0
        step = self.step.moved(x - self._at[0], z - self._at[1])
        self._at, self._dragged = (x, z, heading), True
        self._change(step.with_(heading_degrees=step.heading_degrees + turned))

    def _retime(self) -> None:
        start = int(self._start.value)
        self._change(self.step.with_(start=start, stop=max(int(self._stop.value), start + 1)))

    def _remove(self, _: ClientHandle) -> None:
        self._change(None)

    def _forget(self, _: ClientHandle) -> None:
        self.edited = False
        self._changed()

    def _change(self, step: Footstep | None) -> None:
        """Replaces the chosen footstep, or removes it."""
        number = self.steps.index(self.step)
        self.steps = [*self.steps[:number], *([] if step is None else [step]), *self.steps[number + 1 :]]
        self.edited = True
        self._changed()
