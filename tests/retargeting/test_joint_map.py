"""The map of joints: found by itself, completed by hand, saved and used again."""

import json

import numpy as np
import pytest

import limbik
from limbik import samples

NAMES = {"left_leg": ["a", "b", "c"], "right_leg": ["d", "e", "f"]}


def nameless(clip):
    """The clip's figure without telling names, lying so that its shape tells nothing either."""
    return limbik.Clip(
        limbik.Skeleton(
            tuple(f"n{k}" for k in range(len(clip.skeleton))),
            clip.skeleton.parents,
            clip.skeleton.translations * 0.0 + [0.1, 0.0, 0.0],
        ),
        clip.rotations * 0.0 + [0.0, 0.0, 0.0, 1.0],
    )


def test_all_parts_of_a_figure_are_found():
    found = limbik.retarget(samples.walk(5), samples.character(5)).map
    for part in ("pelvis", "spine", "neck", "left_leg", "right_arm", "left_clavicle"):
        assert part in found.pairs, part
    assert found.as_dict()["source"]["left_leg"][0] == "LeftUpLeg"


def test_what_is_not_found_is_named_with_the_joints_there_are():
    with pytest.raises(limbik.LimbikError, match="no legs or arms were found in the target") as error:
        limbik.retarget(samples.walk(5), nameless(samples.walk(5)))
    assert "mapping=" in str(error.value) and "n3" in str(error.value)


@pytest.mark.parametrize("who", ["source", "target"])
def test_a_figure_without_legs_is_refused(who):
    without = {who: {"left_leg": [], "right_leg": []}}
    with pytest.raises(limbik.LimbikError, match=f"no legs were found in the {who}; found only left_arm, right_arm"):
        limbik.retarget(samples.walk(5), limbik.walk("biped", "plane", seconds=0.2), mapping=without)


def test_a_map_names_the_joints_of_a_figure_that_says_nothing(tmp_path):
    walk = samples.walk(30)
    expected = limbik.retarget(walk, limbik.walk("biped", "plane", seconds=1))
    other = expected.map.target.skeleton
    names = tuple(f"bone {k}" for k in range(len(other)))
    renamed = limbik.Skeleton(names, other.parents, other.translations, other.rotations, end_sites=other.end_sites)
    parts = {part: [names[joint] for joint in joints] for part, joints in expected.map.target.parts.items()}
    result = limbik.retarget(walk, renamed, mapping={"target": parts})
    assert result.map.as_dict()["target"] == parts
    result.map.save(tmp_path / "map.json")
    assert json.loads((tmp_path / "map.json").read_text())["source"]["left_leg"]
    for again in (tmp_path / "map.json", str(tmp_path / "map.json"), result.map):
        np.testing.assert_array_equal(
            limbik.retarget(walk, renamed, mapping=again).clip.rotations, result.clip.rotations
        )


def test_a_part_can_be_left_out():
    walk, own = samples.walk(30), samples.character(30)
    biped = limbik.walk("biped", "plane", seconds=1)
    result = limbik.retarget(walk, biped, mapping={"target": {"left_arm": []}})
    assert "left_arm" not in result.map.pairs
    arm = limbik.find_limbs(biped)["left_arm"].joints
    np.testing.assert_array_equal(
        result.clip.rotations[:, arm[1]], np.tile(result.clip.skeleton.rotations[arm[1]], (30, 1))
    )
    assert any("left arm" in note for note in result.notes) and own is not None


@pytest.mark.parametrize(
    ("mapping", "message"),
    [
        (3, "a dictionary such as"),
        ({"who": {}}, '"source" and "target"'),
        ({"target": {"left_wing": ["a"]}}, "left_leg"),
        ({"target": {"left_leg": "Hips"}}, "a list of joints"),
        ({"target": {"left_leg": ["no", "such", "joint"]}}, "joints of the target"),
        ({"source": {"left_leg": ["Hips"]}}, "at least"),
    ],
)
def test_maps_that_cannot_be_used_are_refused(mapping, message):
    with pytest.raises(limbik.LimbikError, match=message):
        limbik.retarget(samples.walk(5), limbik.walk("biped", "plane", seconds=0.2), mapping=mapping)


def test_map_files_that_cannot_be_read_are_refused(tmp_path):
    broken = tmp_path / "map.json"
    for text in ("{", "[" * 100_000, "3"):
        broken.write_text(text)
        with pytest.raises(limbik.LimbikError):
            limbik.retarget(samples.walk(5), samples.walk(5), mapping=broken)
    with pytest.raises(limbik.LimbikError, match=r"no\.json"):
        limbik.retarget(samples.walk(5), samples.walk(5), mapping=tmp_path / "no.json")
