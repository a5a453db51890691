"""The polynomial atan2, sine and cosine, against mpmath over their whole domain."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbik.engines import numba_engine, numpy_engine, scalar_engine
from limbik.engines.trace import record
from limbik.formulas import elementary

ANY = st.floats(allow_nan=False)


def floats(formula, size):
    return scalar_engine.function(record(lambda a: formula(*a), {"a": size}, {}, rare=True), None)


ATAN2 = floats(lambda y, x: elementary.arctangent(y, x, elementary.FLOAT64), 2)
SINES = floats(lambda a: elementary.sine_and_cosine(a, elementary.FLOAT64), 1)


@given(ANY, ANY)
def test_atan2_everywhere(y, x):
    """Within two roundings of 50 digits; zeros keep their signs and infinities their directions, as in C."""
    (found,) = ATAN2(y, x)
    if math.isinf(x) or math.isinf(y) or x == 0 or y == 0:
        assert found == pytest.approx(math.atan2(y, x), rel=3e-16, abs=0)
        assert math.copysign(1, found) == math.copysign(1, math.atan2(y, x))
        return
    with mpmath.workdps(50):
        exact = mpmath.atan2(mpmath.mpf(y), mpmath.mpf(x))
        assert abs(mpmath.mpf(found) - exact) <= 4.5e-16 * abs(exact) + mpmath.mpf(5e-324)


@pytest.mark.parametrize("y", [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf])
@pytest.mark.parametrize("x", [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf])
def test_atan2_of_zeros_and_infinities(y, x):
    (found,) = ATAN2(y, x)
    assert found == pytest.approx(math.atan2(y, x), rel=3e-16, abs=0)
    assert math.copysign(1, found) == math.copysign(1, math.atan2(y, x))


def test_atan2_of_nan():
    assert math.isnan(ATAN2(math.nan, 1.0)[0])
    assert math.isnan(ATAN2(1.0, math.nan)[0])


@given(st.floats(-20, 20))
def test_sine_and_cosine(angle):
    sine, cosine = SINES(angle)
    with mpmath.workdps(50):
        assert abs(mpmath.mpf(sine) - mpmath.sin(mpmath.mpf(angle))) < 3e-16
        assert abs(mpmath.mpf(cosine) - mpmath.cos(mpmath.mpf(angle))) < 3e-16


def test_float32_is_right_to_its_own_rounding():
    angles = np.linspace(-np.pi, np.pi, 200_001)
    y, x = np.sin(angles).astype("float32"), np.cos(angles).astype("float32")
    line = record(lambda a: elementary.arctangent(*a, elementary.FLOAT32), {"a": 2}, {}, rare=True)
    found = numpy_engine.function(line, np.dtype("float32"), None)(y, x)[0]
    exact = np.arctan2(y.astype(float), x.astype(float))
    assert found.dtype == np.float32
    assert np.abs(found - exact).max() < 3e-7
    line = record(lambda a: elementary.sine_and_cosine(*a, elementary.FLOAT32), {"a": 1}, {}, rare=True)
    sine, cosine = numpy_engine.function(line, np.dtype("float32"), None)(angles.astype("float32"))
    assert np.abs(sine - np.sin(angles.astype("float32").astype(float))).max() < 2e-7
    assert np.abs(cosine - np.cos(angles.astype("float32").astype(float))).max() < 2e-7


def test_kernels_use_them():
    formulas = numba_engine.elementary_formulas(np.dtype("float64"))
    assert set(formulas) == {"atan2", "unit_angle", "sin", "cos"}


APPROACH = record(lambda a: elementary.approach(a[0]), {"a": 1}, {}, rare=True, name="approach")


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_approach(dtype):
    """1 − e^(−a) without an exponential: exact to a few roundings, and the same bits on floats and arrays."""
    a = np.concatenate([10.0 ** np.linspace(-30, 3, 3000), np.linspace(0, 45, 3000)]).astype(dtype)
    found = numpy_engine.function(APPROACH, np.dtype(dtype), None)(a)[0]
    assert found.dtype == dtype
    exact = -np.expm1(-a.astype(float))
    assert np.abs(found - exact).max(initial=0.0, where=a > 0) <= 4 * np.finfo(dtype).eps
    assert np.all(np.abs(found - exact) <= 4 * np.finfo(dtype).eps * exact)
    if dtype == "float64":
        floats = scalar_engine.function(APPROACH, None)
        assert [floats(one)[0] for one in a.tolist()] == found.tolist()
