"""What is measured: inputs in both layouts, all within reach, and the memory that they take."""

import numpy as np
import pytest

from limbik import Status
from limbik.bench.batches import copy_fresh, copy_into, whole_memory
from limbik.bench.cases import BESIDE, COMPONENTS, LAYOUTS, ROWS, Case, Inputs
from limbik.bench.measured_limbs import KINDS, numbers_out

WORKS = [(limb, answer) for limb, kind in KINDS.items() for answer in kind.answers]


def test_how_many_numbers_an_answer_has():
    assert {work: numbers_out(*work) for work in WORKS} == {
        ("planar", "joints"): 6,
        ("planar", "angles"): 2,
        ("two-link", "joints"): 9,
        ("two-link", "angles"): 4,
        ("two-link", "rotations"): 8,
        ("three-link", "joints"): 12,
        ("three-link", "angles"): 5,
        ("three-link", "rotations"): 12,
    }


def test_memory_is_estimated_from_inputs_and_answer():
    case = Case("three-link", "joints", "float64", ROWS, 10**8)
    assert case.bytes_in == 4_800_000_000
    assert case.bytes_out == 9_600_000_000
    assert case.copied * 8 == 7_200_000_000  # read and written: as many bytes as go in and come out
    assert case.bytes_needed == BESIDE + 14_400_000_000
    assert case.bytes_needed_eagerly > 10 * case.bytes_needed
    angles = Case("three-link", "angles", "float32", ROWS, 10**6)
    assert angles.bytes_needed == BESIDE + 4 * 6_000_000 + 4 * 5_500_000  # here the copy is larger than the answer


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("limb", KINDS)
def test_inputs_lie_as_they_should_and_are_within_reach(limb, layout):
    inputs = Inputs.of(Case(limb, "joints", "float64", layout, 1000))
    for array, size in zip(inputs.arrays, KINDS[limb].inputs.values(), strict=True):
        assert array.shape == (1000, size)
        assert np.shares_memory(array, inputs.memory)
        assert array.T.flags.c_contiguous == (layout == COMPONENTS)
    solution = KINDS[limb].make().solve(*inputs.arrays)
    assert (solution.status == Status.REACHED).all()


def test_inputs_are_the_same_in_both_layouts_and_repeat(monkeypatch):
    monkeypatch.setattr("limbik.bench.cases.DISTINCT", 100)
    one, other = (Inputs.of(Case("two-link", "joints", "float32", layout, 250)).arrays for layout in LAYOUTS)
    for here, there in zip(one, other, strict=True):
        assert (here == there).all()
        assert (here[:100] == here[100:200]).all()
        assert (here[:50] == here[200:]).all()


def test_one_target_is_given_as_lists():
    assert all(isinstance(part, float) for part in Inputs.of(Case("planar", "joints", "float64", ROWS, 1)).arguments[0])


@pytest.mark.parametrize("numbers", [1, 7, 10, 23, 150_000])
def test_a_copy_goes_round_where_an_end_is_short(numbers):
    source = np.arange(10.0)
    assert (copy_fresh(source, numbers, 1000) == np.resize(source, numbers)).all()
    target = np.full(7, -1.0)
    copy_into(target, source, 12, 1000)
    assert target.tolist() == [7, 8, 9, 0, 1, 5, 6]


def test_the_memory_behind_a_view():
    memory = np.arange(24.0)
    assert np.shares_memory(whole_memory(memory.reshape(4, 6).T[2:]), memory)
    assert len(whole_memory(memory.reshape(4, 6).T[2:])) == 24
