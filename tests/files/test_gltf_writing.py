"""Clips written back into the glTF file that they came from: what changed is changed, and nothing else."""

import base64
import json
import pickle
import shutil
from itertools import product

import numpy as np
import pytest

from limbik.errors import ArgumentError, FileError
from limbik.files import gltf
from limbik.files.gltf.document import parse
from limbik.files.gltf.gltf_reader import animations_of, clip_of
from tests.thoroughness import some

from ..assets import RIGS, SAMPLE_GLB, asset
from .gltf_files import Builder, binary_of, content_of, glb, quaternions, sample
from .gltf_referee import Referee

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)


def animations_in(path):
    return animations_of(gltf.load(path).source.document)


def turned(clip, joint, seed=9):
    """The clip with one joint turned otherwise."""
    rotations = clip.rotations.copy()
    rotations[:, joint] = quaternions(len(clip), seed)
    return clip.with_(rotations=rotations)


def changes(clip):
    """Clips made from another, each with something changed."""
    yield "turned", turned(clip, len(clip.skeleton) // 2)
    yield "moved", clip.moved((0.3, -0.2, 0.1), quaternions(1, 3)[0])
    yield "cut", clip[1:]
    yield "slower", clip.with_(fps=clip.fps * 0.7)
    yield "later", clip.with_(start=clip.start + 0.25)
    yield "stretched", clip.with_(translations=clip.translations * 1.1)
    yield "scaled", clip.with_(scales=np.full((len(clip), len(clip.skeleton), 3), 1.1))


def assert_same_motion(clip, expected):
    size = np.ptp(expected.positions()[0], axis=0).max()
    np.testing.assert_allclose(clip.positions(), expected.positions(), rtol=0, atol=1e-6 * max(size, 1))
    np.testing.assert_allclose(clip.times, expected.times, atol=1e-6)
    assert clip.skeleton.names == expected.skeleton.names


@pytest.mark.parametrize("name", [SAMPLE_GLB, *RIGS])
def test_a_clip_that_did_not_change_writes_the_very_same_file(tmp_path, name):
    path = asset(name)
    out = tmp_path / path.name
    for number in range(len(animations_in(path))):
        gltf.save(gltf.load(path, animation=number), out)
        assert out.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(("name", "suffix"), some(product([SAMPLE_GLB, *RIGS], [".glb", ".gltf"]), 3))
def test_what_changed_comes_back_and_the_referee_sees_it_too(tmp_path, name, suffix):
    for kind, clip in changes(gltf.load(asset(name))):
        out = tmp_path / (kind + suffix)
        gltf.save(clip, out)
        again = gltf.load(out, unit=clip.unit)
        assert_same_motion(again, clip)
        if len(clip.skeleton) > 100 and kind != "turned":
            continue  # the referee is slow
        seen = Referee(out).worlds(0, clip.times)[:, clip.source.nodes][..., :3, 3] * clip.unit.metres
        size = np.ptp(clip.positions()[0], axis=0).max()
        np.testing.assert_allclose(seen, clip.positions(), rtol=0, atol=1e-5 * max(size, 1))


@pytest.mark.parametrize("name", [name for name in RIGS if name.endswith(".glb")])
def test_all_but_the_changed_channel_stays_byte_for_byte(tmp_path, name):
    path = asset(name)
    clip = gltf.load(path)
    targets = [channel["target"] for channel in content_of(path.read_bytes())["animations"][0]["channels"]]
    target = [target for target in targets if target["path"] == "rotation"][-1]
    joint = clip.source.nodes.index(target["node"])
    out = tmp_path / "out.glb"
    gltf.save(turned(clip, joint), out)
    before, after = content_of(path.read_bytes()), content_of(out.read_bytes())
    assert binary_of(out.read_bytes()).startswith(binary_of(path.read_bytes()))
    grown = ("accessors", "bufferViews")
    assert list(after) == list(before)
    for key in before:
        if key in grown:
            assert after[key][: len(before[key])] == before[key]
        elif key == "animations":
            assert after[key][1:] == before[key][1:]
        elif key != "buffers":
            assert after[key] == before[key]
    assert len(after["bufferViews"]) == len(before["bufferViews"]) + 1
    assert len(after["accessors"]) == len(before["accessors"]) + 2  # times and values
    old, new = before["animations"][0], after["animations"][0]
    for was, now in zip(old["channels"], new["channels"], strict=True):
        assert was["target"] == now["target"]
        if was["target"] != target:
            assert old["samplers"][was["sampler"]] == new["samplers"][now["sampler"]]


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
@pytest.mark.parametrize("name", ["gltf/Fox.glb", "gltf/SimpleSkin.gltf"])
def test_saving_again_and_again_does_not_grow_the_file(tmp_path, name, suffix):
    out = tmp_path / f"out{suffix}"
    gltf.save(turned(gltf.load(asset(name)), 1), out)
    size = out.stat().st_size
    for seed in range(4):
        gltf.save(turned(gltf.load(out), 1, seed), out)
        assert abs(out.stat().st_size - size) < 64  # numbers of the bounds may be longer or shorter


def test_several_animations_can_be_changed_one_after_the_other(tmp_path):
    out = tmp_path / "fox.glb"
    changed = {}
    shutil.copy(asset("gltf/Fox.glb"), out)
    for number in (0, 2, 1, 0, 2):
        changed[number] = turned(gltf.load(out, animation=number), 5 + number, seed=number)
        gltf.save(changed[number], out)
        assert [each.name for each in animations_in(out)] == ["Survey", "Walk", "Run"]
    for number, clip in changed.items():
        assert_same_motion(gltf.load(out, animation=number), clip)
    assert [view.get("name") for view in content_of(out.read_bytes())["bufferViews"]].count("limbik") == 1


def test_joints_at_rest_without_a_channel_get_none(tmp_path):
    clip = gltf.load(asset("gltf/Fox.glb"))
    gltf.save(clip[3:20], tmp_path / "cut.glb")
    before, after = (content_of(p.read_bytes()) for p in (asset("gltf/Fox.glb"), tmp_path / "cut.glb"))
    targets = [[channel["target"] for channel in each["animations"][0]["channels"]] for each in (before, after)]
    assert targets[0] == targets[1]


def test_quaternions_are_written_of_length_one_and_without_leaps_of_sign(tmp_path):
    clip = gltf.load(asset("gltf/SimpleSkin.gltf"))
    rotations = clip.rotations * np.where(np.arange(len(clip)) % 2, -3.0, 0.5)[:, None, None]
    gltf.save(clip.with_(rotations=rotations), tmp_path / "out.glb")
    referee = Referee(tmp_path / "out.glb")
    _, values, _ = referee.tracks(0)[clip.source.nodes[1], "rotation"]
    np.testing.assert_allclose(np.linalg.norm(values, axis=-1), 1, atol=1e-6)
    assert np.sum(values[1:] * values[:-1], axis=-1).min() > 0


def test_weights_pointers_extras_and_unknown_extensions_stay(tmp_path):
    built = sample()
    pointer = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/0/translation"}}}
    animation = built.content["animations"][0]
    animation["channels"].insert(0, {"sampler": 4, "target": pointer, "extras": 7})
    animation["extensions"] = {"VENDOR_x": {"y": 1}}
    source, out = tmp_path / "in.glb", tmp_path / "out.glb"
    source.write_bytes(built.glb())
    gltf.save(gltf.load(source)[1:], out)
    before, after = content_of(source.read_bytes()), content_of(out.read_bytes())
    for key in ("nodes", "meshes", "skins", "extensions", "extensionsUsed", "scenes"):
        assert after[key] == before[key]
    old, new = before["animations"][0], after["animations"][0]
    assert new["extensions"] == old["extensions"]
    assert new["channels"][0] == {**old["channels"][0], "sampler": new["channels"][0]["sampler"]}
    for was, now in zip(old["channels"], new["channels"], strict=True):
        kept = was["target"]["path"] in ("weights", "pointer")
        assert (new["samplers"][now["sampler"]] == old["samplers"][was["sampler"]]) == kept
    assert after["animations"][1] == before["animations"][1]


def test_an_unchanged_spline_stays_one_beside_a_changed_joint(tmp_path):
    source, out = tmp_path / "in.glb", tmp_path / "out.glb"
    source.write_bytes(sample().glb())
    clip = turned(gltf.load(source), 0)
    gltf.save(clip, out)
    samplers = content_of(out.read_bytes())["animations"][0]["samplers"]
    assert [sampler["interpolation"] for sampler in samplers] == ["LINEAR", "LINEAR", "CUBICSPLINE", "STEP", "LINEAR"]
    assert_same_motion(gltf.load(out), clip)


def test_channels_that_share_a_sampler_go_on_sharing_it(tmp_path):
    built = Builder(nodes=[{"children": [1, 2]}, {}, {}])
    built.animation(*((node, "rotation", [0.0, 0.5, 1.0], quaternions(3, node), "LINEAR") for node in range(3)))
    channels = built.content["animations"][0]["channels"]
    channels[2]["sampler"] = 1
    clip = clip_of(parse(built.glb(), "in.glb"))
    out = tmp_path / "out.glb"
    gltf.save(turned(clip, 0), out)
    assert [each["sampler"] for each in content_of(out.read_bytes())["animations"][0]["channels"]] == [0, 1, 1]
    changed = turned(clip, 1)
    gltf.save(changed, out)
    assert_same_motion(gltf.load(out), changed)


def test_a_file_without_animation_gets_one(tmp_path):
    built = Builder(nodes=[{"name": "a", "children": [1]}, {"name": "b", "translation": [0, 1, 0]}])
    source, out = tmp_path / "in.gltf", tmp_path / "out.glb"
    source.write_bytes(built.gltf())
    rest = gltf.load(source)
    assert not animations_in(source)
    rotations = np.stack([quaternions(10, 1), quaternions(10, 2)], axis=1)
    translations = np.tile(rest.translations, (10, 1, 1))
    clip = rest.with_(rotations=rotations, translations=translations, fps=25.0, name="new")
    gltf.save(clip, out)
    assert [(each.name, each.frames, each.fps) for each in animations_in(out)] == [("new", 10, 25.0)]
    assert_same_motion(gltf.load(out), clip)
    paths = [channel["target"]["path"] for channel in content_of(out.read_bytes())["animations"][0]["channels"]]
    assert paths == ["rotation", "rotation"]


def test_a_node_with_a_matrix_can_be_animated(tmp_path):
    path = asset("gltf/RiggedSimple.glb")
    clip = gltf.load(path).moved((1.0, 0.0, 0.0))
    gltf.save(clip, tmp_path / "out.glb")
    before, after = content_of(path.read_bytes())["nodes"], content_of((tmp_path / "out.glb").read_bytes())["nodes"]
    assert "matrix" in before[0]
    assert "matrix" not in after[0]
    assert after[1:] == before[1:]
    assert_same_motion(gltf.load(tmp_path / "out.glb"), clip)


def test_the_name_of_an_animation_can_be_changed_alone(tmp_path):
    path = asset("gltf/Fox.glb")
    gltf.save(gltf.load(path, animation="Walk").with_(name="Stroll"), tmp_path / "out.glb")
    assert [each.name for each in animations_in(tmp_path / "out.glb")] == ["Survey", "Stroll", "Run"]
    assert binary_of((tmp_path / "out.glb").read_bytes()) == binary_of(path.read_bytes())


def test_times_below_zero_are_shifted(tmp_path):
    clip = gltf.load(asset("gltf/Fox.glb")).with_(start=-1.0)
    gltf.save(clip, tmp_path / "out.glb")
    assert_same_motion(gltf.load(tmp_path / "out.glb"), clip.with_(start=0.0))


def test_chunks_that_nobody_knows_stay(tmp_path):
    built = sample()
    plain = built.glb()
    data = glb(content_of(plain), binary_of(plain), more=[(0x12345678, b"whatever")])
    clip = clip_of(parse(data, "in.glb"))
    gltf.save(turned(clip, 0), tmp_path / "out.glb")
    assert (tmp_path / "out.glb").read_bytes().endswith(b"\x08\0\0\0\x78\x56\x34\x12whatever")


def test_a_clip_travels_between_processes_with_its_file(tmp_path):
    clip = turned(gltf.load(asset("gltf/Fox.glb")), 4)
    gltf.save(clip, tmp_path / "here.glb")
    gltf.save(pickle.loads(pickle.dumps(clip)), tmp_path / "there.glb")
    assert (tmp_path / "here.glb").read_bytes() == (tmp_path / "there.glb").read_bytes()


# From one kind to the other, from one folder to another


@pytest.fixture
def scattered(tmp_path):
    """A .gltf whose buffer and image are files in folders beside it."""
    folder = tmp_path / "from"
    (folder / "some data").mkdir(parents=True)
    built = sample()
    (folder / "some data" / "it.bin").write_bytes(built.data)
    (folder / "pixel.png").write_bytes(PIXEL)
    built.content["images"] = [{"uri": "pixel.png", "name": "pixel"}]
    built.content["textures"] = [{"source": 0}]
    (folder / "in.gltf").write_bytes(built.gltf("some%20data/it.bin"))
    return folder / "in.gltf"


def test_beside_its_files_a_document_goes_on_naming_them(scattered):
    clip = turned(gltf.load(scattered), 0)
    out = scattered.with_name("out.gltf")
    gltf.save(clip, out)
    after = content_of(out.read_bytes())
    assert after["buffers"][0] == content_of(scattered.read_bytes())["buffers"][0]
    assert after["images"] == [{"uri": "pixel.png", "name": "pixel"}]
    assert len(after["buffers"]) == 2
    assert_same_motion(gltf.load(out), clip)


@pytest.mark.parametrize("name", ["from/out.glb", "to/out.gltf", "to/out.glb"])
@pytest.mark.parametrize("changed", [True, False])
def test_elsewhere_or_as_another_kind_it_takes_them_in(scattered, tmp_path, name, changed):
    (tmp_path / "to").mkdir()
    clip = gltf.load(scattered)
    clip = turned(clip, 0) if changed else clip
    out = tmp_path / name
    gltf.save(clip, out)
    for path in (scattered, scattered.parent / "pixel.png", scattered.parent / "some data" / "it.bin"):
        path.unlink()
    assert_same_motion(gltf.load(out), clip)
    content = content_of(out.read_bytes())
    (image,) = content["images"]
    assert (image["mimeType"], image["name"], "uri" in image) == ("image/png", "pixel", False)
    view = content["bufferViews"][image["bufferView"]]
    data = Referee(out).buffers[view["buffer"]][view["byteOffset"] :][: view["byteLength"]]
    assert data == PIXEL


def test_there_and_back_between_the_kinds_keeps_everything(tmp_path):
    clip = now = gltf.load(asset("gltf/Fox.glb"), animation="Run")
    for name in ("a.gltf", "b.glb", "c.gltf", "d.glb"):
        gltf.save(now, tmp_path / name)
        now = gltf.load(tmp_path / name, animation="Run")
    assert_same_motion(now, clip)
    assert binary_of((tmp_path / "d.glb").read_bytes()) == binary_of(asset("gltf/Fox.glb").read_bytes())


def test_an_image_outside_the_folder_is_not_taken_in(tmp_path):
    built = sample()
    built.content["images"] = [{"uri": "../secret.png"}]
    (tmp_path / "in").mkdir()
    (tmp_path / "secret.png").write_bytes(PIXEL)
    (tmp_path / "in" / "in.gltf").write_bytes(built.gltf())
    clip = gltf.load(tmp_path / "in" / "in.gltf")
    gltf.save(turned(clip, 0), tmp_path / "in" / "out.gltf")  # beside it, nothing needs to be read
    with pytest.raises(FileError, match=r"images\[0\].uri.*out of the folder"):
        gltf.save(clip, tmp_path / "out.glb")
    assert not (tmp_path / "out.glb").exists()


# Faults


def test_what_gltf_cannot_hold_is_refused(tmp_path):
    clip = gltf.load(asset("gltf/Fox.glb"))
    rotations = clip.rotations.copy()
    rotations[7, 3, 0] = np.nan
    with pytest.raises(ArgumentError, match=r"rotations of 'b_Hip_01' at frame 7"):
        gltf.save(clip.with_(rotations=rotations), tmp_path / "out.glb")
    with pytest.raises(ArgumentError, match="translations of 'root' at frame 0"):
        gltf.save(clip.with_(translations=clip.translations + 1e300), tmp_path / "out.glb")
    with pytest.raises(ArgumentError, match="no frames"):
        gltf.save(clip[5:5], tmp_path / "out.glb")
    with pytest.raises(FileError, match=r"\.glb, \.gltf"):
        gltf.save(clip, tmp_path / "out.fbx")
    assert not list(tmp_path.iterdir())


def test_a_number_too_large_for_json_is_refused(tmp_path):
    text = sample().gltf().replace(b'"extensionsUsed"', b'"extras": 1e999, "extensionsUsed"')
    json.loads(text)
    with pytest.raises(FileError, match="JSON"):
        gltf.save(turned(clip_of(parse(text, "in.gltf")), 0), tmp_path / "out.glb")
