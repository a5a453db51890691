"""The Ground tab: a clip on a terrain, before and after grounding."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from limbik.errors import LimbikError
from limbik.gait.walking import walk
from limbik.grounding.cycles import is_cycle
from limbik.grounding.ground import Grounded, ground
from limbik.skeleton.clip import Clip
from limbik.studio.ground_footsteps import FootstepEditor
from limbik.studio.ground_panel import ContactTimeline, FootPlots, SettingsControls, report_table
from limbik.studio.ground_scene import VIEWS, GroundScene
from limbik.studio.page.clip_tab import ClipTab, OpenedClip, Playback
from limbik.terrains.base import Terrain
from limbik.terrains.specs import terrain as terrain_of

if TYPE_CHECKING:
    from viser import ClientHandle

TERRAINS = {
    "Level": "plane",
    "Slope, up": "slope:10",
    "Slope, down": "slope:-10",
    "Slope, to the side": "slope:12,heading=90",
    "Stairs, up": "stairs:rise=0.17,run=0.3",
    "Stairs, down": "stairs:rise=-0.17,run=0.3",
    "Hills": "hills:height=0.3,seed=3,size=4",
}
CUSTOM = "Custom"
FIRST_TERRAIN = "Hills"
MAX_REPEATS = 20  # of a cycle
FIRST_SECONDS = 6.0  # length of the walk that is shown first
CLIP, PAGE, NUMBERS = "Clip", "Page", "Numbers"  # kinds of download


class GroundTab(ClipTab):
    """A clip that was opened from a file, the terrain it is put on, and the result of `ground`."""

    grounded: Grounded
    title = "Ground"
    description = "Puts a clip made for level ground on any terrain: feet stay planted."

    def build(self) -> None:
        gui = self.gui
        self._last_clip: Clip | None = None
        self._last_repeat = 1
        self.add_opener()
        self._build_terrain()
        self._timeline = ContactTimeline(gui)
        self.playback = Playback(self.stage, self._draw)
        self._numbers = gui.add_html("")
        hint = "The grounded clip in its own format, a page that plays it offline, or the measured numbers as .json."
        self._save = gui.add_button_group("Save", (CLIP, PAGE, NUMBERS), hint=hint)
        with gui.add_folder("Footsteps", expand_by_default=False):
            self._footsteps = FootstepEditor(self.stage, self.root, self._reground, self._show_footstep)
            hint = "All footsteps as .json, which limbik ground --footsteps reads."
            self.stage.on_press(gui.add_button("Save footsteps", hint=hint), self._download_footsteps)
        with gui.add_folder("Plots", expand_by_default=False):
            self._plots = FootPlots(self.stage)
        with gui.add_folder("Settings", expand_by_default=False):
            self._settings = SettingsControls(self.stage, self._reground)
        self.scene = GroundScene(self.stage, self.root, self._frame)
        self.stage.on_change(self._choose_view, self._view)
        self.stage.on_change(self._reground, self._repeat)
        self.stage.on_press(self._save, self._download)
        clip = walk("biped", "plane", seconds=FIRST_SECONDS)
        self._ground_clip(OpenedClip(clip, "Sample walk"), terrain_of(TERRAINS[FIRST_TERRAIN]))
        self.playback.play(True)

    def _build_terrain(self) -> None:
        gui = self.gui
        hint = "For example slope:10,heading=90, stairs:rise=0.2,run=0.3 or ground.png:height=2. Press Enter to use it."
        with gui.add_form(None) as form:
            about = "The ground to put the clip on; for any other, write its description below."
            self._kind = gui.add_dropdown("Terrain", (*TERRAINS, CUSTOM), initial_value=FIRST_TERRAIN, hint=about)
            self._spec = gui.add_text("Description", TERRAINS[FIRST_TERRAIN], hint=hint)
            self._error = gui.add_html("", visible=False)
            hint = "Blue: the original clip, raised in each frame by the height of the ground below it."
            self._view = gui.add_dropdown("Show", tuple(VIEWS), hint=hint)
            hint = "How many times a cycle, a clip whose last frame meets its first, is played over the ground."
            self._repeat = gui.add_slider("Repeat", 1, MAX_REPEATS, 1, 1, hint=hint)
        form.on_submit(lambda _: self.stage.jobs.submit(self._apply_terrain))
        self.stage.on_change(self._choose_terrain, self._kind)

    # --- events

    def recolour(self) -> None:
        self.scene.recolour()

    def open_file(self, path: Path) -> None:
        with self._show_errors():
            super().open_file(path)

    def open_animation(self, animation: str) -> None:
        with self._show_errors():
            super().open_animation(animation)

    def show_clip(self, opened: OpenedClip) -> None:
        self._ground_clip(opened, self.grounded.terrain)

    def _choose_terrain(self) -> None:
        if self._kind.value != CUSTOM:
            self._spec.value = TERRAINS[self._kind.value]
            self._apply_terrain()

    def _apply_terrain(self) -> None:
        with self._show_errors():
            self._ground_clip(self.opened, terrain_of(self._spec.value))
        self._kind.value = next((kind for kind, spec in TERRAINS.items() if spec == self._spec.value.strip()), CUSTOM)

    def _reground(self) -> None:
        with self._show_errors():
            self.show_clip(self.opened)

    def _show_footstep(self) -> None:
        """Shows the frame in the middle of the chosen footstep."""
        self.playback.play(False)
        step = self._footsteps.step
        self.playback.seek(0.5 * (step.start + step.stop - 1) / self.grounded.clip.fps)

    def _choose_view(self) -> None:
        self.scene.view(self._view.value)
        self._draw()

    def _download(self, client: ClientHandle) -> None:
        what, name = self._save.value, self.opened.output_name("grounded")
        stem, grounded = Path(name).stem, self.grounded
        if what == CLIP:
            self.stage.download_clip(client, name, grounded.clip)
        elif what == PAGE:
            title = f"{self.opened.name} on {grounded.terrain}"
            self.stage.download_clip(client, f"{stem}.html", grounded.clip, title, compare=grounded.before_on_terrain)
        else:
            self.stage.download(client, f"{stem}.json", json.dumps(grounded.report.as_dict(), indent=1).encode())

    def _download_footsteps(self, client: ClientHandle) -> None:
        name = f"{Path(self.opened.output_name('grounded')).stem}.footsteps.json"
        self.stage.download(client, name, json.dumps(self.grounded.footsteps.as_dict(), indent=1).encode())

    # --- drawing

    def _ground_clip(self, opened: OpenedClip, terrain: Terrain) -> None:
        """Grounds a clip on a terrain, and shows it. If that fails, nothing changes."""
        self._repeat.disabled = not is_cycle(opened.clip)
        repeat = 1 if self._repeat.disabled else int(self._repeat.value)
        same = opened.clip is self._last_clip and (terrain, repeat) == (self.grounded.terrain, self._last_repeat)
        asked = self._footsteps.asked(opened.clip.fps) if same else None
        settings = self._settings.settings()
        grounded = ground(opened.clip, terrain, repeat=repeat, settings=settings, footsteps=asked)
        comparison, report = grounded.comparison, grounded.report
        self.scene.show(grounded)
        assert self.scene.layout is not None
        self._footsteps.show(grounded, self.scene.layout.motion.size, asked is not None)
        self._last_repeat = repeat
        new, self._last_clip = opened.clip is not self._last_clip, opened.clip
        longer = not new and len(grounded.clip) != len(self.grounded.clip)
        self.opened, self.grounded = opened, grounded
        feet = [foot.name.replace("_", " ") for foot in comparison.feet]
        self._timeline.show(feet, np.asarray(grounded.clip.contacts), grounded.clip.fps)
        self._plots.show(comparison)
        self._numbers.content = report_table(report)
        self._error.visible = False
        if new:
            self._show_new_clip()
        elif longer:
            self.playback.start(len(grounded.clip), grounded.clip.fps)
        self._draw()

    def _show_new_clip(self) -> None:
        """Describes a newly opened clip, and starts at its first frame."""
        self.describe_clip()
        self.playback.start(len(self.grounded.clip), self.opened.clip.fps)
        self.scene.place_camera()

    def _draw(self) -> None:
        for part in (self.scene, self._timeline, self._plots):
            part.show_frame(self.playback.frame)

    @contextmanager
    def _show_errors(self) -> Iterator[None]:
        """Shows a LimbikError in the tab as well, until the next success."""
        try:
            yield
        except LimbikError as error:
            self._error.content = f"<div role='alert' class='limbik-note error'>{escape(str(error))}</div>"
            self._error.visible = True
            raise

    def place_camera(self) -> None:
        self.scene.place_camera()
