"""What tabs work with: the page's controls and its scene, things to do, and words for those who look."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limbik.errors import LimbikError
from limbik.studio.page.camera_fit import fitted, is_first_of_narrow
from limbik.studio.page.job_queue import Job, Jobs

if TYPE_CHECKING:
    from viser import CameraHandle, ClientHandle, GuiButtonGroupHandle, GuiButtonHandle, ViserServer

LOG = logging.getLogger("limbik.studio")
FAULT_SECONDS = 15.0


class Stage:
    """The pages of a studio, which all show the same.

    gui, scene: viser's, shared by all pages. jobs: what is asked for. folder: a temporary one, gone with the studio.
    """

    def __init__(self, server: ViserServer, folder: Path) -> None:
        self.server = server
        self.gui, self.scene = server.gui, server.scene
        self.jobs = Jobs()
        self.folder = folder
        server.on_client_connect(self._connected)
        server.on_client_disconnect(lambda _: self.wake())

    @property
    def watched(self) -> bool:
        """Whether anybody looks."""
        return bool(self.server.get_clients())

    def wake(self) -> None:
        """Lets the studio's thread look around, if it waits."""
        self.jobs.ask(_nothing)

    def when(self, job: Job, *controls: Any) -> None:
        """Does a job, in the studio's thread, when a page has changed any of some controls or gizmos.

        What tabs themselves write into a control asks for nothing.
        """
        for control in controls:
            control.on_update(lambda event: event.client_id is not None and self.jobs.ask(job))

    def pressed(self, button: GuiButtonHandle | GuiButtonGroupHandle, job: Callable[[ClientHandle], None]) -> None:
        """Does a job, in the studio's thread, when a button is pressed; it is told by which page."""
        button.on_click(lambda event: event.client and self.jobs.ask(partial(job, event.client)))

    def look(self, eye: Any, at: Any) -> None:
        """Places the cameras of all pages, and of those that open later: where they are and what they look at, (3,)."""
        self.server.initial_camera.position, self.server.initial_camera.look_at = eye, at
        for client in self.server.get_clients().values():
            self._place(client)

    def _connected(self, client: ClientHandle) -> None:
        self.wake()
        # A page begins with the first view, whatever it was told before: one that is narrow is given its own then.
        client.camera.on_update(self._place_if_narrow)

    def _place_if_narrow(self, camera: CameraHandle) -> None:
        if is_first_of_narrow(camera, self.server.initial_camera):
            self.jobs.ask(partial(self._place, camera.client))

    def _place(self, client: ClientHandle) -> None:
        first = self.server.initial_camera
        client.camera.position, client.camera.look_at = fitted(client.camera, first.position, first.look_at)

    def download(self, client: ClientHandle, name: str, content: bytes) -> None:
        """Gives a page a file to keep."""
        client.send_file_download(name, content, save_immediately=True)

    def tell(self, title: str, words: str, *, fault: bool = False) -> None:
        """Says something on all pages: news that fade, or a fault, which stays for longer."""
        for client in self.server.get_clients().values():
            client.add_notification(
                title=title,
                body=words,
                color="red" if fault else "teal",
                auto_close_seconds=FAULT_SECONDS if fault else 4.0,
                with_close_button=True,
            )

    @contextmanager
    def faults_told(self) -> Iterator[None]:
        """Says what went wrong within, instead of ending the studio."""
        try:
            yield
        except LimbikError as error:
            self.tell("That cannot be done", str(error), fault=True)
        except Exception as error:
            LOG.error("%s", traceback.format_exc())
            self.tell("Something went wrong", f"{type(error).__name__}: {error}", fault=True)


def _nothing() -> None:
    """Wakes whoever waits."""
