"""Files that ask for more memory or time than they should: refused soon, by a limit that the caller can change."""

import json

import numpy as np
import pytest

from limbik import load, samples, save
from limbik.errors import FileError, LimbikError
from limbik.files import file_limits
from limbik.files.gltf import document as gltf_document
from limbik.skeleton import kinematics
from tests.peak_memory import peak_of

from .gltf_files import sample


def bvh(path, joints, frames, nested=False):
    """A BVH of many joints with a single channel."""
    closing = "" if nested else "}\n"
    tree = "".join(f"JOINT j{k}\n{{\nOFFSET 0 1 0\nCHANNELS 0\n{closing}" for k in range(joints - 1))
    head = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n"
    end = "}\n" * (joints if nested else 1)
    path.write_text(f"{head}{tree}{end}MOTION\nFrames: {frames}\nFrame Time: 0.01\n" + "1\n" * frames)
    return path


@pytest.mark.parametrize(("joints", "frames"), [(10_000, 200_000), (100, 40_000)])
def test_a_small_bvh_of_many_joints_and_frames_is_refused(tmp_path, joints, frames):
    path = bvh(tmp_path / "many.bvh", joints, frames)

    def refused():
        with pytest.raises(FileError, match=rf"{joints} joints × {frames} frames .*the limit is .*limit=\.\.\."):
            load(path)

    assert peak_of(refused) < 50 * path.stat().st_size


def test_the_limit_can_be_changed(tmp_path):
    path = bvh(tmp_path / "some.bvh", 30, 100)
    assert len(load(path)) == 100
    with pytest.raises(FileError, match=r"30 joints × 100 frames are 3,000; the limit is 2,999"):
        load(path, limit=2999)
    assert len(load(path, limit=3000)) == 100
    with pytest.raises(FileError, match="the limit is"):
        load(path, fps=1e7)
    built = tmp_path / "walk.glb"
    save(samples.walk(20), built)
    with pytest.raises(FileError, match="the limit is 619"):
        load(built, limit=619)
    assert len(load(built, limit=620)) == 20
    for wrong in (0, -3, 1.5, "many", True):
        with pytest.raises(LimbikError, match="limit: got"):
            load(path, limit=wrong)


def test_a_file_of_more_bytes_than_the_limit_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(file_limits, "MAX_FILE_BYTES", 1000)
    for name in ("walk.bvh", "walk.glb"):
        save(samples.walk(5), tmp_path / name)
        with pytest.raises(FileError, match="the limit is 1,000"):
            load(tmp_path / name)


def test_joints_nested_ten_thousandfold_are_read_without_forward_kinematics(tmp_path, monkeypatch):
    monkeypatch.setattr(kinematics, "forward", None)  # a generation of joints at a time, it would take seconds
    monkeypatch.setattr("limbik.files.bvh.bvh_reader.forward", None)
    clip = load(bvh(tmp_path / "deep.bvh", 20_000, 1, nested=True))
    assert len(clip.skeleton) == 20_000 and clip.source.up == "y"


def test_of_a_large_buffer_only_what_is_needed_is_read(tmp_path):
    built = sample()
    content = json.loads(built.gltf())
    from limbik.files.gltf.container import content_of

    data = content_of(content["buffers"][0]["uri"], None, None, "", "")
    huge = 20 << 30
    content["buffers"] = [{"uri": "data.bin", "byteLength": huge}]
    with (tmp_path / "data.bin").open("wb") as file:
        file.write(data)
        file.truncate(huge)  # sparse: it takes no space
    (tmp_path / "figure.gltf").write_text(json.dumps(content))
    (tmp_path / "small.gltf").write_bytes(built.gltf())
    wanted = load(tmp_path / "small.gltf")
    assert peak_of(lambda: load(tmp_path / "figure.gltf")) < 10 << 20
    assert np.array_equal(load(tmp_path / "figure.gltf").rotations, wanted.rotations)
    accessors = content["accessors"]
    accessors[content["animations"][0]["samplers"][0]["input"]]["count"] = 1 << 30
    content["bufferViews"] = [
        {**view, "byteLength": huge - view.get("byteOffset", 0)} for view in content["bufferViews"]
    ]
    (tmp_path / "keys.gltf").write_text(json.dumps(content))
    with pytest.raises(FileError, match="the limit"):
        load(tmp_path / "keys.gltf")
    with (tmp_path / "data.bin").open("r+b") as file:
        file.truncate(huge - 1)
    with pytest.raises(FileError, match=f"has {huge - 1} bytes; the document says {huge}"):
        load(tmp_path / "figure.gltf")
    assert huge > gltf_document.MAX_WHOLE_FILE_BYTES
