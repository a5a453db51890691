"""`limbik info`: what a file holds, for people and for programs, checked against other readers of the same files."""

import json

import numpy as np
import pybvh
import pygltflib
import pytest

import limbik
from tests.assets import CLIPS, SAMPLE_BVH, asset
from tests.skeleton.figures import moving, resting

from .command import run

PLACES = np.array([[0, 1, 0], [0, 1.5, 0], [0.2, 1.5, 0], [0.5, 1.5, -0.02], [0.75, 1.5, 0]], float)
NAMES = ["Hips", "Chest", "LeftArm", "LeftForeArm", "LeftHand"]
PARENTS = np.array([-1, 0, 1, 2, 3])


def told(capsys, line):
    answer = run(capsys, f"info --json {line}")
    assert answer.status == 0, answer.err
    return [json.loads(one) for one in answer.out.splitlines()]


def an_arm(names=NAMES, **more):
    return moving(resting(names, PARENTS, PLACES), np.random.default_rng(0), **more)


@pytest.mark.parametrize("name", CLIPS[::6])
def test_a_clip_is_told_as_another_reader_reads_it(capsys, name):
    path = asset(name)
    (info,) = told(capsys, str(path))
    read = pybvh.read_bvh_file(path)
    assert info["format"] == "bvh" and info["bytes"] == path.stat().st_size
    names = [joint["name"] for joint in info["joints"] if not joint["end_site"]]
    assert names == list(read.joint_names)
    assert sum(joint["end_site"] for joint in info["joints"]) == len(read.nodes) - len(names) == 7
    assert info["frames"] == info["frames_claimed"] == read.frame_count
    assert info["fps"] == pytest.approx(read.fps, rel=1e-3)
    assert info["duration"] == pytest.approx((read.frame_count - 1) * read.frame_time, rel=1e-3)
    assert info["unit"]["name"] == "cmu" and "guessed" in info["unit"]["known"]
    assert info["up"]["axis"] == "y" and info["animations"] == [] and info["animation"] is None
    positions = read.node_positions() * info["unit"]["metres"]
    heights = np.ptp(positions[..., 1], axis=-1)
    assert info["height"]["least"] == pytest.approx(heights.min(), abs=1e-4)
    assert info["height"]["most"] == pytest.approx(heights.max(), abs=1e-4)


@pytest.mark.parametrize("name", [SAMPLE_BVH, *CLIPS[:2]])
def test_bones_are_as_long_as_the_offsets_in_the_file(capsys, name):
    (info,) = told(capsys, str(asset(name)))
    offsets = {node.name: np.asarray(node.offset) for node in pybvh.read_bvh_file(asset(name)).nodes}
    assert list(info["limbs"]) == ["left_leg", "right_leg", "left_arm", "right_arm"]
    for limb in info["limbs"].values():
        lengths = [np.linalg.norm(offsets[joint]) * info["unit"]["metres"] for joint in limb["joints"][1:]]
        assert limb["lengths"] == pytest.approx(lengths, rel=1e-4)
        assert not limb["vary"] and max(limb["variations"]) < 1e-9
    assert info["limbs"]["left_leg"]["stands"] and not info["limbs"]["left_arm"]["stands"]
    assert info["limbs"]["left_leg"]["toes"][0] == "LeftToeBase"


def test_a_rig_is_told_with_its_animations(capsys):
    path = asset("gltf/Fox.glb")
    (info,) = told(capsys, str(path))
    document = pygltflib.GLTF2().load(path)
    assert [one["name"] for one in info["animations"]] == [one.name for one in document.animations]
    for one, animation in zip(info["animations"], document.animations, strict=True):
        ends = [document.accessors[sampler.input].max[0] for sampler in animation.samplers]
        assert one["start"] + one["duration"] == pytest.approx(max(ends), abs=1e-3)
    names = {node.name for node in document.nodes}
    assert {joint["name"] for joint in info["joints"]} <= names
    assert info["animation"] == 0 and info["frames"] == info["animations"][0]["frames"]
    assert info["unit"]["name"] == "cm" and "giant" in info["unit"]["known"]
    assert [len(limb["joints"]) for limb in info["limbs"].values()] == [4, 4, 3, 3]


@pytest.mark.parametrize("word", ["Walk", "1"])
def test_one_animation_is_picked_by_name_or_number(capsys, word):
    path = asset("gltf/Fox.glb")
    (info,) = told(capsys, f"{path} --animation {word}")
    assert info["animation"] == 1
    assert info["frames"] == info["animations"][1]["frames"] == 18
    assert "18 frames at 24 fps" in run(capsys, f"info {path} --animation {word}").out


@pytest.mark.parametrize("word", ["Fly", "3", "9" * 5000])
def test_an_animation_that_is_not_there(capsys, word):
    answer = run(capsys, f"info {asset('gltf/Fox.glb')} --animation {word}")
    assert answer.status == 2 and not answer.out
    assert "Fox.glb" in answer.err and "'Survey'" in answer.err and answer.err.count("\n") == 1


def test_joints_are_shown_as_a_tree(capsys):
    out = run(capsys, f"info {asset('bvh/cmu_02_01.bvh')}").out
    tree = out[out.index("\nJoints\n") :].splitlines()[2:]
    depths = {line.strip(): len(line) - len(line.lstrip()) for line in tree}
    assert list(depths)[:4] == ["Hips", "LHipJoint", "LeftUpLeg", "LeftLeg"]
    assert np.diff([depths[name] for name in ("Hips", "LHipJoint", "LeftUpLeg", "LeftLeg")]).tolist() == [2, 2, 2]
    assert depths["RHipJoint"] == depths["LHipJoint"]
    for words in ("344 frames at 120 fps", "cmu", "LeftUpLeg, LeftLeg, LeftFoot", "toes LeftToeBase", "constant"):
        assert words in out


def test_a_long_tree_is_cut_unless_all_is_asked_for(capsys):
    path = asset("gltf/RecursiveSkeletons.glb")
    short, long = run(capsys, f"info {path}"), run(capsys, f"info {path} --all")
    assert "… and 800 more; --all shows them" in short.out
    assert "--all shows them" not in long.out
    assert len(long.out.splitlines()) == len(short.out.splitlines()) + 800 - 1


def test_a_file_without_limbs_is_no_fault(capsys):
    answer = run(capsys, f"info {asset('gltf/RiggedSimple.glb')}")
    assert answer.status == 0 and not answer.err
    assert "none found" in answer.out
    (info,) = told(capsys, str(asset("gltf/RiggedSimple.glb")))
    assert info["limbs"] == {}


def test_a_broken_file_is_told_and_the_others_are_shown(capsys, tmp_path):
    limbik.save(an_arm(), tmp_path / "good.bvh")
    text = (tmp_path / "good.bvh").read_text()
    (tmp_path / "bad.bvh").write_text(text[: len(text) // 3])
    (tmp_path / "bad.glb").write_bytes(b"glTF\x02\x00\x00\x00")
    line = f"{tmp_path}/bad.bvh {tmp_path}/good.bvh {tmp_path}/none.bvh {tmp_path}/bad.glb {tmp_path}/good.bvh"
    answer = run(capsys, f"info {line}")
    assert answer.status == 2
    assert answer.out.count("good.bvh: BVH") == 2
    faults = answer.err.splitlines()
    assert len(faults) == 3
    assert all(fault.startswith(f"limbik: {tmp_path}/") and "good" not in fault for fault in faults)
    answer = run(capsys, f"info --json {line}")
    assert answer.status == 2 and len(answer.err.splitlines()) == 3
    objects = [json.loads(one) for one in answer.out.splitlines()]
    assert [("error" in one, "limbs" in one) for one in objects] == [(k in (0, 2, 3), k in (1, 4)) for k in range(5)]


@pytest.mark.parametrize("suffix", [".bvh", ".glb"])
def test_bones_that_vary_are_told_with_how_much(capsys, tmp_path, suffix):
    clip = an_arm()
    translations = clip.translations.copy()
    translations[:, 3] *= np.linspace(1.0, 1.1, len(clip))[:, None]
    limbik.save(clip.with_(translations=translations), tmp_path / f"stretched{suffix}")
    (info,) = told(capsys, f"{tmp_path}/stretched{suffix}")
    arm = info["limbs"]["left_arm"]
    length = np.linalg.norm(PLACES[3] - PLACES[2])
    assert arm["vary"]
    assert arm["variations"] == pytest.approx([0.1 * length, 0.0], abs=1e-5)
    assert arm["lengths"] == pytest.approx([1.05 * length, np.linalg.norm(PLACES[4] - PLACES[3])], rel=1e-3)
    assert "varying by up to 0.03 m" in run(capsys, f"info {tmp_path}/stretched{suffix}").out


def test_a_wrong_count_of_frames_is_told(capsys, tmp_path):
    path = tmp_path / "walk.bvh"
    limbik.save(an_arm(frames=20), path)
    path.write_text(path.read_text().replace("Frames: 20", "Frames: 500"))
    assert "states 500 frames" in run(capsys, f"info {path}").out
    (info,) = told(capsys, str(path))
    assert (info["frames"], info["frames_claimed"]) == (20, 500)


def test_a_clip_without_frames_is_told_at_rest(capsys, tmp_path):
    path = tmp_path / "still.bvh"
    limbik.save(an_arm(frames=2)[:0], path)
    (info,) = told(capsys, str(path))
    assert (info["frames"], info["duration"]) == (0, 0.0)
    assert info["height"]["rest"] == pytest.approx(0.5) == info["height"]["most"]


def test_names_cannot_steer_the_terminal(capsys, tmp_path):
    names = ["Hips\x1b[31m", "Chest\nroot", "LeftArm", "LeftForeArm", "[bold]LeftHand"]
    limbik.save(an_arm(names, name="\x1b[2J"), tmp_path / "odd.glb")
    out = run(capsys, f"info {tmp_path}/odd.glb").out
    assert "\x1b" not in out and "Chest\ufffdroot" in out and "[bold]LeftHand" in out
    (info,) = told(capsys, f"{tmp_path}/odd.glb")
    assert [joint["name"] for joint in info["joints"]][:2] == names[:2]


def test_few_key_frames_come_with_a_hint(capsys):
    assert "limbik.load(path, fps=30)" in run(capsys, f"info {asset('gltf/RiggedFigure.glb')}").out


def test_the_trunk_and_the_file_s_own_map_are_told(capsys):
    told = json.loads(run(capsys, f"info {asset('vrm/Godette_vrm0.vrm')} --json").out)
    assert told["trunk"]["head"] == ["head_Armature"] and told["trunk"]["pelvis"] == ["pelvis_Armature"]
    assert told["map"]["leftUpperArm"] == "upper_arm.l_Armature"
    shown = run(capsys, f"info {asset('vrm/Godette_vrm0.vrm')}").out
    assert "Map in the file" in shown and "licence" in shown and "CC_BY" in shown


def test_an_fbx_is_told_with_its_takes(capsys):
    told = json.loads(run(capsys, f"info {asset('fbx/Geno_stance.fbx')} --json").out)
    assert [one["name"] for one in told["animations"]] == ["Take 001"] and told["animation"] == 0
    assert told["trunk"]["spine"] == ["Spine", "Spine1", "Spine2", "Spine3"] and told["map"] == {}
    assert "as the file states" in run(capsys, f"info {asset('fbx/Geno_stance.fbx')}").out


def test_arrays_are_told(capsys, tmp_path):
    limbik.save(limbik.samples.walk(5), tmp_path / "walk.npz")
    told = run(capsys, f"info {tmp_path}/walk.npz").out
    assert "arrays" in told and "5 frames at 60 fps" in told and "LeftUpLeg" in told
