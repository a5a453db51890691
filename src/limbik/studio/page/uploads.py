"""Files that come from pages: how large they may be, and where they go."""

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

MOST = 64 << 20  # bytes; an hour of motion capture


def limit(stage: Stage) -> None:
    """Refuses files that are too large before they are sent.

    viser keeps whatever comes in memory, and has no limit of its own: the transfer is dropped when it is announced, and
    the page is told that it is over, or it would wait for ever.
    """
    from viser._messages import FileTransferPartAck, FileTransferStartUpload

    gui = stage.gui

    def refuse(_: int, message: FileTransferStartUpload) -> None:
        if message.size_bytes <= MOST:
            return
        gui._current_file_upload_states.pop(message.transfer_uuid, None)
        size = message.size_bytes
        over = FileTransferPartAck(message.source_component_uuid, message.transfer_uuid, size, size)
        gui._websock_interface.queue_message(over)
        stage.jobs.ask(partial(_tell_too_large, stage, message.filename, size))

    gui._websock_interface.register_handler(FileTransferStartUpload, refuse)


def _tell_too_large(stage: Stage, name: str, size: int) -> None:
    raise FileError(name, "", f"has {size / 2**20:,.0f} MB; files up to {MOST >> 20} MB are taken")


def uploaded(
    stage: Stage, button: GuiUploadButtonHandle, suffixes: tuple[str, ...], job: Callable[[Path], None]
) -> None:
    """Does a job, in the studio's thread, with each file that comes by a button: put into the temporary folder.

    The name that it had is kept as far as it is harmless, so that messages can use it.
    """

    def take(event: Any) -> None:
        file = event.target.value
        stage.jobs.ask(partial(_put, stage, file.name, file.content, suffixes, job))

    button.on_upload(take)


def _put(stage: Stage, name: str, content: bytes, suffixes: tuple[str, ...], job: Callable[[Path], None]) -> None:
    plain = re.sub(r"[^\w.-]+", "_", Path(name.replace("\\", "/")).name)[-80:] or "file"
    if Path(plain).suffix.lower() not in suffixes:
        raise FileError(plain, "", f"is none of {', '.join(suffixes)}")
    path = stage.folder / plain
    path.write_bytes(content)
    try:
        job(path)
    finally:
        path.unlink(missing_ok=True)
