"""What a clip knows of its motion (feet, contacts, when it was blocked, notes) is kept in glTF files."""

import numpy as np
import pytest

import limbik
from limbik.files.gltf.animation_extras import fields_of

NOTE = "Steps 0.5 m high stopped it; it climbs 0.12 m."


@pytest.fixture(scope="module")
def walk():
    clip = limbik.walk("quadruped", "plane", seconds=1.5, fps=30.0, count=2)
    blocked = np.zeros((len(clip), 2), bool)
    blocked[20:, 0] = blocked[5:9, 1] = blocked[12, 1] = True
    return clip.with_(blocked=blocked, notes=(NOTE, "… ü"))


def assert_same_knowledge(clip, other):
    assert clip.notes == other.notes and np.array_equal(clip.contacts, other.contacts)
    assert [clip.skeleton.names[foot] for foot in clip.feet] == [other.skeleton.names[foot] for foot in other.feet]
    roots = [[one.skeleton.names[root] for root in one.skeleton.roots] for one in (clip, other)]
    assert np.array_equal(clip.blocked, other.blocked[:, [roots[1].index(name) for name in roots[0]]])


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_it_is_kept(walk, suffix, tmp_path):
    path = tmp_path / f"walk{suffix}"
    limbik.save(walk, path)
    found = limbik.load(path)
    assert_same_knowledge(walk, found)
    limbik.save(found, tmp_path / f"again{suffix}")
    assert (tmp_path / f"again{suffix}").read_bytes() == path.read_bytes()
    limbik.save(found[4:40], tmp_path / "part.glb")
    assert_same_knowledge(walk[4:40], limbik.load(tmp_path / "part.glb"))


def test_changes_are_saved_without_motion(walk, tmp_path):
    limbik.save(walk, tmp_path / "walk.glb")
    found = limbik.load(tmp_path / "walk.glb")
    for changed in (
        found.with_(notes=()),
        found.with_(contacts=None),
        found.with_(feet=(), contacts=None, blocked=None),
    ):
        limbik.save(changed, tmp_path / "changed.glb")
        again = limbik.load(tmp_path / "changed.glb")
        assert again.notes == changed.notes and again.feet == changed.feet
        assert all(
            (getattr(again, name) is None) == (getattr(changed, name) is None) for name in ("contacts", "blocked")
        )
        assert np.array_equal(again.rotations, found.rotations)


def test_it_fits_other_frame_rates(walk, tmp_path):
    limbik.save(walk, tmp_path / "walk.glb")
    found = limbik.load(tmp_path / "walk.glb", fps=90.0)
    assert_same_knowledge(walk, found[::3])


HOSTILE = (
    {},
    {"feet": {"no joint": [[0, 1]]}, "blocked": [], "notes": {}},
    {"feet": [], "blocked": {}, "notes": [1, None, "\ud800", ["a"]]},
    {"feet": {"tip": [["nan", 1e400], [1, 2, 3]]}, "blocked": {"0": 1}},
    {"feet": {"tip": "words"}, "blocked": {"root": [[-1e308, 1e308]]}, "notes": ""},
    {
        "feet": {"tip": [[5, 1], [1e300, 2], [-3, -9]]},
        "blocked": {"first": [[0, 10**400]], "second": [[-1e308, 1e308]]},
    },
)


@pytest.mark.parametrize("extras", HOSTILE)
def test_extras_of_another_form_are_ignored(extras, walk):
    clip = walk.with_(feet=(), contacts=None, blocked=None)
    names = {"tip": clip.skeleton.names[3], "first": clip.skeleton.names[clip.skeleton.roots[0]]}
    names["second"] = clip.skeleton.names[clip.skeleton.roots[1]]
    extras = {
        key: {names.get(name, name): spans for name, spans in value.items()} if isinstance(value, dict) else value
        for key, value in extras.items()
    }
    found = clip.with_(**fields_of({"extras": {"limbik": extras}}, clip.skeleton, len(clip), clip.fps))
    assert all(note.isprintable() for note in found.notes)
    assert found.contacts is None or not found.contacts.any()
    assert fields_of({"extras": [extras]}, clip.skeleton, len(clip), clip.fps) == {}
