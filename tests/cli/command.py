"""Running the command line in the tests: in this process, or as one of its own."""

import os
import shlex
import subprocess
import sys
from typing import NamedTuple

from limbik.cli import main
from tests.patience import PATIENCE

LEG = "--lengths 0.45 0.42 0.12"
ARM = "--lengths 0.45 0.42"


class Told(NamedTuple):
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


def run(capsys, line: str) -> Told:
    """Runs `limbik` with the words of a line, in this process."""
    capsys.readouterr()
    status = main(shlex.split(line))
    return Told(status, *capsys.readouterr())


def on_a_terminal(line: str, **options) -> tuple[int, bytes]:
    """Runs `limbik` with its errors and bars on a terminal: its exit status, and what was seen there."""
    ours, theirs = os.openpty()
    process = spawn(line, stderr=theirs, env={**os.environ, "TERM": "xterm"}, **options)
    os.close(theirs)
    seen = b""
    try:
        while part := os.read(ours, 4096):
            seen += part
    except OSError:
        pass  # how a terminal says that its other end is closed
    os.close(ours)
    process.communicate(timeout=PATIENCE)
    return process.returncode, seen


# A shell's background jobs ignore Ctrl-C and Ctrl-\, and their children would too. A function that runs before exec
# would fork this process, which may have JAX's threads.
HEEDING = """
import os, signal, sys
for name in ("SIGHUP", "SIGINT", "SIGQUIT"):
    if hasattr(signal, name):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, "-m", "limbik", *sys.argv[1:]])
"""


def spawn(line: str, **options) -> subprocess.Popen:
    """Starts `limbik` with the words of a line as a process of its own."""
    words = [sys.executable, "-c", HEEDING, *shlex.split(line)]
    return subprocess.Popen(words, text=True, **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options})
