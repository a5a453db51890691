"""Springs are exact: the same wherever time is cut, and never beyond the target from rest."""

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given
from hypothesis import strategies as st

from limbik.springs import close_gap, free_swing, gap_integral

numbers = st.floats(-10, 10)
times = st.floats(0.001, 1.0)
stiffnesses = st.floats(0.5, 40.0)


@given(numbers, numbers, stiffnesses, times, times)
def test_two_steps_are_one(gap, speed, stiffness, first, second):
    halfway = close_gap(np.array(gap), np.array(speed), stiffness, first)
    twice = close_gap(*halfway, stiffness, second)
    once = close_gap(np.array(gap), np.array(speed), stiffness, first + second)
    assert np.allclose(twice, once, atol=1e-9)


@given(numbers, stiffnesses, times)
def test_from_rest_a_gap_closes_without_overshoot(gap, stiffness, seconds):
    left, _ = close_gap(np.array(gap), np.array(0.0), stiffness, seconds)
    assert abs(left) <= abs(gap) and left * gap >= 0.0


@given(numbers, numbers, stiffnesses, times)
def test_the_way_travelled_is_the_integral_of_the_gap(gap, speed, stiffness, seconds):
    t = np.linspace(0.0, seconds, 501)
    gaps = np.array([close_gap(np.array(gap), np.array(speed), stiffness, one)[0] for one in t])
    assert gap_integral(np.array(gap), np.array(speed), stiffness, seconds) == pytest.approx(
        np.trapezoid(gaps, t), abs=1e-4 * (1.0 + abs(gap) + abs(speed))
    )


@pytest.mark.parametrize("damping", [0.0, 0.1, 0.999, 1.0, 1.001, 3.0])
@pytest.mark.parametrize("seconds", [1 / 144, 1 / 30, 1.0])
def test_free_swing_is_the_exponential_of_its_matrix(damping, seconds):
    rate = 7.0
    expected = scipy.linalg.expm(seconds * np.array([[0.0, 1.0], [-rate * rate, -2 * damping * rate]]))
    assert np.abs(np.array(free_swing(rate, damping, seconds)) - expected).max() < 1e-12


@given(st.floats(0.0, 1e3), st.floats(1e-3, 1e9), st.floats(1e-6, 1e3))
def test_a_spring_never_gains_energy(damping, rate, seconds):
    (a, b), (c, d) = free_swing(rate, damping, seconds)
    step = np.array([[a, b * rate], [c / rate, d]])  # in units in which the energy is the square of the length
    assert np.isfinite(step).all()
    assert np.linalg.norm(step, 2) <= 1 + 1e-9
