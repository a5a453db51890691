"""A file of targets in, a file of answers out, a chunk at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from limbik.cli.answers import DEFAULT, WORDS, Answers
from limbik.cli.options import FileOptions, LimbOptions
from limbik.cli.output_files import refuse_existing
from limbik.cli.running import terminated
from limbik.errors import ArgumentError, FileError
from limbik.files.table_files import read_table, write_table
from limbik.files.table_rows import EXPLAINED, Array, Chunk, Layout
from limbik.limbs.status import Status

SPACE = ("x", "y", "z")


@dataclass
class Summary:
    """What became of a file of targets."""

    out: Path
    seconds: float = 0.0
    bad: int = 0  # rows that could not be read
    counts: Array = field(default_factory=lambda: np.zeros(len(Status), int))  # rows by status

    @property
    def rows(self) -> int:
        """How many rows there were."""
        return int(self.counts.sum())

    @property
    def by_status(self) -> dict[str, int]:
        """How many rows have each status that occurs."""
        return {status.name: int(self.counts[status]) for status in Status if self.counts[status]}


def solve_file(options: LimbOptions, files: FileOptions, degrees: bool) -> Summary:
    """Answers every target of a file, in order."""
    source, out = _paths(options, files)
    limb, given = options.limb(degrees), options.arguments(degrees)
    answers = Answers(options.kind, DEFAULT if files.columns is None else files.columns, degrees)
    reader = read_table(source, _layout(options.kind))
    if options.kind == "three_link" and "up" not in given and "up" not in reader.groups:
        raise ArgumentError("--up", "nothing, and the file has no up_x, up_y, up_z", "one of the two")
    summary = Summary(out)
    start = time.perf_counter()
    with terminated(), _progress() as (console, advance), write_table(out, answers.columns, WORDS) as write:
        for chunk in reader.chunks():
            if len(chunk.bad):
                rows, faults = _arguments(chunk)
                _report(console, source, chunk, faults, summary)
                solution = limb.solve(**{**given, **rows})
                write(answers.of(solution))
                summary.counts += np.bincount(solution.status, minlength=len(Status))
            advance(chunk.fraction)
    summary.seconds = time.perf_counter() - start
    if summary.bad > EXPLAINED:
        console.print(f"limbik: and {summary.bad - EXPLAINED:,} more bad rows", soft_wrap=True)
    return summary


def _paths(options: LimbOptions, files: FileOptions) -> tuple[Path, Path]:
    if options.target is not None:
        raise ArgumentError("--target", "--targets as well", "one of the two")
    if files.targets is None or files.out is None:
        raise ArgumentError("--out", "nothing", "a .csv, .jsonl or .npy file for the answers")
    if files.targets.resolve() == files.out.resolve():
        raise FileError(files.out, "", "is the file of targets; give the answers another name")
    refuse_existing(files.out, files.overwrite)
    return files.targets, files.out


def _layout(kind: str) -> Layout:
    """The columns that a file of targets may have."""

    def vector(name: str) -> tuple[str, ...]:
        return tuple(f"{name}_{axis}" for axis in SPACE)

    if kind == "planar":
        groups = {"target": SPACE[:2], "origin": vector("origin")[:2], "bend": ("bend",)}
    elif kind == "two_link":
        groups = {"target": SPACE, "pole": vector("pole"), "origin": vector("origin")}
    else:
        names = ("up", "origin", "hint")
        groups = {"target": SPACE, **{name: vector(name) for name in names}, "bend": ("bend",)}
    unnamed = (("target",), ("target", "up")) if kind == "three_link" else (("target",),)
    return Layout(groups, ("target",), unnamed)


def _arguments(chunk: Chunk) -> tuple[dict[str, Array], dict[int, str]]:
    """What `solve` is to be given for a chunk, its bad rows made INVALID, and what is wrong with the first of those."""
    rows, faults = dict(chunk.groups), dict(chunk.faults)
    if "bend" in rows:
        bend = rows["bend"][:, 0]
        sideless = (np.abs(bend) != 1) & ~chunk.bad
        for row in np.flatnonzero(sideless)[:EXPLAINED].tolist():
            faults[row] = f"bend is {bend[row]:g}; expected 1 or -1"
        chunk.bad[sideless] = True
        rows["bend"] = np.where(chunk.bad, 1.0, bend)
    rows["target"][chunk.bad] = np.nan
    return rows, faults


def _report(console: Console, source: Path, chunk: Chunk, faults: dict[int, str], summary: Summary) -> None:
    """Tells of the first bad rows, and counts the others."""
    for row in sorted(faults)[: max(0, EXPLAINED - summary.bad)]:
        console.print(f"limbik: {source}, {chunk.place(row)}: {faults[row]}; the row is INVALID", soft_wrap=True)
    summary.bad += int(chunk.bad.sum())


@contextmanager
def _progress() -> Iterator[tuple[Console, Callable[[float], None]]]:
    """A console on stderr and a function that moves the bar to a fraction; the bar is for terminals only."""
    console = Console(stderr=True, highlight=False, markup=False)
    columns = TextColumn("solving"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("solving", total=1.0)
        yield console, lambda fraction: progress.update(task, completed=fraction)
