"""`limbik convert`: motion goes from format to format whole, nothing is written over unasked, no half files."""

import numpy as np
import pybvh
import pytest

import limbik
from tests.assets import CLIPS, SAMPLE_BVH, asset
from tests.skeleton.figures import moving, resting

from .command import run

PLACES = np.array([[0, 1, 0], [0, 1.5, 0], [0.2, 1.5, 0], [0.5, 1.5, -0.02], [0.75, 1.5, 0]], float)
ARM = resting(["Hips", "Chest", "LeftArm", "LeftForeArm", "LeftHand"], np.array([-1, 0, 1, 2, 3]), PLACES)
CMU = 0.0254 / 0.45  # metres


@pytest.fixture
def arm(tmp_path):
    """A small clip as a .bvh file."""
    path = tmp_path / "arm.bvh"
    limbik.save(moving(ARM, np.random.default_rng(0), frames=20, fps=30.0), path)
    return path


def done(capsys, line):
    answer = run(capsys, f"convert {line}")
    assert answer.status == 0 and not answer.err, answer.err
    return answer.out.splitlines()


def joints_of(path, unit=1.0):
    """World positions (frames, joints, 3) of the joints, by another reader."""
    return pybvh.read_bvh_file(path).joint_positions() * unit


@pytest.mark.parametrize("name", CLIPS[:2])
def test_from_bvh_to_gltf_and_back(capsys, tmp_path, name):
    (there,) = done(capsys, f"{asset(name)} {tmp_path}/a.glb")
    (back,) = done(capsys, f"{tmp_path}/a.glb {tmp_path}/b.bvh")
    original, read = pybvh.read_bvh_file(asset(name)), pybvh.read_bvh_file(tmp_path / "b.bvh")
    assert there.startswith(f"{tmp_path}/a.glb: {original.frame_count} frames at 120 fps, 38 joints, ")
    assert back.startswith(f"{tmp_path}/b.bvh: {original.frame_count} frames at 120 fps, 38 joints, ")
    again = [read.joint_index[joint] for joint in original.joint_names]
    positions = original.joint_positions() * CMU
    assert np.abs(read.joint_positions()[:, again] - positions).max() < 1e-5


def test_an_unchanged_rig_is_copied_byte_for_byte(capsys, tmp_path):
    done(capsys, f"{asset('gltf/Fox.glb')} {tmp_path}/fox.glb")
    assert (tmp_path / "fox.glb").read_bytes() == asset("gltf/Fox.glb").read_bytes()


def test_an_animation_is_picked_and_sampled_at_a_rate(capsys, tmp_path):
    (line,) = done(capsys, f"{asset('gltf/Fox.glb')} {tmp_path}/run.bvh --animation Run --fps 60")
    assert "70 frames at 60 fps, 25 joints" in line
    header, motion = (tmp_path / "run.bvh").read_text().split("MOTION\n")
    assert motion.startswith("Frames: 70\nFrame Time: 0.01666666")
    assert header.count("JOINT") + header.count("ROOT") == 25


def test_a_stretch_of_frames(capsys, tmp_path):
    path = asset(SAMPLE_BVH)
    done(capsys, f"{path} {tmp_path}/part.bvh --frames 20:80")
    assert np.abs(joints_of(tmp_path / "part.bvh") - joints_of(path)[20:80]).max() < 1e-4
    done(capsys, f"{path} {tmp_path}/slow.bvh --frames 20:80 --fps 15")
    assert np.abs(joints_of(tmp_path / "slow.bvh") - joints_of(path)[20:80:4]).max() < 1e-4
    done(capsys, f"{path} {tmp_path}/end.bvh --frames=-5:")
    assert np.abs(joints_of(tmp_path / "end.bvh") - joints_of(path)[-5:]).max() < 1e-4


def test_a_stretch_begins_at_once_in_a_viewer(capsys, tmp_path):
    done(capsys, f"{asset(SAMPLE_BVH)} {tmp_path}/part.glb --frames 20:80")
    clip = limbik.load(tmp_path / "part.glb")
    assert (clip.start, len(clip)) == (0.0, 60)


@pytest.mark.parametrize("unit, metres", [("cm", 0.01), ("0.5", 0.5)])
def test_the_unit_of_what_is_read(capsys, arm, unit, metres):
    done(capsys, f"{arm} {arm.with_suffix('.glb')} --unit {unit}")
    lengths = limbik.load(arm.with_suffix(".glb"), unit="m").skeleton.lengths
    assert lengths[1:] == pytest.approx(metres * np.linalg.norm(np.diff(PLACES, axis=0), axis=-1), rel=1e-5)


def test_many_files_and_a_bad_one_that_is_told_at_the_end(capsys, tmp_path, arm):
    bad = tmp_path / "bad.bvh"
    bad.write_text("HIERARCHY\nROOT Hips\n{\n")
    rig = asset("gltf/Fox.glb")
    out = tmp_path / "new" / "folder"
    answer = run(capsys, f"convert {bad} {arm} {tmp_path}/none.glb {rig} --out {out} --to gltf")
    assert answer.status == 2
    assert [line.split(":")[0] for line in answer.out.splitlines()] == [f"{out}/arm.gltf", f"{out}/Fox.gltf"]
    faults = answer.err.splitlines()
    assert len(faults) == 2
    assert faults[0].startswith(f"limbik: {bad}, line ") and faults[1].startswith(f"limbik: {tmp_path}/none.glb")
    assert sorted(path.name for path in out.iterdir()) == ["Fox.gltf", "arm.gltf"]
    assert len(limbik.load(out / "arm.gltf")) == 20


def test_what_is_read_is_written_over_only_when_told_to(capsys, tmp_path, arm):
    before = arm.read_bytes()
    (tmp_path / "link.bvh").symlink_to(arm)
    for target in (arm, tmp_path / "link.bvh"):
        answer = run(capsys, f"convert {arm} {target} --fps 15")
        assert answer.status == 2 and "already exists; use --overwrite" in answer.err
    assert run(capsys, f"convert {arm} --out {tmp_path} --to bvh --fps 15").status == 2
    assert arm.read_bytes() == before
    done(capsys, f"{arm} {arm} --fps 15 --overwrite")
    assert pybvh.read_bvh_file(arm).frame_count == 10


def test_a_failure_leaves_what_was_there(capsys, tmp_path, arm):
    out = tmp_path / "out.glb"
    out.write_text("before")
    text = arm.read_text()
    arm.write_text(text[: len(text) // 2].rsplit(" ", 1)[0] + " oops\n")
    answer = run(capsys, f"convert {arm} {out} --overwrite")
    assert answer.status == 2 and answer.err.startswith(f"limbik: {arm}, line ")
    assert out.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["arm.bvh", "out.glb"]


def test_what_bvh_cannot_hold_is_listed(capsys, tmp_path, arm):
    answer = run(capsys, f"convert {asset('gltf/RecursiveSkeletons.glb')} {tmp_path}/out.bvh")
    assert answer.status == 0
    assert "; not kept: body, scales (folded into offsets)\n" in answer.out
    answer = run(capsys, f"convert {asset('gltf/Fox.glb')} {tmp_path}/fox.bvh")
    assert "; not kept: body, textures, 2 other animations" in answer.out
    assert "not kept" not in run(capsys, f"convert {arm} {tmp_path}/arm.glb").out
    assert "not kept" not in run(capsys, f"convert {tmp_path}/arm.glb {tmp_path}/again.glb").out
