"""The Studio: its tabs, and the thread that runs the jobs that pages submit."""

from __future__ import annotations

import tempfile
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from time import monotonic

from limbik import arguments
from limbik.studio.ground_tab import GroundTab
from limbik.studio.limb_tab import LimbTab
from limbik.studio.page.page_look import PageLook
from limbik.studio.page.server import start_server
from limbik.studio.page.stage import Stage
from limbik.studio.page.tab import Tab
from limbik.studio.page.viser_patches import check_messages
from limbik.studio.rig_tab import RigTab
from limbik.studio.robot_tab import SUFFIXES, RobotTab
from limbik.studio.walk_tab import WalkTab

TABS: dict[str, type[Tab]] = {tab.title: tab for tab in (LimbTab, WalkTab, GroundTab, RobotTab, RigTab)}
MAX_FPS = 60.0
MAX_FRAME_SECONDS = 0.1  # after a pause, motion continues from where it was
IDLE_SECONDS = 1.0  # an idle thread wakes this often, so that Ctrl-C works on every platform
OPEN_MARK = "● "  # marks the button of the open tab


class Studio:
    """A web page with tabs, the first of which is open: "Limb", "Walk", "Ground", "Robot" or "Rig".

    It listens at an address of this machine, on a port or else the next free one; 0 is any. Use it as a context
    manager: leaving it stops the server and removes its temporary folder.
    """

    tab: Tab  # the open one

    def __init__(self, host: str, port: int, tab: str = "Limb") -> None:
        arguments.choice("tab", tab, TABS)
        self._server = start_server(host, port)
        self._folder = tempfile.TemporaryDirectory(prefix="limbik-studio-")
        self.stage = Stage(self._server, Path(self._folder.name))
        check_messages(self._server, self.stage.refuse_upload)
        self._tabs: dict[str, Tab] = {}
        self._stopped = False
        PageLook(self.stage, self._recolour)
        self._buttons = self.stage.gui.add_button_group("Tab", tuple(TABS))
        self._buttons.on_click(lambda _: self.stage.jobs.submit(self._choose_tab))
        self.open_tab(tab)

    @property
    def address(self) -> str:
        return f"http://{self._server.get_host()}:{self.port}"

    @property
    def port(self) -> int:
        return self._server.get_port()

    def open_tab(self, title: str) -> Tab:
        """Shows a tab, which is built when it is opened for the first time."""
        if title not in self._tabs:
            self._tabs[title] = TABS[title](self.stage)
        for name, tab in self._tabs.items():
            tab.show() if name == title else tab.hide()
        self.tab = self._tabs[title]
        self._buttons.options = tuple(OPEN_MARK + name if name == title else name for name in TABS)
        return self.tab

    def open_file(self, path: Path, preferred: str = "") -> None:
        """Opens a file in the tab for its kind, as `tab_for` names it."""
        self.open_tab(tab_for(path, preferred)).open_file(path)

    def _recolour(self) -> None:
        for tab in self._tabs.values():
            tab.recolour()

    def _choose_tab(self) -> None:
        self.open_tab(self._buttons.value.removeprefix(OPEN_MARK))

    def run(self) -> None:
        """Runs jobs and animates the open tab until `stop` is called; while no page is open, nothing moves."""
        last, moving = monotonic(), False
        while not self._stopped:
            for job in self.stage.jobs.take(last + 1.0 / MAX_FPS - monotonic() if moving else IDLE_SECONDS):
                with self.stage.notify_errors():
                    job()
            now, moving = monotonic(), self.tab.moving and self.stage.watched
            if not moving:
                last = now
            elif now - last >= 1.0 / MAX_FPS:
                with self.stage.notify_errors():
                    self.tab.advance(min(now - last, MAX_FRAME_SECONDS))
                last = now
            self._server.flush()

    def stop(self) -> None:
        """Makes `run` return. May be called from any thread."""
        self._stopped = True
        self.stage.wake()

    def __enter__(self) -> Studio:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        with redirect_stdout(StringIO()):  # viser prints that it stops
            self._server.stop()
        self._folder.cleanup()


def tab_for(path: Path, preferred: str = "") -> str:
    """The title of the tab that opens a file: Walk for creatures, Robot for robots, Ground or Rig for clips.

    preferred: the title of the tab that the user asked for; clips are opened in the Rig tab if it is that one.
    """
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        return RobotTab.title
    if suffix == ".toml":
        return WalkTab.title
    return RigTab.title if preferred == RigTab.title else GroundTab.title
