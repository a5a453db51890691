"""Tens of thousands of broken glTF files: each is read, or refused with a LimbikError, and never anything else."""

import copy
import json
import random
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limbik.errors import LimbikError
from limbik.files.gltf import vrm
from limbik.files.gltf.document import parse
from limbik.files.gltf.gltf_reader import animations_of, clip_of
from limbik.files.gltf.gltf_writer import file_of

from .gltf_files import Builder, binary_of, content_of, glb, quaternions, sample

HOSTILE = [
    *(-1, 0, 1, 2, 3, 4, 5, 255, 2**31, 2**32, 2**63, 10**30, 10**300, 1.5, -0.5, 1e38, 1e39, 1e308, float("nan")),
    *(True, False, None, "", "x", "LINEAR", "STEP", "CUBICSPLINE", "VEC3", "SCALAR", "rotation", "limbik", "../x"),
    *([], [0], [[]], {}, {"node": 0}, [0] * 3, [1e38] * 3, [0] * 4, [1e38] * 16, 5120, 5121, 5125, 5126),
    *("data:;base64,AAAA", {"EXT_meshopt_compression": 3}, {"EXT_meshopt_compression": {"buffer": 0}}),
]


def small():
    """Two joints and two channels, in a kilobyte."""
    built = Builder(nodes=[{"name": "a", "children": [1]}, {"translation": [0, 1, 0]}], skins=[{"joints": [0, 1]}])
    built.animation(
        (0, "translation", [0.0, 0.5, 1.0], [[0, 0, 0], [0, 1, 0], [1, 1, 1]], "LINEAR"),
        (1, "rotation", [0.0, 1.0], quaternions(6), "CUBICSPLINE"),
    )
    return built


def written(data, binary):
    """The file as limbik writes it once its animation was changed: with data of limbik's own at the end."""
    return file_of(clip_of(parse(data, "x"))[1:], Path("out.glb"), binary)


def figures():
    """Two joints and what VRM 0.x and 1.0 and its animations say of them."""
    for suffix, name, bones in (
        ("0.vrm", "VRM", [{"bone": "hips", "node": 0}, {"bone": "leftUpperLeg", "node": 1}]),
        ("1.vrm", "VRMC_vrm", {"hips": {"node": 0}, "leftUpperLeg": {"node": 1}}),
        ("1.vrma", "VRMC_vrm_animation", {"hips": {"node": 0}, "leftUpperLeg": {"node": 1}}),
    ):
        built, meta = small(), {"title": "T", "authors": ["A"], "licenseName": "CC0"}
        built.content["extensions"] = {name: {"specVersion": "1.0", "meta": meta, "humanoid": {"humanBones": bones}}}
        yield f"figure_{suffix}", built.glb()


FILES = {
    **dict(figures()),
    "small.glb": small().glb(),
    "small.gltf": small().gltf(),
    "sample.glb": sample().glb(),
    "written.glb": written(small().glb(), True),
    "written.gltf": written(small().glb(), False),
}


def survives(data):
    """Reads a file, changes its animation, and writes it both ways."""
    with suppress(LimbikError):
        document = parse(data, "fuzz")
        animations_of(document)
        vrm.about(document)
        clip = clip_of(document)
        with suppress(LimbikError):
            assert clip.skeleton.torso.ends
        rotations = clip.rotations.copy()
        rotations[:, 0] = (0, 0, 0, 1)
        for binary in (True, False):
            file_of(clip.with_(rotations=rotations), Path("out.glb"), binary)


@pytest.mark.parametrize("name", FILES)
def test_the_files_as_they_are_can_be_read_and_written(name):
    clip = clip_of(parse(FILES[name], name))
    assert len(clip) > 1
    assert len(file_of(clip[1:], Path("out.glb"), True)) > 500


def places(value, path=()):
    """The path of every value in some JSON."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*path, key)
        yield from places(value[key], (*path, key))


def put(content, path, value):
    """Replaces a value, or takes it out, where earlier changes have left its place."""
    with suppress(KeyError, IndexError, TypeError):
        for key in path[:-1]:
            content = content[key]
        if value is Ellipsis:
            del content[path[-1]]
        else:
            content[path[-1]] = copy.deepcopy(value)  # a later change may go into it


@pytest.mark.parametrize("name", FILES)
def test_every_value_of_the_json_replaced_by_hostile_ones(name):
    plain = content_of(FILES[name])
    for path in places(plain):
        for value in random.Random(str(path)).sample([*HOSTILE, Ellipsis], 6):
            content = copy.deepcopy(plain)
            put(content, path, value)
            rebuilt = json.dumps(content).encode()
            survives(glb(rebuilt, binary_of(FILES[name])) if not name.endswith(".gltf") else rebuilt)


VALUES = st.sampled_from(HOSTILE) | st.integers() | st.floats() | st.text(max_size=5)
CHANGES = st.lists(st.tuples(st.integers(0, 10**6), VALUES), min_size=1, max_size=4)


@settings(max_examples=1000)
@given(st.sampled_from(sorted(FILES)), CHANGES)
def test_several_values_of_the_json_replaced_at_once(name, changes):
    content = content_of(FILES[name])
    paths = list(places(content))
    for number, value in changes:
        put(content, paths[number % len(paths)], value)
    rebuilt = json.dumps(content).encode()
    survives(glb(rebuilt, binary_of(FILES[name])) if not name.endswith(".gltf") else rebuilt)
