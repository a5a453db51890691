"""What the tabs that open clips have in common: the controls that open a clip, and those that play it."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from limbik.errors import as_unicode
from limbik.files.clip_files import READ_SUFFIXES, load
from limbik.files.gltf.gltf_reader import animations_of, clip_of, own_source
from limbik.skeleton.clip import Clip
from limbik.studio.page.stage import Job, Stage
from limbik.studio.page.tab import Tab

if TYPE_CHECKING:
    from viser import ClientHandle

MAX_STEM_CHARACTERS = 80
NO_ANIMATIONS: tuple[str, ...] = ("",)
SPEEDS = {"0.25×": 0.25, "0.5×": 0.5, "1×": 1.0}


@dataclass(frozen=True, eq=False)
class OpenedClip:
    """A clip, the name of its file, and the names of all animations in that file."""

    clip: Clip
    name: str
    animations: tuple[str, ...] = ()

    @classmethod
    def load(cls, path: Path) -> OpenedClip:
        """Loads the first clip of a file."""
        clip = load(path)
        source = own_source(clip)
        found = () if source is None else animations_of(source.document)
        return cls(clip, as_unicode(path.name), tuple(f"{k + 1} {one.name}".strip() for k, one in enumerate(found)))

    def with_animation(self, animation: str) -> OpenedClip:
        """Another animation of the same file, by its name in `animations`."""
        source = own_source(self.clip)
        assert source is not None
        return replace(self, clip=clip_of(source.document, self.animations.index(animation)))

    @property
    def animation(self) -> str:
        """The name of the animation that the clip is; empty for files without names."""
        source = own_source(self.clip)
        return self.animations[source.animation] if source is not None and source.animation is not None else ""

    def output_name(self, change: str) -> str:
        """The file name for the clip after a change, such as "grounded", in the format of the original."""
        path = Path(self.name.replace(" ", "_"))
        return f"{path.stem[:MAX_STEM_CHARACTERS]}_{change}{'.bvh' if path.suffix.lower() == '.bvh' else '.glb'}"

    def __str__(self) -> str:
        return f"{self.name}: {self.clip.duration:.1f} s, {len(self.clip)} frames at {self.clip.fps:g} fps"


class ClipTab(Tab):
    """A tab that shows a clip: from a file that is uploaded or on this machine, and one of its animations."""

    opened: OpenedClip  # what is shown
    playback: Playback

    def add_opener(self) -> None:
        """Adds the controls that open a clip to the folder that is open."""
        self._about = self.gui.add_html("")
        hint = "Upload a .bvh, .glb, .gltf, .fbx or .npz file."
        button = self.gui.add_upload_button("Open a clip …", mime_type=",".join(READ_SUFFIXES), hint=hint)
        self.stage.on_upload(button, READ_SUFFIXES, self.open_file)
        hint = "A .bvh, .glb, .gltf, .fbx or .npz file on the machine that runs the studio. Press Enter to open it."
        with self.gui.add_form(None) as form:
            self.path = self.gui.add_text("Path", "", hint=hint)
            self._animation = self.gui.add_dropdown(
                "Animation", NO_ANIMATIONS, visible=False, hint="The animations in the file."
            )
        form.on_submit(lambda _: self.stage.jobs.submit(self._open_path))
        self.stage.on_change(self._choose_animation, self._animation)

    def show_clip(self, opened: OpenedClip) -> None:
        """Shows a clip, at its first frame. If that fails, nothing changes."""
        raise NotImplementedError

    def describe_clip(self) -> None:
        """Describes the clip that was opened."""
        opened = self.opened
        self._about.content = f"<div class='limbik-note'>{escape(str(opened))}</div>"
        self._animation.visible = len(opened.animations) > 1
        if opened.animations:
            self._animation.options = opened.animations
            self._animation.value = opened.animation

    def open_file(self, path: Path) -> None:
        """Opens the first clip of a file."""
        self.show_clip(OpenedClip.load(path))

    def open_animation(self, animation: str) -> None:
        """Opens another animation of the file that is shown."""
        self.show_clip(self.opened.with_animation(animation))

    def _open_path(self) -> None:
        path = self.path.value.strip().strip("\"'")  # file managers copy paths with quotes
        if path:
            self.open_file(Path(os.path.expanduser(path)))  # of an unknown user, "~name" stays as it is

    def _choose_animation(self) -> None:
        try:
            self.open_animation(self._animation.value)
        finally:
            self._animation.value = self.opened.animation

    @property
    def moving(self) -> bool:
        """Whether the clip plays."""
        return self.playback.playing

    def advance(self, seconds: float) -> None:
        self.playback.advance(seconds)


class Playback:
    """The playback controls, added to the folder that is open; `frame_changed` is called to show another frame."""

    def __init__(self, stage: Stage, frame_changed: Job) -> None:
        self.frame, self.playing = 0, False
        self._frame_changed = frame_changed
        self._frames, self._fps, self._time = 1, 1.0, 0.0
        gui = stage.gui
        self._slider = gui.add_slider("Frame", 0, 1, 1, 0, hint="Drag to show any frame; playback pauses.")
        self._button = gui.add_button("Play")
        self._speed = gui.add_dropdown("Speed", tuple(SPEEDS), initial_value="1×", hint="Playback speed.")
        self._loop = gui.add_checkbox("Loop", True, hint="Start over at the end of the clip.")
        stage.on_change(self._scrub, self._slider)
        stage.on_press(self._button, self._toggle)

    def start(self, frames: int, fps: float) -> None:
        """Switches to a clip of so many frames, at its first frame. It plays if the previous clip did."""
        self.frame, self._time = 0, 0.0
        self._frames, self._fps = frames, fps
        self._slider.value, self._slider.max = 0, max(frames - 1, 1)
        self._slider.disabled = self._button.disabled = frames < 2
        self.play(self.playing and frames > 1)

    def play(self, playing: bool) -> None:
        if playing and self.frame >= self._frames - 1:
            self.seek(0.0)
        self.playing = playing
        self._button.label = "Pause" if playing else "Play"

    def advance(self, seconds: float) -> None:
        """Advances by so many seconds of real time."""
        time, duration = self._time + SPEEDS[self._speed.value] * seconds, max(self._frames - 1, 1) / self._fps
        if time > duration:
            if not self._loop.value:
                self.play(False)
            time = time % duration if self._loop.value else duration
        self.seek(time)

    def seek(self, time: float) -> None:
        """Shows the frame nearest to a time in seconds."""
        self._time = time
        frame = min(round(time * self._fps), self._frames - 1)
        if frame != self.frame:
            self.frame = self._slider.value = frame
            self._frame_changed()

    def _scrub(self) -> None:
        self.play(False)
        self.seek(min(self._slider.value, self._frames - 1) / self._fps)

    def _toggle(self, _: ClientHandle) -> None:
        self.play(not self.playing)
