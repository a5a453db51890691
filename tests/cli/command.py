"""Running the command line in the tests: in this process, or as one of its own."""

import os
import shlex
import signal
import subprocess
import sys
from functools import partial
from typing import NamedTuple

from limbik.cli import main

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


def spawn(line: str, **options) -> subprocess.Popen:
    """Starts `limbik` with the words of a line as a process of its own."""
    words = [sys.executable, "-m", "limbik", *shlex.split(line)]
    if os.name == "posix":  # a shell's background jobs ignore Ctrl-C, and their children would too
        options["preexec_fn"] = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    return subprocess.Popen(words, text=True, **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options})
