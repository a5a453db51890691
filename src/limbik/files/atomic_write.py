"""A file that appears whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import BinaryIO

from limbik.errors import FileError


def _temporary(name: str, process: str) -> str:
    return f".{name}.{process}.part"


def clear_leftovers(path: Path) -> None:
    """Removes what processes that were killed had begun to write in place of a path; none may be writing it now."""
    real = path.resolve()
    for part in real.parent.glob(_temporary(escape(real.name), "*")):
        with suppress(OSError):
            part.unlink()


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, under a temporary name beside `path`; it takes the path's place when the block ends.

    If the block does not end well, the temporary file is removed and what was at the path stays.
    """
    real = path.resolve()  # so that a link stays one
    if not real.parent.is_dir():
        raise FileError(path, "", f"the folder {real.parent} does not exist")
    if real.is_dir():
        raise FileError(path, "", "is a folder")
    temporary = real.with_name(_temporary(real.name, str(os.getpid())))
    try:
        try:
            file = temporary.open("wb")
        except OSError as error:
            raise FileError(path, "", f"cannot be written ({error.strerror})") from None
        with file:
            yield file
        os.replace(temporary, real)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
