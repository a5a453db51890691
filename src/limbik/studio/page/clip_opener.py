"""The controls that open a clip: an upload, a path, and the animations of the file."""

from __future__ import annotations

import os
from collections.abc import Callable
from html import escape
from pathlib import Path

from limbik.files.clip_files import SUFFIXES
from limbik.studio.page.opened_clip import OpenedClip
from limbik.studio.page.stage import Stage
from limbik.studio.page.uploads import on_upload

ABOUT_STYLE = "margin:0 1em .5em;font-size:12.5px;overflow-wrap:anywhere"
NO_ANIMATIONS: tuple[str, ...] = ("",)


class ClipOpener:
    """The controls, added to the folder that is open.

    open_file: called with the path of a file to open. open_animation: called with the name of another animation of the
    file that is shown.
    """

    def __init__(self, stage: Stage, open_file: Callable[[Path], None], open_animation: Callable[[str], None]) -> None:
        self._open_file, self._open_animation = open_file, open_animation
        self._shown: OpenedClip | None = None
        gui = stage.gui
        self._about = gui.add_html("")
        hint = "Upload a .bvh, .glb or .gltf file."
        button = gui.add_upload_button("Open a clip …", mime_type=",".join(SUFFIXES), hint=hint)
        on_upload(stage, button, SUFFIXES, open_file)
        hint = "A .bvh, .glb or .gltf file on the machine that runs the studio. Press Enter to open it."
        with gui.add_form(None) as form:
            self.path = gui.add_text("Path", "", hint=hint)
            self._animation = gui.add_dropdown(
                "Animation", NO_ANIMATIONS, visible=False, hint="The animations in the file."
            )
        form.on_submit(lambda _: stage.jobs.submit(self._open_path))
        stage.on_change(self._choose_animation, self._animation)

    def show(self, opened: OpenedClip) -> None:
        """Describes the clip that was opened."""
        self._shown = opened
        self._about.content = f"<div style='{ABOUT_STYLE}'>{escape(str(opened))}</div>"
        self._animation.visible = len(opened.animations) > 1
        if opened.animations:
            self._animation.options = opened.animations
            self._animation.value = opened.animation

    def _open_path(self) -> None:
        path = self.path.value.strip().strip("\"'")  # file managers copy paths with quotes
        if path:
            self._open_file(Path(os.path.expanduser(path)))  # of an unknown user, "~name" stays as it is

    def _choose_animation(self) -> None:
        try:
            self._open_animation(self._animation.value)
        finally:
            assert self._shown is not None
            self._animation.value = self._shown.animation
