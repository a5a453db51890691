"""Signals that end a process by an exception, so that whatever is under way cleans up after itself."""

from __future__ import annotations

import signal
import sys
import threading
from typing import Any

LATER = 0.01  # seconds until a discarded exception is raised again


def leave(number: int, _: Any) -> None:
    """A signal handler that ends the process by SystemExit, with the shells' status."""
    sys.exit(128 + number)


def insist() -> None:
    """Makes the exceptions that end a process do so wherever they are raised.

    A signal may arrive while Python runs a finalizer or the callback of a weak reference. Python discards exceptions
    there and only reports them: the process would go on. Instead, the exception is raised again a moment later.
    """
    report = sys.unraisablehook

    def hook(discarded: Any) -> None:
        kind, error = discarded.exc_type, discarded.exc_value
        ends = issubclass(kind, SystemExit | KeyboardInterrupt) and hasattr(signal, "setitimer")
        if not ends or threading.current_thread() is not threading.main_thread():
            report(discarded)
            return

        def again(*_: Any) -> None:
            raise error or kind()

        signal.signal(signal.SIGALRM, again)
        signal.setitimer(signal.ITIMER_REAL, LATER)

    sys.unraisablehook = hook
