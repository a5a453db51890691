"""The Khronos validator on what limbik writes. `npm install` in tests/files/validator brings it; CI has it."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from limbik.files import clip_files, gltf
from limbik.gait.creature import preset_names
from limbik.gait.walking import walk
from limbik.skeleton.clip import Clip
from limbik.skeleton.skeleton import Skeleton
from limbik.terrains.specs import terrain
from tests.patience import PATIENCE

from ..assets import RIGS, SAMPLE_BVH, SAMPLE_GLB, asset
from .gltf_files import sample
from .test_gltf_figure import dance
from .test_gltf_writing import PIXEL, changes, turned
from .test_vrm import vrm_file

FOLDER = Path(__file__).parent / "validator"


def reports(paths):
    """What the validator finds: for each file the codes and places of errors and of warnings."""
    node = shutil.which("node")
    if node is None or not (FOLDER / "node_modules" / "gltf-validator").is_dir():
        message = f"the Khronos validator is not installed: npm install --no-package-lock --prefix {FOLDER}"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    command = [node, str(FOLDER / "validate.js"), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    found = {}
    for path, report in zip(paths, json.loads(done.stdout), strict=True):
        messages = report["issues"]["messages"]
        assert not report["issues"]["truncated"]
        found[path] = [{(each["code"], each["pointer"]) for each in messages if each["severity"] == k} for k in (0, 1)]
    return found


@pytest.mark.parametrize("name", [SAMPLE_GLB, *RIGS])
def test_changed_rigs_have_no_errors_and_no_warnings_that_they_did_not_have(tmp_path, name):
    clip = gltf.load(asset(name))
    out = []
    for kind, changed in changes(clip):
        for suffix in (".glb", ".gltf"):
            out.append(tmp_path / (kind + suffix))
            gltf.save(changed, out[-1])
    again = tmp_path / "again.glb"
    gltf.save(turned(gltf.load(out[0]), 0)[:2], again)
    found = reports([asset(name), *out, again])
    errors, warnings = found.pop(asset(name))
    assert not errors
    for path, (errors, new) in found.items():
        assert (path.name, errors, new - warnings) == (path.name, set(), set())


@pytest.mark.parametrize("version", ["0", "1"])
def test_changed_vrm_files_have_no_errors(tmp_path, version):
    """What the validator says of nodes and data; it does not know the extension."""
    original, posed = tmp_path / "figure.glb", tmp_path / "posed.vrm"
    original.write_bytes(vrm_file(version)[0].glb())
    clip = gltf.load(original)
    gltf.save(turned(clip, 0), posed)
    found = reports([original, posed.rename(tmp_path / "posed.glb")])
    before, after = found.values()
    assert not after[0]
    assert after[1] <= before[1]


def test_figures_have_neither_errors_nor_warnings(tmp_path):
    two = Skeleton(("a", "b", "c", "d"), [-1, 0, -1, 2], [[0, 0, 0], [0, 1, 0], [2, 0, 0], [0, 1, 0]])
    many = Skeleton([f"j{k}" for k in range(400)], np.arange(400) - 1, np.tile([0.0, 0.1, 0.0], (400, 1)))
    dot = Skeleton(("dot",), [-1], [[0, 0, 0]])
    clips = {"one": dance(), "two": dance(two), "many": dance(many, 3), "dot": Clip(dot, [[[0, 0, 0, 1]]])}
    clips["walk"] = clip_files.load(asset(SAMPLE_BVH))
    clips["still"] = Clip(two, np.tile(two.rotations, (5, 1, 1)))
    out = []
    for name, clip in clips.items():
        for suffix in (".glb", ".gltf"):
            out.append(tmp_path / (name + suffix))
            gltf.save(clip, out[-1])
            out.append(tmp_path / (name + "-again" + suffix))
            gltf.save(gltf.load(out[-2]).moved((0, 1, 0)), out[-1])
    for path, found in reports(out).items():
        assert (path.name, found) == (path.name, [set(), set()])


def test_files_that_take_in_others_have_no_errors(tmp_path):
    built = sample()
    built.content["images"] = [{"uri": "pixel.png"}]
    built.content["textures"] = [{"source": 0}]
    source = tmp_path / "in"
    source.mkdir()
    (source / "pixel.png").write_bytes(PIXEL)
    (source / "it.bin").write_bytes(built.data)
    (source / "in.gltf").write_bytes(built.gltf("it.bin"))
    clip = gltf.load(source / "in.gltf")
    out = [tmp_path / "a.glb", tmp_path / "a.gltf", source / "b.gltf", source / "b.glb"]
    for path in out:
        gltf.save(turned(clip, 0), path)
        gltf.save(gltf.load(path)[1:], path)
    before = reports([source / "in.gltf"])[source / "in.gltf"]
    for path, (errors, warnings) in reports(out).items():
        assert (path.name, errors - before[0], warnings - before[1]) == (path.name, set(), set())


def test_the_validator_finds_fault_where_there_is_some(tmp_path):
    path = tmp_path / "bad.gltf"
    path.write_text(json.dumps({"asset": {"version": "2.0"}, "nodes": [{"children": [7]}]}))
    errors, _ = reports([path])[path]
    assert errors == {("UNRESOLVED_REFERENCE", "/nodes/0/children/0")}


@pytest.mark.parametrize("name", preset_names())
def test_walks_of_presets_are_valid_and_small(tmp_path, name):
    path = tmp_path / "walk.glb"
    clip_files.save(walk(name, "hills", seconds=6), path, with_terrain=True)
    assert path.stat().st_size < 600_000
    other = tmp_path / "other.gltf"
    clip_files.save(clip_files.load(path).with_(terrain=terrain("slope:5")), other)
    assert reports([path, other]) == {path: [set(), set()], other: [set(), set()]}


def test_animations_for_vrm_figures(tmp_path):
    paths = []
    for name in (SAMPLE_BVH, SAMPLE_GLB, "fbx/Geno_stance.fbx"):
        path = tmp_path / f"{Path(name).suffix[1:]}.vrma"
        clip_files.save(clip_files.load(asset(name)), path)
        paths.append(path.rename(path.with_suffix(".glb")))  # the validator goes by suffixes
    assert all(not any(found) for found in reports(paths).values())


def test_figures_of_fbx(tmp_path):
    clip_files.save(clip_files.load(asset("fbx/Geno_stance.fbx")), tmp_path / "geno.glb")
    assert not any(reports([tmp_path / "geno.glb"])[tmp_path / "geno.glb"])
