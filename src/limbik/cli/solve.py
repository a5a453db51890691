"""`limbik solve`: the pose of a limb, also of a robot's, for one target, or for a file of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import radians
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
from cyclopts import App, Parameter

from limbik.arrays import Array
from limbik.cli.options import (
    Flag,
    LimbOptions,
    Overwrite,
    PlanarOptions,
    ThreeLinkOptions,
    Triple,
    TwoLinkOptions,
    refuse_existing,
    solve_target,
)
from limbik.errors import ArgumentError, FileError
from limbik.limbs.status import Status

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb
    from limbik.robots.robot_solution import RobotSolution

app = App(name="solve", help="Find the pose of a limb for one target, or for a file of them.")

Quadruple = tuple[float, float, float, float]


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
    near: Annotated[tuple[float, ...] | None, Parameter(consume_multiple=True)] = None
    """Joint angles that the answer should be close to (default: 0)."""
    swivel: float | None = None
    """The redundant degree of freedom of a limb of seven joints (default: by the joints' limits)."""
    degrees: Flag = False
    """Angles are in degrees, in options and in answers (default: radians)."""
    as_json: Annotated[Flag, Parameter(name="--json")] = False
    """Print one JSON object, for programs."""
    every: Annotated[Flag, Parameter(name="--all")] = False
    """Print every branch, not only the best."""

    @property
    def near_angles(self) -> Array | None:
        """`near` in radians."""
        return None if self.near is None else np.radians(self.near) if self.degrees else np.array(self.near)

    @property
    def swivel_angle(self) -> float | None:
        """`swivel` in radians."""
        return radians(self.swivel) if self.swivel is not None and self.degrees else self.swivel

    def in_unit(self, angles: Array) -> Array:
        """Angles in radians in the unit that answers have."""
        return np.degrees(angles) if self.degrees else angles


@Parameter(name="*", group="Files of poses")
@dataclass(frozen=True, kw_only=True)
class PoseFiles:
    """A file of poses in place of one, and where the angles go."""

    targets: Path | None = None
    """File of poses, in place of --position: .csv with a header, .jsonl or .npy; columns x, y, z, qx, qy, qz, qw."""
    out: Path | None = None
    """Output file for the angles, required with --targets: .csv, .jsonl or .npy."""
    overwrite: Overwrite = False


@Parameter(name="*", group="Poses along time")
@dataclass(frozen=True, kw_only=True)
class TrackOptions:
    """Whether the poses of a file are along time, and the times at which the robot passes them."""

    track: Flag = False
    """The rows of --targets are along time: each continues from the one before. --near is what was before the first.
    With --fps or --max-acceleration the answer is a trajectory, as .csv, .json, or .yaml (ROS's JointTrajectory), in
    radians; without, a table of angles."""
    fps: float | None = None
    """Poses a second; the velocity limits of the file then bound how far joints move from one to the next."""
    max_velocity: float | None = None
    """Largest velocity of every joint, rad/s, m/s of slides, or degrees/s (default: what the robot's file says)."""
    max_acceleration: float | None = None
    """Largest acceleration of every joint, rad/s², m/s² of slides, or degrees/s²: the path is then passed as fast as
    these limits allow, from rest to rest."""

    @property
    def is_trajectory(self) -> bool:
        """Whether times are asked for."""
        return self.fps is not None or self.max_acceleration is not None


SHOW = ShowOptions()
NO_FILES = FileOptions()
NO_POSES = PoseFiles()
NO_TRACK = TrackOptions()


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


@app.command
def robot(
    file: Annotated[Path, Parameter(help="A robot: URDF or MJCF.")],
    *,
    options: RobotOptions,
    files: PoseFiles = NO_POSES,
    times: TrackOptions = NO_TRACK,
) -> None:
    """The joint angles that bring the tip of a robot's limb to a pose, within the joints' limits where they can.

    Example: limbik solve robot ur5e.xml --tip wrist_3_link --position 0.4 0.2 0.5 --rotation 0 1 0 0
    Example: limbik solve robot arm.urdf --tip tool0 --targets path.csv --track --max-acceleration 6 --out motion.yaml
    """
    from limbik.robots.robot import Robot

    if times.track and files.targets is None:
        raise ArgumentError("--track", "no --targets", "--targets FILE, poses along time, too")
    if not times.track and times != NO_TRACK:
        raise ArgumentError("--fps, --max-velocity and --max-acceleration", "no --track", "--track, too")
    limb = Robot.load(file).limb(options.tip, options.base)
    if files.targets is not None:
        if options.position is not None or options.every:
            raise ArgumentError("--targets", "--position or --all as well", "the file alone")
        from limbik.cli.batch import solve_pose_file
        from limbik.cli.robot_paths import track_pose_file

        out = _output_file(files.targets, files.out, files.overwrite, "poses", "angles")
        if times.track:
            track_pose_file(limb, files.targets, out, options, times)
            return
        solve_pose_file(limb, files.targets, out, options)
        return
    if files.out is not None:
        raise ArgumentError("--out", "no --targets", "--targets FILE, the file of poses, too")
    if options.position is None:
        raise ArgumentError("--position", "nothing", "x y z, or --targets FILE --out FILE")
    ask = limb.branches if options.every else limb.solve
    _show_robot(
        limb, ask(options.position, options.rotation, options.near_angles, swivel=options.swivel_angle), options
    )


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
    from limbik.cli.batch import solve_file

    out = _output_file(files.targets, files.out, files.overwrite, "targets", "answers")
    solve_file(options, files.targets, out, files.columns, show.as_json)


def _output_file(targets: Path, out: Path | None, overwrite: bool, rows: str, answers: str) -> Path:
    """The file to write, which must not be that of the targets. rows, answers: what the files hold."""
    if out is None:
        raise ArgumentError("--out", "nothing", f"a .csv, .jsonl or .npy file for the {answers}")
    if targets.resolve() == out.resolve():
        raise FileError(out, "", f"is the file of {rows}; give the answers another name")
    refuse_existing(out, overwrite)
    return out


def _solve_one(options: LimbOptions, show: ShowOptions) -> None:
    if show.as_json:
        from limbik.cli import answers as shown
    else:
        from limbik.cli import as_tables as shown

    limb, solution, branches = solve_target(options, instead=", or --targets FILE --out FILE")
    if solution.status == Status.INVALID:  # the numbers are finite: only their differences can have overflowed
        raise ArgumentError("--target and --origin", "numbers too large to tell apart", "numbers below 1e300")
    if show.every:
        shown.print_branches(options.kind, limb, branches(), options.degrees)
    else:
        shown.print_solution(options.kind, limb, solution, options.degrees)


def _show_robot(limb: RobotLimb, solution: RobotSolution, options: RobotOptions) -> None:
    angles = np.atleast_2d(options.in_unit(solution.angles))
    names = [Status(int(status)).name for status in np.atleast_1d(solution.status)]
    residual, turned = np.atleast_1d(solution.residual), np.atleast_1d(solution.rotation_residual)
    if options.as_json:
        rows = [
            {
                "status": status,
                "residual": float(gap),
                "rotation_residual": float(turn),
                "angles": dict(zip(limb.joints, row.tolist(), strict=True)),
            }
            for status, gap, turn, row in zip(names, residual, turned, angles, strict=True)
        ]
        content = {"branches": rows} if options.every else rows[0]
        print(json.dumps({"family": limb.family, **content}))
        return
    print(limb.family)
    width = max(map(len, (*limb.joints, "rotation error")))
    digits = 3 if options.degrees else 5
    lines = {
        "branch": [str(number) for number in np.atleast_1d(solution.branch)],
        "status": names,
        "residual": [f"{gap:.1e}" for gap in residual],
        "rotation error": [f"{turn:.1e}" for turn in turned],
        **{
            name: [f"{angle:.{digits}f}" for angle in column]
            for name, column in zip(limb.joints, angles.T, strict=True)
        },
    }
    for name, words in lines.items():
        print(f"  {name:{width}s}" + "".join(f" {word:>9s}" for word in words))
    print(f"angles in {'degrees' if options.degrees else 'radians'}; residual in metres, rotation error in radians")
