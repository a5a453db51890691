"""Broken and hostile glTF files: an error that names the file and the place, and little memory on the way to it."""

import json
import os
import struct
import tracemalloc

import numpy as np
import pytest

from limbik.errors import FileError
from limbik.files import gltf
from limbik.files.gltf.document import parse
from limbik.files.gltf.gltf_reader import clip_of

from .gltf_files import Builder, binary_of, content_of, glb, quaternions, sample


@pytest.fixture(scope="module", autouse=True)
def imported():
    """Whatever a reader imports takes memory once."""
    clip_of(parse(sample().glb(), "good.glb"))


def refusal(data, name="bad.glb", **asked):
    """The message with which a file is refused, having taken little memory."""
    tracemalloc.start()
    try:
        with pytest.raises(FileError) as caught:
            clip_of(parse(data, name), **asked)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1_000_000 + 30 * len(data)
    assert str(caught.value).startswith(name)
    return str(caught.value)


def changed(*path, to):
    """The sample with one value of its JSON replaced."""
    plain = sample().glb()
    content = content_of(plain)
    owner = content
    for key in path[:-1]:
        owner = owner[key]
    owner[path[-1]] = to
    return glb(content, binary_of(plain))


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"", "is empty"),
        (b"glTF", "ends after 4 bytes"),
        (b"\x89PNG\r\n\x1a\n" * 10, "not UTF-8"),
        (b"glTF" + struct.pack("<II", 1, 20) + bytes(8), "glTF 1; expected 2"),
        (b"glTF" + struct.pack("<II", 2, 2**32 - 1) + bytes(8), "4294967295 bytes; it has 20"),
        (b"glTF" + struct.pack("<II", 2, 8) + bytes(8), "byte 8"),
        (b"glTF" + struct.pack("<IIII", 2, 20, 2**32 - 1, 0x4E4F534A), "byte 12"),
        (glb(b"{}")[:12] + struct.pack("<II", 4, 0x004E4942) + b"{}  ", "byte 12"),
        (b"[]", "expected an object"),
        (b"null", "expected an object"),
        (b'{"asset":', "line 1 of the JSON, column 10"),
        (b'{"asset": {"version": "1.0"}}', "asset.version"),
        (b'{"asset": [], "nodes": [{}]}', "asset.version"),
        (b'{"asset": {"version": "2.0"}}', "nodes"),
        (b'{"asset": {"version": "2.0"}, "nodes": [{"translation": [0, NaN, 0]}]}', "NaN"),
        (b'{"asset": {"version": "2.0"}, "nodes": [{"translation": [0, 1e999, 0]}]}', "nodes[0].translation"),
        (b'{"asset": {"version": "2.0"}, "nodes": [{"translation": [0, 1' + b"0" * 500 + b", 0]}]}", "nodes[0]"),
        (b'{"asset": {"version": "2.0"}, "x": 1' + b"0" * 5000 + b"}", "JSON"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"asset":{"version":"2.0"},"extras":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_a_broken_container_is_refused(data, place):
    assert place in refusal(data)


@pytest.mark.parametrize(
    ("path", "to", "place"),
    [
        (("nodes",), {}, "nodes"),
        (("nodes", 0), 5, "nodes"),
        (("nodes", 0, "children"), [1, -3], "nodes[0].children"),
        (("nodes", 0, "children"), [True], "nodes[0].children"),
        (("nodes", 0, "children"), [99], "nodes[0].children"),
        (("nodes", 0, "children"), [1, 1, 3], "nodes[1]"),
        (("nodes", 2, "children"), [0], "nodes[0]"),
        (("nodes", 2, "children"), [2], "nodes[2]"),
        (("nodes", 4, "children"), [1], "nodes[1]"),
        (("nodes", 0, "translation"), [0, 1], "nodes[0].translation"),
        (("nodes", 0, "translation"), [0, "1", 0], "nodes[0].translation"),
        (("nodes", 0, "translation"), [0, True, 0], "nodes[0].translation"),
        (("nodes", 0, "rotation"), {"x": 0}, "nodes[0].rotation"),
        (("nodes", 3, "matrix"), [1] * 15, "nodes[3].matrix"),
        (("nodes", 3, "matrix"), [1e300] * 16, "nodes[3].matrix"),
        (("scene",), 3, "scene"),
        (("scenes", 0, "nodes"), "all", "scenes[0].nodes"),
        (("skins", 0, "joints"), [0, 77], "skins[0].joints"),
        (("animations", 0, "channels"), 1, "animations[0].channels"),
        (("animations", 0, "samplers"), [1], "animations[0].samplers"),
        (("animations", 0, "channels", 0, "sampler"), 99, "animations[0].channels[0].sampler"),
        (("animations", 0, "channels", 0, "target", "node"), -1, "animations[0].channels[0].target.node"),
        (("animations", 0, "channels", 0, "target", "node"), False, "animations[0].channels[0].target.node"),
        (("animations", 1, "channels", 0, "target", "node"), 1e3, "animations[1].channels[0].target.node"),
        (("animations", 0, "samplers", 0, "input"), None, "animations[0].samplers[0].input"),
        (("animations", 0, "samplers", 0, "output"), 10**40, "animations[0].samplers[0].output"),
        (("animations", 0, "samplers", 0, "interpolation"), "CUBIC", "animations[0].samplers[0].interpolation"),
        (("animations", 0, "samplers", 0, "interpolation"), [], "animations[0].samplers[0].interpolation"),
        (("animations", 0, "samplers", 0, "interpolation"), "CUBICSPLINE", "animations[0].samplers[0]"),
        (("accessors", 4, "count"), 6, "accessors[4]: ends at byte 24"),
        (("accessors", 4, "count"), 2**32, "accessors[4]"),
        (("accessors", 4, "count"), 0, "accessors[4].count"),
        (("accessors", 4, "count"), 5.0, "accessors[4].count"),
        (("accessors", 4, "type"), "VEC3", "accessors[4].type"),
        (("accessors", 4, "type"), ["SCALAR"], "accessors[4].type"),
        (("accessors", 4, "componentType"), 5123, "accessors[4].componentType"),
        (("accessors", 4, "componentType"), 5124, "accessors[4].componentType"),
        (("accessors", 4, "byteOffset"), -4, "accessors[4].byteOffset"),
        (("accessors", 4, "byteOffset"), 2**63, "accessors[4]"),
        (("accessors", 4, "bufferView"), 1000, "accessors[4].bufferView"),
        (("accessors", 5, "sparse"), 7, "accessors[5].sparse"),
        (("accessors", 5, "sparse", "count"), 6, "accessors[5].sparse.count"),
        (("accessors", 5, "sparse", "indices"), [], "accessors[5].sparse.indices"),
        (("accessors", 5, "sparse", "indices", "componentType"), 5126, "accessors[5].sparse.indices.componentType"),
        (("accessors", 5, "sparse", "indices", "byteOffset"), 1, "accessors[5].sparse.indices: ends at byte 3"),
        (("accessors", 5, "sparse", "indices", "bufferView"), 4, "accessors[5].sparse.indices"),
        (("accessors", 5, "sparse", "values", "bufferView"), 6, "accessors[5].sparse.values"),
        (("bufferViews", 4, "buffer"), 1, "bufferViews[4].buffer"),
        (("bufferViews", 4, "byteLength"), 2**40, "bufferViews[4]"),
        (("bufferViews", 4, "byteOffset"), 2**40, "bufferViews[4]"),
        (("bufferViews", 4, "byteStride"), 0, "bufferViews[4].byteStride"),
        (("bufferViews", 4, "byteStride"), 252, "accessors[4]"),
        (("buffers", 0, "byteLength"), 2**32, "buffers[0]"),
        (("buffers", 0, "byteLength"), "12", "buffers[0].byteLength"),
        (("buffers", 0, "uri"), 5, "buffers[0].uri"),
        (("buffers", 0, "uri"), "data:application/octet-stream;base64,!!!", "buffers[0].uri"),
        (("buffers", 0, "uri"), "data:text/plain,hello", "buffers[0].uri"),
        (("buffers", 0, "uri"), "http://example.org/a.bin", "buffers[0].uri"),
        (("buffers", 0, "uri"), "a.bin", "buffers[0].uri"),
        (("images",), {"uri": "x"}, "images"),
    ],
    ids=lambda value: "-".join(map(str, value)) if isinstance(value, tuple) else "",
)
def test_a_wrong_value_is_refused_where_it_is(path, to, place):
    assert place in refusal(changed(*path, to=to))


def test_a_glb_without_its_binary_is_refused():
    assert "buffers[0]" in refusal(glb(content_of(sample().glb())))


def test_a_file_cut_short_anywhere_is_refused():
    data = sample().glb()
    for length in range(0, len(data), 37):
        refusal(data[:length])


@pytest.mark.parametrize("times", [[0.0, 2.0, 1.0], [0.0, float("nan"), 2.0], [0.0, 1.0, float("inf")]])
def test_times_that_go_back_or_are_none_are_refused(times):
    built = Builder(nodes=[{}])
    at = built.accessor(times)
    del built.content["accessors"][at]["min"], built.content["accessors"][at]["max"]
    built.animation((0, "rotation", at, quaternions(3), "LINEAR"))
    assert "accessors[0]: holds times" in refusal(built.glb())


def test_values_that_are_not_finite_are_refused():
    built = Builder(nodes=[{}, {}])
    values = quaternions(3)
    values[1, 2] = np.nan
    built.animation((0, "rotation", [0.0, 1.0, 2.0], quaternions(3), "LINEAR"))
    built.animation((1, "rotation", [0.0, 1.0, 2.0], values, "LINEAR"))
    assert "accessors[3]" in refusal(built.glb(), animation=1)


def test_four_billion_zeros_in_a_small_file_are_refused():
    built = Builder(nodes=[{}])
    for count, kind in ((2**32 - 1, "SCALAR"), (2**32 - 1, "VEC4")):
        built.content["accessors"].append({"componentType": 5126, "count": count, "type": kind})
    built.animation((0, "rotation", 0, 1, "LINEAR"))
    assert "accessors[0].count" in refusal(built.gltf())


def test_the_same_bytes_named_by_ten_thousand_channels_are_refused():
    nodes = [{} for _ in range(10_000)]
    built = Builder(nodes=nodes)
    times, values = built.accessor(np.arange(3000) / 30), built.accessor(quaternions(3000))
    built.animation(*((node, "rotation", times, values, "LINEAR") for node in range(len(nodes))))
    assert "animations[0] has more than" in refusal(built.glb(), fps=0.02)  # not for its frames: these are few


def test_compressed_animations_are_refused_with_the_reason():
    extension = {"EXT_meshopt_compression": {"buffer": 0, "byteLength": 4, "count": 5, "mode": "ATTRIBUTES"}}
    plain = sample().glb()
    content = content_of(plain)
    content["buffers"].append({"byteLength": 1000, "extensions": {"EXT_meshopt_compression": {"fallback": True}}})
    content["bufferViews"][4] = {"buffer": 1, "byteLength": 20, "extensions": extension}
    assert "meshopt" in refusal(glb(content, binary_of(plain)))
    content["bufferViews"][4] = content_of(plain)["bufferViews"][4]
    content["bufferViews"][0] = {"buffer": 1, "byteLength": 36, "extensions": extension}  # a mesh's: limbik needs none
    assert len(clip_of(parse(glb(content, binary_of(plain)), "good.glb"))) > 1


# Paths


@pytest.fixture
def secret(tmp_path):
    """A folder for a document, and a buffer outside it that no document may read."""
    (tmp_path / "inside").mkdir()
    (tmp_path / "secret.bin").write_bytes(sample().data)
    (tmp_path / "inside-too").mkdir()
    (tmp_path / "inside-too" / "secret.bin").write_bytes(sample().data)
    return tmp_path


@pytest.mark.parametrize(
    "uri",
    [
        "../secret.bin",
        "%2e%2e/secret.bin",
        "..%2Fsecret.bin",
        "./../secret.bin",
        "a/../../secret.bin",
        "a/../inside.bin",
        "..\\secret.bin",
        "../inside-too/secret.bin",
        "link.bin",
        "link/secret.bin",
        "{absolute}",
        "/{absolute}",
        "file://{absolute}",
        "file:{absolute}",
        "C:\\secret.bin",
        "//host/secret.bin",
        "http://example.org/secret.bin",
        "secret.bin\0",
        "",
        ".",
        "no such file.bin",
        "pipe",
        "x" * 5000,
        "loop",
    ],
)
def test_a_path_cannot_leave_the_folder(secret, uri):
    folder = secret / "inside"
    (folder / "a").mkdir()
    (folder / "inside.bin").write_bytes(sample().data)
    (folder / "link.bin").symlink_to(secret / "secret.bin")
    (folder / "link").symlink_to(secret)
    (folder / "loop").symlink_to(folder / "loop")
    os.mkfifo(folder / "pipe")
    path = folder / "in.gltf"
    path.write_bytes(sample().gltf(uri.format(absolute=secret / "secret.bin")))
    with pytest.raises(FileError, match=r"in\.gltf, buffers\[0\]\.uri"):
        gltf.load(path)


def test_a_path_inside_the_folder_is_followed(secret):
    folder = secret / "inside"
    (folder / "sub folder").mkdir()
    (folder / "sub folder" / "ä.bin").write_bytes(sample().data)
    path = folder / "in.gltf"
    for uri in ("sub%20folder/%C3%A4.bin", "sub folder/ä.bin", "./sub%20folder/ä.bin"):
        path.write_bytes(sample().gltf(uri))
        assert len(gltf.load(path)) > 1


def test_a_buffer_shorter_than_it_says_is_refused(tmp_path):
    (tmp_path / "short.bin").write_bytes(sample().data[:-1])
    path = tmp_path / "in.gltf"
    path.write_bytes(sample().gltf("short.bin"))
    with pytest.raises(FileError, match=r"buffers\[0\]\.uri.*bytes"):
        gltf.load(path)
    content = json.loads(sample().gltf())
    content["buffers"][0]["uri"] = content["buffers"][0]["uri"][:-8]
    assert "buffers[0]" in refusal(json.dumps(content).encode())


def test_a_scene_may_begin_below_a_root():
    built = Builder(nodes=[{"name": "above", "children": [1]}, {"name": "shown", "children": [2]}, {"name": "tip"}])
    built.content["scenes"] = [{"nodes": [1]}]
    assert clip_of(parse(built.glb(), "below.glb")).skeleton.names == ("above", "shown", "tip")
