"""Formulas over rows give the same bits on every engine, for any number of rows, and repeat groups as NumPy would."""

import ast

import numpy as np
import pytest

from limbik.engines import dispatch, loading
from limbik.engines.row_formulas import MAX_KEPT_CALLS, RowFormula
from limbik.engines.thresholds import FLOATS_MAX_FORMULA_ROWS, SMALL_KERNEL_MAX_ROWS
from limbik.formulas.operations import floor, maximum, sqrt, where


def _norm_and_part(vector, scale, limit):
    x, y, z = vector
    length = sqrt(x * x + y * y + z * z)
    return length * scale, (where(length > limit, floor(x), maximum(y, z)), x / (1.0 + length))


def _by_hand(vector, scale, limit):
    x, y, z = vector
    length = np.sqrt(x * x + y * y + z * z)
    return np.array([length * scale, np.where(length > limit, np.floor(x), np.maximum(y, z)), x / (1.0 + length)])


@pytest.fixture
def formula():
    return RowFormula(_norm_and_part, vector=3, scale=1, limit=1)


@pytest.mark.parametrize("rows", [0, 1, 2, FLOATS_MAX_FORMULA_ROWS, FLOATS_MAX_FORMULA_ROWS + 1, 700])
@pytest.mark.parametrize("engine", [None, "numpy", "numba"])
def test_every_engine_gives_the_bits_of_numpy(formula, rows, engine):
    random = np.random.default_rng(rows)
    vector, scale, limit = random.normal(size=(3, rows)), random.normal(size=rows), np.array([1.5])
    if engine:
        with dispatch.use(engine):
            found = formula(vector, scale, limit)
    else:
        found = formula(vector, scale, limit)
    assert np.array_equal(found, _by_hand(vector, scale, limit))


@pytest.mark.parametrize("legs", [4, SMALL_KERNEL_MAX_ROWS])
def test_a_kernel_that_is_ready_gives_the_same_bits(formula, legs):
    random = np.random.default_rng(5)
    vector, scale, limit = random.normal(size=(3, legs, 6)), random.normal(size=(legs, 6)), random.normal(size=6)
    before = formula(vector, scale, limit)
    for kernel in (formula._few, *(call.kernel for call in formula._calls.values())):
        loading.loaded(kernel)
    found = formula(vector, scale, limit)
    assert np.array_equal(found, before)
    assert np.array_equal(found.reshape(3, legs, 6), _by_hand(vector, scale, limit))
    strided = np.asfortranarray(vector.reshape(3, -1))
    assert np.array_equal(formula(strided, scale, limit), before)
    one, none = formula(vector[:, :1, 0], scale[:1, 0], limit[:1]), formula(vector[:, :0], scale[:0], limit)
    assert np.array_equal(one[:, 0], found[:, 0]) and none.shape == (3, 0)


@pytest.mark.parametrize("rows", [1, 5, FLOATS_MAX_FORMULA_ROWS + 1])
def test_truths_are_numbers_to_a_formula_and_may_repeat(rows):
    def chosen(number, truth, other):
        return where(truth > 0.5, number, -number) + other

    formula = RowFormula(chosen, number=1, truth=bool, other=bool)
    number, truth, other = np.arange(2.0 * rows).reshape(2, rows), np.arange(rows) % 2 == 0, np.array([True])
    wanted = (np.where(truth, number, -number) + 1.0).reshape(1, -1)
    assert np.array_equal(formula(number, truth, other), wanted)
    with dispatch.use("numpy"):
        assert np.array_equal(formula(number, truth, other), wanted)
    loading.loaded(formula._few)
    assert np.array_equal(formula(number, truth, other), wanted)


def test_what_is_kept_does_not_grow_with_the_sizes_of_batches(formula):
    for rows in range(1, 3 * MAX_KEPT_CALLS):
        formula(np.ones((3, rows)), np.ones(rows), np.ones(1))
    assert len(formula._calls) <= MAX_KEPT_CALLS


def test_groups_may_be_named_like_anything_in_a_kernel(formula):
    formula(np.ones((3, 2)), np.ones(2), np.ones(2))
    (call,) = formula._calls.values()
    nodes = [node for text in (call.kernel.text(), formula._few.text()) for node in ast.walk(ast.parse(text))]
    words = {node.id for node in nodes if isinstance(node, ast.Name)}
    words |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    names = sorted(word for word in words if not word.startswith("group_"))
    assert {"seen", "first", "start", "out", "constants", "load", "rows", "i", "row"} <= set(names)

    def weighed(*groups):
        total = 0.0
        for k, group in enumerate(groups):
            total = total + float(k + 2) * group
        return (total,)

    other = RowFormula(weighed, **dict.fromkeys(names, 1))
    values = [np.arange(5.0) + k for k in range(len(names))]
    with dispatch.use("numba"):
        found = other(*values)
    assert np.array_equal(found[0], sum((k + 2) * value for k, value in enumerate(values)))
    loading.loaded(other._few)
    assert np.array_equal(other(*values), found)
