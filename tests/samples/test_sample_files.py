"""Sample files: every one is read by limbik as what it is, and the documentation's creature is among them."""

import re

import numpy as np
import pytest

import limbik
from limbik import samples
from limbik.cli import main
from limbik.errors import FileError
from limbik.files.table_files import read_table
from limbik.files.table_rows import Layout
from tests.examples.scripts import ROOT
from tests.optional import optional


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("samples") / "new"
    assert {path.name for path in samples.write(folder)} == {path.name for path in folder.iterdir()}
    return folder


def test_the_clips_are_the_walk(folder):
    walk = samples.walk()
    for name in ("walk.bvh", "character.glb"):
        clip = limbik.load(folder / name)
        order = [clip.skeleton.index(name) for name in walk.skeleton.names]
        assert sorted(order) == list(range(len(walk.skeleton)))
        assert np.allclose(clip.positions()[:, order], walk.positions(), atol=1e-3)


def test_the_character_keeps_its_skin(folder):
    body = samples.character(5).body
    assert sum(len(part.positions) for mesh in body.meshes for part in mesh) > 500
    import pygltflib

    gltf = pygltflib.GLTF2().load(str(folder / "character.glb"))
    assert len(gltf.skins) == 1 and len(gltf.skins[0].joints) == 31
    assert gltf.meshes[0].primitives[0].attributes.WEIGHTS_0 is not None


def test_the_ant_is_the_one_of_the_page_and_walks(folder):
    page = (ROOT / "docs" / "walking.md").read_text("utf-8")
    assert (folder / "ant.toml").read_text("utf-8") == re.search(r"```toml\n(.*?)```", page, re.S)[1]
    assert limbik.walk(folder / "ant.toml", seconds=0.5).name == "ant"


def test_the_arm_is_the_one_of_the_tutorial_and_has_a_closed_form(folder):
    page = (ROOT / "docs" / "tutorials" / "robot.md").read_text("utf-8")
    assert (folder / "arm.urdf").read_text("utf-8") == re.search(r"```xml\n(.*?)```", page, re.S)[1]
    arm = limbik.Robot.load(folder / "arm.urdf").limbs()["arm"]
    assert len(arm.joints) == 6 and arm.family is not None
    angles = np.random.default_rng(2).uniform(-1.5, 1.5, (100, 6))
    found = arm.branches(*arm.forward(angles)).angles
    assert np.abs(found - angles).max(axis=-1).min(axis=0).max() < 1e-9


def test_the_humanoid_stands_and_squats(folder):
    humanoid = limbik.Robot.load(folder / "humanoid.xml")
    assert list(humanoid.limbs()) == ["left_leg", "right_leg", "left_arm", "right_arm"] and humanoid.floating
    feet = humanoid.reach({"pelvis": (0.0, 0.0, 0.824)}).forward().positions
    soles = {f"{side}_foot": ([0.0, y, 0.0], (0, 0, 0, 1)) for side, y in (("left", 0.1), ("right", -0.1))}
    standing = humanoid.reach(soles)
    assert standing.reached and np.abs(standing.position - (0.0, 0.0, 0.824)).max() < 1e-3
    assert np.abs(standing.forward().positions - feet).max() < 2e-3
    assert humanoid.reach(soles | {"pelvis": (0.0, 0.0, 0.5)}).reached


def test_the_targets_are_read_and_reached(folder):
    (chunk,) = read_table(
        folder / "targets.csv", Layout({"target": tuple("xyz")}, ("target",), (("target",),))
    ).chunks()
    assert len(chunk.bad) == 100 and limbik.TwoLink(0.45, 0.42).solve(chunk.groups["target"]).reached.all()


def test_the_grounds_are_the_same_hills(folder):
    optional("trimesh")
    hills = limbik.terrain("hills:height=0.3,seed=3")
    places = np.random.default_rng(1).uniform(-5.0, 5.0, (200, 2))
    for spec in (f"{folder / 'heights.npy'}:spacing=0.1", folder / "hills.obj", folder / "hills.glb"):
        assert np.abs(limbik.terrain(spec).height(places) - hills.height(places)).max() < 0.02


def test_the_command_writes_them_and_a_file_in_the_way_is_told(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["samples"]) == 0
    assert {path.name for path in (tmp_path / "samples").iterdir()} == {
        *("walk.bvh", "character.glb", "ant.toml", "arm.urdf", "humanoid.xml", "targets.csv"),
        *("joints.npy", "heights.npy", "hills.obj", "hills.glb"),
    }
    (tmp_path / "taken").write_text("")
    with pytest.raises(FileError, match="taken"):
        samples.write(tmp_path / "taken")
