"""Tables of what was measured, and the machine it was measured on."""

from __future__ import annotations

import datetime
import os
import platform
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import limbik

Row = dict[str, Any]

sys.path.append(str(Path(__file__).parents[1]))  # some scripts use references and cases of the tests


def machine() -> str:
    """The machine, and the versions of Python and the packages, in one sentence."""
    memory = f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.0f} GiB of memory"
    return (
        f"{_processor()}, {cores()} core{'s' * (cores() != 1)}, {memory}; {platform.platform()}; "
        f"Python {platform.python_version()}, NumPy {installed('numpy')}, Numba {installed('numba') or 'missing'}, "
        f"limbik {limbik.__version__}; {datetime.datetime.now(datetime.UTC).date().isoformat()}"
    )


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def installed(distribution: str) -> str | None:
    """The installed version of a package, or None."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def table(rows: Sequence[Row], title: str = "") -> str:
    """Rows as a Markdown table, whose columns are their keys; padded, so that it can be read in a terminal too."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = [_column(name, [row.get(name, "") for row in rows]) for name in names]
    lines = "\n".join(f"| {' | '.join(cells)} |" for cells in zip(*columns, strict=True))
    return f"### {title}\n\n{lines}" if title else lines


def _column(name: str, values: Sequence[Any]) -> list[str]:
    """The cells of a column, of one width: its name, a rule, its values. Numbers align right."""
    words = [_text(value).replace("|", "\\|") for value in values]
    width = max(len(word) for word in (name, *words))
    if all(word[:1].isdigit() for word in words if word):
        return [name.rjust(width), "-" * (width - 1) + ":", *(word.rjust(width) for word in words)]
    return [name.ljust(width), "-" * width, *(word.ljust(width) for word in words)]


def pivot(rows: Sequence[Row], down: str, across: str, cell: Callable[[Row], Any]) -> list[Row]:
    """A row for each value of `down`, with a column for each value of `across`."""
    found: dict[Any, Row] = {}
    for row in rows:
        found.setdefault(row[down], {down: row[down]})[row[across]] = cell(row)
    return list(found.values())


def duration(seconds: float) -> str:
    """Seconds in a suitable unit, with three digits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if abs(seconds) >= size:
            return f"{_three_digits(seconds / size)} {unit}"
    return f"{_three_digits(seconds / 1e-9)} ns"


def _text(value: Any) -> str:
    if isinstance(value, float):
        return _three_digits(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def _three_digits(number: float) -> str:
    size = abs(number)  # 99.96 rounds to 100, which has three digits
    return f"{number:.0f}" if size >= 99.95 else f"{number:.1f}" if size >= 9.995 else f"{number:.2f}"
