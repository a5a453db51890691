"""Gaits are what the field calls by their names, as read from the contacts."""

import numpy as np
import pytest

from limbik.gait.creature import creature
from limbik.gait.walker import Walker
from limbik.gait.walking import walk
from tests.thoroughness import some

from .walks import PRESETS, Walk, ahead, journey, stepped

GAITS = some(((name, gait.name) for name in PRESETS for gait in creature(name).gaits), 2)


def _steady(name, gait):
    """A walk at most of a gait's speed, from when it goes evenly."""
    speed = 0.85 * next(one.speed for one in creature(name).gaits if one.name == gait)
    walked = stepped(Walker(name, gait=gait), 8.0, lambda t, w: (ahead(w, speed), 0.0))
    return walked.standing[180:, 0]


def _touch_downs(standing):
    """For each leg the frames at which it comes down."""
    return [np.flatnonzero(leg[1:] & ~leg[:-1]) + 1 for leg in standing.T]


@pytest.mark.parametrize(("name", "gait"), GAITS)
def test_duty_factors_and_phases_are_those_of_the_gait(name, gait):
    asked = next(one for one in creature(name).gaits if one.name == gait)
    standing = _steady(name, gait)
    downs = _touch_downs(standing)
    cycle = np.mean([np.diff(frames).mean() for frames in downs])
    whole = slice(downs[0][0], downs[0][-1])  # whole cycles only
    frame = 1.0 / cycle
    assert np.abs(standing[whole].mean(axis=0) - asked.duty).max() < 0.5 * frame + 0.02
    turns = [np.exp(2j * np.pi * frames / cycle).mean() for frames in downs]
    phases = np.angle(np.array(turns) / turns[0]) / (2.0 * np.pi)
    off = phases - (np.array(asked.phases) - asked.phases[0])
    assert np.abs(off - np.rint(off)).max() < frame + 0.02


@pytest.mark.parametrize(("name", "gait"), GAITS)
def test_left_and_right_alternate(name, gait):
    downs = _touch_downs(_steady(name, gait))
    for left, right in zip(downs[::2], downs[1::2], strict=True):
        order = np.argsort(np.concatenate([left, right]), kind="stable")
        sides = (order >= len(left)).astype(int)
        assert np.abs(np.diff(sides)).min() == 1


def test_a_trot_has_diagonal_pairs_and_a_gallop_a_flight():
    trot, gallop = _steady("quadruped", "trot"), _steady("quadruped", "gallop")
    left_fore, right_fore, left_hind, right_hind = trot.T
    assert (left_fore == right_hind).mean() > 0.97 and (right_fore == left_hind).mean() > 0.97
    assert (gallop.sum(axis=1) == 0).mean() > 0.05
    walking = _steady("quadruped", "walk")
    assert walking.sum(axis=1).min() >= 2


def test_a_walking_biped_has_always_a_foot_on_the_ground_and_a_running_one_has_not():
    assert _steady("biped", "walk").any(axis=1).all()
    assert not _steady("biped", "run").any(axis=1).all()


def test_a_tripod_stands_on_three_legs_or_more():
    standing = _steady("hexapod", "tripod")
    assert standing.sum(axis=1).min() == 3
    assert _steady("hexapod", "wave").sum(axis=1).min() == 5


def test_gaits_change_with_speed_and_nothing_pops():
    top = creature("quadruped").speed
    walked = stepped(Walker("quadruped"), 12.0, lambda t, w: (ahead(w, top * min(t, 12.0 - t) / 6.0), 0.0), fps=120.0)
    air = 1.0 - walked.standing[:, 0].mean(axis=1)
    in_the_air = np.convolve(air, np.ones(60) / 60.0, mode="same")
    assert in_the_air[150] < 0.4 and in_the_air[720] > 0.65 and in_the_air[1380] < 0.45
    assert walked.turning.max() < 60.0 and walked.slide < 1e-6


@pytest.mark.parametrize("name", PRESETS)
def test_distance_is_speed_times_time_on_level_ground(name):
    clip = walk(name, seconds=20.0, fps=30.0)
    place = clip.translations[:, 0]
    assert place[-1, 2] == pytest.approx(20.0 * creature(name).cruise, rel=0.03)
    assert abs(place[-1, 0]) < 0.02 * place[-1, 2]


@pytest.mark.parametrize("name", PRESETS)
def test_knees_bend_the_way_that_the_animals_do(name):
    """Biped knees forward; of four legs elbows back and hind knees forward; insects' knees up."""
    walked: Walk = journey(name, "hills")
    chains = np.array(walked.layout.chains)
    hips, knees, ankles = (walked.joints[:, :, chains[:, k]] for k in range(3))
    line = ankles - hips
    on_line = hips + line * (((knees - hips) * line).sum(-1) / (line * line).sum(-1))[..., None]
    yaw = walked.states.angles[0].reshape(walked.creature.body.segments, len(walked.clip), -1)
    yaw = yaw[[leg.segment for leg in walked.creature.legs]].transpose(1, 2, 0)
    ahead_of = np.stack([np.sin(yaw), np.zeros_like(yaw), np.cos(yaw)], axis=-1)
    for k, leg in enumerate(walked.creature.legs):
        bent = (knees - on_line)[:, :, k]
        direction = {"up": np.array([0.0, 1.0, 0.0]), "forward": ahead_of[:, :, k], "back": -ahead_of[:, :, k]}[
            leg.knee
        ]
        assert (bent * direction).sum(-1).min() > 0.0, leg.name
