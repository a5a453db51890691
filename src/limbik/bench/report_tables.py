"""The report as text tables, for the terminal and for Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from limbik.bench.batches import FRESH, REUSED

# Rates are compared at a size that exceeds the caches and that every run measures.
COMPARED = 1_000_000
# Columns of text; numbers align right.
LEFT_ALIGNED = (
    "limb",
    "answer",
    "numbers",
    "layout",
    "job",
    "who",
    "what",
    "why",
)


@dataclass(frozen=True)
class TextTable:
    """A table: its title, column names and rows of text."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]


def tables(report: dict[str, Any]) -> list[TextTable]:
    """Every table that has rows."""
    makers: list[Callable[[dict[str, Any]], TextTable]] = [
        _rates,
        _growth,
        _single,
        _rigs,
        _starting,
        _first_calls,
        _memory,
        _gpu,
    ]
    return [table for table in (*(make(report) for make in makers), _skipped(report)) if table.rows]


def _gpu(report: dict[str, Any]) -> TextTable:
    """The device: rates relative to its own copy, and errors against float64."""
    rows = [
        (
            row["who"],
            row["answer"],
            f"{row['targets']:,}",
            f"{row['solves_per_second'] / 1e9:.1f}",
            f"{row['of_copy']:.2f}",
            f"{row['error_bulk']:.1e}",
            f"{row['error_worst']:.1e}",
        )
        for row in report.get("gpu", [])
        if "skipped" not in row
    ]
    device = next((row["device"] for row in report.get("gpu", []) if "device" in row), "")
    columns = ("who", "answer", "targets", "G/s", "of copy", "error, 99.9 %", "worst error")
    return TextTable(f"On one {device}: three-link, float32, row-major", columns, rows)


def _measured(report: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for row in report["batches"] if "skipped" not in row]


def _rates(report: dict[str, Any]) -> TextTable:
    """One row per kind of call: rates with new memory and with `out=`, relative to copy and NumPy."""
    measured = _measured(report)
    size = max((row["targets"] for row in measured if row["targets"] <= COMPARED), default=0)
    fresh = [row for row in measured if row["targets"] == size and row["memory"] == FRESH]
    reused = {_key(row): row for row in measured if row["targets"] == size and row["memory"] == REUSED}
    rows = []
    for row in fresh:
        again = reused.get(_key(row))
        rows.append(
            (
                row["limb"],
                row["answer"],
                row["dtype"],
                row["layout"],
                str(row["threads"]),
                _millions(row["solves_per_second"]),
                f"{row['of_copy']:.2f}",
                _millions(again["solves_per_second"]) if again else "",
                f"{again['of_copy']:.2f}" if again else "",
                _times(row["times_numpy"]),
                _times(row["times_numpy_blocks"]),
                f"{row['seconds']['spread']:.0%}",
            )
        )
    rates = ("M/s", "of copy", "M/s, out=", "of copy, out=", "× NumPy", "× NumPy in blocks", "spread")
    columns = ("limb", "answer", "numbers", "layout", "threads", *rates)
    return TextTable(f"Solves a second, {size:,} targets in one call", columns, rows)


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("limb", "answer", "dtype", "layout", "threads", "targets"))


def _growth(report: dict[str, Any]) -> TextTable:
    """Time per solve over the number of targets: joints, first layout, new memory."""
    layout = report["settings"]["layouts"][0]
    rows = [
        (
            row["limb"],
            row["dtype"],
            str(row["threads"]),
            f"{row['targets']:,}",
            duration(row["seconds"]["best"] / row["targets"]),
            f"{row['of_copy']:.2f}",
            _times(row["times_numpy"]),
        )
        for row in _measured(report)
        if row["answer"] == "joints" and row["layout"] == layout and row["memory"] == FRESH
    ]
    columns = ("limb", "numbers", "threads", "targets", "for one solve", "of copy", "× NumPy")
    return TextTable(f"Growth: joints, {layout}, fresh memory", columns, sorted(rows, key=lambda row: row[:3]))


def _single(report: dict[str, Any]) -> TextTable:
    rows = [
        (
            *_timed(row),
            f"{row['worst_miss']:.1e}",
        )
        for row in report["single"]
        if "skipped" not in row
    ]
    return TextTable("One solve at a time, the same targets for everyone", (*TIMED, "worst miss"), rows)


def _rigs(report: dict[str, Any]) -> TextTable:
    rows = [_timed(row) for row in report["rigs"] if "skipped" not in row]
    return TextTable("Rigs, clips and creatures", TIMED, rows)


TIMED = ("job", "who", "version", "median", "best", "spread")


def _timed(row: dict[str, Any]) -> tuple[str, ...]:
    """The times of one contender for one job."""
    seconds = row["seconds"]
    times = duration(seconds["median"]), duration(seconds["best"]), f"{seconds['spread']:.0%}"
    return (row["job"], row["who"], row["version"], *times)


def _starting(report: dict[str, Any]) -> TextTable:
    rows = [(row["what"], duration(row["seconds"])) for row in report["starting"]]
    return TextTable("Start-up", ("what", "median"), rows)


def _first_calls(report: dict[str, Any]) -> TextTable:
    rows = [
        (
            row["limb"],
            row["answer"],
            row["dtype"],
            *(duration(row[state]["call"]) for state in ("cold", "warm")),
            duration(row["warm"]["numba_import"]),
            duration(row["warm"]["again"]),
        )
        for row in report["first_calls"]
    ]
    columns = ("limb", "answer", "numbers", "compiled now", "found on disk", "import numba, before it", "second call")
    return TextTable("First call of a kernel in a new process", columns, rows)


def _memory(report: dict[str, Any]) -> TextTable:
    rows = [
        (
            row["limb"],
            row["answer"],
            row["dtype"],
            f"{row['targets']:,}",
            *(f"{row[name] / 1e6:,.0f}" for name in ("peak", "inputs_and_outputs", "beside")),
        )
        for row in report["memory"]
    ]
    columns = ("limb", "answer", "numbers", "targets", "peak, MB", "inputs and outputs, MB", "beside, MB")
    return TextTable("Peak memory of a process, beyond what it began with", columns, rows)


def _skipped(report: dict[str, Any]) -> TextTable:
    cases = [
        (f"{row['targets']:,} × {row['limb']} {row['answer']}, {row['dtype']}, {row['layout']}", row["skipped"])
        for row in report["batches"]
        if "skipped" in row
    ]
    beside = [*report["single"], *report["rigs"]]
    peers = [(f"{row['who']}, {row['job']}", row["skipped"]) for row in beside if "skipped" in row]
    failures = [(row["what"], row["skipped"]) for row in report["failures"]]
    return TextTable("Skipped", ("what", "why"), [*cases, *peers, *failures])


def duration(seconds: float) -> str:
    """Seconds in a suitable unit, with three digits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if abs(seconds) >= size:
            return f"{_three(seconds / size)} {unit}"
    return f"{_three(seconds / 1e-9)} ns"


def _three(number: float) -> str:
    size = abs(number)  # 99.96 rounds to 100, which has three digits
    return f"{number:.0f}" if size >= 99.95 else f"{number:.1f}" if size >= 9.995 else f"{number:.2f}"


def _millions(rate: float) -> str:
    return _three(rate / 1e6)


def _times(ratio: float | None) -> str:
    return "" if ratio is None else _three(ratio)


def as_markdown(all_tables: Iterable[TextTable]) -> str:
    """The tables as Markdown."""
    parts = []
    for table in all_tables:
        lines = [
            f"### {table.title}",
            "",
            _line(table.columns),
            _line("---" if name in LEFT_ALIGNED else "---:" for name in table.columns),
            *map(_line, table.rows),
        ]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _line(words: Iterable[str]) -> str:
    return "| " + " | ".join(word.replace("|", "\\|") for word in words) + " |"
