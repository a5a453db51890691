"""Signals that end a process by an exception, so that whatever is under way cleans up after itself."""

from __future__ import annotations

import signal
import sys
import threading
from types import FrameType

RETRY_SECONDS = 0.01  # until a discarded exception is raised again


def exit_by_signal(number: int, _: FrameType | None) -> None:
    """A signal handler that ends the process by SystemExit, with the shells' status."""
    sys.exit(128 + number)


def exit_even_from_finalizers() -> None:
    """Makes the exceptions that end a process do so wherever they are raised.

    A signal may arrive while Python runs a finalizer or the callback of a weak reference. Python discards exceptions
    there and only reports them: the process would go on. Instead, the exception is raised again a moment later.
    """
    report = sys.unraisablehook

    def hook(discarded: sys.UnraisableHookArgs) -> None:
        kind, error = discarded.exc_type, discarded.exc_value
        ends = issubclass(kind, SystemExit | KeyboardInterrupt) and hasattr(signal, "setitimer")
        if not ends or threading.current_thread() is not threading.main_thread():
            report(discarded)
            return

        def raise_again(*_: object) -> None:
            raise error or kind()

        signal.signal(signal.SIGALRM, raise_again)
        signal.setitimer(signal.ITIMER_REAL, RETRY_SECONDS)

    sys.unraisablehook = hook
