"""Resampled, a motion is the same motion: its own frames where rates meet, and SciPy's arcs between them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp

from limbik.errors import ArgumentError
from tests.skeleton import figures
from tests.skeleton.conventions import CONVENTIONS

SKELETON = figures.resting(*CONVENTIONS["OpenNI"].read(), rng=np.random.default_rng(0))


def clip(seed, frames, fps=30.0):
    rng = np.random.default_rng(seed)
    made = figures.moving(SKELETON, rng, frames, fps, start=0.5, name="walk", source="file")
    scales = rng.uniform(0.5, 2.0, (frames, len(SKELETON), 3))
    return made.with_(scales=scales, feet=(5, 8), contacts=rng.random((frames, 2)) < 0.5)


@given(st.integers(0, 2**32), st.integers(2, 40), st.floats(5.0, 240.0), st.floats(5.0, 240.0))
def test_frames_lie_on_arcs_and_lines_between_their_neighbours(seed, frames, fps, other_fps):
    old = clip(seed, frames, fps)
    new = old.resampled(other_fps)
    assert new.fps == other_fps
    assert (new.times[0], new.name, new.source, new.unit) == (old.times[0], old.name, old.source, old.unit)
    assert new.times[-1] <= old.times[-1] + 1e-9
    assert old.times[-1] < new.times[-1] + (1.0 + 1e-6) / other_fps  # no frame of the new rate is left out
    at = np.minimum(new.times, old.times[-1])
    for joint in range(len(SKELETON)):
        wanted = Slerp(old.times, Rotation.from_quat(np.array(old.rotations[:, joint])))(at)
        assert (Rotation.from_quat(np.array(new.rotations[:, joint])) * wanted.inv()).magnitude().max() < 1e-7
        for name in ("translations", "scales"):
            for axis in range(3):
                line = np.interp(at, old.times, getattr(old, name)[:, joint, axis])
                assert np.allclose(getattr(new, name)[:, joint, axis], line, rtol=0, atol=1e-9)


@given(st.integers(0, 2**32), st.integers(1, 30), st.integers(1, 8), st.floats(1.0, 240.0))
def test_shared_frames_are_the_same_to_the_bit(seed, frames, factor, fps):
    old = clip(seed, frames, fps)
    finer = old.resampled(fps * factor)
    assert len(finer) == (frames - 1) * factor + 1
    back = finer.resampled(fps)
    for new in (finer[::factor], back):
        assert np.allclose(new.times, old.times, rtol=1e-12)
        for name in ("rotations", "translations", "scales", "contacts"):
            assert np.array_equal(getattr(new, name), getattr(old, name))


def test_contacts_are_those_of_the_nearest_frame():
    old = clip(1, 31)
    new = old.resampled(70.0)
    nearest = np.abs(new.times[:, None] - old.times).argmin(axis=1)
    assert np.array_equal(new.contacts, old.contacts[nearest])


def test_the_shorter_arc_is_taken_whatever_the_signs():
    old = clip(2, 20)
    signs = np.where(np.random.default_rng(0).random((20, len(SKELETON), 1)) < 0.5, -1.0, 1.0)
    flipped = old.with_(rotations=old.rotations * signs).resampled(77.0)
    assert np.allclose(flipped.positions(), old.resampled(77.0).positions(), atol=1e-12)


def test_opposite_rotations_give_a_rotation_all_the_same():
    rotations = np.tile(SKELETON.rotations, (2, 1, 1))
    rotations[1, 0] = [*np.roll(rotations[0, 0, :3], 1), 0.0]
    found = clip(3, 2).with_(rotations=rotations / np.linalg.norm(rotations, axis=-1, keepdims=True)).resampled(330.0)
    assert np.allclose(np.linalg.norm(found.rotations, axis=-1), 1.0)


@pytest.mark.parametrize("frames", [0, 1])
def test_a_clip_without_time_only_changes_its_rate(frames):
    new = clip(4, 5)[:frames].resampled(7.0)
    assert (len(new), new.fps) == (frames, 7.0)


@pytest.mark.parametrize("fps", [0.0, -1.0, np.nan, np.inf])
def test_a_rate_must_be_positive(fps):
    with pytest.raises(ArgumentError, match="frames a second"):
        clip(5, 3).resampled(fps)
