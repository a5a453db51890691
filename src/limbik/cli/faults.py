"""Errors of the command line: one line on stderr, and the exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from cyclopts import CycloptsError

from limbik.errors import FileError, LimbikError

BAD_ARGUMENTS = 2
FAILED = 1
INTERRUPTED = 130  # the shells' status of a process ended by Ctrl-C


class Outcome:
    """The exit status of a command."""

    status = 0


@contextmanager
def reported() -> Iterator[Outcome]:
    """Turns expected errors into one line and an exit status; other exceptions are bugs and propagate."""
    outcome = Outcome()
    try:
        yield outcome
        sys.stdout.flush()
    except CycloptsError as error:
        # Cyclopts counts an option's values as "positional arguments"; all options with several take numbers.
        tell(str(error).replace("positional arguments", "numbers"))
        outcome.status = BAD_ARGUMENTS
    except LimbikError as error:
        tell(str(error))
        outcome.status = BAD_ARGUMENTS
    except BrokenPipeError:
        # The reader closed the pipe. Without this Python reports an error when it flushes stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        outcome.status = FAILED
    except OSError as error:
        tell(reason(error))
        outcome.status = FAILED
    except KeyboardInterrupt:
        tell("interrupted; no partial files were left")
        outcome.status = INTERRUPTED


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
