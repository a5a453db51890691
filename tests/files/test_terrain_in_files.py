"""The terrain in a glTF file: saved with a walk, loaded with the clip, replaced by the clip's, shown."""

import json

import numpy as np
import pytest

import limbik
from limbik.errors import FileError
from limbik.files.gltf.container import chunks_of
from limbik.pages.clip_page import page_text
from limbik.scenes.scene_clip import SceneClip
from tests.cli.command import run


def walk(terrain):
    return limbik.walk("hexapod", terrain, seconds=0.5, fps=20.0)


def saved(clip, path):
    limbik.save(clip, path, with_terrain=True)
    return path


def content_of(path):
    return json.loads(chunks_of(path.read_bytes(), "")[0][1].tobytes())


def terrain_nodes(path):
    return [node for node in content_of(path)["nodes"] if node.get("extras", {}).get("limbik") == "terrain"]


@pytest.mark.parametrize("spec", ["plane", "slope:5,heading=30", "stairs", "hills:height=0.1,seed=3"])
def test_a_clip_is_loaded_with_the_terrain_of_its_file(tmp_path, spec):
    clip = walk(spec)
    assert limbik.load(saved(clip, tmp_path / "walk.glb")).terrain == clip.terrain
    limbik.save(clip, tmp_path / "bare.glb")
    assert limbik.load(tmp_path / "bare.glb").terrain is None


def test_terrain_without_a_spec_is_loaded_as_its_triangles(tmp_path):
    clip = walk(lambda x, z: 0.05 * np.sin(3.0 * x) * np.cos(2.0 * z))
    ground = limbik.load(saved(clip, tmp_path / "walk.glb")).terrain
    places = clip.positions()[..., ::2].reshape(-1, 2)
    assert np.abs(ground.height(places) - clip.terrain.height(places)).max() < 2e-3


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_another_terrain_takes_the_place_of_the_old_one(tmp_path, suffix):
    clip = limbik.load(saved(walk("hills"), tmp_path / "walk.glb"))
    path = tmp_path / f"other{suffix}"
    limbik.save(clip.moved((0.0, 0.0, 1.0)).with_(terrain=limbik.terrain("slope:20")), path)
    found = limbik.load(path)
    assert found.terrain == limbik.terrain("slope:20")
    assert np.abs(found.positions() - clip.moved((0.0, 0.0, 1.0)).positions()).max() < 1e-6
    limbik.save(found, tmp_path / "again.glb")
    content = content_of(tmp_path / "again.glb")
    (node,) = terrain_nodes(tmp_path / "again.glb")
    (primitive,) = content["meshes"][node["mesh"]]["primitives"]
    bounds = content["accessors"][primitive["attributes"]["POSITION"]]
    assert bounds["max"][1] == pytest.approx(np.tan(np.radians(20.0)) * bounds["max"][2], abs=1e-5)
    assert len(content["meshes"]) == len(content_of(tmp_path / "walk.glb")["meshes"])


def test_a_clip_without_a_terrain_leaves_none_in_its_file(tmp_path):
    clip = limbik.load(saved(walk("hills"), tmp_path / "walk.glb")).mirrored()
    limbik.save(clip, tmp_path / "mirrored.glb")
    assert not terrain_nodes(tmp_path / "mirrored.glb")
    assert limbik.load(tmp_path / "mirrored.glb").terrain is None


def test_a_file_is_kept_bit_by_bit_where_nothing_changes(tmp_path):
    path = saved(walk("hills"), tmp_path / "walk.glb")
    limbik.save(limbik.load(path), tmp_path / "same.glb")
    assert (tmp_path / "same.glb").read_bytes() == path.read_bytes()


def test_grounding_puts_its_terrain_into_the_file(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    saved(walk("hills"), tmp_path / "walk.glb")
    assert run(capsys, "ground walk.glb --terrain slope:10 --out hill --jobs 1").status == 0
    (told,) = map(json.loads, run(capsys, "info --json hill/walk.glb").out.splitlines())
    assert told["terrain"] == "slope:10" and len(terrain_nodes(tmp_path / "hill" / "walk.glb")) == 1


def test_what_is_drawn_stands_on_the_terrain_of_the_file(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    clip = walk("slope:25")
    saved(clip, tmp_path / "walk.glb")
    for options, name in (("", "own"), ("--terrain slope:25", "same"), ("--terrain plane", "plane")):
        assert run(capsys, f"render walk.glb {options} --size 96 64 --out {name}.png").status == 0
    pictures = {path.stem: path.read_bytes() for path in tmp_path.glob("*.png")}
    assert pictures["own"] == pictures["same"] != pictures["plane"]
    loaded = limbik.load("walk.glb")
    assert page_text(loaded) == page_text(loaded, "slope:25") != page_text(loaded, "plane")
    assert SceneClip(loaded).azimuth == SceneClip(clip).azimuth


def test_info_says_what_terrain_a_file_has_and_bvh_does_not_keep_it(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    saved(walk("slope:5"), tmp_path / "walk.glb")
    assert "slope:5" in run(capsys, "info walk.glb").out
    assert "terrain" in run(capsys, "convert walk.glb walk.bvh").out.partition("not kept")[2]
    (told,) = map(json.loads, run(capsys, "info --json walk.bvh").out.splitlines())
    assert told["terrain"] is None


@pytest.mark.parametrize("spec", ["hills:height=-1", "slope:", "stairs:rise=99", "slope:10,10"])
def test_a_spec_that_is_broken_is_a_fault_of_the_file(tmp_path, spec):
    saved(walk("plane"), tmp_path / "walk.glb")
    limbik.save(limbik.load(tmp_path / "walk.glb").moved((0.0, 0.0, 1.0)), tmp_path / "walk.gltf")
    text = (tmp_path / "walk.gltf").read_text()
    (tmp_path / "walk.gltf").write_text(text.replace('"spec": "plane"', f'"spec": "{spec}"'))
    with pytest.raises(FileError, match="nodes"):
        limbik.load(tmp_path / "walk.gltf")


def test_a_spec_that_names_a_file_is_not_followed(tmp_path):
    saved(walk("plane"), tmp_path / "walk.glb")
    limbik.save(limbik.load(tmp_path / "walk.glb").moved((0.0, 0.0, 1.0)), tmp_path / "walk.gltf")
    text = (tmp_path / "walk.gltf").read_text()
    np.save(tmp_path / "secret.npy", np.ones((9, 9)))
    (tmp_path / "walk.gltf").write_text(text.replace('"spec": "plane"', f'"spec": "{tmp_path}/secret.npy"'))
    assert limbik.load(tmp_path / "walk.gltf").terrain.height((0.0, 0.0)) == 0.0
