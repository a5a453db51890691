"""Clips as BVH files: what was not changed comes back number by number, and what was changed is where it should be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.spatial.transform import Rotation

from limbik.errors import ArgumentError
from limbik.files import bvh
from limbik.rotations import about, multiply
from limbik.skeleton.clip import Clip
from limbik.skeleton.skeleton import Skeleton
from limbik.skeleton.units import CENTIMETRE, METRE
from tests.assets import CLIPS, SAMPLE_BVH, asset
from tests.optional import optional

from .bvh_figures import POSITIONS, ROTATIONS, figures, walker


def read(figure, **options):
    return bvh.parse(figure.text().encode(), "figure.bvh", **({"unit": "m", "up": "y"} | options))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("bvh")


def back(clip, folder, **options):
    """The clip written, and read again as the same unit with the same axis up."""
    path = folder / "out.bvh"
    bvh.save(clip, path)
    up = clip.source.up if clip.source else "y"
    return bvh.load(path, **({"unit": clip.unit, "up": up} | options))


@pytest.mark.parametrize("name", [SAMPLE_BVH, *CLIPS])
def test_a_recording_comes_back_number_by_number(name, folder):
    clip = bvh.load(asset(name))
    again = back(clip, folder, unit="auto", up="auto")
    ours, theirs = again.source, clip.source
    assert ours.hierarchy.channels == theirs.hierarchy.channels
    assert ours.motion.frame_time == theirs.motion.frame_time
    assert np.abs(ours.hierarchy.offsets - theirs.hierarchy.offsets).max() <= 1e-6
    assert np.abs(ours.motion.values - theirs.motion.values).max() <= 1e-6
    assert np.abs(again.positions() - clip.positions()).max() <= 1e-6
    assert (again.unit, again.fps, again.skeleton.names) == (clip.unit, clip.fps, clip.skeleton.names)


@given(figure=figures(), up=st.sampled_from("xyz"), metres=st.sampled_from([1.0, 0.01, 0.0254]))
def test_any_file_comes_back_number_by_number(folder, figure, up, metres):
    clip = read(figure, up=up, unit=metres)
    again = back(clip, folder)
    assert again.skeleton.names == clip.skeleton.names
    assert again.source.hierarchy.channels == clip.source.hierarchy.channels
    assert np.allclose(again.source.hierarchy.offsets, clip.source.hierarchy.offsets, rtol=0, atol=1e-6)
    assert np.allclose(again.source.motion.values, clip.source.motion.values, rtol=0, atol=1e-6)


@given(figure=figures(frames=7), start=st.integers(0, 5), step=st.integers(1, 3))
def test_part_of_a_file_comes_back_number_by_number(folder, figure, start, step):
    clip = read(figure)[start::step]
    again = back(clip, folder)
    if figure.columns:
        assert np.allclose(again.source.motion.values, figure.values[start::step], rtol=0, atol=1e-6)
        assert again.fps == pytest.approx(clip.fps)


def edited(clip, joint, frames, turn):
    rotations = clip.rotations.copy()
    rotations[frames, joint] = multiply(rotations[frames, joint], turn)
    return clip.with_(rotations=rotations)


@pytest.mark.parametrize("name", [SAMPLE_BVH, *CLIPS[:3]])
@pytest.mark.parametrize("frames", [slice(None), slice(100, 200), slice(0, 50), slice(150, None)])
def test_what_was_not_edited_keeps_its_numbers_and_what_was_runs_on_without_jumps(name, frames, folder):
    clip = bvh.load(asset(name))[1:]  # the first frame of these takes is a pose apart
    joint = clip.skeleton.index("RightArm")
    count = len(range(*frames.indices(len(clip))))
    turn = about([0.0, 1.0, 0.0], np.radians(60.0) * np.sin(np.linspace(0.0, np.pi, count)) ** 2)
    posed = edited(clip, joint, frames, turn)
    again = back(posed, folder)
    assert np.abs(again.positions() - posed.positions()).max() < 1e-6
    before, after = clip.source.motion.values[1:], again.source.motion.values
    own = [k for k, (one, _) in enumerate(clip.source.hierarchy.columns) if one == joint]
    others = np.setdiff1d(np.arange(before.shape[1]), own)
    assert np.abs(after[:, others] - before[:, others]).max() <= 1e-6
    assert np.abs(np.diff(after[:, own], axis=0)).max() < 90.0
    untouched = np.ones(len(clip), bool)
    untouched[frames] = False
    unwound = np.unwrap(before[:, own], period=360, axis=0)  # where the recording itself does not jump
    if np.allclose(unwound, before[:, own], atol=1e-9):
        assert np.abs(after[untouched][:, own] - before[untouched][:, own]).max(initial=0.0) <= 1e-6


@given(
    axis=hnp.arrays(float, 3, elements=st.floats(-1, 1)).filter(lambda a: np.linalg.norm(a) > 0.1),
    turns=st.integers(1, 4),
)
def test_a_joint_that_turns_and_turns_never_jumps(folder, axis, turns):
    frames = 400
    spin = about(axis / np.linalg.norm(axis), np.linspace(0.0, 2 * np.pi * turns, frames))
    clip = Clip(Skeleton(("Top",), np.array([-1]), np.zeros((1, 3))), spin[:, None], fps=60.0)
    values = back(clip, folder).source.motion.values[:, 3:]
    given_back = Rotation.from_euler("ZYX", values, degrees=True).as_quat()
    assert np.abs(np.abs(np.sum(given_back * spin, axis=-1)) - 1.0).max() < 1e-12
    # However fast angles are near gimbal lock, a change of the triple would show as a step of half a turn in each.
    steps = np.abs(np.diff(values, axis=0))
    assert np.all((steps.min(axis=-1) < 90.0) & (steps[:, 1] < 90.0))


@pytest.mark.parametrize("middle", [90.0, -90.0])
def test_in_gimbal_lock_angles_are_right_and_do_not_jump(middle, folder):
    outer = np.linspace(0.0, 300.0, 200)
    approach = np.concatenate([np.linspace(0.0, middle, 50), np.full(100, middle), np.linspace(middle, 0.0, 50)])
    angles = np.stack([outer, approach, np.full(200, 30.0)], axis=-1)
    spin = Rotation.from_euler("ZYX", angles, degrees=True).as_quat()
    clip = Clip(Skeleton(("Top",), np.array([-1]), np.zeros((1, 3))), spin[:, None])
    values = back(clip, folder).source.motion.values[:, 3:]
    given_back = Rotation.from_euler("ZYX", values, degrees=True).as_quat()
    assert np.abs(np.abs(np.sum(given_back * spin, axis=-1)) - 1.0).max() < 1e-12
    assert np.abs(np.diff(values, axis=0)).max() < 3.0


@given(figure=figures(), data=st.data())
def test_a_changed_clip_is_where_it_should_be_whatever_channels_its_file_had(folder, figure, data):
    clip = read(figure)
    joint = data.draw(st.integers(0, len(clip.skeleton) - 1))
    quaternion = st.sampled_from([(0.6, 0.0, 0.0, 0.8), (0.5, 0.5, 0.5, 0.5), (0.1, -0.3, 0.9, -0.3), (0, 1, 0, 0)])
    turn = np.array(data.draw(quaternion))
    shift = np.array(data.draw(st.sampled_from([(0, 0, 0), (0.5, 0, 0), (1, -2, 3)])), float)
    posed = edited(clip, joint, slice(None), turn / np.linalg.norm(turn))
    translations = posed.translations.copy()
    translations[:, joint] += shift
    posed = posed.with_(translations=translations)
    again = back(posed, folder)
    assert [again.skeleton.names.index(name) for name in clip.skeleton.names] == list(range(len(clip.skeleton)))
    if len(posed):
        assert np.allclose(again.positions(), posed.positions(), rtol=0, atol=2e-5)
        places = [k for k, one in enumerate(clip.skeleton.end_sites) if not one]
        turned = np.abs(np.sum(again.world()[1] * posed.world()[1], axis=-1))
        assert np.all(turned[:, places] > 1.0 - 1e-9)


def test_channels_that_suffice_are_kept_and_others_are_added(folder):
    figure = walker()
    clip = read(figure)
    names = clip.skeleton.names
    hinge = names.index("LeftLeg")
    columns = [k for k, (joint, channel) in enumerate(figure.columns) if joint != hinge or channel == "Zrotation"]
    figure.joints[hinge].channels = ("Zrotation",)
    figure.values = figure.values[:, columns]
    clip = read(figure)
    about_z = edited(clip, hinge, slice(None), about([0.0, 0.0, 1.0], 0.3))
    assert back(about_z, folder).source.hierarchy.channels[hinge] == ("Zrotation",)
    about_x = edited(clip, hinge, slice(None), about([1.0, 0.0, 0.0], 0.3))
    kept = back(about_x, folder)
    assert kept.source.hierarchy.channels[hinge][0] == "Zrotation"
    assert len(kept.source.hierarchy.channels[hinge]) > 1
    assert np.abs(kept.positions() - about_x.positions()).max() < 1e-6
    stretched = clip.translations.copy()
    stretched[:, hinge + 1] *= 1.1
    kept = back(clip.with_(translations=stretched), folder)
    assert kept.source.hierarchy.channels[hinge + 1] == (*POSITIONS, *figure.joints[hinge + 1].channels)
    assert kept.source.hierarchy.channels[0] == clip.source.hierarchy.channels[0]


def elsewhere():
    """A clip that came from no BVH file: its joints in another order, with rotations at rest and scales."""
    random = np.random.default_rng(7)
    names = ("Hips", "Left Leg", "Right Leg", "Left {Foot}\n", "Right Foot", "", "Tail")
    parents = np.array([-1, 0, 0, 1, 2, 0, -1])
    rest = Rotation.random(7, random_state=1).as_quat()
    skeleton = Skeleton(names, parents, random.normal(size=(7, 3)), rest)
    turns = np.cumsum(random.normal(scale=0.05, size=(30, 7, 3)), axis=0)
    rotations = (Rotation.from_quat(np.tile(rest, (30, 1))) * Rotation.from_rotvec(turns.reshape(-1, 3))).as_quat()
    return Clip(skeleton, rotations.reshape(30, 7, 4), fps=24.0, unit=CENTIMETRE)


def test_a_clip_from_elsewhere_has_the_usual_channels(folder):
    clip = elsewhere()
    again = back(clip, folder, unit="cm")
    order = [0, 1, 3, 2, 4, 5, 6]
    assert again.skeleton.names == ("Hips", "Left Leg", "Left _Foot__", "Right Leg", "Right Foot", "joint_5", "Tail")
    assert np.abs(again.positions() - clip.positions()[:, order]).max() < 1e-6
    assert np.abs(np.abs(np.sum(again.rotations * clip.rotations[:, order], axis=-1)) - 1.0).max() < 1e-12
    assert again.source.hierarchy.channels[0] == (*POSITIONS, "Zrotation", "Yrotation", "Xrotation")
    assert set(again.source.hierarchy.channels[1:6]) == {("Zrotation", "Yrotation", "Xrotation")}
    assert again.fps == 24.0
    assert "OFFSET 0.0 0.0 0.0" in (folder / "out.bvh").read_text()  # the End Sites of leaves that have none


def test_scales_become_positions(folder):
    scales = np.ones((30, 7, 3))
    scales[:, 0] = np.linspace(1.0, 2.0, 30)[:, None]
    scales[:, 1] = [1.0, 0.5, 2.0]
    clip = elsewhere().with_(scales=scales)
    again = back(clip, folder)
    order = [0, 1, 3, 2, 4, 5, 6]
    assert np.abs(again.positions() - clip.positions()[:, order]).max() < 1e-6
    assert again.scales is None


def test_a_marked_end_that_moves_is_written_as_a_joint(folder):
    clip = read(walker())
    end = clip.skeleton.names.index("LeftFoot_end")
    translations = clip.translations.copy()
    translations[:, end, 0] += np.linspace(0.0, 0.1, len(clip))
    posed = clip.with_(translations=translations)
    again = back(posed, folder)
    assert again.skeleton.names == clip.skeleton.names
    assert not again.skeleton.end_sites[end] and again.skeleton.end_sites.sum() == clip.skeleton.end_sites.sum() - 1
    assert np.abs(again.positions() - posed.positions()).max() < 1e-6


def test_another_rate_is_written_and_the_files_own_words_for_the_same_one(folder):
    figure = walker()
    figure.frame_time = ".0083333"
    clip = read(figure)
    bvh.save(clip, folder / "a.bvh")
    assert "\nFrame Time: .0083333\n" in (folder / "a.bvh").read_text()
    for fps in (30.0, 59.94005994005994, 1000.0, 0.25, 33.3):
        assert back(clip.with_(fps=fps), folder).fps == pytest.approx(fps, rel=1e-9)


def test_an_axis_and_a_unit_are_written_as_they_came(folder):
    for up in "xyz":
        figure = walker(up, 0.01)
        clip = read(figure, unit="cm", up=up)
        moved = clip.moved((1.0, 2.0, 3.0), about([0.0, 1.0, 0.0], 1.0))
        again = back(moved, folder)
        assert np.abs(again.positions() - moved.positions()).max() < 1e-6
        assert np.ptp(again.source.motion.values[:, :3], axis=0).max() > 80.0  # centimetres


def test_files_are_plain_text_that_pybvh_reads(folder):
    pybvh = optional("pybvh")
    clip = read(walker())
    turned = clip.moved(rotation=about([0.0, 1.0, 0.0], 2.0))
    bvh.save(turned, folder / "walk.bvh")
    theirs = pybvh.read_bvh_file(str(folder / "walk.bvh"), world_up="+y").node_positions()
    assert np.abs(theirs - turned.positions()).max() < 1e-6


def test_no_frames_and_no_channels(folder):
    clip = read(walker())[:0]
    again = back(clip, folder)
    assert len(again) == 0 and again.skeleton.names == clip.skeleton.names
    assert again.source.hierarchy.channels == clip.source.hierarchy.channels
    empty = Clip(Skeleton(("Top",), np.array([-1]), np.ones((1, 3))), np.zeros((0, 1, 4)), unit=METRE)
    assert back(empty, folder).skeleton.names == ("Top",)


def test_what_a_file_cannot_hold_is_told(folder):
    clip = read(walker())
    translations = clip.translations.copy()
    translations[3, 0, 1] = np.nan
    with pytest.raises(ArgumentError, match=r"nan in frame 3 of 'Hips'"):
        bvh.save(clip.with_(translations=translations), folder / "a.bvh")
    with pytest.raises(ArgumentError, match="no joints"):
        bvh.save(Clip(Skeleton((), np.zeros(0), np.zeros((0, 3))), np.zeros((2, 0, 4))), folder / "a.bvh")


def test_numbers_are_short(folder):
    bvh.save(read(walker()), folder / "walk.bvh")
    text = (folder / "walk.bvh").read_text()
    words = text[text.index("Frame Time") :].split("\n", 1)[1].split()
    assert max(len(word.split(".")[-1]) for word in words) <= 6
    assert {name for name in text.split() if name.endswith("rotation")} == set(ROTATIONS)
    assert "-0.0 " not in text
