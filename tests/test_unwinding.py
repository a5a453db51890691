"""Signals that arrive where Python discards exceptions."""

import signal
import subprocess
import sys

import pytest

from tests.patience import PATIENCE

# The signal arrives in the callback of a weak reference, in which exceptions are discarded.
PROGRAM = """
import os, signal, sys, time, weakref
from limbik.unwinding import exit_by_signal, exit_even_from_finalizers

class Thing:
    pass

signal.signal(signal.SIGTERM, exit_by_signal)
signal.signal(signal.SIGINT, signal.default_int_handler)  # processes in the background inherit that it is ignored
exit_even_from_finalizers()
hook, discarded = sys.unraisablehook, []
sys.unraisablehook = lambda lost: (discarded.append(lost.exc_type.__name__), hook(lost))
thing = Thing()
reference = weakref.ref(thing, lambda _: (os.kill(os.getpid(), signal.{name}), time.sleep(0.05)))
try:
    del thing
    time.sleep({patience})
finally:
    print("discarded", discarded[0], "and cleaned up", flush=True)
"""


def outcome(program):
    words = [sys.executable, "-c", program]
    return subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals and timers")
@pytest.mark.parametrize(("name", "error"), [("SIGTERM", "SystemExit"), ("SIGINT", "KeyboardInterrupt")])
def test_a_discarded_exception_is_raised_again(name, error):
    done = outcome(PROGRAM.format(name=name, patience=PATIENCE))
    assert done.stdout == f"discarded {error} and cleaned up\n"
    assert done.returncode == (128 + signal.SIGTERM if name == "SIGTERM" else -signal.SIGINT)
    assert "ignored" not in done.stderr and (error in done.stderr) == (name == "SIGINT")


def test_other_errors_in_finalizers_are_reported():
    program = """
from limbik.unwinding import exit_even_from_finalizers

class Thing:
    def __del__(self):
        raise ValueError("no")

exit_even_from_finalizers()
Thing()
print("goes on")
"""
    done = outcome(program)
    assert done.returncode == 0 and done.stdout == "goes on\n" and "ValueError: no" in done.stderr
