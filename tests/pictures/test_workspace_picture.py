"""What is drawn as within reach is what forward kinematics can get to, and nothing else."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

import limbik
from limbik.errors import ArgumentError, ShapeError
from limbik.limbs.status import Status
from limbik.pictures.workspace_plot import grid_of, section, workspace, workspace_figure

from .texts import assert_readable

RANGES = (
    st.tuples(st.floats(0.0, np.pi), st.floats(0.0, np.pi)).map(sorted).filter(lambda ends: ends[1] - ends[0] > 0.3)
)
LAST = st.tuples(st.floats(-3.1, 3.1), st.floats(-3.1, 3.1)).map(sorted).filter(lambda ends: ends[1] - ends[0] > 0.3)
LENGTH = st.floats(0.2, 1.0)


def within(ends, count):
    """Angles of a range, evenly, and none on its ends, where rounding decides."""
    return np.linspace(*ends, count + 2)[1:-1]


def turned(angle):
    return np.stack([np.cos(angle), np.sin(angle)], -1)


def planar_tips(first, second, bends):
    """Every place (n, 2) that the tip of a planar arm gets to, by trying all of its angles."""
    shoulder, elbow = np.meshgrid(np.linspace(-np.pi, np.pi, 400), within(bends, 200))
    return (first * turned(shoulder) + second * turned(shoulder + elbow)).reshape(-1, 2)


def leg_tips(lengths, up, knees, ankles):
    """Every place (n, 2) that a leg in the plane gets to, bending either way, its last link turned by `up`, radians."""
    knee, ankle = np.meshgrid(within(knees, 150), within(ankles, 150))
    tips = []
    for way in (1, -1):
        shank = up - way * ankle
        thigh = shank - way * knee
        tips.append(lengths[0] * turned(thigh) + lengths[1] * turned(shank) + lengths[2] * turned(up + 0 * knee))
    return np.concatenate([one.reshape(-1, 2) for one in tips])


def farthest(points, tips):
    """How far any of the points is from the nearest of the tips."""
    return cKDTree(tips).query(points)[0].max(initial=0.0)


@settings(max_examples=25, deadline=None)
@given(LENGTH, LENGTH, RANGES)
def test_a_planar_arm_reaches_what_its_angles_do(first, second, bends):
    limb = limbik.PlanarTwoLink(first, second, middle_limits=bends)
    grid = grid_of(limb, None, 60)
    tips = planar_tips(first, second, bends)
    assert section(limb, tips).reached.all()
    reached = section(limb, grid.targets).reached
    assert farthest(grid.points[reached], tips) < 0.02 * (first + second)


@settings(max_examples=15, deadline=None)
@given(st.tuples(LENGTH, LENGTH, LENGTH), RANGES, LAST, st.tuples(*[st.floats(-1.0, 1.0)] * 3))
def test_a_leg_reaches_what_its_angles_do_with_up_exact(lengths, knees, ankles, up):
    assume(np.linalg.norm(up) > 0.1)
    up = np.array(up) / np.linalg.norm(up)
    limb = limbik.ThreeLink(*lengths, middle_limits=knees, last_limits=ankles)
    grid = grid_of(limb, up, 60)
    flat = grid.plane.project_directions(up)
    assert np.linalg.norm(flat) == pytest.approx(1.0)  # the plane holds `up`
    tips = leg_tips(lengths, np.arctan2(flat[1], flat[0]), knees, ankles)
    assert section(limb, grid.plane.to_space(tips), up).reached.all()
    reached = section(limb, grid.targets, up).reached
    assert farthest(grid.points[reached], tips) < 0.05 * sum(lengths)


@settings(max_examples=30, deadline=None)
@given(LENGTH, LENGTH, RANGES)
def test_statuses_and_bends_of_two_links_are_those_of_their_solutions(first, second, bends):
    limb = limbik.TwoLink(first, second, middle_limits=bends)
    grid = grid_of(limb, None, 60)
    found, solution = section(limb, grid.targets), limb.solve(grid.targets)
    assert np.array_equal(found.status, solution.status)
    distance = np.linalg.norm(grid.targets[found.reached], axis=-1)
    expected = np.arccos(np.clip((distance**2 - first**2 - second**2) / (2 * first * second), -1, 1))
    assert found.bend[found.reached] == pytest.approx(expected, abs=1e-6)
    assert np.isnan(found.bend[~found.reached]).all()


def test_what_is_limited_is_what_a_limb_without_ranges_reaches():
    up = np.array([0.0, -0.6, 0.8])
    free, held = limbik.ThreeLink(0.5, 0.4, 0.2), limbik.ThreeLink(0.5, 0.4, 0.2, last_limits=(0.2, 1.0))
    grid = grid_of(free, up, 150)
    all_of_it, some = section(free, grid.targets, up), section(held, grid.targets, up)
    assert np.array_equal(some.status == Status.LIMITED, all_of_it.reached & ~some.reached)
    assert np.array_equal(some.status[~all_of_it.reached], all_of_it.status[~all_of_it.reached])
    assert all_of_it.both[all_of_it.reached].all() and not some.both.all()


def test_both_is_where_either_bend_reaches_with_up_exact():
    up = np.array([0.3, -0.6, 0.8])
    limb = limbik.ThreeLink(0.5, 0.4, 0.2, last_limits=(-0.5, 1.5))
    grid = grid_of(limb, up, 150)
    found = section(limb, grid.targets, up)
    poses = [limb.solve(grid.targets, up, bend=bend) for bend in (1, -1)]
    assert np.array_equal(found.both, poses[0].reached & poses[1].reached)
    for pose in poses:
        assert pose.up_error[pose.reached].max() < 1e-6


def test_what_is_drawn_is_the_section():
    limb = limbik.PlanarTwoLink(0.5, 0.2, middle_limits=(0.3, 2.5))
    figure = workspace_figure(limb, side=200)
    (image,) = figure.axes[0].get_images()
    found = section(limb, grid_of(limb, None, 200).targets)
    shown = np.ma.filled(image.get_array(), np.nan)
    assert shown == pytest.approx(np.degrees(found.bend), nan_ok=True)
    assert image.get_extent() == pytest.approx([-0.77, 0.77, -0.77, 0.77])
    told = [text.get_text() for legend in figure.legends for text in legend.get_texts()]
    assert told == ["a pose", "within reach", "beyond a joint's range", "too near", "too far"]


def test_the_pose_that_is_drawn_is_one_of_the_limb():
    figure = workspace_figure(limbik.ThreeLink(0.5, 0.4, 0.2, last_limits=(-0.5, 1.5)), up=(0.4, -1.0, 0.2), side=100)
    joints = max((line.get_xydata() for line in figure.axes[0].get_lines()), key=len)
    assert np.linalg.norm(np.diff(joints, axis=0), axis=-1) == pytest.approx([0.5, 0.4, 0.2])


LIMBS = {
    "planar": (limbik.PlanarTwoLink(0.5, 0.4), None),
    "planar, limited": (limbik.PlanarTwoLink(0.5, 0.2, middle_limits=(0.3, 2.5)), None),
    "two-link": (limbik.TwoLink(0.3, 0.28), None),
    "two-link, limited": (limbik.TwoLink(0.3, 0.18, middle_limits=(0.2, 2.5)), None),
    "three-link": (limbik.ThreeLink(0.45, 0.42, 0.12), (0, -1, 0)),
    "three-link, limited": (
        limbik.ThreeLink(0.45, 0.38, 0.2, middle_limits=(0.1, 2.4), last_limits=(-0.5, 2.1)),
        (0.2, -0.3, 1),
    ),
    "three-link, sideways": (limbik.ThreeLink(0.45, 0.38, 0.2), (-1, 0, 0)),
    "a joint that cannot move": (limbik.TwoLink(0.3, 0.28, middle_limits=(1.0, 1.0)), None),
    "very small": (limbik.PlanarTwoLink(3e-9, 2e-9), None),
    "very large": (limbik.ThreeLink(3e15, 2e15, 1e15), None),
}


@pytest.mark.parametrize("name", LIMBS)
def test_every_text_can_be_read(name):
    limb, up = LIMBS[name]
    assert_readable(workspace_figure(limb, up, side=80))


def test_bad_arguments(tmp_path):
    leg, out = limbik.ThreeLink(0.5, 0.4, 0.2), tmp_path / "a.png"
    with pytest.raises(ArgumentError, match="a direction"):
        workspace(leg, out, up=(0, 0, 0))
    with pytest.raises(ArgumentError, match="finite numbers"):
        workspace(leg, out, up=(0, np.nan, 0))
    with pytest.raises(ShapeError, match="up: got shape"):
        workspace(leg, out, up=(0, 1))
    with pytest.raises(ArgumentError, match="up: got"):
        workspace(limbik.TwoLink(0.5, 0.4), out, up=(0, -1, 0))
    with pytest.raises(ArgumentError, match="a single one"):
        workspace(limbik.TwoLink([0.5, 0.6], 0.4), out)
    assert not list(tmp_path.iterdir())
