"""The studio: rooms on a server, one of them open, and the thread that does what pages ask for."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from limbik.errors import ChoiceError
from limbik.studio.ground_room import GroundRoom
from limbik.studio.limb_room import LimbRoom
from limbik.studio.room import Room
from limbik.studio.server import hushed, started
from limbik.studio.stage import Stage
from limbik.studio.uploads import limit
from limbik.studio.walk_room import WalkRoom

if TYPE_CHECKING:
    from types import TracebackType

ROOMS: Mapping[str, type[Room]] = {room.title: room for room in (LimbRoom, WalkRoom, GroundRoom)}
FRAMES = 60.0  # a second at most, where something moves
LONGEST = 0.1  # seconds that a frame may be told to last: after a pause things go on from where they were
IDLE = 1.0  # seconds after which a thread that waits looks up, so that Ctrl-C is heard everywhere
OPEN = "● "  # before the name of the room that is open


class Studio:
    """A page with three rooms. Use it as a context: leaving it stops the server and removes its temporary folder.

    Args:
        host: the address to listen on.
        port: the port to listen on, or the next one that is free; 0 for any.
        room: the title of the room that is open at first.
    """

    def __init__(self, host: str, port: int, room: str = "Limb") -> None:
        if room not in ROOMS:
            raise ChoiceError("room", room, ROOMS)
        self._server = started(host, port)
        self._folder = tempfile.TemporaryDirectory(prefix="limbik-studio-")
        self.stage = Stage(self._server, Path(self._folder.name))
        limit(self.stage)
        self._rooms: dict[str, Room] = {}
        self._stopped = False
        self._doors = self.stage.gui.add_button_group("Room", tuple(ROOMS))
        self._doors.on_click(lambda event: self.stage.jobs.ask(self._through_a_door))
        self.open(room)

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{self._server.get_host()}:{self._server.get_port()}"

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return self._server.get_port()

    def open(self, title: str) -> Room:
        """Shows a room, and makes it if nobody was in it yet."""
        if title not in self._rooms:
            self._rooms[title] = ROOMS[title](self.stage)
        for name, room in self._rooms.items():
            room.enter() if name == title else room.leave()
        self.room = self._rooms[title]
        self._doors.options = tuple(OPEN + name if name == title else name for name in ROOMS)
        return self.room

    def open_file(self, path: Path) -> None:
        """Opens a file in the room that it is for."""
        self.open(room_of(path)).open_file(path)

    def _through_a_door(self) -> None:
        self.open(self._doors.value.removeprefix(OPEN))

    def run(self) -> None:
        """Does what pages ask for, until `stop` is called; where nobody looks, nothing happens."""
        last = monotonic()
        while not self._stopped:
            moving = self.room.moving and self.stage.watched
            for job in self.stage.jobs.taken(last + 1.0 / FRAMES - monotonic() if moving else IDLE):
                with self.stage.faults_told():
                    job()
            now = monotonic()
            if not moving:
                last = now
            elif now - last >= 1.0 / FRAMES:
                with self.stage.faults_told():
                    self.room.advance(min(now - last, LONGEST))
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


def room_of(path: Path) -> str:
    """The title of the room for a file: Walk for a creature, and Ground for anything else, a clip."""
    return WalkRoom.title if path.suffix.lower() == ".toml" else GroundRoom.title
