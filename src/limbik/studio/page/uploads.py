"""Files uploaded by pages: their largest size, and where they are stored."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limbik.errors import FileError
from limbik.studio.page.stage import Stage

if TYPE_CHECKING:
    from viser import GuiUploadButtonHandle

LARGEST = 64 << 20  # bytes of all files on their way; about an hour of motion capture
LONGEST_NAME = 80


def limit_uploads(stage: Stage) -> None:
    """Refuses files that take more than `LARGEST`, together with others on their way, before they are sent.

    viser stores uploads in memory and has no limit of its own. The transfer is dropped when the page announces it, and
    acknowledged as complete, or the page would wait for ever. That no more is sent than was announced is one of the
    checks of messages.
    """
    from viser._messages import FileTransferPartAck, FileTransferStartUpload

    gui = stage.gui

    def refuse(_: int, message: FileTransferStartUpload) -> None:
        size = message.size_bytes
        if sum(upload["total_bytes"] for upload in gui._current_file_upload_states.values()) <= LARGEST:
            return
        gui._current_file_upload_states.pop(message.transfer_uuid, None)
        complete = FileTransferPartAck(message.source_component_uuid, message.transfer_uuid, size, size)
        gui._websock_interface.queue_message(complete)
        stage.jobs.submit(partial(_raise_too_large, _safe_name(message.filename), size))

    gui._websock_interface.register_handler(FileTransferStartUpload, refuse)


def _raise_too_large(name: str, size: int) -> None:
    limit = f"the limit is {LARGEST >> 20} MB for all files on their way"
    raise FileError(name, "", f"has {size / 2**20:,.0f} MB; {limit}")


def on_upload(
    stage: Stage, button: GuiUploadButtonHandle, suffixes: tuple[str, ...], job: Callable[[Path], None]
) -> None:
    """Submits a job for each file uploaded with a button; the job receives its path in the temporary folder.

    Letters, digits, dots, dashes and underscores of the file's name are kept, so that error messages can mention it.
    The file is removed when the job is done.
    """

    def store(name: str, content: bytes) -> None:
        path = stage.folder / _safe_name(name)
        if path.suffix.lower() not in suffixes:
            raise FileError(path.name, "", f"is none of {', '.join(suffixes)}")
        path.write_bytes(content)
        try:
            job(path)
        finally:
            path.unlink(missing_ok=True)

    def submit(event: Any) -> None:
        stage.jobs.submit(partial(store, event.target.value.name, event.target.value.content))

    button.on_upload(submit)


def _safe_name(name: str) -> str:
    return re.sub(r"[^\w.-]+", "_", Path(name.replace("\\", "/")).name)[-LONGEST_NAME:] or "file"
