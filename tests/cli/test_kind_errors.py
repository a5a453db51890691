"""Mistakes of newcomers: each is told what would be right, and leaves no file behind."""

import pytest

import limbik
from limbik import samples
from limbik.errors import LimbikError
from tests.cli.command import run

BLENDER = "Blender opens such files and exports .glb and .bvh"
COMMANDS = {
    "export three": "did you mean 'three-link'?",
    "export nlink --to c": "did you mean 'n-link'?",
    "export two-link": "to: got nothing; expected one of 'c'",
    "export arm.urdf --to c": "limbik robot arm.urdf shows its links and limbs",
    "info walk.fbx": BLENDER,
    "convert walk.fbx out.glb": BLENDER,
    "info arm.urdf": "`limbik robot`",
    "info .": "is a folder",
    "robot walk.bvh": "is not XML, as URDF and MJCF are",
    "ground missing/ --terrain slope:10 --out out --report report.html": "missing: does not exist",
    "ground walk.bvh --terrain slope:10 --out hill.bvh": "expected a folder, such as hill",
}


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_says_what_would_be_right(line, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("walk.bvh", "walk.fbx", "arm.urdf"):
        (tmp_path / name).write_text("HIERARCHY")
    answer = run(capsys, line)
    assert answer.status != 0 and COMMANDS[line] in answer.err
    assert {path.name for path in tmp_path.iterdir()} == {"walk.bvh", "walk.fbx", "arm.urdf"}


CALLS = {
    "a robot without load": (lambda: limbik.Robot("arm.urdf"), LimbikError, 'Robot.load("robot.urdf") reads a file'),
    "an end for a limb": (
        lambda: samples.walk(2).reach("right_hand", [0.2, 1.0, 0.3]),
        LimbikError,
        "a dict: reach({'right_hand': targets})",
    ),
    "an end without targets": (lambda: samples.walk(2).reach("right_hand"), LimbikError, '{"left_hand": targets}'),
    "a length too few": (lambda: limbik.TwoLink(0.3), TypeError, "TwoLink.__init__() missing"),
    "a length too few in the plane": (lambda: limbik.PlanarTwoLink(0.3), TypeError, "PlanarTwoLink.__init__() missing"),
    "a limb for its kind": (lambda: limbik.export(limbik.TwoLink(0.3, 0.4), "c"), LimbikError, "two-link, three-link"),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_says_what_would_be_right(name):
    call, kind, wanted = CALLS[name]
    with pytest.raises(kind) as raised:
        call()
    assert wanted in str(raised.value)


def test_an_unknown_link_is_told_with_those_that_there_are(tmp_path):
    samples.write(tmp_path)
    with pytest.raises(LimbikError, match=r"the name of a link: 'base', 'column', .* limbs\(\) finds arms and legs"):
        limbik.Robot.load(tmp_path / "arm.urdf").limb("arm")
