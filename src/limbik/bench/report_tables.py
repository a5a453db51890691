"""The report as text tables, for the terminal and for Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from limbik.bench.batches import FRESH, REUSED
from limbik.bench.curve import WHO

Row = dict[str, Any]

# Rates are compared at a size that exceeds the caches and that every run measures.
COMPARED = 1_000_000
# Columns of text; numbers align right.
LEFT_ALIGNED = ("limb", "answer", "numbers", "layout", "job", "who", "what", "why")
TIMED = ("job", "who", "version", "median", "best", "spread")


@dataclass(frozen=True)
class TextTable:
    """A table: its title, column names and rows of text."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[str, ...]]


def tables(report: Row) -> list[TextTable]:
    """Every table that has rows."""
    makers = (_rates, curve_table, _single, _robots, _rigs, _starting, _first_calls, _memory, _gpu, _skipped)
    return [table for table in (make(report) for make in makers) if table.rows]


def _rates(report: Row) -> TextTable:
    """One row per kind of call: rates with new memory and with `out=`, relative to copy and NumPy."""
    measured = _measured(report["batches"])
    size = max((row["targets"] for row in measured if row["targets"] <= COMPARED), default=0)
    compared = [row for row in measured if row["targets"] == size]
    reused = {_kind(row): row for row in compared if row["memory"] == REUSED}
    rows = [{**row, "again": reused.get(_kind(row))} for row in compared if row["memory"] == FRESH]
    rates = ("M/s", "of copy", "M/s, out=", "of copy, out=", "× NumPy", "× NumPy in blocks", "spread")
    columns = ("limb", "answer", "numbers", "layout", "threads", *rates)
    return _table(f"Solves a second, {size:,} targets in one call", columns, rows)


def _kind(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("limb", "answer", "dtype", "layout", "threads"))


def curve_table(report: Row) -> TextTable:
    """The time of a call over the number of targets, a column for each kind of input."""
    found: dict[tuple[str, int], Row] = {}
    for row in _measured(report["curve"]):
        key = row["dtype"], row["targets"]
        found.setdefault(key, {"dtype": key[0], "targets": key[1]})[row["who"]] = row["seconds"]["best"]
    present = [who for who in WHO if any(who in row for row in found.values())]
    title = "The time of a call: three-link joints, row-major, one thread"
    return _table(title, ("numbers", "targets", *present), list(found.values()))


def _single(report: Row) -> TextTable:
    title = "One solve at a time, the same targets for everyone"
    return _table(title, (*TIMED, "worst miss"), _measured(report["single"]))


def _robots(report: Row) -> TextTable:
    return _table("Every answer for a robot arm", (*TIMED, "of a core", "worst miss"), _measured(report["robots"]))


def _rigs(report: Row) -> TextTable:
    return _table("Rigs, clips and creatures", TIMED, _measured(report["rigs"]))


def _starting(report: Row) -> TextTable:
    rows = [{"what": row["what"], "seconds": {"median": row["seconds"]}} for row in report["starting"]]
    return _table("Start-up", ("what", "median"), rows)


def _first_calls(report: Row) -> TextTable:
    columns = ("limb", "answer", "numbers", "compiled now", "found on disk", "import numba, before it", "second call")
    return _table("First call of a kernel in a new process", columns, report["first_calls"])


def _memory(report: Row) -> TextTable:
    columns = ("limb", "answer", "numbers", "targets", "peak, MB", "inputs and outputs, MB", "beside, MB")
    return _table("Peak memory of a process, beyond what it began with", columns, report["memory"])


def _gpu(report: Row) -> TextTable:
    """The device: rates relative to its own copy, and errors against float64."""
    rows = _measured(report.get("gpu", []))
    device = rows[0]["device"] if rows else ""
    columns = ("limb", "who", "answer", "targets", "a call", "G/s", "of copy", "error, 99.9 %", "worst error")
    return _table(f"On one {device}: float32, row-major", columns, rows)


def _skipped(report: Row) -> TextTable:
    skipped = {section: [row for row in report.get(section, []) if "skipped" in row] for section in SKIPPING}
    rows = [(SKIPPING[section](row), row["skipped"]) for section, found in skipped.items() for row in found]
    return TextTable("Skipped", ("what", "why"), rows)


SKIPPING: dict[str, Callable[[Row], str]] = {
    "batches": lambda row: f"{row['targets']:,} × {row['limb']} {row['answer']}, {row['dtype']}, {row['layout']}",
    "curve": lambda row: f"{row['targets']:,} × {row['limb']} {row['answer']}, {row['dtype']}, {row['who']}",
    "single": lambda row: f"{row['who']}, {row['job']}",
    "robots": lambda row: f"{row['who']}, {row['job']}",
    "rigs": lambda row: f"{row['who']}, {row['job']}",
    "gpu": lambda row: f"{row['who']}, {row['limb']}, {row['answer']} on the GPU",
    "failures": itemgetter("what"),
}


def _measured(rows: list[Row]) -> list[Row]:
    return [row for row in rows if "skipped" not in row]


def _table(title: str, columns: tuple[str, ...], rows: list[Row]) -> TextTable:
    return TextTable(title, columns, [tuple(CELLS[name](row) for name in columns) for row in rows])


def duration(seconds: float) -> str:
    """Seconds in a suitable unit, with three digits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if abs(seconds) >= size:
            return f"{_three(seconds / size)} {unit}"
    return f"{_three(seconds / 1e-9)} ns"


def _three(number: float) -> str:
    size = abs(number)  # 99.96 rounds to 100, which has three digits
    return f"{number:.0f}" if size >= 99.95 else f"{number:.1f}" if size >= 9.995 else f"{number:.2f}"


def _times(ratio: float | None) -> str:
    return "" if ratio is None else _three(ratio)


def _rate(row: Row | None) -> str:
    return _three(row["solves_per_second"] / 1e6) if row else ""


# The text of a row in each column.
CELLS: dict[str, Callable[[Row], str]] = {
    **{name: itemgetter(name) for name in ("limb", "answer", "layout", "job", "who", "version", "what")},
    "numbers": itemgetter("dtype"),
    **{who: lambda row, who=who: duration(row[who]) if who in row else "" for who in WHO},
    "threads": lambda row: str(row["threads"]),
    "targets": lambda row: f"{row['targets']:,}",
    "median": lambda row: duration(row["seconds"]["median"]),
    "best": lambda row: duration(row["seconds"]["best"]),
    "spread": lambda row: f"{row['seconds']['spread']:.0%}",
    "of a core": lambda row: duration(row["core_seconds"]),
    "worst miss": lambda row: f"{row['worst_miss']:.1e}",
    "M/s": _rate,
    "M/s, out=": lambda row: _rate(row["again"]),
    "G/s": lambda row: f"{row['solves_per_second'] / 1e9:.1f}",
    "of copy": lambda row: f"{row['of_copy']:.2f}",
    "of copy, out=": lambda row: f"{row['again']['of_copy']:.2f}" if row["again"] else "",
    "× NumPy": lambda row: _times(row["times_numpy"]),
    "× NumPy in blocks": lambda row: _times(row["times_numpy_blocks"]),
    "compiled now": lambda row: duration(row["cold"]["call"]),
    "found on disk": lambda row: duration(row["warm"]["call"]),
    "import numba, before it": lambda row: duration(row["warm"]["numba_import"]),
    "second call": lambda row: duration(row["warm"]["again"]),
    "peak, MB": lambda row: f"{row['peak'] / 1e6:,.0f}",
    "inputs and outputs, MB": lambda row: f"{row['inputs_and_outputs'] / 1e6:,.0f}",
    "beside, MB": lambda row: f"{row['beside'] / 1e6:,.0f}",
    "a call": lambda row: duration(row["seconds"]),
    "error, 99.9 %": lambda row: f"{row['error_bulk']:.1e}" if "error_bulk" in row else "",
    "worst error": lambda row: f"{row['error_worst']:.1e}" if "error_worst" in row else "",
}


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
