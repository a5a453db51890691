"""Skeletons, poses and clips: nobody writes to them, they are cut and moved as asked, and refuse what does not fit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from limbik.errors import ArgumentError, ShapeError
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton, tree
from limbik.skeleton.units import UNITS, as_unit, guess_unit
from tests.skeleton import figures
from tests.skeleton.conventions import CONVENTIONS

SKELETON = figures.resting(*CONVENTIONS["OpenNI"].read(), rng=np.random.default_rng(0))


def clip(frames=20, **more):
    return figures.moving(SKELETON, np.random.default_rng(1), frames, **more)


@given(st.integers(0, 25), st.integers(0, 25), st.integers(1, 5))
def test_a_slice_is_the_same_motion_at_its_own_time(first, last, step):
    whole = clip(start=2.0, feet=(3,), contacts=np.arange(20)[:, None] % 3 == 0, name="walk")
    part = whole[first:last:step]
    frames = range(20)[first:last:step]
    assert len(part) == len(frames)
    assert np.array_equal(part.positions(), whole.positions()[list(frames)])
    assert np.array_equal(part.contacts, whole.contacts[list(frames)])
    if len(frames):
        assert np.allclose(part.times, whole.times[list(frames)])
    assert part.name == "walk"


def test_a_slice_shares_its_memory():
    whole = clip()
    assert np.shares_memory(whole[5:9].rotations, whole.rotations)


def test_one_frame_is_a_pose():
    whole = clip()
    assert type(whole[3]) is Pose
    assert np.array_equal(whole[-1].positions(), whole.positions()[-1])


def test_time_runs_forward():
    with pytest.raises(ArgumentError, match="positive step"):
        clip()[::-1]


@given(st.integers(0, 2**32))
def test_moved_turns_and_shifts_the_whole_figure(seed):
    rng = np.random.default_rng(seed)
    shift, turn = rng.normal(size=3), Rotation.from_quat(figures.random_quaternions(rng))
    whole = clip()
    moved = whole.moved(shift, turn.as_quat())
    wanted = turn.apply(whole.positions().reshape(-1, 3)).reshape(20, -1, 3) + shift
    assert np.allclose(moved.positions(), wanted, atol=1e-12)
    shifts = rng.normal(size=(20, 3))
    assert np.allclose(whole.moved(shifts).positions(), whole.positions() + shifts[:, None], atol=1e-12)


def test_rest_is_where_the_joints_were_put():
    _, _, places = CONVENTIONS["OpenNI"].read()
    assert np.allclose(Pose.rest(SKELETON).positions(), places, atol=1e-12)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Skeleton(("a", "b"), [-1, 1], np.zeros((2, 3))), "parents before their children"),
        (lambda: Skeleton(("a", "b"), [-2, 0], np.zeros((2, 3))), "parents before their children"),
        (lambda: Skeleton(("a", "b"), [-1], np.zeros((2, 3))), r"parents: got shape \(1,\)"),
        (lambda: Skeleton(("a", "b"), [-1, 0], np.zeros((3, 3))), "translations: got shape"),
        (lambda: Pose(SKELETON, np.zeros((4, 4))), "a quaternion xyzw for each joint"),
        (lambda: Pose(SKELETON, SKELETON.rotations, np.zeros((2, 3))), "as the rotations"),
        (lambda: Clip(SKELETON, SKELETON.rotations), "frames"),
        (lambda: clip(fps=30.0).with_(fps=0.0), "frames a second"),
        (lambda: clip().with_(feet=(1,), contacts=np.ones((20, 2))), r"contacts: .* one for each frame and foot"),
    ],
)
def test_what_does_not_fit_is_refused(build, message):
    with pytest.raises((ArgumentError, ShapeError), match=message):
        build()


def test_a_path_leads_from_an_ancestor_down():
    hip, foot = SKELETON.index("left_hip"), SKELETON.index("left_foot")
    assert [SKELETON.names[joint] for joint in SKELETON.path(hip, foot)] == ["left_hip", "left_knee", "left_foot"]
    with pytest.raises(ArgumentError, match="one of its descendants"):
        SKELETON.path(foot, hip)


def test_the_tree_shows_every_joint_below_its_parent():
    lines = tree(SKELETON)
    assert sorted(line.strip() for line in lines) == sorted(SKELETON.names)
    for joint, parent in enumerate(SKELETON.parents):
        at = next(k for k, line in enumerate(lines) if line.strip() == SKELETON.names[joint])
        depth = len(lines[at]) - len(lines[at].lstrip())
        above = next((line.strip() for line in lines[at::-1] if len(line) - len(line.lstrip()) < depth), None)
        assert above == (None if parent < 0 else SKELETON.names[parent])


@given(st.sampled_from(sorted(UNITS)), st.floats(1.0, 2.2))
def test_the_unit_of_a_person_is_guessed(name, height):
    unit = UNITS[name]
    if name in ("m", "cm", "mm"):
        assert guess_unit(height / unit.metres, tuple(UNITS[one] for one in ("m", "cm", "mm"))) == unit
    assert as_unit(name) is unit
    assert as_unit(unit.metres * 3.0).metres == unit.metres * 3.0
