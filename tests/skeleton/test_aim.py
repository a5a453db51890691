"""A joint that aims looks exactly at its target, from where its eye is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from limbik.errors import LimbikError
from limbik.skeleton.clip import Clip
from limbik.skeleton.skeleton import Skeleton


def head(frames, seed=0):
    rng = np.random.default_rng(seed)
    skeleton = Skeleton(("chest", "head"), [-1, 0], [[0, 1.2, 0], [0, 0.3, 0]])
    return Clip(skeleton, Rotation.random(2 * frames, rng=rng).as_quat().reshape(frames, 2, 4))


def seen(clip, axis, offset):
    """Where the eye is and where it looks, (frames, 3) both."""
    positions, rotations = clip.world()
    turn = Rotation.from_quat(rotations[:, 1])
    return positions[:, 1] + turn.apply(offset), turn.apply(axis)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_the_line_of_sight_meets_the_target(seed):
    rng = np.random.default_rng(seed)
    clip = head(7, seed)
    axis, up, offset = rng.normal(size=(3, 3))
    axis /= np.linalg.norm(axis)
    targets = clip.positions()[:, 1] + (3 + rng.uniform(size=(7, 1))) * rng.normal(size=(7, 3))
    targets *= 1 + 5 * (np.linalg.norm(targets - clip.positions()[:, 1], axis=-1, keepdims=True) < 3)
    posed = clip.aim("head", targets, axis=axis, up_axis=up, offset=0.3 * offset, pole=rng.normal(size=3))
    eye, look = seen(posed, axis, 0.3 * offset)
    to = targets - eye
    assert np.abs(np.cross(look, to)).max() < 1e-9 * np.abs(to).max()
    assert (np.sum(look * to, -1) > 0).all()
    assert np.array_equal(posed.rotations[:, 0], clip.rotations[:, 0])


def test_a_pole_rolls_the_head_upright():
    clip = head(5)
    posed = clip.aim("head", (4, 2, 1), pole=(0, 1, 0))
    up = Rotation.from_quat(posed.world()[1][:, 1]).apply((0, 1, 0))
    _, look = seen(posed, (0, 0, 1), (0, 0, 0))
    assert np.allclose(np.sum(np.cross(look, up) * [0, 1, 0], -1), 0, atol=1e-12)
    assert (up[:, 1] > 0).all()


def test_the_limit_stops_the_turn_on_its_way():
    clip = head(50)
    full, stopped = clip.aim("head", (0, 5, 0)), clip.aim("head", (0, 5, 0), max_angle=0.5)
    turns = [
        Rotation.from_quat(p.rotations[:, 1]) * Rotation.from_quat(clip.rotations[:, 1]).inv() for p in (full, stopped)
    ]
    far = turns[0].magnitude() > 0.5
    assert far.sum() > 5
    assert turns[1].magnitude()[far] == pytest.approx(0.5)
    assert np.allclose(turns[1].magnitude()[~far], turns[0].magnitude()[~far])


def test_straight_back_turns_about_up():
    skeleton = Skeleton(("head",), [-1], [[0, 1, 0]])
    clip = Clip(skeleton, [[[0, 0, 0, 1]]])
    posed = clip.aim("head", (0, 1, -3))
    assert np.abs(posed.rotations[0, 0]) == pytest.approx([0, 1, 0, 0])


def test_weight_nothing_changes_nothing():
    clip = head(3)
    assert np.array_equal(clip.aim("head", (1, 2, 3), weight=0).rotations, clip.rotations)


def test_the_target_on_the_joint_changes_nothing():
    clip = head(3)
    posed = clip.aim("head", clip.positions()[:, 1])
    assert np.allclose(np.abs(np.sum(posed.rotations * clip.rotations, -1)), 1)


@pytest.mark.parametrize(
    "change", [{"axis": (0, 0, 0)}, {"joint": "hed"}, {"max_angle": -1}, {"weight": 2}, {"targets": (1, 2)}]
)
def test_what_cannot_be_is_said(change):
    with pytest.raises(LimbikError, match=next(iter(change))):
        head(3).aim(**{"joint": "head", "targets": (1, 2, 3), **change})
