"""Available memory, and the peak memory of a large batch beyond its inputs and answers."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from limbik.bench.cases import Case, Inputs
from limbik.bench.children import output_of
from limbik.bench.measured_limbs import KINDS

# The rest is left to other processes.
USABLE_FRACTION = 0.85
CGROUP = Path("/sys/fs/cgroup")
UNKNOWN = 4 << 30  # where the system does not report it


def usable() -> int:
    """The number of bytes a benchmark may use."""
    return int(USABLE_FRACTION * min(_available(), _left_in_group()))


def total() -> int | None:
    """The machine's memory in bytes."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _available() -> int:
    return _from_proc("meminfo", "MemAvailable") or (total() or UNKNOWN) // 2


def _left_in_group() -> int:
    """What the memory limit of a container leaves."""
    try:
        most = (CGROUP / "memory.max").read_text().strip()
        used = int((CGROUP / "memory.current").read_text())
        return sys.maxsize if most == "max" else int(most) - used
    except (OSError, ValueError):
        return sys.maxsize


def peak_row(case: Case) -> dict[str, Any]:
    """The peak memory of a process that solves one case, beyond its memory at the start."""
    fields = json.dumps(asdict(case))
    program = f"from limbik.bench.memory import print_peak; print_peak(**{fields})"
    beyond = output_of(program)["beyond"]
    needed = case.bytes_in + case.bytes_out
    return {**asdict(case), "peak": beyond, "inputs_and_outputs": needed, "beside": beyond - needed}


def print_peak(**fields: Any) -> None:
    """Solves a case and prints how far the peak memory rose above its start; runs in a process of its own."""
    case = Case(**fields)
    kind = KINDS[case.limb]
    small = Inputs.of(Case(**{**fields, "targets": 200_000}))  # loads all code and starts the threads
    getattr(kind.make().solve(*small.arrays), case.answer)
    del small
    before = _of_process("VmRSS")
    inputs = Inputs.of(case)
    getattr(kind.make().solve(*inputs.arrays), case.answer)
    print(json.dumps({"beyond": _of_process("VmHWM") - before}))


def _of_process(field: str) -> int:
    """The present memory of this process, VmRSS, or its peak, VmHWM; where they are unknown, the peak."""
    if found := _from_proc("self/status", field):
        return found
    import resource  # second choice: Linux inherits ru_maxrss from the parent process

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _from_proc(name: str, field: str) -> int | None:
    """A field of a file of Linux's /proc, in bytes."""
    try:
        lines = Path("/proc", name).read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(field)), None)
