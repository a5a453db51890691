"""Bodies live: knees straighten, shoulders turn against the pelvis, spines bend, tails trail, nobody freezes."""

import numpy as np
import pytest

from limbik.gait.creature import creature
from limbik.gait.walker import Walker

from .walks import PRESETS, ahead, stepped


def _walk(name, speed, seconds=5.0, turn=0.0, fps=60.0, **options):
    return stepped(Walker(name, **options), seconds, lambda t, w: (ahead(w, speed), turn), fps)


def _joint(walked, name, start=120):
    return walked.joints[start:, 0, walked.clip.skeleton.index(name)]


def _bend(walked, *names):
    a, b, c = (_joint(walked, name) for name in names)
    first, second = b - a, c - b
    cosine = (first * second).sum(-1) / np.linalg.norm(first, axis=-1) / np.linalg.norm(second, axis=-1)
    return np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))


def _turned(walked, part):
    """Degrees by which the line between a right and a left joint is turned from +x."""
    line = _joint(walked, f"left_{part}") - _joint(walked, f"right_{part}")
    return np.degrees(np.arctan2(-line[:, 2], line[:, 0]))


def _rise(walked, low, high):
    line = _joint(walked, high) - _joint(walked, low)
    return np.degrees(np.arctan2(line[:, 1], np.hypot(line[:, 0], line[:, 2])))


@pytest.fixture(scope="module")
def walking():
    return _walk("biped", 1.3)


def test_knees_of_a_walking_biped_straighten_and_bend_as_those_of_people(walking):
    for side in ("left", "right"):
        knee = _bend(walking, f"{side}_leg_hip", f"{side}_leg_knee", f"{side}_leg_ankle")
        assert 3.0 < knee.min() < 12.0 and 55.0 < knee.max() < 70.0


def test_the_pelvis_lists_and_turns_and_the_shoulders_turn_against_it(walking):
    pelvis, shoulders = _turned(walking, "leg_hip"), _turned(walking, "shoulder")
    assert 3.0 < 0.5 * np.ptp(pelvis) < 8.0 and 3.0 < 0.5 * np.ptp(shoulders) < 9.0
    assert np.corrcoef(pelvis, shoulders)[0, 1] < -0.9
    assert 2.0 < 0.5 * np.ptp(_rise(walking, "right_leg_hip", "left_leg_hip")) < 7.0
    assert 0.03 < np.ptp(_joint(walking, "body")[:, 1]) < 0.06


def test_a_running_biped_leans_and_bends_its_elbows_and_banks_in_a_turn():
    running, turning = _walk("biped", 3.2), _walk("biped", 3.2, turn=60.0)
    trunk = _joint(running, "neck") - _joint(running, "body")
    assert 5.0 < np.degrees(np.arctan2(trunk[:, 2], trunk[:, 1])).mean() < 13.0
    assert 70.0 < _bend(running, "left_shoulder", "left_elbow", "left_hand").mean() < 110.0
    trunk, way = _joint(turning, "chest") - _joint(turning, "body"), np.gradient(_joint(turning, "body"), axis=0)
    left = (trunk[:, 0] * way[:, 2] - trunk[:, 2] * way[:, 0]) / np.hypot(way[:, 0], way[:, 2])
    balanced = np.degrees(np.arctan(3.2 * np.radians(60.0) / 9.81))
    assert np.degrees(np.arctan2(left, trunk[:, 1])).mean() == pytest.approx(balanced, abs=4.0)


def test_a_head_stays_level_and_looks_into_a_turn():
    walked = _walk("quadruped", 4.0)
    assert np.ptp(_rise(walked, "head", "nose")) < 3.0 < np.ptp(_rise(walked, "body_3", "body"))
    turning = _walk("quadruped", 1.5, turn=60.0)
    head, chest = (_joint(turning, b) - _joint(turning, a) for a, b in (("head", "nose"), ("body_3", "body")))
    ahead_of = np.cross(chest, head)[:, 1]  # positive where the head points further to the left than the trunk
    assert ahead_of.min() > 0.0


def test_the_spine_of_a_quadruped_gathers_and_stretches_in_a_gallop_only():
    flexion = {}
    for speed in (2.0, 4.0):
        walked = _walk("quadruped", speed)
        flexion[speed] = np.ptp(_rise(walked, "body_2", "body") - _rise(walked, "tail", "body_3"))
    assert flexion[4.0] > 20.0 > 3.0 * flexion[2.0]


@pytest.mark.parametrize(("name", "tail"), [("quadruped", ("tail", "tail_end")), ("hexapod", ("waist", "sting"))])
def test_what_trails_behind_does_so_alike_at_every_frame_rate(name, tail):
    swings = [np.ptp(_rise(_walk(name, 0.9 * creature(name).speed, fps=fps), *tail)) for fps in (30.0, 60.0, 144.0)]
    assert max(swings) < 1.12 * min(swings) and min(swings) > 1.0


@pytest.mark.parametrize("name", PRESETS)
def test_who_stands_breathes_unless_secondary_motion_is_off(name):
    alive, still = (_walk(name, 0.0, 4.0, secondary=on) for on in (True, False))
    moved = np.ptp(alive.joints[:, 0], axis=0).max(axis=-1)
    assert moved.max() > 2e-3 * creature(name).height
    assert np.abs(np.diff(alive.feet, axis=0)).max() < 1e-9
    assert np.abs(np.diff(still.joints, axis=0)).max() < 1e-9


def test_those_of_a_crowd_differ_from_one_another():
    crowd = stepped(Walker("biped", count=4), 6.0, lambda t, w: ((0.0, 1.3), 0.0))
    downs = [np.flatnonzero(leg[1:] & ~leg[:-1]) for leg in crowd.standing[120:, :, 0].T]
    cycles = [np.diff(down).mean() for down in downs]
    assert np.ptp(cycles) > 0.5
    alone = stepped(Walker("biped", seed=1), 2.0, lambda t, w: ((0.0, 1.3), 0.0))
    assert alone.walker.count == 1


def test_a_centipede_that_turns_does_not_go_through_itself():
    walked = _walk("centipede", 0.14, 10.0, turn=60.0)
    segments = walked.joints[:, 0, : creature("centipede").body.segments, ::2]
    apart = np.linalg.norm(segments[:, :, None] - segments[:, None], axis=-1)
    a, b = np.triu_indices(segments.shape[1], 3)
    assert apart[:, a, b].min() > creature("centipede").body.width


@pytest.mark.parametrize("terrain", ["plane", "slope:20", "slope:-20", "stairs:rise=0.12,run=0.35,start=0.8"])
@pytest.mark.parametrize("turn", [0.0, 50.0])
def test_the_quadruped_carries_its_neck_at_the_same_angle_on_every_slope(terrain, turn):
    walked = _walk("quadruped", 0.8, 3.5, turn, terrain=terrain)
    neck, head = _rise(walked, "neck", "head"), _rise(walked, "head", "nose")
    assert neck.min() > 30.0 and neck.max() < 46.0
    assert head.min() > -20.0 and head.max() < 0.0
