"""Results keep what the figure's file has: mesh, skin, materials, licence; many files at once, only once."""

import json

import pytest

import limbik
from limbik import samples
from limbik.batch import retarget_files
from limbik.files.gltf.document import parse
from tests.assets import asset
from tests.cli.command import run


@pytest.mark.parametrize("name", ["gltf/KayKit_Rogue.glb", "vrm/Godette_vrm0.vrm"])
def test_the_figures_file_is_kept(name, tmp_path):
    path = tmp_path / f"walk{asset(name).suffix}"
    result = limbik.retarget(samples.walk(30), asset(name))
    limbik.save(result.clip, path)
    before, after = (parse(one.read_bytes(), str(one), one.parent).content for one in (asset(name), path))
    for key in ("meshes", "skins", "materials", "images", "extensions", "scenes"):
        assert before.get(key) == after.get(key), key
    again = limbik.load(path)
    assert len(again) == 30 and abs(again.positions() - result.clip.positions()).max() < 1e-5


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    limbik.save(samples.character(10), folder / "figure.glb")
    (folder / "clips").mkdir()
    for frames in (20, 30):
        limbik.save(samples.walk(frames), folder / "clips" / f"walk{frames}.bvh")
    (folder / "clips" / "broken.bvh").write_text("HIERARCHY")
    return folder


def test_many_files_are_made_once(files, tmp_path):
    outcomes = {
        one.job.source.name: one for one in retarget_files(files / "clips", files / "figure.glb", tmp_path, jobs=1)
    }
    assert outcomes["broken.bvh"].error and outcomes["walk20.bvh"].likeness["facing"] < 2.0
    assert len(limbik.load(tmp_path / "walk30.glb")) == 30
    again = retarget_files(files / "clips", files / "figure.glb", tmp_path, jobs=1)
    assert not any(one.fresh for one in again if one.report)
    mapped = retarget_files(
        files / "clips", files / "figure.glb", tmp_path, mapping={"target": {"left_arm": []}}, jobs=1
    )
    assert all(one.fresh for one in mapped if one.report)


def test_the_command_makes_one_file_with_page_and_map(files, tmp_path, capsys):
    out = tmp_path / "walk.glb"
    line = f"retarget {files / 'clips' / 'walk30.bvh'} --to {files / 'figure.glb'} --out {out} --terrain slope:5"
    answer = run(capsys, f"{line} --html --save-map {tmp_path / 'map.json'}")
    assert answer.status == 0 and not answer.err
    assert "slide" in answer.out and "median angle to the source" in answer.out
    assert len(limbik.load(out)) == 30 and '"beside"' in (tmp_path / "walk.glb.html").read_text()
    assert "left_leg" in json.loads((tmp_path / "map.json").read_text())["target"]
    found = run(capsys, f"{line} --json --map {tmp_path / 'map.json'}")
    assert json.loads(found.out)["degrees_from_source"]["facing"] < 2.0


def test_the_command_fills_a_folder_for_each_figure(files, tmp_path, capsys):
    limbik.save(samples.character(10), tmp_path / "other.glb")
    figures = f"--to {files / 'figure.glb'} --to {tmp_path / 'other.glb'}"
    answer = run(capsys, f"retarget {files / 'clips'} {figures} --out {tmp_path / 'out'} --jobs 1")
    assert answer.status == 2 and "broken.bvh" in answer.err
    assert (tmp_path / "out" / "figure" / "walk20.glb").is_file() and (
        tmp_path / "out" / "other" / "walk30.glb"
    ).is_file()


def test_the_command_refuses_what_it_cannot_do(files, tmp_path, capsys):
    clips, figure = files / "clips", files / "figure.glb"
    answer = run(capsys, f"retarget {clips} --to {figure} --out {tmp_path / 'one.glb'}")
    assert answer.status == 2 and "a folder, such as one" in answer.err
    (tmp_path / "own.glb").write_text("mine")
    answer = run(capsys, f"retarget {clips / 'walk20.bvh'} --to {figure} --out {tmp_path / 'own.glb'}")
    assert answer.status == 2 and "--overwrite" in answer.err
