"""Trajectories as text: CSV, JSON, and YAML that ROS reads as trajectory_msgs/JointTrajectory; every digit is kept."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.errors import FileError
from limbik.files.file_limits import known_suffix, read_file

NANOSECONDS = 1_000_000_000  # in a second
COLUMNS = ("position", "velocity", "acceleration")  # of each joint in CSV, after its name
KEYS = ("positions", "velocities", "accelerations")  # of each point in JSON and YAML, as in JointTrajectoryPoint


class TrajectoryContent(NamedTuple):
    """What a file of a trajectory holds."""

    names: tuple[str, ...]
    nanoseconds: list[int]
    motions: Array  # (3, points, joints): positions, velocities, accelerations


def as_csv(content: TrajectoryContent) -> str:
    """A table with a header: time, then position, velocity and acceleration of each joint."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["time", *(f"{name}_{column}" for column in COLUMNS for name in content.names)])
    for time, row in zip(content.nanoseconds, np.moveaxis(content.motions, 1, 0).tolist(), strict=True):
        writer.writerow([repr(time / NANOSECONDS), *map(repr, chain(*row))])
    return text.getvalue()


def from_csv(text: str) -> TrajectoryContent:
    """Reads what `as_csv` writes."""
    header, *rows = list(csv.reader(StringIO(text)))
    names = tuple(name.removesuffix("_position") for name in header if name.endswith("_position"))
    if header != ["time", *(f"{name}_{column}" for column in COLUMNS for name in names)]:
        raise ValueError(
            "the header must be time, then NAME_position, NAME_velocity and NAME_acceleration of each joint"
        )
    numbers = np.array([[float(word) for word in row] for row in rows]).reshape(len(rows), len(header))
    motions = numbers[:, 1:].reshape(len(rows), len(COLUMNS), len(names))
    return TrajectoryContent(names, _as_nanoseconds(numbers[:, 0].tolist()), np.moveaxis(motions, 1, 0))


def as_json(content: TrajectoryContent) -> str:
    """An object with joint_names and points; time_from_start is in seconds."""
    points = [
        {"time_from_start": time / NANOSECONDS, **dict(zip(KEYS, row, strict=True))}
        for time, row in zip(content.nanoseconds, np.moveaxis(content.motions, 1, 0).tolist(), strict=True)
    ]
    lines = ",\n    ".join(map(json.dumps, points))
    return f'{{\n  "joint_names": {json.dumps(content.names)},\n  "points": [\n    {lines}\n  ]\n}}\n'


def from_json(text: str) -> TrajectoryContent:
    """Reads what `as_json` writes."""
    found = json.loads(text)
    points = found["points"]
    return _from_points(found["joint_names"], points, _as_nanoseconds([one["time_from_start"] for one in points]))


def as_yaml(content: TrajectoryContent) -> str:
    """The message trajectory_msgs/JointTrajectory as `ros2 topic pub` and PyYAML read it."""
    lines = [f"joint_names: {json.dumps(content.names)}", "points:"]
    for time, row in zip(content.nanoseconds, np.moveaxis(content.motions, 1, 0).tolist(), strict=True):
        for mark, key, numbers in zip("-  ", KEYS, row, strict=True):
            lines.append(f"{mark} {key}: [{', '.join(map(_yaml_number, numbers))}]")
        seconds, rest = divmod(time, NANOSECONDS)
        lines.append(f"  time_from_start: {{sec: {seconds}, nanosec: {rest}}}")
    return "\n".join(lines) + "\n"


def from_yaml(text: str) -> TrajectoryContent:
    """Reads what `as_yaml` writes; other YAML is refused."""
    head, title, *lines = text.splitlines()
    if title != "points:" or len(lines) % 4 or not head.startswith("joint_names: "):
        raise ValueError("is not laid out as limbik writes it: joint_names, points, and four lines for each point")
    points: list[dict[str, Any]] = []
    times: list[int] = []
    for first in range(0, len(lines), 4):
        keys, values = zip(*(line[2:].split(": ", 1) for line in lines[first : first + 4]), strict=True)
        time = re.fullmatch(r"\{sec: (\d+), nanosec: (\d+)\}", values[3])
        if keys != (*KEYS, "time_from_start") or time is None:
            raise ValueError(f"line {first + 3} does not begin a point as limbik writes it")
        points.append(dict(zip(KEYS, map(json.loads, values[:3]), strict=True)))
        times.append(int(time[1]) * NANOSECONDS + int(time[2]))
    return _from_points(json.loads(head.removeprefix("joint_names: ")), points, times)


def _yaml_number(number: float) -> str:
    """A number with all its digits, and a point, without which YAML 1.1 takes 1e-05 for a word."""
    text = repr(number)
    return text if "." in text or "e" not in text else text.replace("e", ".0e")


def _as_nanoseconds(seconds: Iterable[float]) -> list[int]:
    return [round(time * NANOSECONDS) for time in seconds]


def _from_points(names: Sequence[str], points: Sequence[dict[str, Any]], times: list[int]) -> TrajectoryContent:
    motions = np.array([[point[key] for point in points] for key in KEYS], float)
    return TrajectoryContent(tuple(names), times, motions.reshape(len(KEYS), len(points), len(names)))


FORMATS: dict[str, tuple[Callable[[TrajectoryContent], str], Callable[[str], TrajectoryContent]]] = {
    ".csv": (as_csv, from_csv),
    ".json": (as_json, from_json),
    ".yaml": (as_yaml, from_yaml),
}
FORMATS[".yml"] = FORMATS[".yaml"]


def format_of(path: Path) -> str:
    """The suffix of a path, which names the format; raises FileError for another one."""
    return known_suffix(path, FORMATS)


def read_trajectory(path: Path) -> TrajectoryContent:
    """What a file holds; raises FileError where it is no trajectory."""
    read = FORMATS[format_of(path)][1]
    try:
        return read(read_file(path).decode())
    except (ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError) as error:
        raise FileError(path, "", f"is no trajectory as limbik writes them: {error}") from None
