"""A file of targets in, a file of answers out, a chunk at a time."""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np

from limbik.arrays import Array
from limbik.cli.answers import AXES, WORDS, Answers
from limbik.cli.options import LimbOptions, limb_of, solve_arguments
from limbik.cli.running import progress, tell
from limbik.errors import ArgumentError
from limbik.files.table_files import read_table, write_table
from limbik.files.table_rows import MAX_EXPLAINED_ROWS, Chunk, Layout
from limbik.limbs.status import Status

# The vectors and numbers that a file of targets may have beside the target, for each kind of limb.
COLUMNS = {"planar": ("origin", "bend"), "two_link": ("pole", "origin"), "three_link": ("up", "origin", "hint", "bend")}


def solve_file(options: LimbOptions, source: Path, out: Path, columns: str, as_json: bool) -> None:
    """Answers every target of a file, in order; prints the number of rows, by status, and the time."""
    limb, given = limb_of(options.kind, options), solve_arguments(options)
    answers = Answers(options.kind, columns, options.degrees)
    reader = read_table(source, _layout(options.kind))
    if options.kind == "three_link" and "up" not in given and "up" not in reader.groups:
        raise ArgumentError("--up", "nothing, and the file has no up_x, up_y, up_z", "one of the two")
    bad, counts = 0, np.zeros(len(Status), int)
    start = time.perf_counter()
    with progress() as advance, write_table(out, answers.columns, WORDS) as write:
        for chunk in reader.chunks():
            if len(chunk.bad):
                rows, faults = _arguments(chunk)
                for row in sorted(faults)[: max(0, MAX_EXPLAINED_ROWS - bad)]:
                    tell(f"{source}, {chunk.place(row)}: {faults[row]}; the row is INVALID")
                bad += int(chunk.bad.sum())
                solution = limb.solve(**{**given, **rows})
                write(answers.of(solution))
                counts += np.bincount(solution.status, minlength=len(Status))
            advance(round(100 * chunk.fraction), 100, "solving")
    seconds = time.perf_counter() - start
    if bad > MAX_EXPLAINED_ROWS:
        tell(f"and {bad - MAX_EXPLAINED_ROWS:,} more bad rows")
    rows, by_status = int(counts.sum()), {status.name: int(counts[status]) for status in Status if counts[status]}
    if as_json:
        content = {"out": str(out), "rows": rows, "bad_rows": bad, "by_status": by_status}
        print(json.dumps({**content, "seconds": round(seconds, 3)}))
        return
    print(f"{out}: {rows:,} rows in {seconds:.2f} s, {rows / max(seconds, 1e-9):,.0f} rows/s")
    for name, count in by_status.items():
        print(f"  {name:8s} {count:>13,}  {count / rows:6.1%}")


def _layout(kind: str) -> Layout:
    """The columns that a file of targets may have."""
    axes = tuple(AXES[:2] if kind == "planar" else AXES)
    groups = {"target": axes}
    for name in COLUMNS[kind]:
        groups[name] = ("bend",) if name == "bend" else tuple(f"{name}_{axis}" for axis in axes)
    unnamed = (("target",), ("target", "up")) if kind == "three_link" else (("target",),)
    return Layout(groups, ("target",), unnamed)


def _arguments(chunk: Chunk) -> tuple[dict[str, Array], dict[int, str]]:
    """The arguments of `solve` for a chunk, its bad rows made INVALID, and what is wrong with the first of those."""
    rows, faults = dict(chunk.groups), dict(chunk.faults)
    if "bend" in rows:
        bend = rows["bend"][:, 0]
        wrong = (np.abs(bend) != 1) & ~chunk.bad
        for row in np.flatnonzero(wrong)[:MAX_EXPLAINED_ROWS].tolist():
            faults[row] = f"bend is {bend[row]:g}; expected 1 or -1"
        chunk.bad[wrong] = True
        rows["bend"] = np.where(chunk.bad, 1.0, bend)
    rows["target"][chunk.bad] = np.nan
    return rows, faults
