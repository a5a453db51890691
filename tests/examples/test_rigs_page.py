"""docs/rigs.md: its facts are those of the code."""

import pytest

import limbik
from tests.assets import asset
from tests.examples.scripts import ROOT
from tests.skeleton.conventions import CONVENTIONS

PAGE = ROOT / "docs" / "rigs.md"
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
