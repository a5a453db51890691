"""Playback of a clip: play and pause, speed, loop, and a slider for the frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limbik.studio.page.stage import Job, Stage

if TYPE_CHECKING:
    from viser import ClientHandle

SPEEDS = {"0.25×": 0.25, "0.5×": 0.5, "1×": 1.0}


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
