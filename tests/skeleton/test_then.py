"""One clip after the other: every frame of both, no jump where they meet, and the figure goes on from where it was."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from limbik.errors import ArgumentError
from limbik.skeleton.clip import Clip
from tests.skeleton import figures
from tests.skeleton.conventions import CONVENTIONS

SKELETON = figures.resting(*CONVENTIONS["LAFAN1"].read(), rng=np.random.default_rng(0))


def clip(seed, frames=30, fps=30.0, amount=0.5, **more):
    return figures.moving(SKELETON, np.random.default_rng(seed), frames, fps, amount, **more)


def heading(seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=3) * [1, 0, 1], Rotation.from_euler("y", rng.uniform(-np.pi, np.pi)).as_quat()


@given(st.integers(0, 2**32), st.integers(0, 30))
def test_the_parts_of_a_clip_give_the_clip_back(seed, cut):
    whole = clip(seed, 30, name="walk", source="file", start=2.0)
    again = whole[:cut].then(whole[cut:], blend=0.0, follow=False)
    assert np.array_equal(again.rotations, whole.rotations)
    assert np.array_equal(again.translations, whole.translations)
    assert (again.fps, again.name, again.source) == (whole.fps, whole.name, whole.source)


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 40), st.floats(0.0, 2.0), st.booleans())
def test_clips_overlap_by_the_blend_and_are_themselves_outside(seed, frames, other_frames, blend, follow):
    a, b = clip(seed, frames), clip(seed + 1, other_frames)
    joined = a.then(b, blend, follow)
    overlap = min(round(blend * 30.0), frames, other_frames)
    assert len(joined) == frames + other_frames - overlap
    assert np.array_equal(joined.rotations[: frames - overlap], a.rotations[: frames - overlap])
    below = np.flatnonzero(SKELETON.parents >= 0)
    assert np.array_equal(joined.rotations[frames:, below], b.rotations[overlap:, below])
    if not follow:
        assert np.array_equal(joined.positions()[frames:], b.positions()[overlap:])


@given(st.integers(0, 2**32), st.floats(0.1, 0.9))
def test_a_motion_that_was_turned_and_moved_elsewhere_goes_on_as_if_it_had_not_been(seed, blend):
    whole = clip(seed, 60)
    frames = round(blend * 30.0)
    a, b = whole[:40], whole[40 - frames :].moved(*heading(seed))
    joined = a.then(b, blend)
    assert np.allclose(joined.positions(), whole.positions(), atol=1e-9)


@given(st.integers(0, 2**32))
def test_without_a_blend_the_motion_goes_on_at_its_speed(seed):
    whole = clip(seed, 120, fps=120.0)
    joined = whole[:60].then(whole[60:].moved(*heading(seed)), blend=0.0)
    step = np.abs(np.diff(whole.positions(), axis=0)).max()
    assert len(joined) == 120
    assert np.abs(joined.positions() - whole.positions()).max() < 0.5 * step


@given(st.integers(0, 2**32))
def test_a_blend_has_no_jump(seed):
    a, b = clip(seed, 40), clip(seed + 1, 40).moved(*heading(seed))
    joined = a.then(b, blend=0.5)
    apart = np.linalg.norm(a.positions()[-15:] - joined[25:40].positions(), axis=-1).max()
    own = max(np.linalg.norm(np.diff(one.positions(), axis=0), axis=-1).max() for one in (a, b))
    steps = np.linalg.norm(np.diff(joined.positions(), axis=0), axis=-1)
    # A fade of 15 frames moves by what lies between the clips, at no time faster than twice its average speed.
    assert steps.max() <= 2.0 * own + 3.0 * max(apart, 0.5) * 2.0 / 15


def test_it_stays_on_the_ground_and_upright():
    a, b = clip(1), clip(2).moved((3.0, 0.0, 1.0), Rotation.from_euler("y", 2.0).as_quat())
    joined = a.then(b, blend=0.0)
    assert np.allclose(joined[30:].positions()[..., 1], b.positions()[..., 1], atol=1e-12)


def test_the_other_clip_takes_the_rate_of_the_first():
    a, b = clip(3, 31, 30.0), clip(4, 61, 60.0)
    joined = a.then(b, blend=0.0, follow=False)
    assert (joined.fps, len(joined)) == (30.0, 62)
    assert np.array_equal(joined.positions()[31:], b[::2].positions())


def test_contacts_are_kept_where_both_have_them_for_the_same_feet():
    rng = np.random.default_rng(5)
    first, second = rng.random((2, 30, 2)) < 0.5
    a, b = clip(5, feet=(3, 7), contacts=first), clip(6, feet=(3, 7), contacts=second)
    assert np.array_equal(a.then(b, blend=0.0).contacts, np.vstack([first, second]))
    faded = a.then(b, blend=10 / 30).contacts
    assert np.array_equal(faded, np.vstack([first[:25], second[5:]]))
    assert a.then(clip(6), blend=0.0).contacts is None


def test_a_clip_without_scales_has_scales_of_one():
    scales = np.random.default_rng(0).uniform(0.5, 2.0, (30, len(SKELETON), 3))
    a, b = clip(7), clip(8, scales=scales)
    assert np.array_equal(a.then(b, blend=0.0).scales, np.concatenate([np.ones_like(scales), scales]))
    assert np.array_equal(b.then(a, blend=0.0).scales, np.concatenate([scales, np.ones_like(scales)]))


def test_an_empty_clip_adds_nothing():
    a = clip(9)
    assert a.then(a[:0]) is a
    assert a[:0].then(a) is a


def test_another_skeleton_is_refused():
    other = figures.resting(*CONVENTIONS["OpenNI"].read())
    with pytest.raises(ArgumentError, match="same joints"):
        clip(10).then(Clip(other, other.rotations[None]))


@pytest.mark.parametrize("blend", [-0.1, np.nan, np.inf])
def test_a_blend_is_seconds(blend):
    with pytest.raises(ArgumentError, match="seconds"):
        clip(11).then(clip(12), blend)
