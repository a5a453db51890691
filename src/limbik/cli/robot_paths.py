"""A file of poses along time in; a table of angles, or a trajectory, out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.cli.answers import WORDS
from limbik.cli.batch import angle_columns, angle_rows, pose_layout
from limbik.cli.running import tell
from limbik.errors import ArgumentError, FileError
from limbik.files.table_files import read_table, write_table
from limbik.limbs.status import Status
from limbik.robots.trajectories import Trajectory
from limbik.robots.trajectory_files import format_of

if TYPE_CHECKING:
    from limbik.cli.solve import RobotOptions, TrackOptions
    from limbik.robots.robot_limb import RobotLimb
    from limbik.robots.robot_solution import RobotSolution


def track_pose_file(limb: RobotLimb, source: Path, out: Path, options: RobotOptions, times: TrackOptions) -> None:
    """Follows the poses of a file with a robot's limb; prints what became of them, and how long the motion takes."""
    if options.swivel is not None:
        raise ArgumentError("--swivel", "--track as well", "one of the two: a track chooses the swivel")
    if times.is_trajectory:
        format_of(out)  # raises for another suffix before anything is computed
    position, rotation = _read_poses(limb, source, times.is_trajectory)
    track = limb.track(position, rotation, previous=options.near_angles, fps=times.fps)
    duration = None
    if times.is_trajectory:
        motion = _timed(track, options, times)
        motion.save(out)
        duration = motion.duration
    else:
        with write_table(out, angle_columns(limb, options), WORDS) as write:
            write(angle_rows(track, options))
    _report(track, out, duration, options.as_json)


def _read_poses(limb: RobotLimb, source: Path, whole: bool) -> tuple[Array, Array | None]:
    """Positions (rows, 3) and rotations (rows, 4) or None; bad rows are NaN, or an error where none may lack."""
    positions, rotations = [], []
    for chunk in read_table(source, pose_layout(limb)).chunks():
        for row, why in sorted(chunk.faults.items()):
            if whole:
                raise FileError(source, chunk.place(row), f"{why}; a trajectory needs every pose")
            tell(f"{source}, {chunk.place(row)}: {why}; the row is INVALID")
        positions.append(np.where(chunk.bad[:, None], np.nan, chunk.groups["position"]))
        rotations.append(chunk.groups.get("rotation"))
    if not sum(map(len, positions)):
        raise FileError(source, "", "holds no poses")
    turns = [turn for turn in rotations if turn is not None]
    return np.concatenate(positions), np.concatenate(turns) if turns else None


def _timed(track: RobotSolution, options: RobotOptions, times: TrackOptions) -> Trajectory:
    """The track at a fixed rate, slowed down to limits that are given; or as fast as these allow."""
    velocity, acceleration = (
        None if limit is None else float(np.radians(limit)) if options.degrees else limit
        for limit in (times.max_velocity, times.max_acceleration)
    )
    if times.fps is not None:
        motion = Trajectory.at_fps(track, times.fps)
        return motion.slow_down(max_velocity=velocity, max_acceleration=acceleration)
    assert acceleration is not None
    return Trajectory.in_shortest_time(track, max_velocity=velocity, max_acceleration=acceleration)


def _report(track: RobotSolution, out: Path, duration: float | None, as_json: bool) -> None:
    status = np.asarray(track.status)
    by_status = {one.name: int((status == one).sum()) for one in Status if (status == one).any()}
    steps = np.abs(np.diff(track.angles, axis=0))
    largest = float(np.nanmax(steps)) if np.isfinite(steps).any() else 0.0
    if as_json:
        content = {"out": str(out), "rows": len(track), "by_status": by_status, "largest_step": largest}
        print(json.dumps({**content, "seconds": duration}))
        return
    print(f"{out}: {len(track):,} poses" + ("" if duration is None else f", {duration:.3f} s of motion"))
    for name, count in by_status.items():
        print(f"  {name:8s} {count:>13,}")
    print(f"  largest step of a joint {largest:.3g} rad")
