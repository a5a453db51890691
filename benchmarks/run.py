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
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import batches
import first_calls
import motion
import peers
from limb_calls import LIMBS, LIST, call, copy, inputs, limb, numpy_joints, option_calls
from report import cores, duration, machine, pivot, table
from timing import Effort, Work, round_robin

import limbik

Report = dict[str, Any]

CALL_ROWS = (LIST, 1, 10, 1_000, 10_000, 1_000_000)
OPTION_ROWS = (LIST, 1, 1_000, 10_000)
SLOWER = 1.05  # a call that takes so many times as long is named
QUICK = ("calls", "options", "first")
TITLES = {  # of all sections, in the order in which they are measured
    "calls": "The time of a call",
    "options": "Each option, as a ratio to the default call",
    "first": "The first calls of a loop of 1,000 targets in a new process",
    "rates": "Solves a second, a million targets in one call",
    "curve": "The time of a call: three-link joints, row-major, one core",
    "legs": "One pose of a leg at a time, the same poses for everyone",
    "arms": "Every answer for a robot arm",
    "motion": "Rigs, clips and small calls",
    "creatures": "One step of creatures, of a core",
    "start": "Start-up",
}
BEGIN, END = "<!-- benchmarks/run.py: begin -->", "<!-- benchmarks/run.py: end -->"


def call_rows(sizes: Sequence[int], effort: Effort) -> list[Report]:
    """The default call for each number of rows, beside a copy and NumPy."""
    found = []
    for rows, name, answer in product(sizes, LIMBS, ("joints", "angles")):
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


def option_rows(sizes: Sequence[int], effort: Effort) -> list[Report]:
    """The default call, and the call with each option, in the same rounds."""
    return [
        {"call": f"{name} joints, {option}", "rows": rows_name(rows), **seconds}
        for rows, name in product(sizes, LIMBS)
        for option, seconds in round_robin(dict(option_calls(name, "joints", rows)), effort).items()
    ]


def rows_name(rows: int) -> str:
    """The name of a size in tables."""
    return "lists" if rows == LIST else f"{rows:,} row{'s' * (rows > 1)}"


def measure(sections: Sequence[str], largest: int, effort: Effort) -> Report:
    """A report of these sections."""
    makers: dict[str, Callable[[], list[Report]]] = {
        "calls": lambda: call_rows([rows for rows in CALL_ROWS if rows <= largest], effort),
        "options": lambda: option_rows([rows for rows in OPTION_ROWS if rows <= largest], effort),
        "first": first_calls.rows,
        "rates": lambda: batches.rate_rows(min(largest, 1_000_000), effort),
        "curve": lambda: batches.curve_rows(largest, effort),
        "legs": lambda: peers.leg_rows(effort),
        "arms": lambda: peers.arm_rows(effort),
        "motion": lambda: motion.motion_rows(effort),
        "creatures": lambda: motion.creature_rows(effort),
        "start": lambda: motion.start_rows(7),
    }
    report: Report = {"machine": machine()}
    for section in TITLES:
        if section in sections:
            print(f"measuring: {section}", file=sys.stderr, flush=True)
            report[section] = makers[section]()
    return report


def tables(report: Report) -> str:
    """A report as Markdown."""
    parts = [f"Measured on: {report['machine']}."]
    for section, title in TITLES.items():
        if rows := report.get(section):
            parts.append(table(SHOWN.get(section, list)(rows), title))
    if calls := report.get("calls"):
        parts.append(f"One row takes {one_row_over_list(calls):.2f} of a list (three-link joints).")
    return "\n\n".join(parts)


def option_ratios(rows: list[Report]) -> list[Report]:
    """A row of the table for each option: its time over that of the default call."""
    default = {(row["call"].split(",")[0], row["rows"]): row for row in rows if row["call"].endswith(", default")}

    def ratio(row: Report) -> str:
        usual = default[row["call"].split(",")[0], row["rows"]]
        return f"{min(row[time] / usual[time] for time in ('best', 'cpu')):.2f}"

    return pivot(rows, "call", "rows", ratio)


def curve_table(rows: list[Report]) -> list[Report]:
    """A row of the table for each number of targets."""
    found = []
    for dtype in dict.fromkeys(row["call"] for row in rows):
        some = [row for row in rows if row["call"] == dtype]
        found += [{"numbers": dtype, **row} for row in pivot(some, "rows", "input", lambda row: duration(row["best"]))]
    return found


SHOWN: dict[str, Callable[[list[Report]], list[Report]]] = {
    "calls": lambda rows: pivot(rows, "call", "rows", lambda row: duration(row["best"])),
    "options": option_ratios,
    "first": lambda rows: [first_calls.shown(row) for row in rows],
    "curve": curve_table,
}


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
    parts.append(f"Slower by more than {SLOWER - 1:.0%} by both: " + ("; ".join(slower) or "none") + ".")
    return "\n\n".join(parts)


def in_turn(words: list[str], sources: Sequence[Path], rounds: int) -> list[Report]:
    """A report for each folder of sources, measured in turn, in new processes."""
    found: list[list[Report]] = [[] for _ in sources]
    with tempfile.TemporaryDirectory(prefix="limbik-benchmark-") as folder:
        path = Path(folder) / "report.json"
        command = [sys.executable, __file__, *words, "--json", str(path)]
        for _, (which, source) in product(range(rounds), enumerate(sources)):
            setting = {**os.environ, "PYTHONPATH": str(source)}
            subprocess.run(command, env=setting, check=True, stdout=subprocess.DEVNULL)
            found[which].append(json.loads(path.read_text()))
    return [best_of(reports) for reports in found]


def whole_report(given: argparse.Namespace, words: list[str]) -> Report:
    """Everything that is asked for; what depends on the number of cores in processes of one core, and of all."""
    own = [Path(limbik.__file__).parents[1]]
    report = measure([one for one in given.only if one not in ("rates", "curve")], int(given.largest), given.effort)
    for section, counts in (("rates", (1, cores())), ("curve", (1,))):
        if section in given.only:
            for count in dict.fromkeys(counts):
                (found,) = in_turn([*words, "--only", section, "--cores", str(count)], own, 1)
                report[section] = report.get(section, []) + found[section]
    return report


def write_document(path: Path, text: str) -> None:
    """Replaces what stands between the markers in a document."""
    before, begin, rest = path.read_text("utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"{path} has no lines {BEGIN} and {END}, between which the tables go")
    path.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", "utf-8")


def read_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=f"measure {', '.join(QUICK)} only, for half a minute")
    parser.add_argument("--only", nargs="+", choices=TITLES, help="the sections to measure (default: all)")
    parser.add_argument("--largest", type=float, default=1e6, help="the largest number of rows (default: 1e6)")
    parser.add_argument("--seconds", type=float, help="how long to measure each call")
    parser.add_argument("--cores", type=int, help="use only so many cores")
    parser.add_argument("--rounds", type=int, default=1, help="repeat in so many new processes, and keep the best")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure")
    parser.add_argument("--compare", type=Path, nargs="+", metavar="FILE", help="compare with an earlier run, or two")
    parser.add_argument("--against", type=Path, metavar="SRC", help="measure another commit's sources in turn")
    parser.add_argument("--document", type=Path, help="a Markdown document whose tables are replaced")
    parser.add_argument("--picture", type=Path, help="draw the curve: .png, .svg or .pdf")
    given = parser.parse_args(words)
    given.only = given.only or (QUICK if given.quick else tuple(TITLES))
    given.effort = Effort(given.seconds or (0.15 if given.quick else 0.4))
    return given


def main(words: Sequence[str] | None = None) -> None:
    """Measures, prints tables, and compares."""
    given = read_arguments(words)
    if given.compare and len(given.compare) > 1:
        print(comparison(*(json.loads(path.read_text()) for path in given.compare[:2])))
        return
    before = json.loads(given.compare[0].read_text()) if given.compare else None
    size = ["--largest", str(given.largest), "--seconds", str(given.effort.seconds)]
    if given.against or given.rounds > 1:
        sources = [*([given.against] if given.against else []), Path(limbik.__file__).parents[1]]
        *others, report = in_turn([*size, "--only", *given.only], sources, given.rounds)
        before = others[0] if others else before
    elif given.cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: given.cores])
        report = measure(given.only, int(given.largest), given.effort)
    else:
        report = whole_report(given, size)
    if given.json:
        given.json.write_text(json.dumps(report, indent=1) + "\n")
    if given.picture:
        batches.draw_curve(report["curve"], report["machine"], given.picture)
    text = tables(report)
    if given.document:
        write_document(given.document, text)
    print(text)
    if before:
        print(f"\n{comparison(before, report)}")


if __name__ == "__main__":
    main()
