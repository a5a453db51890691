"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import BinaryIO

from limbik.errors import FileError

ABANDONED_SECONDS = 3600.0  # since its last change after which the temporary file of a dead process is removed
MAX_NAME_CHARACTERS = 40  # of a name that its temporary name repeats, so that it is never too long itself


def _temporary_name(name: str, process: str) -> str:
    if len(name) > MAX_NAME_CHARACTERS:
        name = f"{name[:MAX_NAME_CHARACTERS]}-{zlib.crc32(os.fsencode(name)):08x}"
    return f".{name}.{process}.part"


def _leftovers(real: Path) -> Iterator[Path]:
    """The temporary files beside a path that were to take its place."""
    before, after = _temporary_name(real.name, "\0").split("\0")
    yield from real.parent.glob(f"{escape(before)}*{after}")


def clear_leftovers(path: Path) -> None:
    """Removes what killed processes left of writing a file; nobody may be writing it now."""
    for part in _leftovers(path.resolve()):
        with suppress(OSError):
            part.unlink()


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass  # it runs, and is somebody else's
    return True


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, under a temporary name beside `path`; it replaces the file there when the block ends.

    If the block raises, the temporary file is removed and the file at `path` stays as it was. Errors of the operating
    system about this file, such as a full disk, become FileErrors.
    """
    real = path
    temporary: Path | None = None
    try:
        real = path.resolve()  # so that a link stays one
        if not real.parent.is_dir():
            raise FileError(path, "", f"the folder {real.parent} does not exist")
        if real.is_dir():
            raise FileError(path, "", "is a folder")
        for part in _leftovers(real):  # the hour spares processes of other machines that share the folder
            with suppress(OSError, ValueError):
                age, process = time.time() - part.stat().st_mtime, int(part.name.split(".")[-2])
                if age > ABANDONED_SECONDS and not _is_running(process):
                    part.unlink()
        temporary = real.with_name(_temporary_name(real.name, str(os.getpid())))
        with temporary.open("wb") as file:
            yield file
        os.replace(temporary, real)
    except BaseException as error:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()
        ours = (None, str(temporary), str(real), str(path))
        if isinstance(error, OSError) and error.errno and error.filename in ours:
            raise FileError(path, "", f"cannot be written ({error.strerror})") from None
        raise
