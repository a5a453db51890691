"""`limbik solve robot`: the joint angles of a robot's limb for one pose, or for a file of them."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from cyclopts import Parameter

from limbik.cli.answers import WORDS, short_unit
from limbik.cli.options import Flag, Overwrite, Triple, refuse_existing
from limbik.errors import ArgumentError, FileError
from limbik.limbs.status import Status

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb
    from limbik.robots.robot_solution import RobotSolution

Quadruple = tuple[float, float, float, float]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RobotOptions:
    """A limb of a robot, and the pose of its tip."""

    tip: str
    """Where the limb ends: a link, a site or a sphere of the file."""
    base: str | None = None
    """Link from which it starts (default: where the limb begins)."""
    position: Triple | None = None
    """Position of the tip in the base's frame, metres: x y z."""
    rotation: Quadruple | None = None
    """Rotation of the tip in the base's frame, a quaternion: x y z w. Limbs of two or three joints need none."""
    near: tuple[float, ...] | None = None
    """Joint angles that the answer should be close to (default: 0)."""
    swivel: float | None = None
    """The redundant degree of freedom of a limb of seven joints (default: by the joints' limits)."""
    degrees: Flag = False
    """Angles are in degrees, in options and in answers (default: radians)."""
    as_json: Annotated[Flag, Parameter(name="--json")] = False
    """Print one JSON object, for programs."""
    every: Annotated[Flag, Parameter(name="--all")] = False
    """Print every branch, not only the best."""


@Parameter(name="*", group="Files of poses")
@dataclass(frozen=True, kw_only=True)
class PoseFiles:
    """A file of poses in place of one, and where the angles go."""

    targets: Path | None = None
    """File of poses, in place of --position: .csv with a header, .jsonl or .npy; columns x, y, z, qx, qy, qz, qw."""
    out: Path | None = None
    """Output file for the angles, required with --targets: .csv, .jsonl or .npy."""
    overwrite: Overwrite = False


NO_FILES = PoseFiles()


def robot(
    file: Annotated[Path, Parameter(help="A robot: URDF or MJCF.")],
    *,
    options: RobotOptions,
    files: PoseFiles = NO_FILES,
) -> None:
    """The joint angles that bring the tip of a robot's limb to a pose, within the joints' limits where they can.

    Example: limbik solve robot ur5e.xml --tip wrist_3_link --position 0.4 0.2 0.5 --rotation 0 1 0 0
    """
    from limbik.robots.robot import Robot

    limb = Robot.load(file).limb(options.tip, options.base)
    if files.targets is not None:
        _solve_file(limb, options, files)
        return
    if files.out is not None:
        raise ArgumentError("--out", "no --targets", "--targets FILE, the file of poses, too")
    if options.position is None:
        raise ArgumentError("--position", "nothing", "x y z, or --targets FILE --out FILE")
    ask = limb.branches if options.every else limb.solve
    _show(limb, ask(options.position, options.rotation, _near(options), **_swivel(options)), options)


def _near(options: RobotOptions) -> Any:
    return None if options.near is None else np.radians(options.near) if options.degrees else np.array(options.near)


def _swivel(options: RobotOptions) -> dict[str, Any]:
    if options.swivel is None:
        return {}
    return {"swivel": float(np.radians(options.swivel)) if options.degrees else options.swivel}


def _shown_angles(solution: RobotSolution, options: RobotOptions) -> Any:
    return np.degrees(solution.angles) if options.degrees else solution.angles


def _show(limb: RobotLimb, solution: RobotSolution, options: RobotOptions) -> None:
    angles = np.atleast_2d(_shown_angles(solution, options))
    names = np.atleast_1d(np.asarray(solution.status, int))
    residual, turned = np.atleast_1d(solution.residual), np.atleast_1d(solution.rotation_residual)
    if options.as_json:
        rows = [
            {
                "status": Status(int(status)).name,
                "residual": float(gap),
                "rotation_residual": float(turn),
                "angles": dict(zip(limb.joints, row.tolist(), strict=True)),
            }
            for status, gap, turn, row in zip(names, residual, turned, angles, strict=True)
        ]
        print(
            json.dumps(
                {"family": limb.family, "branches": rows} if options.every else {"family": limb.family, **rows[0]}
            )
        )
        return
    print(limb.family)
    width = max(map(len, (*limb.joints, "rotation error")))
    digits = 3 if options.degrees else 5
    lines = [("branch", [str(number) for number in np.atleast_1d(solution.branch)])]
    lines.append(("status", [Status(int(status)).name for status in names]))
    lines.append(("residual", [f"{gap:.1e}" for gap in residual]))
    lines.append(("rotation error", [f"{turn:.1e}" for turn in turned]))
    lines += [
        (name, [f"{angle:.{digits}f}" for angle in column]) for name, column in zip(limb.joints, angles.T, strict=True)
    ]
    for name, words in lines:
        print(f"  {name:{width}s}" + "".join(f" {word:>9s}" for word in words))
    print(f"angles in {'degrees' if options.degrees else 'radians'}; residual in metres, rotation error in radians")


def _solve_file(limb: RobotLimb, options: RobotOptions, files: PoseFiles) -> None:
    from limbik.files.table_files import read_table, write_table
    from limbik.files.table_rows import Layout

    if options.position is not None or options.every:
        raise ArgumentError("--targets", "--position or --all as well", "the file alone")
    if files.out is None or files.targets is None:
        raise ArgumentError("--out", "nothing", "a .csv, .jsonl or .npy file for the angles")
    if files.targets.resolve() == files.out.resolve():
        raise FileError(files.out, "", "is the file of poses; give the answers another name")
    refuse_existing(files.out, files.overwrite)
    groups = {"position": ("x", "y", "z"), "rotation": ("qx", "qy", "qz", "qw")}
    needed = ("position", "rotation") if limb.closed_form.oriented else ("position",)
    reader = read_table(files.targets, Layout(groups, needed, (needed, ("position", "rotation"))))
    unit = short_unit(options.degrees)
    columns = ["status", "residual", *(f"{name}_{unit}" for name in limb.joints)]
    counts = np.zeros(len(Status), int)
    began = time.perf_counter()
    with write_table(files.out, columns, WORDS) as write:
        for chunk in reader.chunks():
            if not len(chunk.bad):
                continue
            position = np.where(chunk.bad[:, None], np.nan, chunk.groups["position"])
            found = limb.solve(position, chunk.groups.get("rotation"), _near(options), **_swivel(options))
            write(np.column_stack([found.status, found.residual, _shown_angles(found, options)]))
            counts += np.bincount(found.status, minlength=len(Status))
    seconds = time.perf_counter() - began
    by_status = {status.name: int(counts[status]) for status in Status if counts[status]}
    if options.as_json:
        print(json.dumps({"out": str(files.out), "rows": int(counts.sum()), "by_status": by_status}))
        return
    print(f"{files.out}: {counts.sum():,} rows in {seconds:.2f} s")
    for name, count in by_status.items():
        print(f"  {name:8s} {count:>13,}")
