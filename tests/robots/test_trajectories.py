"""Trajectories keep the limits on velocity and acceleration, judged from the files that they are written to."""

from __future__ import annotations

import csv
import json
import math
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import limbik
from limbik.errors import ArgumentError, FileError, LimbikError
from limbik.robots import Trajectory
from tests.optional import optional
from tests.robots.robot_files import menagerie

Array = np.ndarray[Any, Any]
SUFFIXES = (".csv", ".json", ".yaml")


def names_of(count: int) -> list[str]:
    return [f"joint {k}" for k in range(count)]


def smooth_path(seed: int, joints: int, points: int) -> Array:
    """Waves of random amplitude and phase in every joint."""
    random = np.random.default_rng(seed)
    time = np.linspace(0.0, 0.9, points)[:, None]
    waves = (
        random.normal(size=joints) * np.sin(2 * np.pi * f * time + random.uniform(0, 6, joints)) for f in (1, 2, 3)
    )
    return np.sum(list(waves), axis=0)


def rows_of(path: Path) -> tuple[Array, Array, Array, Array]:
    """Times, positions, velocities and accelerations in a CSV file, by the csv module alone."""
    with path.open() as file:
        header, *rows = list(csv.reader(file))
    numbers = np.array(rows, float)
    kinds = ["_position", "_velocity", "_acceleration"]
    angles, velocities, accelerations = (
        numbers[:, [k for k, name in enumerate(header) if name.endswith(kind)]] for kind in kinds
    )
    return numbers[:, header.index("time")], angles, velocities, accelerations


def largest(path: Path) -> tuple[Array, Array]:
    """Each joint's largest velocity and acceleration in a file: by differences of its positions, and as it has them."""
    time, position, velocity, acceleration = rows_of(path)
    steps = np.diff(time)[:, None]
    assert (steps > 0).all()
    chords = np.diff(position, axis=0) / steps
    bends = 2 * np.diff(chords, axis=0) / (steps[1:] + steps[:-1])
    fastest = np.abs(np.concatenate([chords, velocity])).max(axis=0)
    return fastest, np.abs(np.concatenate([bends, acceleration])).max(axis=0)


@pytest.mark.parametrize("joints, points", [(1, 40), (6, 300), (7, 12), (29, 100), (3, 3), (3, 2)])
@pytest.mark.parametrize("seed", range(3))
def test_limits_hold_in_every_joint(tmp_path: Path, joints: int, points: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    path, file = smooth_path(seed, joints, points), tmp_path / "path.csv"
    velocity, acceleration = random.uniform(0.5, 4, joints), random.uniform(1, 20, joints)
    found = Trajectory.in_shortest_time(
        path, max_velocity=velocity, max_acceleration=acceleration, names=names_of(joints)
    )
    found.save(file)
    fastest, hardest = largest(file)
    assert (fastest <= velocity * (1 + 1e-9)).all() and (hardest <= acceleration * (1 + 1e-9)).all()
    assert points < 5 or max((fastest / velocity).max(), (hardest / acceleration).max()) > 0.99  # no slower than needed
    assert np.array_equal(rows_of(file)[1], path) and not found.velocities[[0, -1]].any()


@pytest.mark.parametrize("noise", [1e-9, 1e-4, 0.05])
def test_limits_hold_on_rough_paths(tmp_path: Path, noise: float) -> None:
    path = smooth_path(0, 6, 200) + np.random.default_rng(0).normal(size=(200, 6)) * noise
    path[50] += 0.3
    Trajectory.in_shortest_time(path, max_velocity=2, max_acceleration=5, names=names_of(6)).save(tmp_path / "p.csv")
    fastest, hardest = largest(tmp_path / "p.csv")
    assert fastest.max() <= 2 * (1 + 1e-9) and hardest.max() <= 5 * (1 + 1e-9)


@pytest.mark.parametrize("velocity, acceleration", [(0.5, 3.0), (10.0, 3.0)])
def test_a_line_takes_as_long_as_the_best_profile(velocity: float, acceleration: float) -> None:
    way = np.array([1.0, -0.4, 0.2])
    path = np.linspace(0, 1, 400)[:, None] * way
    found = Trajectory.in_shortest_time(path, max_velocity=velocity, max_acceleration=acceleration, names=names_of(3))
    peak = min(velocity, math.sqrt(acceleration))  # a trapezoid, or a triangle, of the joint that goes 1 rad
    best = 1.0 / peak + peak / acceleration
    assert best * (1 - 1e-6) <= found.duration <= best * 1.01


def test_a_curve_is_gone_through_faster_than_at_uniform_speed() -> None:
    path = smooth_path(1, 6, 300)
    limits: dict[str, Any] = {"max_velocity": 2.0, "max_acceleration": 5.0}
    fast = Trajectory.in_shortest_time(path, **limits, names=names_of(6))
    uniform = Trajectory.at_fps(path, 100, names=names_of(6)).slow_down(**limits)
    assert fast.duration < uniform.duration


def test_one_factor_slows_all_down(tmp_path: Path) -> None:
    path = smooth_path(0, 4, 100)
    fast = Trajectory.at_fps(path, 60, names=names_of(4))
    np.testing.assert_allclose(fast.times, np.arange(100) / 60, atol=1e-9)
    slow = fast.slow_down(max_velocity=[1, 2, 3, 4], max_acceleration=6)
    slow.save(tmp_path / "p.csv")
    fastest, hardest = largest(tmp_path / "p.csv")
    assert (fastest <= np.array([1, 2, 3, 4]) * (1 + 1e-9)).all() and hardest.max() <= 6 * (1 + 1e-9)
    assert max((fastest / [1, 2, 3, 4]).max(), hardest.max() / 6) > 1 - 1e-6
    np.testing.assert_allclose(slow.times / slow.duration, fast.times / fast.duration, atol=1e-7)
    assert slow.slow_down(max_velocity=[1, 2, 3, 4], max_acceleration=6) is slow
    assert np.array_equal(slow.angles, path)


def test_pauses_are_left_out_and_a_still_path_is_a_point() -> None:
    path = np.repeat(smooth_path(0, 3, 50), 4, axis=0)
    limits: dict[str, Any] = {"max_velocity": 2.0, "max_acceleration": 5.0, "names": names_of(3)}
    once = Trajectory.in_shortest_time(path[::4], **limits)
    assert np.array_equal(Trajectory.in_shortest_time(path, **limits).times, once.times)
    still = Trajectory.in_shortest_time(np.ones((30, 3)), **limits)
    assert (len(still), still.duration) == (1, 0.0)


def test_a_joint_without_a_limit_does_not_count() -> None:
    path = smooth_path(0, 2, 50)
    found = Trajectory.in_shortest_time(path, max_velocity=[2, np.inf], max_acceleration=[5, np.inf], names=names_of(2))
    assert np.abs(found.velocities[:, 0]).max() <= 2 < np.abs(found.velocities[:, 1]).max()
    moving = Trajectory.in_shortest_time(path, max_velocity=2, max_acceleration=np.inf, names=names_of(2))
    chords = np.abs(np.diff(path, axis=0) / np.diff(moving.times)[:, None]).max(axis=1)
    np.testing.assert_allclose(chords, 2.0, rtol=1e-6)


@pytest.mark.parametrize(
    "name, tip", [("universal_robots_ur5e/ur5e.xml", "wrist_3_link"), ("franka_emika_panda/panda.xml", "link7")]
)
def test_tracks_of_real_arms(tmp_path: Path, name: str, tip: str) -> None:
    arm = limbik.Robot.load(menagerie(name)).limb(tip)
    start = np.array([0.2, -0.9, 0.4, -1.7, 0.3, 1.4, 0.5])[: len(arm.joints)]
    position, rotation = arm.forward(start)
    turn = np.linspace(0, 2 * np.pi, 200)[:, None]
    circle = 0.08 * (np.sin(turn) * [0, 0, 1] + (np.cos(turn) - 1) * position / np.linalg.norm(position))
    track = arm.track(position + circle, rotation, previous=start)
    assert track.reached.all()
    found = Trajectory.in_shortest_time(track, max_velocity=1.5, max_acceleration=8)
    assert found.names == arm.joints and np.array_equal(found.angles, track.angles)
    found.save(tmp_path / "p.csv")
    fastest, hardest = largest(tmp_path / "p.csv")
    assert fastest.max() <= 1.5 * (1 + 1e-9) and hardest.max() <= 8 * (1 + 1e-9)


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".yml"])
def test_files_hold_every_digit(tmp_path: Path, suffix: str) -> None:
    path = smooth_path(0, 3, 20) * [1.0, 1e-7, 1e20]
    names = ["a_position", 'with "quotes", a comma', "é: [x]"]
    one = Trajectory.at_fps(path, 7, names=names)
    other = Trajectory.in_shortest_time(path, max_velocity=[1, 1, 1e20], max_acceleration=[1, 1, 1e20], names=names)
    for found in (one, other, Trajectory.at_fps(path[:1], 7, names=names)):
        file = tmp_path / f"path{suffix}"
        found.save(file)
        read = Trajectory.load(file)
        assert read.names == found.names
        for what in ("times", "angles", "velocities", "accelerations"):
            assert np.array_equal(getattr(read, what), getattr(found, what))
    assert [file.name for file in tmp_path.iterdir()] == [f"path{suffix}"]


def test_yaml_is_the_message_of_ros(tmp_path: Path) -> None:
    yaml = optional("yaml")
    path = smooth_path(0, 3, 20) * [1.0, 1e-7, 1e20]
    found = Trajectory.at_fps(path, 7, names=names_of(3))
    message = yaml.safe_load(found.text("yaml"))
    assert list(message) == ["joint_names", "points"] and message["joint_names"] == list(found.names)
    for k, point in enumerate(message["points"]):
        assert set(point) == {"positions", "velocities", "accelerations", "time_from_start"}
        assert point["positions"] == path[k].tolist() and point["velocities"] == found.velocities[k].tolist()
        time = point["time_from_start"]
        assert all(isinstance(part, int) for part in time.values()) and 0 <= time["nanosec"] < 10**9
        assert (time["sec"] * 10**9 + time["nanosec"]) / 1e9 == found.times[k]
    assert json.loads(found.text("json"))["points"][3]["positions"] == path[3].tolist()


@pytest.mark.parametrize(
    "change",
    [
        {"times": [0.0, 0.0, 1.0]},
        {"times": [0.0, 1.0]},
        {"times": [-1.0, 0.0, 1.0]},
        {"angles": [[0.0, np.nan]] * 3},
        {"angles": [[0.0]] * 3},
        {"velocities": [[0.0, 0.0]] * 2},
        {"accelerations": [[0.0, np.inf]] * 3},
        {"names": ["a", "a"]},
        {"names": "ab"},
        {"names": []},
    ],
)
def test_what_is_no_trajectory_is_refused(change: dict[str, Any]) -> None:
    rows = [[0.0, 0.0]] * 3
    parts = {"names": ["a", "b"], "times": [0.0, 0.5, 1.0], "angles": rows, "velocities": rows, "accelerations": rows}
    Trajectory(**parts)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError):
        Trajectory(**{**parts, **change})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "path, options, told",
    [
        (np.zeros((3, 2)), {}, "names"),
        (np.zeros((0, 2)), {"names": ["a", "b"]}, "at least one point"),
        (np.zeros(3), {"names": ["a", "b"]}, "points, 2"),
        ([[0, 0], [0, np.nan]], {"names": ["a", "b"]}, r"nan at index \(1, 1\)"),
        (np.eye(2), {"names": ["a", "b"], "max_velocity": 0}, "positive"),
        (np.eye(2), {"names": ["a", "b"], "max_velocity": [1, 2, 3]}, "one for each joint"),
        (np.eye(2), {"names": ["a", "b"], "max_acceleration": np.nan}, "positive"),
        (np.eye(2), {"names": ["a", "b"], "max_velocity": np.inf, "max_acceleration": np.inf}, "a limit"),
    ],
)
def test_paths_and_limits_that_cannot_be_used_are_refused(path: Any, options: dict[str, Any], told: str) -> None:
    with pytest.raises(ArgumentError, match=told):
        Trajectory.in_shortest_time(path, **{"max_velocity": 1, "max_acceleration": 1, **options})


def test_other_arguments_are_refused() -> None:
    arm = limbik.Robot.load(menagerie("universal_robots_ur5e/ur5e.xml")).limb("wrist_3_link")
    batch = arm.track(np.zeros((3, 2, 3)), [0, 0, 0, 1])
    for wrong in (
        lambda: Trajectory.at_fps(batch, 30),
        lambda: Trajectory.at_fps(batch[:, 0], 30, names=arm.joints),
        lambda: Trajectory.at_fps(batch[:, 0], 0),
        lambda: Trajectory.at_fps(batch[:, 0], 30).text("xml"),
    ):
        with pytest.raises(ArgumentError):
            wrong()


def test_files_that_are_no_trajectories_are_refused(tmp_path: Path) -> None:
    found = Trajectory.at_fps(smooth_path(0, 2, 4), 30, names=["a", "b"])
    with pytest.raises(FileError, match="suffix"):
        found.save(tmp_path / "p.bag")
    with pytest.raises(FileError, match="folder"):
        found.save(tmp_path / "nowhere" / "p.csv")
    random = np.random.default_rng(0)
    for kind in ("csv", "json", "yaml"):
        text, file = found.text(kind), tmp_path / f"p.{kind}"
        for _ in range(150):
            letters = list(text)
            for place in random.integers(0, len(text), random.integers(1, 30)):
                letters[place] = str(random.choice(list('0x,[]{}\n:" -')))
            file.write_text("".join(letters[: random.integers(0, len(text))] if random.random() < 0.3 else letters))
            with suppress(LimbikError):
                Trajectory.load(file)
