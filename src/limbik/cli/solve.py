"""`limbik solve`: the pose of a limb for one target, or for a file of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from limbik.cli.options import (
    Flag,
    LimbOptions,
    Overwrite,
    PlanarOptions,
    ThreeLinkOptions,
    TwoLinkOptions,
    limb_of,
    one_target,
    refuse_existing,
)
from limbik.cli.solve_robot import robot
from limbik.errors import ArgumentError, FileError

app = App(name="solve", help="Find the pose of a limb for one target, or for a file of them.")
app.command(robot)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ShowOptions:
    """How answers are shown."""

    as_json: Annotated[Flag, Parameter(name="--json")] = False
    """Print one JSON object, for programs."""
    every: Annotated[Flag, Parameter(name="--all")] = False
    """Print every solution, not only the one for the given bend."""


@Parameter(name="*", group="Files of targets")
@dataclass(frozen=True, kw_only=True)
class FileOptions:
    """A file of targets in place of one, and where the answers go."""

    targets: Path | None = None
    """File of targets, in place of --target: .csv with a header, .jsonl or .npy. Its columns are x, y (and z), and the
    options that differ from row to row, such as origin_x, origin_y, up_x, bend."""
    out: Path | None = None
    """Output file for the answers, required with --targets: .csv, .jsonl or .npy."""
    columns: str = "angles,joints"
    """Columns to write after status and residual: angles, joints, rotations, separated by commas."""
    overwrite: Overwrite = False


SHOW = ShowOptions()
NO_FILES = FileOptions()


@app.command
def planar(*, limb: PlanarOptions, show: ShowOptions = SHOW, files: FileOptions = NO_FILES) -> None:
    """Two links in the plane: an arm seen from the side.

    Example: limbik solve planar --lengths 0.5 0.4 --target 0.6 0.3 --degrees
    """
    _solve(limb, show, files)


@app.command
def two_link(*, limb: TwoLinkOptions, show: ShowOptions = SHOW, files: FileOptions = NO_FILES) -> None:
    """Two links in space: an arm, with a pole that says where the elbow goes.

    Example: limbik solve two-link --lengths 0.45 0.42 --target 0.3 0.2 0.5 --pole 0 -1 0
    """
    _solve(limb, show, files)


@app.command
def three_link(*, limb: ThreeLinkOptions, show: ShowOptions = SHOW, files: FileOptions = NO_FILES) -> None:
    """Three links in space: a leg, with the direction of its last link.

    Example: limbik solve three-link --lengths 0.45 0.42 0.12 --target 0.1 -0.8 0.25 --up 0 -0.3 1
    """
    _solve(limb, show, files)


def _solve(options: LimbOptions, show: ShowOptions, files: FileOptions) -> None:
    if files.targets is None:
        for name, value, default in (("--out", files.out, None), ("--columns", files.columns, NO_FILES.columns)):
            if value != default:
                raise ArgumentError(name, f"{value} without --targets", "--targets FILE, the file of targets, too")
        _solve_one(options, show)
        return
    if show.every:
        raise ArgumentError("--all", "a file of targets", "one --target: every solution is shown for one target only")
    if options.target is not None:
        raise ArgumentError("--target", "--targets as well", "one of the two")
    if files.out is None:
        raise ArgumentError("--out", "nothing", "a .csv, .jsonl or .npy file for the answers")
    from limbik.cli.batch import solve_file

    if files.targets.resolve() == files.out.resolve():
        raise FileError(files.out, "", "is the file of targets; give the answers another name")
    refuse_existing(files.out, files.overwrite)
    solve_file(options, files.targets, files.out, files.columns, show.as_json)


def _solve_one(options: LimbOptions, show: ShowOptions) -> None:
    if show.as_json:
        from limbik.cli import as_json as shown
    else:
        from limbik.cli import as_tables as shown

    given, all_bends = one_target(options, instead=", or --targets FILE --out FILE")
    limb = limb_of(options.kind, options)
    solution = limb.solve(**given)
    if solution.status.name == "INVALID":  # the numbers are finite: only their differences can have overflowed
        raise ArgumentError("--target and --origin", "numbers too large to tell apart", "numbers below 1e300")
    if show.every:
        shown.show_branches(options.kind, limb, limb.branches(**all_bends), options.degrees)
    else:
        shown.show_solution(options.kind, limb, solution, options.degrees)
