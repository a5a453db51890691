"""How fast limbik is on this machine, beside a memory copy and NumPy, in one run: `python benchmarks/run.py --quick`.

Two runs, of two commits, are compared by `--json FILE` and `--compare FILE [FILE]`; or, on a machine that does other
things as well, by `--against SRC`, the folder src of another commit: both are then measured in turn, in new processes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

import first_calls
from limb_calls import LIST, call, copy, inputs, limb, numpy_joints, option_calls
from report import duration, machine, pivot, table
from timing import Effort, Work, round_robin

import limbik

Report = dict[str, Any]

SECTIONS = ("calls", "options", "first")
LIMBS, ANSWERS = ("two-link", "three-link"), ("joints", "angles")
CALL_ROWS = (LIST, 1, 10, 1_000, 10_000, 1_000_000)
OPTION_ROWS = (LIST, 1, 1_000, 10_000)
SLOWER = 1.05  # a call that takes so many times as long is named


def call_rows(sizes: tuple[int, ...], effort: Effort) -> list[Report]:
    """The default call for each number of rows, beside a copy and NumPy."""
    found = []
    for rows, name, answer in product(sizes, LIMBS, ANSWERS):
        target, second = inputs(name, rows)
        works: dict[str, Work] = {
            "": call(limb(name).solve, answer, target, second),
            ", a copy": copy(name, answer, rows),
        }
        if answer == "joints" and rows != LIST:
            works[", NumPy by hand"] = lambda name=name, target=target, second=second: numpy_joints(
                name, target, second
            )
        for who, seconds in round_robin(works, effort).items():
            found.append({"call": f"{name} {answer}{who}", "rows": rows_name(rows), **seconds})
    return found


def option_rows(sizes: tuple[int, ...], effort: Effort) -> list[Report]:
    """The call with each option, and its time over that of the default call in the same rounds."""
    found = []
    for rows, name in product(sizes, LIMBS):
        timed = round_robin(dict(option_calls(name, "joints", rows)), effort)
        for option, seconds in timed.items():
            ratio = min(seconds[time] / timed["default"][time] for time in ("best", "cpu"))
            row = {"call": f"{name} joints, {option}", "rows": rows_name(rows), "ratio": ratio}
            found.append({**row, **seconds})
    return found


def rows_name(rows: int) -> str:
    """The name of a size in tables."""
    return "lists" if rows == LIST else f"{rows:,} row{'s' * (rows > 1)}"


def measure(sections: list[str], largest: int, effort: Effort) -> Report:
    """A report of these sections."""
    report: Report = {"machine": machine(), "limbik": str(Path(limbik.__file__).parent)}
    if "calls" in sections:
        report["calls"] = call_rows(tuple(rows for rows in CALL_ROWS if rows <= largest), effort)
    if "options" in sections:
        report["options"] = option_rows(tuple(rows for rows in OPTION_ROWS if rows <= largest), effort)
    if "first" in sections:
        report["first"] = first_calls.rows()
    return report


def tables(report: Report) -> str:
    """A report as text."""
    parts = [f"Measured on: {report['machine']}."]
    if calls := report.get("calls"):
        parts.append(table(pivot(calls, "call", "rows", lambda row: duration(row["best"])), "The time of a call"))
        parts.append(f"One row takes {one_row_over_list(calls):.2f} of a list (three-link joints).")
    if options := report.get("options"):
        cells = pivot(options, "call", "rows", lambda row: f"{row['ratio']:.2f}")
        parts.append(table(cells, "Each option, as a ratio to the default call"))
    if first := report.get("first"):
        rows = [first_calls.shown(row) for row in first]
        parts.append(table(rows, "The first calls of a loop of 1,000 targets in a new process"))
    return "\n\n".join(parts)


def one_row_over_list(calls: list[Report]) -> float:
    """The time of a call with one row over that with lists."""
    best = {row["rows"]: row["best"] for row in calls if row["call"] == "three-link joints"}
    return best.get("1 row", float("nan")) / best.get("lists", float("nan"))


def best_of(reports: list[Report]) -> Report:
    """One report of several: of each figure the best, which other programs disturbed least."""
    merged = dict(reports[0])
    for section in ("calls", "options"):
        if section in merged:
            merged[section] = [_best_row(rows) for rows in zip(*(one[section] for one in reports), strict=True)]
    if "first" in merged:
        processes = zip(*(one["first"] for one in reports), strict=True)
        merged["first"] = [max(rows, key=lambda row: row["slowest"]) for rows in processes]
    return merged


def _best_row(rows: tuple[Report, ...]) -> Report:
    first = rows[0]
    return {name: min(row[name] for row in rows) if isinstance(first[name], float) else first[name] for name in first}


def comparison(before: Report, now: Report) -> str:
    """Two reports: the time of every call now over before, by the clock and by the processors."""
    parts = [f"Before: {before['machine']}.\nNow: {now['machine']}.", "A cell: now / before (of the processors' time)."]
    slower = []
    for section in ("calls", "options"):
        earlier = {(row["call"], row["rows"]): row for row in before.get(section, [])}
        cells = []
        for row in now.get(section, []):
            if (old := earlier.get((row["call"], row["rows"]))) and "copy" not in row["call"]:
                clock, cpu = row["best"] / old["best"], row["cpu"] / old["cpu"]
                cells.append({**row, "cell": f"{clock:.2f} ({cpu:.2f})"})
                if min(clock, cpu) > SLOWER and "NumPy" not in row["call"]:
                    slower.append(f"{row['call']}, {row['rows']}: {clock:.2f} ({cpu:.2f})")
        if cells:
            rows = pivot(cells, "call", "rows", lambda row: row["cell"])
            parts.append(table(rows, f"{section.capitalize()}, now / before"))
    if "first" in before and "first" in now:
        both = (("before", before), ("now", now))
        rows = [{"": when, **first_calls.shown(row)} for when, report in both for row in report["first"]]
        parts.append(table(rows, "First calls"))
    parts.append(f"Slower by more than {SLOWER - 1:.0%}: " + ("; ".join(slower) or "none") + ".")
    return "\n\n".join(parts)


def in_turn(words: list[str], sources: list[Path], rounds: int) -> list[Report]:
    """A report for each folder of sources, measured in turn, in new processes."""
    found: list[list[Report]] = [[] for _ in sources]
    with tempfile.TemporaryDirectory(prefix="limbik-benchmark-") as folder:
        for number, (which, source) in product(range(rounds), enumerate(sources)):
            path = Path(folder) / f"{which}-{number}.json"
            command = [sys.executable, __file__, *words, "--json", str(path)]
            print(f"round {number + 1} of {rounds}: {source}", file=sys.stderr, flush=True)
            subprocess.run(
                command, env={**os.environ, "PYTHONPATH": str(source)}, check=True, stdout=subprocess.DEVNULL
            )
            found[which].append(json.loads(path.read_text()))
    return [best_of(reports) for reports in found]


def main() -> None:
    """Measures, prints tables, and compares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="measure for a minute")
    parser.add_argument("--largest", type=float, default=1e6, help="the largest number of rows (default: 1e6)")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, default=SECTIONS, help="the sections to measure")
    parser.add_argument("--seconds", type=float, help="how long to measure each call")
    parser.add_argument("--rounds", type=int, default=1, help="repeat in so many new processes, and keep the best")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure")
    parser.add_argument(
        "--compare", type=Path, nargs="+", metavar="FILE", help="compare with an earlier run, or two runs"
    )
    parser.add_argument("--against", type=Path, metavar="SRC", help="measure another commit's sources in turn")
    given = parser.parse_args()
    effort = Effort(given.seconds or (0.15 if given.quick else 0.6))
    if given.compare and len(given.compare) > 1:
        print(comparison(*(json.loads(path.read_text()) for path in given.compare[:2])))
        return
    before = json.loads(given.compare[0].read_text()) if given.compare else None
    if given.against or given.rounds > 1:
        words = ["--largest", str(given.largest), "--only", *given.only, "--seconds", str(effort.seconds)]
        sources = [*([given.against] if given.against else []), Path(limbik.__file__).parents[1]]
        *others, report = in_turn(words, sources, given.rounds)
        before = others[0] if others else before
    else:
        report = measure(given.only, int(given.largest), effort)
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n")
    print(tables(report))
    if before:
        print(f"\n{comparison(before, report)}")


if __name__ == "__main__":
    main()
