"""The stage that tabs work on: controls, scene, notifications, shared by all open pages, and the queue of jobs."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Condition
from typing import TYPE_CHECKING, Any

import numpy as np

from limbik.arrays import Array
from limbik.errors import LimbikError, as_unicode
from limbik.files.clip_files import save
from limbik.pages.clip_page import page_text
from limbik.scenes.looks import LOOKS
from limbik.skeleton.clip import Clip
from limbik.studio.scene.camera_places import CameraView

if TYPE_CHECKING:
    from viser import CameraHandle, ClientHandle, GuiButtonGroupHandle, GuiButtonHandle, ViserServer

Job = Callable[[], None]

LOG = logging.getLogger("limbik.studio")

ERROR_SECONDS, NOTICE_SECONDS = 15.0, 4.0  # how long notifications stay
NARROW = 0.6  # windows with a smaller ratio of width to height are narrow: the panel covers their lower part
COVERED = 0.6  # which is this part of their height


class JobQueue:
    """Jobs in the order in which they were submitted.

    A job that is already waiting is not queued again: a hundred mouse moves during one solve cause one more solve.
    """

    def __init__(self) -> None:
        self._waiting: dict[Job, None] = {}
        self._submitted = Condition()

    def submit(self, job: Job) -> None:
        """Queues a job. May be called from any thread."""
        with self._submitted:
            self._waiting[job] = None
            self._submitted.notify()

    def take(self, timeout: float) -> list[Job]:
        """Removes and returns all waiting jobs; waits up to `timeout` seconds for the first one."""
        with self._submitted:
            if not self._waiting and timeout > 0.0:
                self._submitted.wait(timeout)
            jobs = list(self._waiting)
            self._waiting.clear()
        return jobs


class Stage:
    """Everything that the pages of one studio share: all of them show the same."""

    def __init__(self, server: ViserServer, folder: Path) -> None:
        self.server = server
        self.gui, self.scene = server.gui, server.scene
        self.jobs = JobQueue()  # for the studio's thread
        self.folder = folder  # a temporary one, removed when the studio closes
        self.dark = False  # whether the colours are those of the dark variant
        self._view = CameraView(1.0)
        server.initial_camera.fov = LOOKS.field
        server.on_client_connect(self._connected)
        server.on_client_disconnect(lambda _: self.wake())

    @property
    def watched(self) -> bool:
        return bool(self.server.get_clients())

    def wake(self) -> None:
        """Wakes the studio's thread if it is waiting for jobs."""
        self.jobs.submit(_do_nothing)

    def on_change(self, job: Job, *controls: Any) -> None:
        """Submits a job whenever a page (not a tab, by assigning to it) changes one of some controls or gizmos."""
        for control in controls:
            control.on_update(lambda event: event.client_id is not None and self.jobs.submit(job))

    def on_press(self, button: GuiButtonHandle | GuiButtonGroupHandle, job: Callable[[ClientHandle], None]) -> None:
        """Submits a job whenever a button is pressed; the job receives the page that pressed it."""
        button.on_click(lambda event: event.client and self.jobs.submit(partial(job, event.client)))

    def set_camera(self, view: CameraView) -> None:
        """Shows a view on all pages, and on pages opened later."""
        self._view, initial = view, self.server.initial_camera
        initial.position, initial.look_at = view.camera()
        for client in self.server.get_clients().values():
            self._place_camera(client)

    def _connected(self, client: ClientHandle) -> None:
        self.wake()
        # A page starts with the initial camera whatever it was sent before. Some are moved once they report it.
        client.camera.on_update(self._fit_camera)

    def _fit_camera(self, camera: CameraHandle) -> None:
        """Moves a camera that stands where all begin, if its window is too narrow for that."""
        place = camera.position, camera.look_at
        if is_at(place, self._view.camera()) and not is_at(place, fitted(self._view, camera)):
            self.jobs.submit(partial(self._place_camera, camera.client))

    def _place_camera(self, client: ClientHandle) -> None:
        client.camera.position, client.camera.look_at = fitted(self._view, client.camera)

    def download(self, client: ClientHandle, name: str, content: bytes) -> None:
        """Sends a file to a page, which saves it."""
        client.send_file_download(name, content, save_immediately=True)

    def download_clip(self, client: ClientHandle, name: str, clip: Clip, **options: Any) -> None:
        """Sends a clip to a page, as a file of the format of its suffix; options as for `page_text`, for .html."""
        path = self.folder / name
        try:
            if path.suffix == ".html":
                path.write_bytes(page_text(clip, **options).encode())
            else:
                save(clip, path)
            self.download(client, name, path.read_bytes())
        finally:
            path.unlink(missing_ok=True)

    def notify(self, title: str, message: str, *, error: bool = False) -> None:
        """Shows a notification on all pages. Errors are red and stay longer."""
        for client in self.server.get_clients().values():
            client.add_notification(
                title=title,
                body=as_unicode(message),
                color="red" if error else "teal",
                auto_close_seconds=ERROR_SECONDS if error else NOTICE_SECONDS,
                with_close_button=True,
            )

    @contextmanager
    def errors_notified(self) -> Iterator[None]:
        """Turns exceptions raised inside into notifications, so that the studio keeps running."""
        try:
            yield
        except LimbikError as error:
            self.notify("That does not work", str(error), error=True)
        except Exception as error:
            LOG.error("%s", traceback.format_exc())
            self.notify("Internal error", f"{type(error).__name__}: {error}", error=True)


def _do_nothing() -> None:
    """A job that only wakes the thread."""


def fitted(view: CameraView, camera: CameraHandle) -> tuple[Array, Array]:
    """Position and point looked at, (3,) each, with which a view fits the window of a page."""
    aspect = max(camera.image_width, 1) / max(camera.image_height, 1)
    return view.camera(aspect, COVERED if aspect < NARROW else 0.0)


def is_at(place: tuple[Array, Array], other: tuple[Array, Array]) -> bool:
    """Whether two cameras are in the same place, and look at the same point."""
    return bool(np.allclose(place, other, atol=1e-6))
