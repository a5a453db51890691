"""What goes wrong, in one line on stderr, and the exit status that says so."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from cyclopts import CycloptsError

from limbik.errors import FileError, LimbikError

BAD_ARGUMENTS = 2
FAILED = 1
INTERRUPTED = 130  # what shells give for a process that Ctrl-C ended


class Outcome:
    """How a command ended."""

    status = 0


@contextmanager
def told() -> Iterator[Outcome]:
    """Turns the faults that a command may meet into a line and an exit status; others are bugs and pass."""
    outcome = Outcome()
    try:
        yield outcome
        sys.stdout.flush()
    except CycloptsError as error:
        # Cyclopts counts an option's values as "positional arguments"; all options with several take numbers.
        outcome.status = _tell(str(error).replace("positional arguments", "numbers"), BAD_ARGUMENTS)
    except LimbikError as error:
        outcome.status = _tell(str(error), BAD_ARGUMENTS)
    except BrokenPipeError:
        # The reader of our output has seen enough. Python would complain when it flushes stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        outcome.status = FAILED
    except OSError as error:
        outcome.status = _tell(reason(error), FAILED)
    except KeyboardInterrupt:
        outcome.status = _tell("interrupted; no file is half written", INTERRUPTED)


def reason(error: LimbikError | OSError, path: object = None) -> str:
    """What went wrong, after the path of the file that was at hand where the error does not name one itself."""
    if isinstance(error, OSError):
        path, message = error.filename or path, str(error.strerror or error)
    else:
        path, message = None if isinstance(error, FileError) else path, str(error)
    return message if path is None else f"{path}: {message}"


def tell(message: str) -> None:
    """One line on stderr."""
    print("limbik:", " ".join(message.split()), file=sys.stderr)


def _tell(message: str, status: int) -> int:
    tell(message)
    return status
