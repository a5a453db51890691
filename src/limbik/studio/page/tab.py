"""What a tab of the studio is."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from limbik.studio.page.stage import Stage


class Tab:
    """One of the studio's tabs: its controls, in a folder of their own, and its part of the scene, below its name.

    A tab's methods are called by the studio's thread alone.
    """

    title: ClassVar[str]
    about: ClassVar[str]  # a line for those who enter

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.root = f"/{self.title.lower()}"
        self._frame = stage.scene.add_frame(self.root, show_axes=False)
        self._folder = stage.gui.add_folder(self.title)
        with self._folder:
            stage.gui.add_markdown(self.about)
            self.furnish()

    def furnish(self) -> None:
        """Adds the controls and the scene; called once."""
        raise NotImplementedError

    def open_file(self, path: Path) -> None:
        """Shows what is in a file, where the tab is about files."""
        raise NotImplementedError

    def look(self) -> None:
        """Places the cameras for what is seen here."""
        raise NotImplementedError

    def enter(self) -> None:
        """The tab is shown, as it looks best: the cameras were in another one."""
        self._frame.visible = self._folder.visible = True
        self.look()

    def leave(self) -> None:
        """Another one is shown."""
        self._frame.visible = self._folder.visible = False

    @property
    def moving(self) -> bool:
        """Whether time goes on here, so that `advance` is to be called."""
        return False

    def advance(self, seconds: float) -> None:
        """Time has gone on."""
