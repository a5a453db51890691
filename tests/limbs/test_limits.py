"""Joint limits: the nearest pose within them, against a search over all poses; and where they hold it back."""

import numpy as np
import pytest

import limbik
from limbik import Status
from limbik.engines import dispatch
from tests import reference
from tests.thoroughness import some

LENGTHS = (0.45, 0.42, 0.25)


def bends(s, bend=1):
    """The middle joint's bend and the last joint's, as `middle_limits` and `last_limits` measure them."""
    links = np.diff(np.asarray(s.joints, float), axis=-2)
    links /= np.linalg.norm(links, axis=-1, keepdims=True)
    hinge = reference.turn(np.asarray(s.rotations), [1.0, 0, 0])[..., 0, :]
    aim = np.sum(np.diff(np.asarray(s.joints, float), axis=-2)[..., :2, :], -2)
    # The knee bends from the first link towards the second: that way is positive for both joints.
    knee_side = np.asarray(s.joints)[..., 1, :] - np.asarray(s.joints)[..., 0, :]
    sense = np.sign(np.sum(np.cross(knee_side, aim) * hinge, -1))

    def signed(a, b):
        flat = b - np.sum(b * hinge, -1, keepdims=True) * hinge
        return np.arctan2(np.sum(np.cross(a, flat) * hinge, -1), np.sum(a * flat, -1))

    return sense * signed(links[..., 0, :], links[..., 1, :]), sense * signed(links[..., 1, :], links[..., 2, :])


def cases(count, seed=0, reach=1.1):
    rng = np.random.default_rng(seed)
    target = reference.random_directions(rng, count) * rng.uniform(0.05, reach, (count, 1))
    return target, reference.random_directions(rng, count)


@pytest.mark.parametrize("limits", [(0.0, np.pi), (0.3, 2.2), (1.0, 1.5), (0.7, 0.7)])
def test_the_middle_joint_stays_in_its_range(limits):
    target, up = cases(500)
    leg = limbik.ThreeLink(*LENGTHS, middle_limits=limits)
    s = leg.solve(target, up)
    links = np.diff(s.joints, axis=1)
    angle = reference.angle_between(links[:, 0], links[:, 1])
    assert angle.min() > limits[0] - 2e-8
    assert angle.max() < limits[1] + 2e-8
    d = np.linalg.norm(target - LENGTHS[2] * up, axis=-1)
    near, far = (np.sqrt(0.45**2 + 0.42**2 + 2 * 0.45 * 0.42 * np.cos(t)) for t in limits[::-1])
    assert np.abs(s.residual - np.abs(d - np.clip(d, near, far))).max() < 1e-12
    held = ((d > far + 1e-9) & (d < 0.87)) | ((d < near - 1e-9) & (d > 0.03))
    assert np.array_equal(s.status == Status.LIMITED, held)
    assert np.array_equal(s.status == Status.TOO_FAR, d > max(far, 0.87))


@pytest.mark.parametrize("limb", [limbik.PlanarTwoLink, limbik.TwoLink])
def test_middle_limits_of_the_two_link_limbs(limb):
    arm = limb(0.5, 0.4, middle_limits=(np.radians(20), np.radians(130)))
    size = 2 if limb is limbik.PlanarTwoLink else 3
    target = np.zeros((3, size))
    target[:, 0] = [0.9, 0.6, 0.2]
    s = arm.solve(target)
    assert s.status.tolist() == [Status.LIMITED, Status.REACHED, Status.LIMITED]
    links = np.diff(s.joints, axis=1)
    angle = np.arccos(np.sum(links[:, 0] * links[:, 1], -1) / 0.2)
    assert np.degrees(angle[[0, 2]]) == pytest.approx([20, 130])


def nearest_for_up(leg, target, up, origin_plane):
    """The least miss over all poses in the natural plane that keep `up`, by a fine search."""
    e, g, ranges = origin_plane
    low1, high1, low2, high2 = ranges
    p = target - LENGTHS[2] * up
    goal = np.array([p @ e, p @ g])
    foot = np.arctan2(up @ g, up @ e)
    last, knee = np.meshgrid(np.linspace(low2, high2, 400), np.linspace(low1, high1, 400))
    shank = foot + last
    thigh = shank + knee
    x = 0.45 * np.cos(thigh) + 0.42 * np.cos(shank) - goal[0]
    y = 0.45 * np.sin(thigh) + 0.42 * np.sin(shank) - goal[1]
    return np.sqrt(x * x + y * y).min()


def plane_of(target, up, bend):
    p = target - LENGTHS[2] * up
    e = p / np.linalg.norm(p)
    f = up - (up @ e) * e
    return e, bend * f / np.linalg.norm(f)


RANGES = [(0.0, np.pi, -0.5, 0.5), (0.2, 2.2, -2.0, -0.6), (0.4, 1.0, -1.2, 1.4), (0.0, 2.5, -np.pi, -1.0)]


@pytest.mark.parametrize("bend", [1, -1])
@pytest.mark.parametrize("ranges", RANGES)
def test_up_first_gives_the_nearest_pose(ranges, bend):
    target, up = cases(40, seed=1)
    leg = limbik.ThreeLink(*LENGTHS, middle_limits=ranges[:2], last_limits=ranges[2:])
    s = leg.solve(target, up, bend=bend)
    assert np.abs(s.up_error).max() < 1e-12
    assert np.abs(reference.link_lengths(s.joints) - LENGTHS).max() < 1e-12
    assert np.abs(leg.forward(s.angles) - s.joints).max() < 1e-12
    check_ranges(s, ranges)
    for k in range(len(target)):
        best = nearest_for_up(leg, target[k], up[k], (*plane_of(target[k], up[k], bend), ranges))
        assert s.residual[k] <= best + 1e-12
        assert best - s.residual[k] < 0.01  # the search's own coarseness
    free = limbik.ThreeLink(*LENGTHS, middle_limits=ranges[:2]).solve(target, up, bend=bend)
    same = s.status == free.status
    assert np.abs(s.joints - free.joints)[same & s.reached].max(initial=0) < 1e-12
    assert np.all(s.status[~same] == Status.LIMITED)


def check_ranges(s, ranges):
    middle, last = bends(s)
    straight = np.abs(np.sin(middle)) < 1e-6  # no side to measure by
    slack = 1e-6
    assert np.all((middle >= ranges[0] - slack) & (middle <= ranges[1] + slack) | straight)
    inside = (last >= ranges[2] - slack) & (last <= ranges[3] + slack)
    around = np.abs(np.abs(last) - np.pi) < slack
    assert np.all(inside | straight | around)


@pytest.mark.parametrize("bend", [1, -1])
@pytest.mark.parametrize("ranges", RANGES)
def test_position_first_gives_the_nearest_pose(ranges, bend):
    target, up = cases(25, seed=2)
    leg = limbik.ThreeLink(*LENGTHS, middle_limits=ranges[:2], last_limits=ranges[2:])
    s = leg.solve(target, up, priority="position", bend=bend)
    assert np.abs(reference.link_lengths(s.joints) - LENGTHS).max() < 1e-12
    assert np.abs(leg.forward(s.angles) - s.joints).max() < 1e-12
    check_ranges(s, ranges)
    low1, high1, low2, high2 = ranges
    last, knee = np.meshgrid(np.linspace(low2, high2, 300), np.linspace(low1, high1, 300))
    for k in range(len(target)):
        # The tip's distance from the hip is all that matters for its miss: aim is free.
        x = 0.45 * np.cos(knee) + 0.42 + 0.25 * np.cos(-last)
        y = 0.45 * np.sin(knee) + 0.25 * np.sin(-last)
        best = np.abs(np.hypot(x, y) - np.linalg.norm(target[k])).min()
        assert s.residual[k] <= best + 1e-12
        assert best - s.residual[k] < 0.01


def test_position_first_keeps_as_much_direction_as_the_limits_allow():
    target, up = cases(12, seed=5, reach=0.9)
    ranges = (0.2, 2.2, -1.2, 0.6)
    leg = limbik.ThreeLink(*LENGTHS, middle_limits=ranges[:2], last_limits=ranges[2:])
    for e, u in zip(target, up, strict=True):
        s = leg.solve(e, u, priority="position")
        if not s.reached:
            continue
        axis, side = plane_of(e, u, 1)
        goal = np.array([e @ axis, e @ side])
        wish = np.arctan2(u @ side, u @ axis)
        best = least_turn(goal, wish, ranges)
        assert s.up_error <= best + 1e-3


def least_turn(goal, wish, ranges):
    """The least turn of the last link from its wish over poses in range whose tip is at the goal."""
    best = np.inf
    for phi3 in wish + np.linspace(-np.pi, np.pi, 4001):
        p = goal - 0.25 * np.array([np.cos(phi3), np.sin(phi3)])
        d = np.hypot(*p)
        if not 0.03 <= d <= 0.87:
            continue
        knee = np.arccos(np.clip((d * d - 0.45**2 - 0.42**2) / (2 * 0.45 * 0.42), -1, 1))
        hip = np.arctan2(p[1], p[0]) + np.arctan2(0.42 * np.sin(knee), 0.45 + 0.42 * np.cos(knee))
        last = (hip - knee - phi3 + np.pi) % (2 * np.pi) - np.pi
        if ranges[0] <= knee <= ranges[1] and ranges[2] <= last <= ranges[3]:
            best = min(best, abs((phi3 - wish + np.pi) % (2 * np.pi) - np.pi))
    return best


def test_limits_agree_on_every_engine():
    target, up = cases(300, seed=8)
    leg = limbik.ThreeLink(*LENGTHS, middle_limits=(0.1, 2.4), last_limits=(-1.0, 0.5))
    for priority in some(("up", "position"), 2):
        with dispatch.use("numpy"):
            a = leg.solve(target, up, priority=priority).joints
        with dispatch.use("numba"):
            b = leg.solve(target, up, priority=priority).joints
        c = np.array([leg.solve(t, u, priority=priority).joints for t, u in zip(target, up, strict=True)])
        assert np.abs(a - b).max() < 1e-12
        assert np.abs(a - c).max() < 1e-12


def test_limits_hold_along_a_track():
    rng = np.random.default_rng(3)
    target = np.cumsum(rng.normal(size=(300, 3)) * 0.01, 0) + [0.3, -0.4, 0.2]
    up = np.cumsum(rng.normal(size=(300, 3)) * 0.03, 0) + [0, -1, 0]
    leg = limbik.ThreeLink(*LENGTHS, middle_limits=(0.1, 2.4), last_limits=(-1.0, 0.5))
    s = leg.track(target, up)
    assert np.abs(s.up_error).max() < 1e-12
    assert set(np.unique(s.status)) <= {Status.REACHED, Status.LIMITED}
    assert np.abs(leg.forward(s.angles, out_of_plane=s.out_of_plane) - s.joints).max() < 1e-12


def test_bad_rows_with_limits():
    leg = limbik.ThreeLink(*LENGTHS, last_limits=(-1.0, 0.5))
    target, up = cases(5)
    target[2], up[0], up[4] = np.nan, np.inf, np.nan
    for priority in ("up", "position"):
        s = leg.solve(target, up, priority=priority)
        assert np.isnan(s.joints).all((1, 2)).tolist() == [True, False, True, False, True]
        assert (s.status == Status.INVALID).tolist() == [True, False, True, False, True]
        assert leg.solve(target[1], up[4], priority=priority).status is Status.INVALID


@pytest.mark.parametrize("bad", [(1, 0), (-1, 1), (0, 9), 3, (0, "x"), (np.nan, 1)])
def test_bad_limits_are_refused(bad):
    with pytest.raises(limbik.LimbikError, match="middle_limits"):
        limbik.TwoLink(1, 1, middle_limits=bad)


def test_unsupported_combinations_say_so():
    leg = limbik.ThreeLink(*LENGTHS, last_limits=(-1.0, 0.5))
    with pytest.raises(limbik.LimbikError, match="easy style"):
        leg.solve([0.3, 0.2, 0.1], [0, 1, 0], style="easy", priority="position")
    with pytest.raises(limbik.LimbikError, match="track"):
        leg.track([[0.3, 0.2, 0.1]], [0, 1, 0], priority="position")
