"""`limbik solve robot`: one pose, every branch, a file of poses."""

from __future__ import annotations

import json

import numpy as np
import pytest

import limbik
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
    told = run(capsys, f"solve robot {arm} --tip hand --position 0.3 0.2 0.5 --json")
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


@pytest.mark.parametrize(
    "options", ["", "--position 1 2 3 --out x.csv", "--targets x.csv", "--position 1 2 3 --swivel 1"]
)
def test_what_does_not_go_together_is_refused(capsys, arm, options):
    told = run(capsys, f"solve robot {arm} --tip hand {options}")
    assert told.status == 2
    assert "--" in told.err or "swivel" in told.err
