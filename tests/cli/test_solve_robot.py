"""`limbik solve robot`: one pose, every branch, a file of poses."""

from __future__ import annotations

import json

import numpy as np
import pytest

import limbik
from limbik.robots import Trajectory
from tests.cli.command import run
from tests.robots.small_robots import write

ARM = """<mujoco><worldbody><body name="one"><joint name="pan" axis="0 0 1" range="-170 170"/>
<body name="two" pos="0 0 0.3"><joint name="lift" axis="0 1 0"/>
<body name="three" pos="0.4 0 0"><joint name="elbow" axis="0 1 0"/>
<body name="hand" pos="0.3 0 0"/></body></body></body></worldbody></mujoco>"""


@pytest.fixture
def arm(tmp_path):
    return write(tmp_path, ARM)


def test_one_pose(capsys, arm):
    told = run(capsys, f"solve robot {arm} --tip hand --position 0.3 0.2 0.5 --near 0.5 1 -1 --json")
    found = json.loads(told.out)
    assert found["status"] == "REACHED"
    limb = limbik.Robot.load(arm).limb("hand")
    there, _ = limb.forward(list(found["angles"].values()))
    np.testing.assert_allclose(there, (0.3, 0.2, 0.5), atol=1e-12)


def test_every_branch_in_degrees(capsys, arm):
    told = run(capsys, f"solve robot {arm} --tip hand --position 0.3 0.2 0.5 --all --degrees")
    assert told.out.count("REACHED") == 4
    found = json.loads(run(capsys, f"solve robot {arm} --tip hand --position 0.3 0.2 0.5 --all --degrees --json").out)
    pans = sorted({round(branch["angles"]["pan"], 6) for branch in found["branches"]})
    wanted = np.degrees(np.arctan2(0.2, 0.3))
    np.testing.assert_allclose(pans, [wanted - 180, wanted], atol=1e-6)


def test_a_file_of_poses(capsys, arm, tmp_path):
    poses, out = tmp_path / "poses.csv", tmp_path / "angles.csv"
    poses.write_text("x,y,z\n0.3,0.2,0.5\nnan,0,0\n2,0,0\n")
    run(capsys, f"solve robot {arm} --tip hand --targets {poses} --out {out}")
    lines = out.read_text().splitlines()
    assert lines[0] == "status,residual,pan_rad,lift_rad,elbow_rad"
    assert [line.split(",")[0] for line in lines[1:]] == ["REACHED", "INVALID", "TOO_FAR"]


@pytest.fixture
def path(tmp_path):
    """A file of forty poses along a line, and their positions."""
    line = np.linspace([0.3, 0.2, 0.5], [0.35, -0.2, 0.45], 40)
    file = tmp_path / "path.csv"
    np.savetxt(file, line, delimiter=",", header="x,y,z", comments="")
    return file, line


def test_a_file_of_poses_along_time(capsys, arm, path, tmp_path):
    out = tmp_path / "angles.csv"
    near = "--near 0.588 -1.26 1.91"
    told = run(capsys, f"solve robot {arm} --tip hand --targets {path[0]} --track {near} --out {out} --json")
    found = json.loads(told.out)
    assert found["by_status"] == {"REACHED": 40} and found["seconds"] is None and found["largest_step"] < 0.1
    rows = np.genfromtxt(out, delimiter=",", names=True, dtype=None, encoding=None)
    angles = np.stack([rows[f"{name}_rad"] for name in ("pan", "lift", "elbow")], axis=1)
    there, _ = limbik.Robot.load(arm).limb("hand").forward(angles)
    np.testing.assert_allclose(there, path[1], atol=1e-9)
    assert np.abs(np.diff(angles, axis=0)).max() == pytest.approx(found["largest_step"])


@pytest.mark.parametrize("suffix", [".csv", ".json", ".yaml"])
def test_a_trajectory_keeps_limits(capsys, arm, path, tmp_path, suffix):
    out = tmp_path / f"motion{suffix}"
    options = "--track --max-velocity 60 --max-acceleration 180 --degrees"
    told = run(capsys, f"solve robot {arm} --tip hand --targets {path[0]} {options} --out {out}")
    assert "40 poses" in told.out and "s of motion" in told.out and "REACHED" in told.out
    motion = Trajectory.load(out)
    there, _ = limbik.Robot.load(arm).limb("hand").forward(motion.angles)
    np.testing.assert_allclose(there, path[1], atol=1e-9)
    assert np.abs(motion.velocities).max() <= np.pi / 3 and np.abs(motion.accelerations).max() <= np.pi


def test_a_trajectory_at_a_fixed_rate(capsys, arm, path, tmp_path):
    out = tmp_path / "motion.yaml"
    run(capsys, f"solve robot {arm} --tip hand --targets {path[0]} --track --fps 50 --out {out}")
    np.testing.assert_allclose(Trajectory.load(out).times, np.arange(40) / 50, atol=1e-9)
    line = (
        f"solve robot {arm} --tip hand --targets {path[0]} --track --fps 50 --max-velocity 0.1 --out {out} --overwrite"
    )
    run(capsys, line)
    slow = Trajectory.load(out)
    assert slow.duration > 1.0 and np.abs(slow.velocities).max() <= 0.1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--position 0.3 0 0.3 --track", "--track"),
        ("--targets {path} --out a.csv --fps 50", "--fps"),
        ("--targets {path} --out a.npy --track --fps 50", "a.npy"),
        ("--targets {path} --out a.csv --track --swivel 1", "--swivel"),
        ("--targets {path} --out a.csv --track --fps -1", "fps"),
        ("--targets {bad} --out a.yaml --track --fps 10", "line 3"),
        ("--targets {empty} --out a.csv --track", "no poses"),
    ],
)
def test_tracks_that_cannot_be(capsys, arm, path, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    bad, empty = tmp_path / "bad.csv", tmp_path / "empty.csv"
    bad.write_text("x,y,z\n0.3,0.2,0.5\n0.3,nan,0.5\n")
    empty.write_text("x,y,z\n")
    told = run(capsys, f"solve robot {arm} --tip hand {options.format(path=path[0], bad=bad, empty=empty)}")
    assert told.status == 2 and message in told.err and not list(tmp_path.glob("a.*"))


@pytest.mark.parametrize(
    "options", ["", "--position 1 2 3 --out x.csv", "--targets x.csv", "--position 1 2 3 --swivel 1"]
)
def test_what_does_not_go_together_is_refused(capsys, arm, options):
    told = run(capsys, f"solve robot {arm} --tip hand {options}")
    assert told.status == 2
    assert "--" in told.err or "swivel" in told.err
