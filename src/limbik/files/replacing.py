"""A file that appears whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from limbik.errors import FileError


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, under a temporary name beside `path`; it takes the path's place when the block ends.

    If the block does not end well, the temporary file is removed and what was at the path stays.
    """
    real = path.resolve()  # so that a link stays one
    if not real.parent.is_dir():
        raise FileError(path, "", f"the folder {real.parent} does not exist")
    if real.is_dir():
        raise FileError(path, "", "is a folder")
    temporary = real.with_name(f".{real.name}.{os.getpid()}.part")
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
