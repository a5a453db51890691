"""The stage that tabs work on: controls, scene, files and notifications of all open pages, and the queue of jobs."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Condition
from typing import TYPE_CHECKING, Protocol

from limbik.errors import FileError, LimbikError, as_unicode
from limbik.files.clip_files import save
from limbik.pages.clip_page import page_text
from limbik.skeleton.clip import Clip
from limbik.studio.page.cameras import Cameras
from limbik.studio.page.viser_patches import LOG, MAX_UPLOAD_BYTES

if TYPE_CHECKING:
    from viser import (
        ClientHandle,
        GuiButtonGroupHandle,
        GuiButtonHandle,
        GuiEvent,
        GuiUploadButtonHandle,
        TransformControlsEvent,
        ViserServer,
    )

Job = Callable[[], None]

ERROR_SECONDS, NOTICE_SECONDS = 15.0, 4.0  # how long notifications stay
MAX_NAME_CHARACTERS = 80


class Control(Protocol):
    """A control or a gizmo, as far as the stage knows it."""

    def on_update(self, func: Callable[..., None], /) -> object:
        """Has a function called with an event for each change."""


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
        self.cameras = Cameras(server, self.jobs.submit)
        self.folder = folder  # a temporary one, removed when the studio closes
        self.dark = False  # whether the colours are those of the dark variant
        server.on_client_connect(lambda _: self.wake())
        server.on_client_disconnect(lambda _: self.wake())

    @property
    def watched(self) -> bool:
        """Whether any page is open."""
        return bool(self.server.get_clients())

    def wake(self) -> None:
        """Wakes the studio's thread if it is waiting for jobs."""
        self.jobs.submit(_do_nothing)

    def on_change(self, job: Job, *controls: Control) -> None:
        """Submits a job whenever a page (not a tab, by assigning to it) changes one of some controls or gizmos."""

        def submit(event: GuiEvent | TransformControlsEvent) -> None:
            if event.client_id is not None:
                self.jobs.submit(job)

        for control in controls:
            control.on_update(submit)

    def on_press(self, button: GuiButtonHandle | GuiButtonGroupHandle, job: Callable[[ClientHandle], None]) -> None:
        """Submits a job whenever a button is pressed; the job receives the page that pressed it."""
        button.on_click(lambda event: event.client and self.jobs.submit(partial(job, event.client)))

    def on_upload(self, button: GuiUploadButtonHandle, suffixes: tuple[str, ...], job: Callable[[Path], None]) -> None:
        """Submits a job for each file uploaded with a button; the job receives its path in the temporary folder.

        Letters, digits, dots, dashes and underscores of the file's name are kept, so that error messages can mention
        it. The file is removed when the job is done.
        """

        def store(name: str, content: bytes) -> None:
            path = self.folder / _safe_name(name)
            if path.suffix.lower() not in suffixes:
                raise FileError(path.name, "", f"is none of {', '.join(suffixes)}")
            path.write_bytes(content)
            try:
                job(path)
            finally:
                path.unlink(missing_ok=True)

        def submit(event: GuiEvent[GuiUploadButtonHandle]) -> None:
            file = event.target.value
            self.jobs.submit(partial(store, file.name, file.content))

        button.on_upload(submit)

    def refuse_upload(self, name: str, size: int) -> None:
        """Tells the pages that a file of so many bytes is too large. May be called from any thread."""

        def fail() -> None:
            limit = f"the limit is {MAX_UPLOAD_BYTES >> 20} MB for all files on their way"
            raise FileError(_safe_name(name), "", f"has {size / 2**20:,.0f} MB; {limit}")

        self.jobs.submit(fail)

    def download(self, client: ClientHandle, name: str, content: bytes) -> None:
        """Sends a file to a page, which saves it."""
        client.send_file_download(name, content, save_immediately=True)

    def download_clip(
        self, client: ClientHandle, name: str, clip: Clip, title: str = "", compare: Clip | None = None
    ) -> None:
        """Sends a clip to a page, as a file of the format of its suffix; title and compare: of an .html page."""
        path = self.folder / name
        try:
            if path.suffix == ".html":
                path.write_bytes(page_text(clip, title=title, compare=compare).encode())
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
    def notify_errors(self) -> Iterator[None]:
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


def _safe_name(name: str) -> str:
    return re.sub(r"[^\w.-]+", "_", Path(name.replace("\\", "/")).name)[-MAX_NAME_CHARACTERS:] or "file"
