"""Recorded numbers: what formulas are made of."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limbik.engines import scalar_engine
from limbik.engines.trace import record
from limbik.formulas import operations as op
from limbik.formulas.vectors import reject, unit

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


def run(formula, *numbers):
    line = record(lambda a: formula(*a), {"a": len(numbers)}, {}, rare=True)
    return scalar_engine.function(line, None)(*numbers)


@given(NUMBERS, NUMBERS)
def test_arithmetic_is_what_it_says(a, b):
    (total, difference, product, negative) = run(lambda x, y: (x + -y, -x - y, -x * y, -(0.0 - x)), a, b)
    assert (total, difference, product, negative) == (a - b, -a - b, -a * b, a)


@given(NUMBERS)
def test_one_and_minus_one_are_free(a):
    assert run(lambda x: (1.0 * x, x * -1.0, 0.0 - x), a) == (a, -a, -a)


def test_choices_and_comparisons():
    def formula(x, y):
        return (
            op.where((x < y) & (y >= 2.0), op.minimum(x, y), op.maximum(x, y)),
            op.where((x != y) | (x == 1.0), 1.0, 0.0),
            op.where(op.outside(x, 0.0, y), 1.0, 0.0),
        )

    assert run(formula, 1.0, 2.0) == (1.0, 1.0, 0.0)
    assert run(formula, 3.0, 2.0) == (3.0, 1.0, 1.0)
    assert run(formula, math.nan, 2.0)[2] == 1.0


def test_known_truths_cost_nothing():
    line = record(lambda a: (op.where(False, op.NAN, a[0]), op.where(True, a[0], op.NAN)), {"a": 1}, {}, rare=True)
    assert [one.operation for one in line.outputs] == ["name", "name"]


def test_a_recorded_number_refuses_to_be_a_truth():
    with pytest.raises(TypeError, match="where"):
        record(lambda a: 1.0 if a[0] > 0.0 else 2.0, {"a": 1}, {}, rare=True)


def test_equal_steps_are_written_once():
    line = record(lambda a: (op.sqrt(a[0] * a[1]), op.sqrt(a[0] * a[1]) + 1.0), {"a": 2}, {}, rare=True)
    written = []
    original = scalar_engine.Writer.lines

    def spy(self, *results):
        written.extend(original(self, *results))
        return written

    scalar_engine.Writer.lines, before = spy, scalar_engine.Writer.lines
    try:
        assert scalar_engine.function(line, None)(2.0, 8.0) == (4.0, 5.0)
    finally:
        scalar_engine.Writer.lines = before
    assert sum("sqrt" in one for one in written) == 1


@given(st.lists(NUMBERS, min_size=3, max_size=3))
def test_units_are_units_from_denormals_to_the_largest(vector):
    x, y, z, length = run(lambda a, b, c: unit((a, b, c)), *vector)
    true = math.hypot(*vector)
    assert length == true or abs(length - true) <= 4e-16 * true + 5e-324
    assert abs(math.hypot(x, y, z) - 1) < 4e-16 or not any(vector)


@given(st.floats(1e-14, 1.0), st.floats(0, 6.28))
def test_the_rejection_of_a_nearly_parallel_vector_is_perpendicular(tilt, around):
    axis = (0.6, 0.0, 0.8)
    vector = (0.6 + tilt * math.cos(around) * 0.8, tilt * math.sin(around), 0.8 - tilt * math.cos(around) * 0.6)
    side = run(lambda a, b, c: unit(reject((a, b, c), axis)), *vector)[:3]
    assert abs(sum(p * q for p, q in zip(side, axis, strict=True))) < 4e-16
