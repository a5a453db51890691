"""The machine a run was measured on."""

from __future__ import annotations

import datetime
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from limbik import __version__
from limbik.bench import memory
from limbik.engines import threads


def machine() -> dict[str, Any]:
    """The machine, and the versions of Python and the packages."""
    return {
        "cpu": _cpu(),
        "cores": threads.cores(),
        "memory": memory.total(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": _version("numba"),
        "limbik": __version__,
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }


def sentence(about: dict[str, Any]) -> str:
    """The machine in one sentence."""
    size = f"{about['memory'] / 2**30:.0f} GiB of memory" if about["memory"] else "memory unknown"
    cores = f"{about['cores']} core{'s' * (about['cores'] != 1)}"
    numba = f"Numba {about['numba']}" if about["numba"] else "no Numba"
    return (
        f"{about['cpu']}, {cores}, {size}; {about['system']}; Python {about['python']}, NumPy {about['numpy']}, "
        f"{numba}, limbik {about['limbik']}; {about['date']}"
    )


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine() or "CPU unknown"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
