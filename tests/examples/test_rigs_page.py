"""docs/rigs.md: its code runs in order, prints what the page says, and its facts are those of the code."""

import doctest
import re
import shlex
from contextlib import redirect_stdout
from io import StringIO

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik
from limbik.cli import main
from tests.assets import asset
from tests.examples.scripts import ROOT, steps
from tests.skeleton.conventions import CONVENTIONS

PAGE = ROOT / "docs" / "rigs.md"
SIZE = re.compile(r"[\d.]+ kB")  # how large files are is not the page's business
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_the_code_runs_and_prints_what_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    names = {}
    checked = 0
    for language, code, wanted in steps(PAGE.read_text("utf-8")):
        printed = StringIO()
        with redirect_stdout(printed):
            if language == "python":
                exec(code, names)
            else:
                assert [main(shlex.split(line)[1:]) for line in code.splitlines()] == [0]
        if wanted:
            told = SIZE.sub("some kB", printed.getvalue())
            assert doctest.OutputChecker().check_output(SIZE.sub("some kB", wanted), told, FLAGS), told
            checked += 1
    assert checked >= 6
    assert {"walk.bvh", "rail.glb", "part.bvh", "slow.glb"} == {path.name for path in tmp_path.iterdir()}
    watching, rail = names["watching"], names["rail"]
    at, turned = (part[:, watching.skeleton.index("Head")] for part in watching.world())
    line = (rail - at) / np.linalg.norm(rail - at, axis=-1, keepdims=True)
    assert np.abs(Rotation.from_quat(turned).apply([0.0, 0.0, 1.0]) - line).max() < 1e-9


FOUND_BY_SHAPE = {"German", "French", "Spanish", "Japanese", "Russian"}
STRUCTURES = {"feet that hang from the root", "feet under IK controls", "SMPL-X"}  # with the names of others
STRUCTURES |= {
    "MikuMikuDance, other spellings",
    "Prefix that says what the others are not",
    "Suffix that most joints share",
}


@pytest.mark.parametrize("name", sorted(CONVENTIONS.keys() - FOUND_BY_SHAPE - STRUCTURES))
def test_the_names_of_every_convention_are_in_the_table(name):
    convention, text = CONVENTIONS[name], PAGE.read_text("utf-8")
    for joint in (*convention.leg, *convention.arm):
        assert f"`{joint.format(convention.left).removeprefix('Actor:')}`" in text


def test_a_rig_that_was_changed_does_not_grow_further(tmp_path):
    fox = limbik.load(asset("gltf/Fox.glb"))
    arm = limbik.find_limbs(fox.skeleton)["left_arm"]
    for name, shift in (("a", 0.02), ("b", 0.03)):
        fox = fox.reach(arm, fox.positions()[:, arm.joints[-1]] + [0.0, shift, 0.0])
        limbik.save(fox, tmp_path / f"{name}.glb")
        fox = limbik.load(tmp_path / f"{name}.glb")
    first, second = ((tmp_path / f"{name}.glb").stat().st_size for name in "ab")
    assert abs(second - first) < 64
