"""Errors of the command line: one line on stderr, and the exit status."""

from __future__ import annotations

import sys

from limbik.errors import FileError, LimbikError

BAD_ARGUMENTS = 2
FAILED = 1
INTERRUPTED = 130  # the shells' status of a process ended by Ctrl-C


def reason(error: LimbikError | OSError, path: object = None) -> str:
    """The message of an error, after the path of the file being processed where the error does not name one."""
    if isinstance(error, OSError):
        path, message = error.filename or path, str(error.strerror or error)
    else:
        path, message = None if isinstance(error, FileError) else path, str(error)
    return message if path is None else f"{path}: {message}"


def tell(message: str) -> None:
    """Prints one line on stderr."""
    print("limbik:", " ".join(message.split()), file=sys.stderr)
