"""Figures and animations of glTF files, beside a referee that shares no code with limbik."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from limbik.errors import ArgumentError, FileError
from limbik.files import gltf
from limbik.files.gltf.body_reader import own_body
from limbik.files.gltf.document import parse
from limbik.files.gltf.gltf_reader import animations_of, clip_of
from limbik.skeleton.units import METRE, Unit

from ..assets import RIGS, SAMPLE_GLB, asset
from .gltf_files import Builder, quaternions, sample
from .gltf_referee import Referee, interpolated


def animations_in(path):
    return animations_of(gltf.load(path).source.document)


def loaded(built, **asked):
    return clip_of(parse(built.glb(), "test.glb"), **asked)


def turning(times, values=None, interpolation="LINEAR", **content):
    """One joint that an animation turns."""
    built = Builder(nodes=[{"name": "joint"}], **content)
    count = len(times) * (3 if interpolation == "CUBICSPLINE" else 1)
    built.animation((0, "rotation", times, quaternions(count) if values is None else values, interpolation))
    return built


def angle_between(p, q):
    return (Rotation.from_quat(p.reshape(-1, 4)) * Rotation.from_quat(q.reshape(-1, 4)).inv()).magnitude().max()


def assert_agrees(path, animation, clip):
    referee = Referee(path)
    expected = referee.worlds(animation, clip.times)[:, clip.source.nodes][..., :3, 3] * clip.unit.metres
    height = np.ptp(expected[0], axis=0).max()
    np.testing.assert_allclose(clip.positions(), expected, rtol=0, atol=1e-5 * height)


@pytest.mark.parametrize("name", [SAMPLE_GLB, *RIGS])
def test_positions_of_every_rig_agree_with_a_referee(name):
    path = asset(name)
    for number, about in enumerate(animations_in(path)):
        clip = gltf.load(path, animation=number)
        assert_agrees(path, number, clip)
        assert (clip.name, len(clip), clip.fps) == (about.name, about.frames, about.fps)
        assert clip.duration == pytest.approx(about.duration)


@pytest.mark.parametrize("name", [SAMPLE_GLB, *RIGS])
def test_positions_between_keys_agree_with_a_referee(name):
    path = asset(name)
    assert_agrees(path, 0, gltf.load(path, fps=37.0))


@pytest.mark.parametrize("fps", [None, 30, 100, 7.3])
def test_all_interpolations_sparse_and_normalised_values_agree_with_a_referee(tmp_path, fps):
    path = tmp_path / "sample.glb"
    path.write_bytes(sample().glb())
    for number in (0, 1):
        assert_agrees(path, number, gltf.load(path, animation=number, fps=fps))


@given(
    st.lists(st.integers(0, 300), min_size=2, max_size=12, unique=True).map(sorted),
    st.sampled_from(["LINEAR", "STEP", "CUBICSPLINE"]),
    st.sampled_from(["translation", "rotation"]),
    st.floats(1, 100),
    st.integers(0, 1000),
)
def test_any_channel_at_any_rate_agrees_with_a_referee(frames, interpolation, path, fps, seed):
    times = (np.array(frames) / 30).astype(np.float32)
    count = len(times) * (3 if interpolation == "CUBICSPLINE" else 1)
    values = quaternions(count, seed)[:, : 4 if path == "rotation" else 3].astype(np.float32)
    built = Builder(nodes=[{}])
    built.animation((0, path, times, values, interpolation))
    clip = loaded(built, fps=fps, unit="m")
    off = np.min(np.abs(clip.times[:, None] - times), axis=1)
    clear = (off < 1e-6) | (off > 1e-4)  # a step falls one way or the other where a frame is all but on a key
    expected = interpolated(path, times.astype(float), values.astype(float), interpolation, clip.times)[clear]
    if path == "rotation":
        assert angle_between(clip.rotations[clear, 0], expected) < 1e-3  # keys may move by two millionths of a second
    else:
        np.testing.assert_allclose(clip.translations[clear, 0], expected, atol=1e-3)


# Frames


@pytest.mark.parametrize(
    "fps", [1, 2, 12, 12.5, 24, 25, 30, 60, 90, 120, 240, 24000 / 1001, 30000 / 1001, 60000 / 1001]
)
@pytest.mark.parametrize("start", [0.0, 0.04166661947965622, 100.0])
def test_frames_are_the_keys_and_the_rate_is_the_one_meant(fps, start):
    times = (start + np.arange(50) / fps).astype(np.float32)
    clip = loaded(turning(times))
    assert len(clip) == 50
    assert clip.fps == pytest.approx(fps, rel=1e-12 if start < 1 else 1e-6)
    assert angle_between(clip.rotations[:, 0], quaternions(50)) < 1e-6


def test_half_an_hour_at_120_frames_a_second_is_counted_to_the_last_frame():
    times = (np.arange(30 * 60 * 120) / 120).astype(np.float32)
    clip = loaded(turning(times, values=quaternions(len(times))))
    assert (len(clip), clip.fps) == (len(times), 120)


@given(st.sampled_from([24, 25, 30, 60]), st.sets(st.integers(1, 200), min_size=2, max_size=40), st.integers(0, 500))
def test_every_key_is_on_a_frame_where_keys_are_frames_of_some_rate(fps, frames, first):
    times = ((first + np.array([0, *sorted(frames)])) / fps).astype(np.float32)
    clip = loaded(turning(times))
    off = np.abs(clip.times - times.astype(float)[:, None]).min(axis=1)
    assert off.max() < 2e-5
    assert len(clip) <= max(4 * len(times), np.ptp(times) * 121 + 2)
    nearest = np.abs(clip.times - times.astype(float)[:, None]).argmin(axis=1)
    assert angle_between(clip.rotations[nearest, 0], quaternions(len(times))) < 1e-6


def test_frames_are_those_of_all_channels_together():
    built = Builder(nodes=[{"children": [1]}, {}])
    built.animation(
        (0, "rotation", [0, 0.5], quaternions(2), "LINEAR"),
        (1, "rotation", [0.1, 0.3], quaternions(2, 1), "LINEAR"),
    )
    clip = loaded(built)
    np.testing.assert_allclose(clip.times, np.arange(6) / 10, atol=1e-7)
    assert angle_between(clip.rotations[[0, 1], 1], quaternions(2, 1)[[0, 0]]) < 1e-6  # held before the first key
    assert angle_between(clip.rotations[[3, 5], 1], quaternions(2, 1)[[1, 1]]) < 1e-6  # and after the last


def test_keys_on_no_grid_are_sampled_60_times_a_second():
    clip = loaded(turning([0.0, 0.1307, 0.5771, 1.0]))
    assert (clip.fps, len(clip), clip.start) == (60, 61, 0)


@pytest.mark.parametrize("interpolation", ["STEP", "CUBICSPLINE"])
def test_curves_and_steps_between_sparse_keys_are_not_lost(interpolation):
    clip = loaded(turning([0.0, 1.0, 3.0], interpolation=interpolation))
    assert clip.fps >= 24
    assert np.allclose(np.array([0, 1, 3]) * clip.fps % 1, 0)
    linear = loaded(turning([0.0, 1.0, 3.0]))
    assert (linear.fps, len(linear)) == (1, 4)


def test_a_rate_that_is_asked_for_is_taken():
    clip = loaded(turning(np.arange(25) / 24), fps=10)
    assert (clip.fps, len(clip)) == (10, 11)
    for wrong in (0, -1, float("nan"), "30"):
        with pytest.raises(ArgumentError, match="fps"):
            loaded(turning([0.0, 1.0]), fps=wrong)


def test_a_rate_so_low_that_all_keys_are_in_one_frame_shows_the_first():
    clip = loaded(turning(np.arange(5) / 24), fps=1e-6)
    assert angle_between(clip.rotations[0], quaternions(5)[:1]) < 1e-6


def test_two_keys_at_one_time_are_a_jump():
    clip = loaded(turning([0.0, 0.5, 0.5, 1.0], values=quaternions(4)), fps=4)
    assert angle_between(clip.rotations[2], quaternions(4)[2:3]) < 1e-6


def test_a_gap_of_hours_between_keys_is_refused_with_advice():
    built = turning([0.0, 0.0123, 1e6])
    with pytest.raises(FileError, match=r"animations\[0\].*fps="):
        loaded(built)
    assert len(loaded(built, fps=0.001)) == 1001


# Joints


def test_joints_are_those_of_skins_and_animations_and_their_ancestors():
    nodes = [
        {"name": "b", "children": [2, 3]},  # 0: an ancestor
        {"name": "a", "children": [0, 5]},  # 1: the root of the scene
        {"name": "c"},  # 2: a joint of the skin
        {"name": "beside"},  # 3
        {"name": "elsewhere"},  # 4: a joint of the skin that no scene shows
        {"name": "prop"},  # 5: animated
        {"name": "camera"},  # 6
    ]
    built = Builder(nodes=nodes, scenes=[{"nodes": [6]}, {"nodes": [1]}], scene=1, skins=[{"joints": [2, 4]}])
    built.animation((5, "translation", [0.0, 1.0], np.eye(3)[:2], "LINEAR"))
    skeleton = loaded(built).skeleton
    assert skeleton.names == ("a", "b", "c", "prop", "elsewhere")
    assert skeleton.parents.tolist() == [-1, 0, 1, 0, -1]


def test_the_joints_do_not_depend_on_which_animation_is_loaded():
    path = asset("gltf/Fox.glb")
    first, *others = [gltf.load(path, animation=k).skeleton for k in range(3)]
    assert all(first.has_joints_of(other) for other in others)
    assert all(np.array_equal(first.translations, other.translations) for other in others)


def test_without_skin_and_animation_the_nodes_of_the_scene_are_the_joints():
    nodes = [{"name": "a"}, {"name": "b", "children": [2]}, {"name": "c", "translation": [0, 2, 0]}, {"name": "d"}]
    clip = loaded(Builder(nodes=nodes, scenes=[{"nodes": [1]}]))
    assert clip.skeleton.names == ("b", "c")
    assert (len(clip), clip.name) == (1, "")
    np.testing.assert_allclose(clip.positions()[0], [[0, 0, 0], [0, 2, 0]])
    assert loaded(Builder(nodes=nodes)).skeleton.names == ("a", "b", "c", "d")


def test_nodes_without_a_name_are_numbered_and_equal_names_are_kept():
    nodes = [{"children": [1, 2]}, {"name": "twin"}, {"name": "twin"}, {"name": ""}, {"name": "\ud800"}]
    names = loaded(Builder(nodes=nodes)).skeleton.names
    assert names == ("node_0", "twin", "twin", "node_3", "?")


def test_a_chain_of_five_thousand_nodes_loads():
    nodes = [{"children": [k + 1], "translation": [0, 1e-4, 0]} for k in range(5000)] + [{}]
    assert len(loaded(Builder(nodes=nodes)).skeleton) == 5001


@given(st.integers(0, 10**6), st.sampled_from([1, -1]))
def test_matrices_come_apart_into_what_made_them(seed, sign):
    random = np.random.default_rng(seed)
    turn = Rotation.from_quat(random.normal(size=4)).as_matrix()
    scale = random.uniform(0.1, 3, 3) * [sign, 1, 1]
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn * scale, random.normal(size=3)
    clip = loaded(Builder(nodes=[{"matrix": matrix.T.ravel().tolist()}]), unit="m")
    again = Rotation.from_quat(clip.rotations[0, 0]).as_matrix() * clip.scales[0, 0]
    np.testing.assert_allclose(again, matrix[:3, :3], atol=1e-9)
    np.testing.assert_allclose(clip.translations[0, 0], matrix[:3, 3])


@given(st.lists(st.floats(-2, 2), min_size=9, max_size=9))
def test_a_matrix_that_shears_is_taken_apart_nearer_than_by_polar_decomposition(numbers):
    sheared = np.reshape(numbers, (3, 3))
    matrix = np.eye(4)
    matrix[:3, :3] = sheared
    clip = loaded(Builder(nodes=[{"matrix": matrix.T.ravel().tolist()}]), unit="m")
    turn, scale = clip.rotations[0, 0], np.ones(3) if clip.scales is None else clip.scales[0, 0]
    assert np.linalg.norm(turn) == pytest.approx(1)
    miss = np.linalg.norm(Rotation.from_quat(turn).as_matrix() * scale - sheared)
    flip = np.array([-1.0 if np.linalg.det(sheared) < 0 else 1.0, 1, 1])
    u, _, v = np.linalg.svd(sheared * flip)
    nearest = (u * [1, 1, np.linalg.det(u @ v)]) @ v * flip  # the polar rotation, each axis scaled to fit
    assert miss <= np.linalg.norm(nearest * np.sum(nearest * sheared, axis=0) - sheared) + 1e-6


def test_scales_are_there_only_where_something_is_scaled():
    assert gltf.load(asset("gltf/Fox.glb")).scales is None
    assert gltf.load(asset("gltf/RiggedFigure.glb")).scales is None  # scale channels that hold ones
    assert gltf.load(asset("gltf/RecursiveSkeletons.glb")).scales is not None


def test_a_quaternion_of_zeros_is_no_rotation():
    clip = loaded(turning([0.0, 1.0], values=np.zeros((2, 4))))
    np.testing.assert_array_equal(clip.rotations[:, 0], [[0, 0, 0, 1]] * 2)


# Units


@pytest.mark.parametrize(
    ("size", "unit"), [(0.02, "m"), (0.3, "m"), (1.7, "m"), (9, "m"), (60, "cm"), (170, "cm"), (1700, "mm")]
)
def test_the_unit_is_guessed_from_the_size_of_the_skin(size, unit):
    nodes = [{"children": [1, 2]}, {"translation": [0, size, 0]}, {"translation": [1e6, 0, 0]}]
    clip = loaded(Builder(nodes=nodes, skins=[{"joints": [0, 1]}], scenes=[{"nodes": [0]}]))
    assert clip.unit.name == unit
    assert clip.positions()[0, 1, 1] == pytest.approx(size * clip.unit.metres)


def test_the_fox_is_a_fox_in_centimetres():
    clip = gltf.load(asset("gltf/Fox.glb"))
    assert clip.unit.name == "cm"
    assert 0.5 < np.ptp(clip.positions()[0], axis=0).max() < 2.5


def test_a_unit_that_is_given_is_taken():
    path = asset("gltf/Fox.glb")
    in_metres = gltf.load(path, unit="m")
    assert in_metres.unit == METRE
    for unit, size in (("mm", 0.001), (0.5, 0.5), (Unit("rod", 5.03), 5.03)):
        np.testing.assert_allclose(gltf.load(path, unit=unit).positions(), in_metres.positions() * size, atol=1e-12)


# Choosing an animation


def test_an_animation_is_chosen_by_name_or_number():
    path = asset("gltf/Fox.glb")
    assert gltf.load(path).name == "Survey"
    assert gltf.load(path, animation="Walk").name == gltf.load(path, animation=1).name == "Walk"
    for wrong in ("walk", 3, -1, True):
        with pytest.raises(ArgumentError, match=r"0 'Survey', 1 'Walk', 2 'Run'"):
            gltf.load(path, animation=wrong)
    with pytest.raises(ArgumentError, match="it has none"):
        loaded(Builder(nodes=[{}]), animation=0)


def test_weights_and_pointers_move_no_joint():
    built = Builder(nodes=[{"name": "a"}, {"name": "b"}], scenes=[{"nodes": [0, 1]}])
    built.animation((1, "weights", [0.0, 1.0], np.zeros((2, 1)), "LINEAR"))
    pointer = {"path": "pointer", "extensions": {"KHR_animation_pointer": {"pointer": "/nodes/1/scale"}}}
    built.content["animations"][0]["channels"].append({"sampler": 0, "target": pointer})
    clip = loaded(built)
    assert (len(clip), clip.skeleton.names) == (1, ("a", "b"))


# Accessors


@pytest.mark.parametrize(("component", "largest"), [("b", 127), ("B", 255), ("h", 32767), ("H", 65535)])
def test_normalised_integers_are_fractions(component, largest):
    stored = np.array([[0, 0, 0, largest], [largest // 2, 0, 0, largest // 2]])
    built = Builder(nodes=[{}])
    values = built.accessor(stored, component, normalized=True)
    built.animation((0, "rotation", [0.0, 1.0], values, "LINEAR"))
    s = np.sqrt(0.5)
    np.testing.assert_allclose(loaded(built).rotations[:, 0], [[0, 0, 0, 1], [s, 0, 0, s]], atol=1e-9)


def test_the_least_integer_is_minus_one_as_the_one_above_it():
    built = Builder(nodes=[{}])
    values = built.accessor([[-128, -127, 127]], "b", normalized=True)
    built.animation((0, "translation", [0.0], values, "LINEAR"))
    np.testing.assert_array_equal(loaded(built, unit="m").translations[0, 0], [-1, -1, 1])


def test_values_may_lie_apart_and_begin_anywhere():
    places = np.arange(12, dtype="<f4").reshape(4, 3)
    rows = b"".join(b"junk" + row.tobytes() + b"more" for row in places)
    built = Builder(nodes=[{}])
    view = built.view(b"12345678" + rows, byteStride=20)
    about = {"bufferView": view, "byteOffset": 12, "componentType": 5126, "count": 4, "type": "VEC3"}
    built.content["accessors"].append(about)
    built.animation((0, "translation", np.arange(4) / 30, 0, "LINEAR"))
    np.testing.assert_array_equal(loaded(built, unit="m").translations[:, 0], places)


def test_values_without_a_view_are_zeros_but_for_sparse_ones():
    built = Builder(nodes=[{"translation": [5, 5, 5]}])
    rows = built.view(struct.pack("<H", 2))
    values = built.view(struct.pack("<fff", 1, 2, 3))
    sparse = {"count": 1, "indices": {"bufferView": rows, "componentType": 5123}, "values": {"bufferView": values}}
    built.content["accessors"].append({"componentType": 5126, "count": 3, "type": "VEC3", "sparse": sparse})
    built.animation((0, "translation", np.arange(3) / 30, 0, "LINEAR"))
    expected = [[0, 0, 0], [0, 0, 0], [1, 2, 3]]
    np.testing.assert_array_equal(loaded(built, unit="m").translations[:, 0], expected)


def test_text_with_a_byte_order_mark_and_json_padded_with_zeros_are_read():
    built = turning([0.0, 1.0])
    assert len(clip_of(parse(b"\xef\xbb\xbf" + built.gltf(), "marked.gltf"))) == 2
    data = bytearray(built.glb())
    (length,) = struct.unpack_from("<I", data, 12)
    data[20 : 20 + length] = data[20 : 20 + length].rstrip(b" ").ljust(length, b"\0")
    assert len(clip_of(parse(bytes(data), "padded.glb"))) == 2


def body_with(material):
    built = sample()
    built.content["materials"] = [material]
    built.content["meshes"][0]["primitives"][0]["material"] = 0
    return own_body(loaded(built))


@pytest.mark.parametrize(
    ("material", "why"),
    [
        ({"alphaMode": "MASK", "alphaCutoff": -0.5}, r"materials\[0\]\.alphaCutoff: is -0\.5; expected 0 or more"),
        ({"alphaMode": "MASK", "alphaCutoff": True}, r"materials\[0\]\.alphaCutoff: is True"),
        (
            {"pbrMetallicRoughness": {"baseColorFactor": [2, 0, 0, 1]}},
            r"materials\[0\]\.pbrMetallicRoughness\.baseColorFactor: is \[2, 0, 0, 1\]; expected 4 numbers from 0 to 1",
        ),
    ],
)
def test_a_broken_material_is_told_by_its_place(material, why):
    with pytest.raises(FileError, match=why):
        body_with(material)


@pytest.mark.parametrize("cutoff", [0, 0.25, 1.0, 1.5, 10**400])
def test_a_cutoff_above_one_hides_everything_as_the_standard_says(cutoff):
    [[part]] = body_with({"alphaMode": "MASK", "alphaCutoff": cutoff}).meshes
    assert part.material.cutoff == cutoff if cutoff <= 1.0 else part.material.cutoff > 1.0
