"""When feet stand: hysteresis, short contacts, and bridges between stances."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from limbik.grounding.contacts import hysteresis, without_short
from limbik.grounding.plants import plants_between
from limbik.grounding.smoothing import bridge, envelope, smoothed
from limbik.grounding.support import carried_by_feet
from limbik.skeleton.intervals import intervals

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


@given(flags, st.integers(0, 8))
def test_no_short_contact_is_left_but_at_the_ends(given, least):
    for first, stop in intervals(without_short(given, least, least)):
        assert stop - first >= least or first == 0 or stop == len(given)


@given(arrays(float, st.integers(2, 80), elements=st.floats(-5, 5)), st.integers(1, 12))
def test_an_envelope_is_nowhere_below(values, width):
    assert (envelope(values, width) >= values - 1e-9).all()
    assert smoothed(values, width).min() >= values.min() - 1e-9


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
            carried = carried_by_feet(able, fps)
            assert carried.min() >= 0.0 and carried.max() <= 1.0


def test_a_foot_has_time_to_get_from_one_plant_to_the_next():
    """A heel that rests on until the ball is down again elsewhere lets go before."""
    first, second = plants_between([(10, 50), (70, 120)], [(8, 69), (75, 100)], [], 100.0)
    assert first.stop == 65 and second.first == 70 and first.rise == 50
