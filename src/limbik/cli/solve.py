"""`limbik solve`: the pose of a limb for one target, or for a file of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cyclopts import App

from limbik.cli.options import (
    FileOptions,
    LimbOptions,
    PlanarOptions,
    ShowOptions,
    ThreeLinkOptions,
    TwoLinkOptions,
    branch_arguments,
    solve_arguments,
)
from limbik.errors import ArgumentError

if TYPE_CHECKING:
    from limbik.cli.batch import Summary

app = App(name="solve", help="Find the pose of a limb for one target, or for a file of them.")

SHOW = ShowOptions()
NO_FILES = FileOptions()


@app.command
def planar(*, limb: PlanarOptions, show: ShowOptions = SHOW, files: FileOptions = NO_FILES) -> None:
    """Two links in the plane: an arm seen from the side."""
    _solve(limb, show, files)


@app.command
def two_link(*, limb: TwoLinkOptions, show: ShowOptions = SHOW, files: FileOptions = NO_FILES) -> None:
    """Two links in space: an arm, with a pole that says where the elbow goes."""
    _solve(limb, show, files)


@app.command
def three_link(*, limb: ThreeLinkOptions, show: ShowOptions = SHOW, files: FileOptions = NO_FILES) -> None:
    """Three links in space: a leg, with the direction of its last link."""
    _solve(limb, show, files)


def _solve(options: LimbOptions, show: ShowOptions, files: FileOptions) -> None:
    if files.targets is not None:
        _solve_file(options, show, files)
        return
    for name, value in (("--out", files.out), ("--columns", files.columns)):
        if value is not None:
            raise ArgumentError(name, f"{value} without --targets", "--targets FILE, the file of targets, too")
    if options.target is None:
        raise ArgumentError("--target", "nothing", "the numbers of one target, or --targets FILE --out FILE")
    _solve_one(options, show)


def _solve_one(options: LimbOptions, show: ShowOptions) -> None:
    if show.as_json:
        from limbik.cli import as_json as shown
    else:
        from limbik.cli import as_tables as shown

    limb = options.limb(show.degrees)
    solution = limb.solve(**solve_arguments(options, show.degrees))
    if solution.status.name == "INVALID":  # the numbers are finite: only their differences can have overflowed
        raise ArgumentError("--target and --origin", "numbers too large to tell apart", "numbers below 1e300")
    if show.every:
        branches = limb.branches(**branch_arguments(options, show.degrees))
        shown.show_branches(options.kind, limb, branches, show.degrees)
    else:
        shown.show_solution(options.kind, limb, solution, show.degrees)


def _solve_file(options: LimbOptions, show: ShowOptions, files: FileOptions) -> None:
    from limbik.cli.batch import solve_file

    if show.every:
        raise ArgumentError("--all", "a file of targets", "one --target: every solution is shown for one target only")
    summary = solve_file(options, files, show.degrees)
    print(_summary_json(summary) if show.as_json else _summary_text(summary))


def _summary_json(summary: Summary) -> str:
    told = {"out": str(summary.out), "rows": summary.rows, "bad_rows": summary.bad}
    return json.dumps({**told, "by_status": summary.by_status, "seconds": round(summary.seconds, 3)})


def _summary_text(summary: Summary) -> str:
    rows, seconds = summary.rows, summary.seconds
    lines = [f"{summary.out}: {rows:,} rows in {seconds:.2f} s, {rows / max(seconds, 1e-9):,.0f} rows/s"]
    lines += [f"  {name:8s} {count:>13,}  {count / rows:6.1%}" for name, count in summary.by_status.items()]
    return "\n".join(lines)
