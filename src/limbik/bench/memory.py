"""How much memory there is, and how much a large batch takes at its peak beside its inputs and answers."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from limbik.bench.cases import Case, Inputs
from limbik.bench.children import told_by
from limbik.bench.measured_limbs import KINDS

# The rest is left to others on the machine.
SHARE = 0.85
CGROUP = Path("/sys/fs/cgroup")
UNKNOWN = 4 << 30  # where the system does not say


def usable() -> int:
    """How many bytes a benchmark may take."""
    return int(SHARE * min(_available(), _left_in_group()))


def total() -> int | None:
    """The machine's memory in bytes."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None


def _available() -> int:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration):
        return (total() or UNKNOWN) // 2


def _left_in_group() -> int:
    """What a container's limit leaves."""
    try:
        most = (CGROUP / "memory.max").read_text().strip()
        used = int((CGROUP / "memory.current").read_text())
        return sys.maxsize if most == "max" else int(most) - used
    except (OSError, ValueError):
        return sys.maxsize


def peak_row(case: Case) -> dict[str, Any]:
    """The peak of a process that answers one case, beyond what it had when it began."""
    fields = json.dumps(case.told())
    program = f"from limbik.bench.memory import tell_peak; tell_peak(**{fields})"
    beyond = told_by(program)["beyond"]
    needed = case.bytes_in + case.bytes_out
    return {**case.told(), "peak": beyond, "inputs_and_outputs": needed, "beside": beyond - needed}


def tell_peak(**fields: Any) -> None:
    """Runs in a process of its own: answers a case and prints how far the peak rose above where it began."""
    case = Case(**fields)
    kind = KINDS[case.limb]
    small = Inputs.of(Case(**{**fields, "targets": 200_000}))  # loads all code and starts the threads
    getattr(kind.make().solve(*small.arrays), case.answer)
    del small
    before = _resident()
    inputs = Inputs.of(case)
    getattr(kind.make().solve(*inputs.arrays), case.answer)
    print(json.dumps({"beyond": _peak() - before}))


def _status(field: str) -> int | None:
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(field)), None)


def _resident() -> int:
    return _status("VmRSS") or _most_resident()


def _peak() -> int:
    # Not ru_maxrss where it can be helped: Linux hands the parent's down to a child.
    return _status("VmHWM") or _most_resident()


def _most_resident() -> int:
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
