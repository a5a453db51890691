"""The Ground tab: a clip on a terrain, as it was and as it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from limbik.errors import LimbikError
from limbik.files.clip_files import SUFFIXES
from limbik.gait.walking import walk
from limbik.grounding.ground import Grounded, ground
from limbik.referee.motion_report import Report
from limbik.skeleton.clip import Clip
from limbik.studio.ground import report_table
from limbik.studio.ground.contact_timeline import ContactTimeline
from limbik.studio.ground.foot_plots import FootPlots
from limbik.studio.ground.ground_scene import VIEWS, GroundScene
from limbik.studio.ground.opened_clip import Opened
from limbik.studio.ground.settings_controls import SettingsControls
from limbik.studio.page.downloads import clip_bytes, page_bytes
from limbik.studio.page.playback import Playback
from limbik.studio.page.tab import Tab
from limbik.studio.page.uploads import on_upload
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
OTHER = "As written below"
FIRST = "Hills"
SECONDS = 6.0  # of the walk that is there before anything was opened
ABOUT = "margin:0 1em .5em;font-size:12.5px;overflow-wrap:anywhere"
FAULT = "margin:0 1em .6em;font-size:12.5px;color:#C92A2A;overflow-wrap:anywhere"
CLIP, PAGE, NUMBERS = "Clip", "Page", "Numbers"  # what can be saved
NO_ANIMATIONS: tuple[str, ...] = ("",)


class GroundTab(Tab):
    """A clip, the ground it is put on, and what `ground` makes of it.

    opened: the clip and its file. grounded: it, as it was and as it is. report: what was done to it. playback: which
    frame is shown. scene: what is seen of it.
    """

    title = "Ground"
    description = "A clip made for level ground, put on any terrain: feet stay where they are set down."
    opened: Opened
    grounded: Grounded
    report: Report

    def build(self) -> None:
        """Adds the controls and the scene."""
        gui = self.stage.gui
        self._shown: Clip | None = None
        self._build_clip()
        self._build_terrain()
        self._timeline = ContactTimeline(gui)
        self.playback = Playback(self.stage, self._draw)
        self._numbers = gui.add_html("")
        hint = "The grounded clip in its own format, a page that plays it offline, or all that was measured, as .json."
        self._save = gui.add_button_group("Save", (CLIP, PAGE, NUMBERS), hint=hint)
        with gui.add_folder("Plots", expand_by_default=False):
            self._plots = FootPlots(self.stage)
        with gui.add_folder("Settings", expand_by_default=False):
            self._settings = SettingsControls(self.stage, self._resettle)
        self.scene = GroundScene(self.stage, self.root, self._frame)
        self.stage.on_change(self._choose_view, self._view)
        self.stage.on_press(self._save, self._download)
        clip = walk("biped", "plane", seconds=SECONDS)
        self._put(Opened(clip, "A walk made here"), terrain_of(TERRAINS[FIRST]))
        self.playback.play(True)

    def _build_clip(self) -> None:
        gui = self.stage.gui
        self._about_clip = gui.add_html("")
        hint = "A file of yours: .bvh, .glb or .gltf."
        button = gui.add_upload_button("Open a clip …", mime_type=",".join(SUFFIXES), hint=hint)
        on_upload(self.stage, button, SUFFIXES, self._open)
        hint = "A .bvh, .glb or .gltf file where the studio runs. Enter opens it."
        with gui.add_form(None) as form:
            self._path = gui.add_text("or its path", "", hint=hint)
            self._animation = gui.add_dropdown("Animation", NO_ANIMATIONS, visible=False, hint="The file has several.")
        form.on_submit(lambda _: self.stage.jobs.submit(self._open_path))
        self.stage.on_change(self._choose_animation, self._animation)

    def _build_terrain(self) -> None:
        gui = self.stage.gui
        hint = "Such as slope:10,heading=90, stairs:rise=0.2,run=0.3 or ground.png:height=2. Enter lays it."
        with gui.add_form(None) as form:
            self._kind = gui.add_dropdown("Terrain", (*TERRAINS, OTHER), initial_value=FIRST)
            self._spec = gui.add_text("in words", TERRAINS[FIRST], hint=hint)
            self._fault = gui.add_html("", visible=False)
            hint = "The clip as it was is blue: put on the ground as it is, each frame as high as the ground below it."
            self._view = gui.add_dropdown("Show", tuple(VIEWS), hint=hint)
        form.on_submit(lambda _: self.stage.jobs.submit(self._write_terrain))
        self.stage.on_change(self._choose_terrain, self._kind)

    # --- what pages do

    def open_file(self, path: Path) -> None:
        """Opens a clip, the first of its file."""
        self._put(Opened.file(path), self.grounded.terrain)

    def _open(self, path: Path) -> None:
        with self._faults_shown():
            self.open_file(path)

    def _open_path(self) -> None:
        path = self._path.value.strip().strip("\"'")  # file managers copy paths with quotes
        if path:
            self._open(Path(path).expanduser())

    def _choose_animation(self) -> None:
        try:
            with self._faults_shown():
                self._put(self.opened.chosen(self._animation.value), self.grounded.terrain)
        finally:
            self._animation.value = self.opened.animation

    def _choose_terrain(self) -> None:
        if self._kind.value != OTHER:
            self._spec.value = TERRAINS[self._kind.value]
            self._write_terrain()

    def _write_terrain(self) -> None:
        with self._faults_shown():
            self._put(self.opened, terrain_of(self._spec.value))
        self._kind.value = next((kind for kind, spec in TERRAINS.items() if spec == self._spec.value.strip()), OTHER)

    def _resettle(self) -> None:
        with self._faults_shown():
            self._put(self.opened, self.grounded.terrain)

    def _choose_view(self) -> None:
        self.scene.view(self._view.value)
        self._draw()

    def _download(self, client: ClientHandle) -> None:
        what, name = self._save.value, self.opened.saved_as
        stem = Path(name).stem
        if what == CLIP:
            self.stage.download(client, name, clip_bytes(self.stage, self.grounded.clip, name))
        elif what == PAGE:
            title = f"{self.opened.name} on {self.grounded.terrain}"
            page = page_bytes(self.grounded.clip, title=title, compare=self.grounded.before_on_terrain)
            self.stage.download(client, f"{stem}.html", page)
        else:
            self.stage.download(client, f"{stem}.json", json.dumps(self.report.as_dict(), indent=1).encode())

    # --- what is seen

    def _put(self, opened: Opened, terrain: Terrain) -> None:
        """Puts a clip on a terrain, and shows it; nothing has changed if that cannot be done."""
        grounded = ground(opened.clip, terrain, settings=self._settings.settings())
        comparison, report = grounded.comparison, grounded.report
        self.scene.show(grounded)
        new, self._shown = opened.clip is not self._shown, opened.clip
        self.opened, self.grounded, self.report = opened, grounded, report
        feet = [foot.name.replace("_", " ") for foot in comparison.feet]
        self._timeline.show(feet, np.asarray(grounded.clip.contacts), grounded.clip.fps)
        self._plots.show(comparison)
        self._numbers.content = report_table.table(report)
        self._fault.visible = False
        if new:
            self._show_opened()
        self._draw()

    def _show_opened(self) -> None:
        """What there is to tell of another clip; it is looked at from its start."""
        opened = self.opened
        self._about_clip.content = f"<div style='{ABOUT}'>{escape(str(opened))}</div>"
        self._animation.visible = len(opened.animations) > 1
        if opened.animations:
            self._animation.options = opened.animations
            self._animation.value = opened.animation
        self.playback.start(len(opened.clip), opened.clip.fps)
        self.scene.place_camera()

    def _draw(self) -> None:
        """Shows the frame that it is time for."""
        for part in (self.scene, self._timeline, self._plots):
            part.at(self.playback.frame)

    @contextmanager
    def _faults_shown(self) -> Iterator[None]:
        """What went wrong stands here too, until something goes right."""
        try:
            yield
        except LimbikError as error:
            self._fault.content = f"<div role='alert' class='fault' style='{FAULT}'>{escape(str(error))}</div>"
            self._fault.visible = True
            raise

    def place_camera(self) -> None:
        """Places the cameras."""
        self.scene.place_camera()

    @property
    def moving(self) -> bool:
        """Whether the clip plays."""
        return self.playback.playing

    def advance(self, seconds: float) -> None:
        """Plays on."""
        self.playback.advance(seconds)
