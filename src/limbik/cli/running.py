"""Running a command: progress bars, printed words, exit statuses, and a clean exit when the process is to end."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cyclopts import CycloptsError, MissingArgumentError

from limbik.errors import FileError, LimbikError
from limbik.unwinding import exit_by_signal, exit_even_from_finalizers

BAD_INPUT = 2  # arguments, or what is in files, cannot be used
FAILED = 1  # the machine failed: a full disk, a closed pipe
INTERRUPTED = 130  # the shells' status of a process ended by Ctrl-C
SIGNALS = ("SIGTERM", "SIGHUP", "SIGQUIT")  # the default of kill, a closed terminal, Ctrl-\; Windows has the first


@contextmanager
def progress() -> Iterator[Callable[[int, int, str], None]]:
    """A progress bar on stderr, on terminals only; call it with steps done, their total, and the next step's name."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, highlight=False)
    columns = BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total, name: bar.update(task, completed=done, total=total, description=name)


@contextmanager
def unwind_on_signals() -> Iterator[None]:
    """Lets the signals that end a process unwind it as Ctrl-C does: no temporary file is left."""
    before, report = {}, sys.unraisablehook
    if threading.current_thread() is threading.main_thread():  # no other one may set handlers
        handled = [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]
        # What is ignored stays ignored: nohup runs a command so that it outlives its terminal.
        before = {
            each: signal.signal(each, exit_by_signal) for each in handled if signal.getsignal(each) != signal.SIG_IGN
        }
        exit_even_from_finalizers()
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
        sys.unraisablehook = report


def reason(error: LimbikError | OSError, path: object = None) -> str:
    """The message of an error, after the path of the file being processed where the error does not name one."""
    if isinstance(error, OSError):
        path, message = error.filename or path, str(error.strerror or error)
    else:
        path, message = None if isinstance(error, FileError) else path, str(error)
    return message if path is None else f"{path}: {message}"


def in_our_words(error: CycloptsError) -> str:
    """What is wrong with the words of a command line."""
    message = str(error)
    if isinstance(error, MissingArgumentError) and not error.tokens_so_far and "Did you mean" not in message:
        missing = error.argument
        if missing is not None and missing.parameter.help:
            name = missing.name if missing.index is None else missing.name.lstrip("-").upper()
            wanted = missing.parameter.help.removesuffix(".")
            return f"{name}: got nothing; expected {wanted[0].lower()}{wanted[1:]}"
    # Cyclopts counts an option's values as "positional arguments"; all options with several take numbers.
    return message.replace("positional arguments", "numbers")


def status_of(error: LimbikError | OSError) -> int:
    """The exit status for an error, whichever the command."""
    return FAILED if isinstance(error, OSError) else BAD_INPUT


def tell(message: str) -> None:
    """Prints one line on stderr."""
    print("limbik:", " ".join(message.split()), file=sys.stderr)


def byte_size(count: int) -> str:
    """A number of bytes with a suitable unit."""
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= scale:
            return f"{count / scale:.3g} {unit}"
    return f"{count} bytes"


def printable(text: str) -> str:
    """Text from a file, safe to print: control characters and such are replaced."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)
