"""No pops: along paths that a search zooms in on, a step of next to nothing changes joints, rotations and angles by
next to nothing, within joint limits and for both priorities; and the limits hold."""

import pickle

import numpy as np
import pytest

import limbik
from limbik import Status
from tests import reference
from tests.limbs import track_search
from tests.limbs.test_limits import bends
from tests.thoroughness import some

LENGTHS = [(0.45, 0.42, 0.12), (0.5, 0.5, 0.2), (1.0, 1e-3, 0.5), (0.3, 0.5, 0.6)]
OPTIONS = {
    "natural": {},
    "hint": {"hint": (0.2, 0.5, 1.0)},
    "easy": {"style": "easy"},
    "position": {"priority": "position"},
    "easy position": {"style": "easy", "priority": "position", "hint": (0.2, 0.5, 1.0)},
}
LIMITS = [None, (-0.5, 0.5), (-2.5, 0.5), (-3.0, 3.0), (0.4, 0.4)]
# Tracks with last_limits are up first.
CASES = some([(name, limits) for name in OPTIONS for limits in LIMITS if limits is None or "position" not in name], 2)


def hole_of(leg):
    """The radius around the origin that the ankle cannot reach."""
    first, second = leg.lengths[:2]
    fold = np.pi if leg.middle_limits is None else leg.middle_limits[1]
    return np.sqrt(max(first**2 + second**2 + 2 * first * second * np.cos(fold), (first - second) ** 2))


def check_no_pops(leg, options, seed, rows=24, dtype="float64"):
    rng = np.random.default_rng(seed)
    near = hole_of(leg)
    paths = track_search.random_paths(rng, rows, leg.lengths, near)
    change, motion, track = track_search.search(
        lambda target, up: leg.track(target, up, **options), paths, near, leg.lengths.sum(), dtype
    )
    still, slack = (1e-7, 0.02) if dtype == "float64" else (1e-5, 0.1)
    popped = (change > slack) & (motion < still)
    assert not popped.any(), (change[popped], motion[popped])
    return track


@pytest.mark.parametrize(("options", "limits"), CASES, ids=str)
def test_no_pops(options, limits):
    number = list(OPTIONS).index(options) + 5 * LIMITS.index(limits)
    middle = [None, (0.1, 2.4)][number % 2]
    leg = limbik.ThreeLink(*LENGTHS[number % 4], middle_limits=middle, last_limits=limits)
    s = check_no_pops(leg, OPTIONS[options], number)
    assert np.all(s.reached | (s.residual > 0))
    if limits:
        _, last = bends(s)
        bent = np.abs(np.sin(bends(s)[0])) > 1e-6
        assert np.all(((last >= limits[0] - 1e-6) & (last <= limits[1] + 1e-6))[bent])
        assert np.abs(s.up_error).max() < 1e-12


def test_no_pops_float32():
    check_no_pops(limbik.ThreeLink(0.45, 0.42, 0.12, last_limits=(-1.0, 0.5)), {}, 40, dtype="float32")


def passing_behind(frames=4001):
    """A foot turning once around while the ankle stays: the nearest pose within limits changes sides half way."""
    angle = np.linspace(0, 2 * np.pi, frames)
    up = np.stack([0 * angle, np.sin(angle), np.cos(angle)], -1)
    return np.array([0.0, -0.5, 0.3]) + 0.12 * up, up


def test_a_limited_pose_changes_sides_at_a_bounded_rate_and_says_so():
    leg = limbik.ThreeLink(0.45, 0.42, 0.12, last_limits=(-1.0, 0.5))
    target, up = passing_behind()
    solved, s = leg.solve(target, up, style="easy"), leg.track(target, up, style="easy")
    assert np.abs(np.diff(solved.joints, axis=0)).max() > 0.5  # without memory it jumps
    step = 2 * np.pi / 4000
    assert np.abs(np.diff(s.joints, axis=0)).max() < 20 * step
    assert np.abs(s.residual - np.linalg.norm(s.joints[:, 3] - target, axis=-1)).max() < 1e-12
    assert np.all(s.status[s.residual > 1e-9] == Status.LIMITED)
    assert np.all(s.residual >= solved.residual - 1e-12)
    # Momentarily not the nearest pose; most of the time it is.
    assert np.mean(s.residual > solved.residual + 1e-6) < 0.3


@pytest.mark.parametrize("limits", [None, (-1.0, 0.5)])
@pytest.mark.parametrize("priority", ["up", "position"])
def test_a_track_continues_from_frames_slices_and_pickles(limits, priority):
    if limits and priority == "position":
        priority = "up"
    rng = np.random.default_rng(12)
    target = np.cumsum(rng.normal(size=(60, 3, 3)) * 0.04, 0) + [0.3, -0.4, 0.2]
    up = np.cumsum(rng.normal(size=(60, 3, 3)) * 0.2, 0) + [0, -1, 0]
    leg = limbik.ThreeLink(0.45, 0.42, 0.12, last_limits=limits)
    whole = leg.track(target, up, priority=priority)
    s = None
    for t in range(60):
        s = leg.track(target[t : t + 1], up[t : t + 1], priority=priority, previous=s)
        assert np.array_equal(s.joints[0], whole.joints[t])
        assert np.array_equal(s.angles[0], whole.angles[t])
    for first in (whole[:40], pickle.loads(pickle.dumps(whole[:40]))):
        rest = leg.track(target[40:], up[40:], priority=priority, previous=first)
        assert np.abs(rest.joints - whole.joints[40:]).max() < 1e-12
        assert np.abs(rest.angles - whole.angles[40:]).max() < 1e-12


def test_a_slice_of_a_track_has_the_angles_of_the_track():
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    turn = np.linspace(0, 6 * np.pi, 400)
    target = np.stack([0.4 * np.cos(turn), -0.4 + 0 * turn, 0.4 * np.sin(turn)], -1)
    s = leg.track(target, (0.3, -1, 0.1))
    assert np.ptp(s.angles[:, 0]) > 5 * np.pi
    assert np.array_equal(s[300].angles, s.angles[300])
    assert np.array_equal(s[100:300].angles, s.angles[100:300])


def test_angles_go_on_after_an_invalid_frame():
    limb = limbik.TwoLink(0.45, 0.42)
    turn = np.linspace(0, 4 * np.pi, 200)
    target = np.stack([0.5 * np.cos(turn), 0.2 + 0 * turn, 0.5 * np.sin(turn)], -1)
    whole = limb.track(target, (0, 1, 0)).angles
    target[150] = np.nan
    spoiled = limb.track(target, (0, 1, 0)).angles
    assert np.abs(spoiled[151:] - whole[151:]).max() < 1e-9


def test_up_stays_clear_of_the_normal_of_the_plane():
    """The easy style with a foot that swings through the hinge axis: the foot's own turning stays bounded."""
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    angle = np.linspace(-1.2, 1.2, 721)
    up = np.stack([np.cos(angle), 0 * angle + 1e-9, np.sin(angle)], -1)
    target = np.array([0.0, -0.5, 0.3]) + 0.12 * up
    s = leg.track(target, up, style="easy")
    dots = np.abs(np.sum(s.rotations[:-1] * s.rotations[1:], -1))
    assert 2 * np.arccos(np.clip(dots, 0, 1)).max() < 20 * 2.4 / 720
    assert np.abs(np.diff(s.angles, axis=0)).max() < 20 * 2.4 / 720
    assert np.all(s.reached)
    assert np.abs(reference.angle_between(s.joints[:, 3] - s.joints[:, 2], up)).max() < 1e-7
