"""When feet stand: hysteresis, short contacts, and bridges between stances."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from limbik.grounding.plants import (
    combine_plants,
    contact_frames,
    foot_support,
    hysteresis,
    quantile,
    remove_short,
    speeds,
)
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import bridge, envelope, smooth
from limbik.skeleton.timing import intervals

flags = arrays(bool, st.integers(1, 60))


@given(flags)
def test_intervals_cover_what_is_true(given):
    again = np.zeros(len(given), bool)
    for first, stop in intervals(given):
        assert first < stop
        again[first:stop] = True
    assert np.array_equal(again, given)


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(arrays(bool, n), arrays(bool, n))))
def test_hysteresis_begins_and_stays(given):
    begin, stay = given
    found = hysteresis(begin, stay)
    expected, on = [], False
    for b, s in zip(begin, stay, strict=True):
        on = b or (on and s)
        expected.append(on)
    assert found.tolist() == expected


@given(flags, st.floats(0, 8) | st.integers(0, 8), st.floats(0, 8) | st.integers(0, 8))
def test_gaps_are_filled_before_short_contacts_are_removed(given, least, briefest):
    """Those of exactly so many frames stay; the beginning and the end of a clip stay, too. By regular expressions."""
    text = "".join("01"[int(flag)] for flag in given)
    text = re.sub("(?<=1)0+(?=1)", lambda gap: len(gap[0]) * ("1" if len(gap[0]) < least else "0"), text)
    text = re.sub("(?<=0)1+(?=0)", lambda contact: len(contact[0]) * ("0" if len(contact[0]) < briefest else "1"), text)
    assert "".join("01"[int(flag)] for flag in remove_short(given, least, briefest)) == text


@given(arrays(float, st.integers(1, 40), elements=st.floats(-5, 5)), st.floats(0, 1))
def test_quantiles_are_those_of_numpy(numbers, part):
    assert np.isclose(quantile(numbers, part), np.quantile(numbers, part), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("height", "speed", "stands"), [(0.95, 0.95, True), (1.05, 0.95, False), (0.95, 1.05, False)])
def test_a_foot_stands_where_it_is_low_and_slow(height, speed, stands):
    """Just within both limits, or just beyond one, for two of three seconds in which the foot is high and fast."""
    settings, fps, leg, slow = Settings(), 60.0, 0.8, 0.2
    t = np.arange(180) / fps
    points = np.stack([4.0 * np.abs(t - 1.5), np.full(180, 0.3), 0.0 * t], axis=-1)
    middle = slice(30, 150)
    points[middle, 0] = 4.0 + speed * settings.plant_share * 4.0 * (t[middle] - 1.5)
    points[middle, 1] = height * settings.plant_height * leg
    points[[55, 90, 125], 1] = 0.0  # the ground
    found = contact_frames(points, fps, leg, settings, slow)
    assert found[[45, 75, 105, 135]].tolist() == [stands] * 4


@pytest.mark.parametrize(("frames", "stands"), [(2, False), (3, True), (4, True)])
def test_a_run_that_travels_by_its_feet_may_touch_the_ground_for_a_frame_less(frames, stands):
    """Its shortest contact is 3.6 frames here, less one; speed does not matter."""
    heights = np.ones(60)
    heights[28 : 28 + frames] = 0.0
    points = np.stack([np.zeros(60), heights, np.zeros(60)], axis=-1)
    assert contact_frames(points, 60.0, 0.8, Settings(), 1e3).sum() == frames * stands


def test_the_speed_of_a_frame_is_the_lesser_of_before_and_after():
    points = np.array([[0.0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 0, 0], [2, 0, 0], [2, 0, 0], [2, 3, 0]])
    assert speeds(points, 10.0).tolist() == [0, 0, 0, 10, 0, 0, 30]


@pytest.mark.parametrize(("rolls", "frames"), [(False, 5), (True, 2)])
def test_a_foot_that_rises_slowly_lets_go(rolls, frames):
    """0.024 leg lengths above its level, 5.8 frames after it began to rise; an end of a foot at 0.45 of that."""
    heights = np.maximum(0.0, np.arange(120) - 59.0) * 0.2 / 60.0
    points = np.stack([np.zeros(120), heights, np.zeros(120)], axis=-1)
    found = contact_frames(points, 60.0, 0.8, Settings(), 0.5, rolls)
    assert found.tolist() == [k <= 59 + frames for k in range(120)]


@given(arrays(float, st.integers(2, 80), elements=st.floats(-5, 5)), st.integers(1, 12))
def test_an_envelope_is_nowhere_below(values, width):
    assert (envelope(values, width) >= values - 1e-9).all()
    assert smooth(values, width).min() >= values.min() - 1e-9


@given(st.integers(0, 2**32 - 1))
def test_bridges_keep_what_is_known_and_have_no_kinks(seed):
    rng = np.random.default_rng(seed)
    t = np.arange(240) / 60
    values = np.stack([np.sin(3 * t + rng.uniform(0, 6)), rng.normal() * t], axis=-1)
    known = ((t * 2 + rng.uniform(0, 2)) % 2) < 1
    found = bridge(values, known, 12.0)
    assert np.array_equal(found[known], values[known])
    bends = np.abs(np.diff(found, 2, axis=0))
    assert bends.max() < 0.12  # a corner of slope 3 a second would bend by 0.05 and jump by more
    steps = np.abs(np.diff(found, axis=0))
    assert steps.max() < 0.3


def test_how_far_feet_carry_a_figure_is_a_share():
    """Rounding must not take it beyond 1: `reach` refuses such weights, and did for a recorded jump."""
    for fps in (24.0, 30.0, 60.0, 120.0):
        for seed in range(20):
            able = np.random.default_rng(seed).random((200, 2)) < 0.9
            carried = foot_support(able, fps)
            assert carried.min() >= 0.0 and carried.max() <= 1.0


def test_a_foot_has_time_to_get_from_one_plant_to_the_next():
    """A heel that rests on until the ball is down again elsewhere lets go before."""
    first, second = combine_plants([(10, 50), (70, 120)], [(8, 69), (75, 100)], [], 100.0)
    assert first.stop == 65 and second.first == 70 and first.rise == 50
