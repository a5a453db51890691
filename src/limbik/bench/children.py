"""Child processes, for what happens only once in a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from limbik.errors import LimbikError


def seconds_of(words: Sequence[str]) -> float:
    """Seconds for a Python command line, start-up and exit included."""
    start = time.perf_counter()
    _python(words, {})
    return time.perf_counter() - start


def output_of(program: str, variables: Mapping[str, str] | None = None) -> Any:
    """The last line that a program prints, parsed as JSON."""
    return json.loads(_python(["-c", program], variables or {}).splitlines()[-1])


def _python(words: Sequence[str], variables: Mapping[str, str]) -> str:
    command, setting = [sys.executable, *words], {**os.environ, **variables}
    setting.pop("PYTHONDONTWRITEBYTECODE", None)  # imports would be compiled each time
    done = subprocess.run(command, env=setting, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise LimbikError(f"a process of the benchmark failed: {last}")
    return done.stdout
