"""Time in a clip: play and pause, how fast, again and again, and a slider that is scrubbed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limbik.studio.page.job_queue import Job
from limbik.studio.page.stage import Stage

if TYPE_CHECKING:
    from viser import ClientHandle

SPEEDS = {"0.25×": 0.25, "0.5×": 0.5, "1×": 1.0}


class Playback:
    """Which frame of a clip is shown.

    frame: its number. playing: whether time goes on.

    Args:
        stage: the studio's.
        moved: what is done when another frame is to be shown.
    """

    def __init__(self, stage: Stage, moved: Job) -> None:
        self.frame, self.playing = 0, False
        self._moved = moved
        self._frames, self._fps, self._time = 1, 1.0, 0.0
        gui = stage.gui
        self._slider = gui.add_slider("Frame", 0, 1, 1, 0, hint="Drag to go to any time; the clip pauses there.")
        self._button = gui.add_button("Play")
        self._speed = gui.add_dropdown(
            "Speed", tuple(SPEEDS), initial_value="1×", hint="Slower than in life, to look closely."
        )
        self._loop = gui.add_checkbox("Loop", True, hint="At the end begin again.")
        stage.when(self._scrubbed, self._slider)
        stage.pressed(self._button, self._toggled)

    def begin(self, frames: int, fps: float) -> None:
        """Another clip, from its start; it plays on if the last one did."""
        self.frame, self._time = 0, 0.0
        self._frames, self._fps = frames, fps
        self._slider.value, self._slider.max = 0, max(frames - 1, 1)
        self._slider.disabled = self._button.disabled = frames < 2
        self.play(self.playing and frames > 1)

    def play(self, playing: bool) -> None:
        """Lets time go on, or stops it."""
        if playing and self.frame >= self._frames - 1:
            self._go(0.0)
        self.playing = playing
        self._button.label = "Pause" if playing else "Play"

    def advance(self, seconds: float) -> None:
        """Time has gone on."""
        time, duration = self._time + SPEEDS[self._speed.value] * seconds, max(self._frames - 1, 1) / self._fps
        if time > duration:
            if not self._loop.value:
                self.play(False)
            time = time % duration if self._loop.value else duration
        self._go(time)

    def _go(self, time: float) -> None:
        """To a time, seconds; the nearest frame is shown."""
        self._time = time
        frame = min(round(time * self._fps), self._frames - 1)
        if frame != self.frame:
            self.frame = self._slider.value = frame
            self._moved()

    def _scrubbed(self) -> None:
        self.play(False)
        self._go(min(self._slider.value, self._frames - 1) / self._fps)

    def _toggled(self, _: ClientHandle) -> None:
        self.play(not self.playing)
