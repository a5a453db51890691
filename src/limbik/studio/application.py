"""The studio: tabs on a server, one of them open, and the thread that does what pages ask for."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from limbik.errors import ChoiceError
from limbik.studio.ground.ground_tab import GroundTab
from limbik.studio.limb.limb_tab import LimbTab
from limbik.studio.page.server import hushed, started
from limbik.studio.page.stage import Stage
from limbik.studio.page.tab import Tab
from limbik.studio.page.uploads import limit
from limbik.studio.walk.walk_tab import WalkTab

if TYPE_CHECKING:
    from types import TracebackType

TABS: Mapping[str, type[Tab]] = {tab.title: tab for tab in (LimbTab, WalkTab, GroundTab)}
FRAMES = 60.0  # a second at most, where something moves
LONGEST = 0.1  # seconds that a frame may be told to last: after a pause things go on from where they were
IDLE = 1.0  # seconds after which a thread that waits looks up, so that Ctrl-C is heard everywhere
OPEN = "● "  # before the name of the tab that is open


class Studio:
    """A page with three tabs. Use it as a context: leaving it stops the server and removes its temporary folder.

    Args:
        host: the address to listen on.
        port: the port to listen on, or the next one that is free; 0 for any.
        tab: the title of the tab that is open at first.
    """

    def __init__(self, host: str, port: int, tab: str = "Limb") -> None:
        if tab not in TABS:
            raise ChoiceError("tab", tab, TABS)
        self._server = started(host, port)
        self._folder = tempfile.TemporaryDirectory(prefix="limbik-studio-")
        self.stage = Stage(self._server, Path(self._folder.name))
        limit(self.stage)
        self._tabs: dict[str, Tab] = {}
        self._stopped = False
        self._doors = self.stage.gui.add_button_group("Tab", tuple(TABS))
        self._doors.on_click(lambda event: self.stage.jobs.ask(self._through_a_door))
        self.open(tab)

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{self._server.get_host()}:{self._server.get_port()}"

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return self._server.get_port()

    def open(self, title: str) -> Tab:
        """Shows a tab, and makes it if nobody was in it yet."""
        if title not in self._tabs:
            self._tabs[title] = TABS[title](self.stage)
        for name, tab in self._tabs.items():
            tab.enter() if name == title else tab.leave()
        self.tab = self._tabs[title]
        self._doors.options = tuple(OPEN + name if name == title else name for name in TABS)
        return self.tab

    def open_file(self, path: Path) -> None:
        """Opens a file in the tab that it is for."""
        self.open(tab_of(path)).open_file(path)

    def _through_a_door(self) -> None:
        self.open(self._doors.value.removeprefix(OPEN))

    def run(self) -> None:
        """Does what pages ask for, until `stop` is called; where nobody looks, nothing happens."""
        last = monotonic()
        while not self._stopped:
            moving = self.tab.moving and self.stage.watched
            for job in self.stage.jobs.taken(last + 1.0 / FRAMES - monotonic() if moving else IDLE):
                with self.stage.faults_told():
                    job()
            now = monotonic()
            if not moving:
                last = now
            elif now - last >= 1.0 / FRAMES:
                with self.stage.faults_told():
                    self.tab.advance(min(now - last, LONGEST))
                last = now
            self._server.flush()

    def stop(self) -> None:
        """Lets `run` return; from any thread."""
        self._stopped = True
        self.stage.wake()

    def __enter__(self) -> Studio:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        with hushed():
            self._server.stop()
        self._folder.cleanup()


def tab_of(path: Path) -> str:
    """The title of the tab for a file: Walk for a creature, and Ground for anything else, a clip."""
    return WalkTab.title if path.suffix.lower() == ".toml" else GroundTab.title
