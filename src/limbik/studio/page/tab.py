"""The base class of the studio's tabs."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from limbik.studio.page.stage import Stage


class Tab:
    """A tab of the studio: its controls, in a folder of their own, and its part of the scene, below its own frame.

    All methods are called by the studio's thread.
    """

    title: ClassVar[str]  # on the tab's button
    description: ClassVar[str]  # one line above the controls

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.gui, self.scene = stage.gui, stage.scene
        self.root = f"/{self.title.lower()}"  # the name of its frame
        self._frame = stage.scene.add_frame(self.root, show_axes=False)
        self._folder = stage.gui.add_folder(self.title)
        with self._folder:
            stage.gui.add_markdown(self.description)
            self.build()

    def build(self) -> None:
        """Adds the controls and the scene. Called once."""
        raise NotImplementedError

    def open_file(self, path: Path) -> None:
        """Opens a file, for tabs that work on files."""
        raise NotImplementedError

    def recolour(self) -> None:
        """Draws what has other colours in the dark variant."""
        raise NotImplementedError

    def place_camera(self) -> None:
        """Moves the camera of every page to the tab's default view."""
        raise NotImplementedError

    def show(self) -> None:
        """Shows the tab, from its default view: the cameras were placed for another tab."""
        self._frame.visible = self._folder.visible = True
        self.place_camera()

    def hide(self) -> None:
        self._frame.visible = self._folder.visible = False

    @property
    def moving(self) -> bool:
        """Whether anything moves, so that `advance` has to be called."""
        return False

    def advance(self, seconds: float) -> None:
        """Advances time by so many seconds."""
