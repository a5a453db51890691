"""`limbik robot`: what a robot's file holds, for people and for programs."""

import json

import pytest

from limbik import Robot
from tests.robots.robot_files import menagerie
from tests.robots.small_robots import MJCF, URDF, write

from .command import run


def test_json_tells_what_the_robot_has(capsys, tmp_path):
    path = write(tmp_path, URDF, "arm.urdf")
    answer = run(capsys, f"robot {path} --json")
    assert answer.status == 0, answer.err
    found, robot = json.loads(answer.out), Robot.load(path)
    assert found["file"] == str(path) and found["base"] == "base" and not found["floating"]
    assert [link["name"] for link in found["links"]] == list(robot.links)
    assert found["links"][0]["parent"] is None and found["links"][2]["parent"] == "upper"
    joints = {joint["name"]: joint for joint in found["joints"]}
    assert joints["shoulder"]["lower"] == -1 and joints["elbow"]["upper"] is None
    assert joints["follow"]["mimic"] == {"joint": "grip", "multiplier": -2.0, "offset": 0.1}
    (arm,) = found["limbs"].values()
    assert arm["joints"] == ["shoulder", "elbow", "reach"] and "iterative" in arm["family"]
    assert arm["reached"] == arm["poses"] == 1000 and arm["worst_residual"] < 1e-9


def test_people_see_limbs_families_and_the_tree(capsys, tmp_path):
    answer = run(capsys, f"robot {menagerie('universal_robots_ur5e/ur5e.xml')}")
    assert answer.status == 0
    words = " ".join(answer.out.split())
    assert "arm base → attachment_site: shoulder_pan_joint" in words
    assert "three parallel axes" in words and "8 branches" in words and "exact geometry" in words
    assert "forearm_link ← elbow_joint (hinge, -180 to 180°)" in words
    answer = run(capsys, f"robot {write(tmp_path, MJCF)}")
    words = " ".join(answer.out.split())
    assert "base trunk, floating" in words and "sites left_toe, left_foot" in words and "right_leg" in words
    assert "right_knee (slide, -2 to 2 m)" in words
    assert "iterative: position only; up to 16 answers descents from several starts; 1000 of 1000" in words


def test_the_stated_exactness_is_measured(capsys):
    answer = run(capsys, f"robot {menagerie('universal_robots_ur5e/ur5e.xml')} --json")
    arm = json.loads(answer.out)["limbs"]["arm"]
    assert arm["reached"] == arm["poses"] == 1000 and 0 < arm["median_residual"] < 1e-14
    assert arm["branches"] == 8 and arm["miss_metres"] < 1e-12 and 0 < arm["worst_residual"] < 1e-9


@pytest.mark.parametrize(
    ("text", "message"),
    [("<robot/>", "has no <link>"), ("<sdf/>", "is SDF"), ("hello", "is not XML")],
)
def test_a_file_that_is_no_robot(capsys, tmp_path, text, message):
    answer = run(capsys, f"robot {write(tmp_path, text)}")
    assert answer.status == 2 and message in answer.err and answer.out == ""
