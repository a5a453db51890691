"""A file of targets or of poses in, a file of answers out, a chunk at a time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.cli.answers import AXES, WORDS, Answers, short_unit
from limbik.cli.options import LimbOptions, call, limb_of, solve_arguments
from limbik.cli.running import progress, tell
from limbik.errors import ArgumentError
from limbik.files.table_files import read_table, write_table
from limbik.files.table_rows import MAX_EXPLAINED_ROWS, Chunk, Layout, Reader
from limbik.limbs.status import Status

if TYPE_CHECKING:
    from limbik.cli.solve import RobotOptions
    from limbik.robots.robot_limb import RobotLimb
    from limbik.robots.robot_solution import RobotSolution

# The vectors and numbers that a file of targets may have beside the target, for each kind of limb.
COLUMNS = {"planar": ("origin", "bend"), "two_link": ("pole", "origin"), "three_link": ("up", "origin", "hint", "bend")}


def answer_rows(
    reader: Reader, out: Path, columns: Sequence[str], answer: Callable[[Chunk], tuple[Array, Array]]
) -> tuple[dict[str, int], float]:
    """Answers every row of a file, in order; returns the number of rows by status, and the seconds that it took.

    answer: the statuses (rows,) and the numbers (rows, columns) for a chunk.
    """
    counts, start = np.zeros(len(Status), int), time.perf_counter()
    with write_table(out, columns, WORDS) as write:
        for chunk in reader.chunks():
            if len(chunk.bad):
                status, numbers = answer(chunk)
                write(numbers)
                counts += np.bincount(status, minlength=len(Status))
    by_status = {status.name: int(counts[status]) for status in Status if counts[status]}
    return by_status, time.perf_counter() - start


def solve_file(options: LimbOptions, source: Path, out: Path, columns: str, as_json: bool) -> None:
    """Answers every target of a file, in order; prints the number of rows, by status, and the time."""
    limb, given = limb_of(options.kind, options), solve_arguments(options)
    answers = Answers(options.kind, columns, options.degrees)
    reader = read_table(source, _layout(options.kind))
    if options.kind == "three_link" and "up" not in given and "up" not in reader.groups:
        raise ArgumentError("--up", "nothing, and the file has no up_x, up_y, up_z", "one of the two")
    bad = 0

    def answer(chunk: Chunk) -> tuple[Array, Array]:
        nonlocal bad
        rows, faults = _arguments(chunk)
        for row in sorted(faults)[: max(0, MAX_EXPLAINED_ROWS - bad)]:
            tell(f"{source}, {chunk.place(row)}: {faults[row]}; the row is INVALID")
        bad += int(chunk.bad.sum())
        solution = call(limb.solve, {**given, **rows})
        advance(round(100 * chunk.fraction), 100, "solving")
        return np.asarray(solution.status), answers.of(solution)

    with progress() as advance:
        by_status, seconds = answer_rows(reader, out, answers.columns, answer)
    if bad > MAX_EXPLAINED_ROWS:
        tell(f"and {bad - MAX_EXPLAINED_ROWS:,} more bad rows")
    rows = sum(by_status.values())
    if as_json:
        content = {"out": str(out), "rows": rows, "bad_rows": bad, "by_status": by_status}
        print(json.dumps({**content, "seconds": round(seconds, 3)}))
        return
    print(f"{out}: {rows:,} rows in {seconds:.2f} s, {rows / max(seconds, 1e-9):,.0f} rows/s")
    for name, count in by_status.items():
        print(f"  {name:8s} {count:>13,}  {count / rows:6.1%}")


def solve_pose_file(limb: RobotLimb, source: Path, out: Path, options: RobotOptions) -> None:
    """Answers every pose of a file for a robot's limb, in order; prints the number of rows, by status, and the time."""
    reader = read_table(source, pose_layout(limb))

    def answer(chunk: Chunk) -> tuple[Array, Array]:
        position = np.where(chunk.bad[:, None], np.nan, chunk.groups["position"])
        found = limb.solve(position, chunk.groups.get("rotation"), options.near_angles, swivel=options.swivel_angle)
        return np.asarray(found.status), angle_rows(found, options)

    by_status, seconds = answer_rows(reader, out, angle_columns(limb, options), answer)
    rows = sum(by_status.values())
    if options.as_json:
        print(json.dumps({"out": str(out), "rows": rows, "by_status": by_status}))
        return
    print(f"{out}: {rows:,} rows in {seconds:.2f} s")
    for name, count in by_status.items():
        print(f"  {name:8s} {count:>13,}")


def pose_layout(limb: RobotLimb) -> Layout:
    """The columns of a file of poses for a robot's limb."""
    groups = {"position": ("x", "y", "z"), "rotation": ("qx", "qy", "qz", "qw")}
    needed = ("position", "rotation") if limb.oriented else ("position",)
    return Layout(groups, needed, (needed, ("position", "rotation")))


def angle_columns(limb: RobotLimb, options: RobotOptions) -> list[str]:
    """The columns of a file of angles of a robot's limb."""
    return ["status", "residual", *(f"{name}_{short_unit(options.degrees)}" for name in limb.joints)]


def angle_rows(found: RobotSolution, options: RobotOptions) -> Array:
    """The numbers in these columns."""
    return np.column_stack([found.status, found.residual, options.in_unit(found.angles)])


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
