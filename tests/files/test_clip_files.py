"""load and save choose the codec by the file's name."""

import numpy as np
import pytest

import limbik
from limbik import Pose, ThreeLink, samples
from limbik.errors import ArgumentError, FileError, LimbikError
from limbik.files.clip_files import load, save
from tests.assets import CLIPS, RIGS, SAMPLE_BVH, SAMPLE_GLB, asset

from .bvh_figures import walker


@pytest.fixture
def walk(tmp_path):
    path = tmp_path / "walk.bvh"
    path.write_text(walker().text())
    return path


def test_a_bvh_file_is_read_and_written_by_its_suffix(walk):
    clip = load(str(walk))
    assert (clip.name, clip.fps, clip.unit.name, len(clip)) == ("walk", 30.0, "m", 40)
    save(clip, walk.with_suffix(".BVH"))
    again = load(walk.with_suffix(".BVH"))
    assert np.abs(again.positions() - clip.positions()).max() < 1e-6


@pytest.mark.parametrize("name", [SAMPLE_BVH, SAMPLE_GLB, *CLIPS[:1], *RIGS[::4]])
def test_every_format_is_written_as_every_other(name, tmp_path):
    clip = load(asset(name))
    for suffix in (".bvh", ".glb"):
        save(clip, tmp_path / f"out{suffix}")
        again = load(tmp_path / f"out{suffix}")
        places = [again.skeleton.index(joint) for joint in clip.skeleton.names]
        size = np.ptp(clip.positions()[0], axis=0).max()
        assert len(again) == len(clip)
        assert np.abs(again.positions()[:, places] - clip.positions()).max() < 1e-5 * size


def test_a_rate_that_is_asked_for_keeps_the_motion(walk):
    clip, slower = load(walk), load(walk, fps=10.0)
    assert (slower.fps, len(slower)) == (10.0, 14)
    assert np.abs(slower.positions() - clip.positions()[::3]).max() < 1e-9
    with pytest.raises(ArgumentError, match="fps"):
        load(walk, fps=0.0)


def test_a_bvh_file_has_one_animation(walk):
    for animation in (None, 0, "walk"):
        assert len(load(walk, animation=animation)) == 40
    for animation in (1, "run", False):
        with pytest.raises(ArgumentError, match=r"animation: .*'walk'"):
            load(walk, animation=animation)


def test_unit_and_up_are_passed_on(walk):
    assert np.ptp(load(walk, unit="cm", up_axis="y").positions()[..., 1]) == pytest.approx(0.017, rel=0.1)
    assert load(walk, up_axis="z").source.up == "z"
    with pytest.raises(ArgumentError, match="up_axis: got 'north'"):
        load(walk, up_axis="north")
    with pytest.raises(ArgumentError, match="up_axis: got 'z'; expected one of 'auto', 'y'"):
        load(asset(SAMPLE_GLB), up_axis="z")


@pytest.mark.parametrize("name", ["walk.dae", "walk", "walk.bvh.txt"])
def test_an_unknown_suffix_is_told_with_those_that_are_known(walk, name):
    clip = load(walk)
    for act in (load, lambda path: save(clip, path)):
        with pytest.raises(FileError, match=r"\.bvh, \.glb, \.gltf"):
            act(walk.with_name(name))


def test_a_file_that_is_not_there(tmp_path):
    for suffix in (".bvh", ".glb", ".gltf"):
        with pytest.raises(FileError, match="does not exist"):
            load(tmp_path / f"nothing{suffix}")
    (tmp_path / "folder.bvh").mkdir()
    with pytest.raises(FileError, match="is a folder"):
        load(tmp_path / "folder.bvh")


WALK = samples.walk(5)
CASES = {
    "a rate of text": (lambda walk: load(walk, fps="a"), "fps: got 'a'"),
    "a unit that is none": (lambda walk: load(walk, unit="furlong"), "unit: got 'furlong'"),
    "a unit of no kind": (lambda walk: load(walk, unit=None), "unit: got None"),
    "a unit of no size": (lambda walk: load(walk, unit=-1.0), "unit: got -1.0"),
    "a path that is a number": (lambda walk: load(3), "path: got 3"),
    "a name that is too long": (lambda walk: load("n" * 300 + ".bvh"), "File name too long"),
    "saving to a number": (lambda walk: save(WALK, 3), "path: got 3"),
    "saving a pose": (lambda walk: save(WALK[0], walk), r"clip: got a Pose; expected a Clip.*Clip\(pose.skeleton"),
    "saving a rest pose": (lambda walk: save(Pose.rest(WALK.skeleton), walk), "clip: got a Pose"),
    "saving a solution": (lambda walk: save(ThreeLink(1, 1, 1).solve([1, 1, 0], [0, 1, 0]), walk), "clip: got"),
    "saving in the wrong order": (lambda walk: save(walk, WALK), "clip: got"),
    "saving nothing": (lambda walk: save(None, walk), "clip: got None"),
}


@pytest.mark.parametrize("case", CASES)
def test_wrong_arguments_are_named(case, walk):
    call, message = CASES[case]
    with pytest.raises(LimbikError, match=message):
        call(walk)


def test_a_pose_becomes_a_clip_as_the_error_says(tmp_path):
    pose = WALK[3].moved((0.0, 0.0, 3.0))
    with pytest.raises(ArgumentError) as refused:
        save(pose, tmp_path / "pose.glb")
    clip = eval(str(refused.value).rpartition(" by ")[2], {"limbik": limbik, "pose": pose})
    np.testing.assert_array_equal(clip.positions()[0], pose.positions())


def test_few_key_frames_are_pointed_out():
    clip = load(asset("gltf/RiggedFigure.glb"))
    assert clip.fps < 1.0 and "limbik.load(path, fps=30)" in repr(clip)
    targets = np.zeros((30, 3))
    with pytest.raises(ArgumentError, match=r"the clip has 2 frames at 0.8 fps; .*load\(path, fps=30\)"):
        clip.reach("left_arm", targets)


@pytest.mark.parametrize(
    ("clip", "name"),
    [(limbik.samples.walk(2), "walk.glb"), (limbik.samples.walk(2).with_(terrain=limbik.terrain("plane")), "walk.bvh")],
)
def test_no_terrain_is_taken_where_there_is_none_or_no_place_for_it(tmp_path, clip, name):
    with pytest.raises(ArgumentError, match="with_terrain"):
        limbik.save(clip, tmp_path / name, with_terrain=True)
    assert not list(tmp_path.iterdir())
