"""Trajectories: joint angles with times, velocities and accelerations, which a robot's controller can follow."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik import arguments
from limbik.arguments import file_path, shown
from limbik.arrays import Array
from limbik.errors import ArgumentError, ShapeError
from limbik.files.atomic_write import atomic_write
from limbik.limbs.array_types import ArrayLike
from limbik.robots.path_timing import (
    accelerations_between_rests,
    accelerations_on_the_way,
    round_to_nanoseconds,
    shortest_times,
    stretch_to_limits,
    velocities_between_rests,
    velocities_on_the_way,
)
from limbik.robots.robot_solution import RobotSolution
from limbik.robots.trajectory_files import FORMATS, NANOSECONDS, TrajectoryContent, format_of, read_trajectory
from limbik.robots.whole_body_solution import WholeBodySolution

MIN_STEP = 1e-6  # radians or metres: points nearer to the one before are left out where times are computed
MAX_FPS = 10_000.0
NANOSECOND = 1.0 / NANOSECONDS

Path = RobotSolution | WholeBodySolution | ArrayLike[Array]  # a track, or angles (points, n)


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """Joint angles along time, with the velocities and accelerations at which a robot goes through them.

    `in_shortest_time` computes the times from limits, `at_fps` takes points at a fixed rate, `load` reads a file.

    Args:
        names: The joints' names, in the order of the columns.
        times: (points,), seconds from the start, increasing; rounded to nanoseconds, which ROS counts in.
        angles: (points, n), radians, or metres for slides.
        velocities: (points, n), rad/s, or m/s for slides.
        accelerations: (points, n), rad/s², or m/s² for slides.
    """

    names: tuple[str, ...]
    times: Array
    angles: Array
    velocities: Array
    accelerations: Array

    def __post_init__(self) -> None:
        names = _read_names(self.names)
        angles = _read_angles(self.angles, len(names))
        times = round_to_nanoseconds(arguments.vector("times", self.times, len(angles)))
        if times[0] < 0.0 or not (np.diff(times) > 0.0).all():
            raise ArgumentError(
                "times", shown(self.times), "seconds from 0 on, each at least a nanosecond after the other"
            )
        rates = {name: arguments.numbers(name, getattr(self, name)) for name in ("velocities", "accelerations")}
        for name, rate in rates.items():
            if rate.shape != angles.shape:
                raise ShapeError(name, rate.shape, f"{angles.shape}, that of angles")
        object.__setattr__(self, "names", names)
        for name, value in {"times": times, "angles": angles, **rates}.items():
            own = np.array(value)
            own.flags.writeable = False
            object.__setattr__(self, name, own)

    # --- made from a path

    @classmethod
    def in_shortest_time(
        cls,
        path: Path,
        *,
        max_acceleration: ArrayLike[Array],
        max_velocity: ArrayLike[Array] | None = None,
        names: Sequence[str] | None = None,
    ) -> Trajectory:
        """Goes along a path as fast as limits on velocity and acceleration allow, from rest to rest.

        The path stays as it is, point by point; only the speed along it is chosen (time parameterisation, by TOPP-RA's
        passes backward and forward). Limits hold for the velocities and accelerations of the trajectory, and for the
        finite differences of its angles. Points in which no joint moves are left out: a pause is no part of a path.

        Args:
            path: A track of a limb or a whole robot, or angles (points, n).
            max_acceleration: Of every joint, or (n,) of each, rad/s² (m/s² for slides); inf for none. Where all are
                inf, the trajectory need not begin and end at rest.
            max_velocity: Of every joint, or (n,), rad/s (m/s). Default: what the robot's file says, as far as it does.
            names: The joints' names, where `path` is an array.

        Returns:
            The trajectory.

        Raises:
            ArgumentError: Limits that are not positive, or none at all; a path that holds NaN; names that do not fit.
        """
        angles, names, from_file = _read_path(path, names)
        fastest = _read_limits("max_velocity", from_file if max_velocity is None else max_velocity, len(names))
        hardest = _read_limits("max_acceleration", max_acceleration, len(names))
        angles = _without_pauses(angles)
        if len(angles) > 1 and not np.isfinite(np.minimum(fastest, hardest))[np.ptp(angles, axis=0) > MIN_STEP].any():
            raise ArgumentError("max_velocity and max_acceleration", "none", "a limit for a joint that moves")
        at_rest = bool(np.isfinite(hardest).any())
        times = shortest_times(angles, fastest, hardest)
        times = stretch_to_limits(times, angles, fastest, hardest, at_rest)
        if not at_rest:
            return cls._on_the_way(names, times, angles)
        rates = velocities_between_rests(times, angles), accelerations_between_rests(times, angles)
        return cls(names, times, angles, *rates)

    @classmethod
    def at_fps(cls, path: Path, fps: float, *, names: Sequence[str] | None = None) -> Trajectory:
        """Goes through a path at a fixed number of points each second, whatever the velocities are.

        Args:
            path: A track of a limb or a whole robot, or angles (points, n).
            fps: Points each second.
            names: The joints' names, where `path` is an array.

        Returns:
            The trajectory, with velocities and accelerations by finite differences. It need not begin or end at rest.

        Raises:
            ArgumentError: A rate that is not positive; a path that holds NaN; names that do not fit.
        """
        angles, names, _ = _read_path(path, names)
        rate = arguments.number("fps", fps, 0.0, MAX_FPS, "points each second", above=True)
        return cls._on_the_way(names, round_to_nanoseconds(np.arange(len(angles)) / rate), angles)

    @classmethod
    def _on_the_way(cls, names: Sequence[str], times: Array, angles: Array) -> Trajectory:
        rates = velocities_on_the_way(times, angles), accelerations_on_the_way(times, angles)
        return cls(tuple(names), times, angles, *rates)

    def slow_down(
        self, *, max_velocity: ArrayLike[Array] | None = None, max_acceleration: ArrayLike[Array] | None = None
    ) -> Trajectory:
        """The trajectory slowed down by one factor, as little as limits ask: uniform scaling.

        Args:
            max_velocity: Of every joint, or (n,) of each, rad/s (m/s for slides); inf or None for no limit.
            max_acceleration: Of every joint, or (n,) of each, rad/s² (m/s²); inf or None for no limit.

        Returns:
            The trajectory, the same one if limits hold.

        Raises:
            ArgumentError: Limits that are not positive.
        """
        count, none = len(self.names), np.inf
        fastest = _read_limits("max_velocity", none if max_velocity is None else max_velocity, count)
        hardest = _read_limits("max_acceleration", none if max_acceleration is None else max_acceleration, count)
        factor = self._excess(fastest, hardest)
        if factor <= 1.0 or len(self) < 2:
            return self
        at_rest = not self.velocities[[0, -1]].any()
        longer = factor + NANOSECOND / self.duration  # so that rounding does not make it shorter
        times = stretch_to_limits(longer * self.times, self.angles, fastest, hardest, at_rest)
        factor = float(times[-1]) / self.duration
        return Trajectory(self.names, times, self.angles, self.velocities / factor, self.accelerations / factor**2)

    def _excess(self, fastest: Array, hardest: Array) -> float:
        """By what factor the trajectory must be slower for its own velocities and accelerations."""
        velocity = (np.abs(self.velocities) / fastest).max()
        return float(max(velocity, np.sqrt((np.abs(self.accelerations) / hardest).max())))

    # --- as it is

    def __len__(self) -> int:
        return len(self.times)

    def __repr__(self) -> str:
        return f"Trajectory({len(self)} points in {self.duration:.6g} s: {', '.join(self.names)})"

    @property
    def duration(self) -> float:
        """Seconds from the start to the last point."""
        return float(self.times[-1])

    # --- files

    def text(self, kind: str) -> str:
        """The trajectory as text.

        Args:
            kind: "csv": a header, and a row for each point, with time, positions, velocities and accelerations.
                "json": an object with joint_names and points. "yaml": ROS's message trajectory_msgs/JointTrajectory.

        Returns:
            The text, in which numbers have all their digits.

        Raises:
            ArgumentError: Another kind.
        """
        kinds = [suffix.removeprefix(".") for suffix in FORMATS if suffix != ".yml"]
        write = FORMATS["." + arguments.choice("kind", kind, kinds)][0]
        nanoseconds = np.round(self.times * NANOSECONDS).astype(np.int64).tolist()
        return write(
            TrajectoryContent(self.names, nanoseconds, np.stack([self.angles, self.velocities, self.accelerations]))
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the trajectory to a file, which appears whole or not at all; `load` reads the same numbers.

        Args:
            path: The file: .csv, .json, .yaml or .yml, as `text` describes them.

        Raises:
            FileError: Another suffix, or a file that cannot be written.
            ArgumentError: `path` is not a path.
        """
        place = file_path("path", path)
        kind = format_of(place).removeprefix(".").replace("yml", "yaml")
        with atomic_write(place) as file:
            file.write(self.text(kind).encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Trajectory:
        """Reads a trajectory from a file that `save` wrote.

        Args:
            path: The file: .csv, .json, .yaml or .yml.

        Returns:
            The trajectory, with every number as it was.

        Raises:
            FileError: A file that cannot be read, or is laid out in another way.
            ArgumentError: `path` is not a path, or the file's numbers are no trajectory.
        """
        names, nanoseconds, motions = read_trajectory(file_path("path", path))
        return cls(names, np.array(nanoseconds) / NANOSECONDS, *motions)


def _read_path(path: Any, names: Sequence[str] | None) -> tuple[Array, tuple[str, ...], Array | float]:
    """Angles (points, n), the joints' names, and the largest velocities that the robot's file says, inf for none."""
    if isinstance(path, RobotSolution | WholeBodySolution):
        if names is not None:
            raise ArgumentError("names", shown(names), "None: a track has the names of its joints")
        whole = isinstance(path, WholeBodySolution)
        angles = path.angles
        if (not whole and path.library) or angles.ndim != 2:
            raise ShapeError("path", tuple(angles.shape), "a track (points, n) on NumPy; of a batch, track[:, k]")
        fastest = path.max_velocity if whole else path.limb.max_velocity
        return _read_angles(angles, len(path.joint_names)), path.joint_names, fastest
    if names is None:
        raise ArgumentError("names", None, "the joints' names, where the path is an array")
    names = _read_names(names)
    return _read_angles(path, len(names)), names, np.inf


def _read_names(names: Any) -> tuple[str, ...]:
    wanted = "the joints' names, each another text"
    if isinstance(names, str) or not isinstance(names, Sequence) or not names:
        raise ArgumentError("names", shown(names), wanted)
    found = tuple(arguments.text("names", name, longest=1000) for name in names)
    if len(set(found)) < len(found):
        raise ArgumentError("names", shown(names), wanted)
    return found


def _read_angles(angles: Any, count: int) -> Array:
    found = arguments.numbers("angles", angles)
    if found.ndim != 2 or found.shape[1] != count or not len(found):
        raise ShapeError("angles", found.shape, f"(points, {count}), at least one point, a column for each joint")
    return found


def _read_limits(name: str, value: Any, count: int) -> Array:
    """Positive limits (n,), inf for none."""
    found = arguments.reals(name, value)
    if found.shape not in ((), (count,)):
        raise ShapeError(name, found.shape, f"a number, or ({count},), one for each joint")
    if not (found > 0.0).all():
        raise ArgumentError(name, shown(value), "positive numbers; inf for no limit")
    return np.broadcast_to(found, (count,))


def _without_pauses(angles: Array) -> Array:
    """The points (points, n) that are away from the one before; the last one stays."""
    kept = [0]
    for point in range(1, len(angles)):
        if np.abs(angles[point] - angles[kept[-1]]).max() > MIN_STEP:
            kept.append(point)
    if len(kept) > 1 and np.abs(angles[-1] - angles[kept[-2]]).max() > MIN_STEP:
        kept[-1] = len(angles) - 1
    return angles[kept]
