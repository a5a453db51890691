"""Whatever holds numbers is read alike, by the few steps for usual calls and argument by argument."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import limbik

LIMBS = {
    "planar": (limbik.PlanarTwoLink(0.5, 0.4), 2, 2),
    "two-link": (limbik.TwoLink(0.45, 0.42), 3, 3),
    "three-link": (limbik.ThreeLink(0.45, 0.42, 0.12), 3, 3),
    "n-link": (limbik.NLink([0.3, 0.2, 0.2]), 3, 3),
}
kinds = pytest.mark.parametrize("kind", LIMBS)


def outcome(call):
    """What a call gives, to the bit, or the fault that it raises."""
    try:
        solution = call()
    except Exception as error:
        return type(error), str(error)
    bits = [np.asarray(getattr(solution, name)) for name in ("joints", "angles", "residual", "target")]
    return solution.dtype, solution.shape, [np.where(np.isnan(one), np.nan, one).tobytes() for one in bits]


def outcomes(limb, vectors):
    """The outcomes of both ways to read."""
    whatever = type(limb)._solve_whatever
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            type(limb),
            "_solve",
            lambda self, flags, given, options, out: whatever(self, flags, given, options, out, True),
        )
        one_by_one = outcome(lambda: limb.solve(*vectors))
    return outcome(lambda: limb.solve(*vectors)), one_by_one


CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "float64": np.array,
    "float32": lambda v: np.array(v, np.float32),
    "float16": lambda v: np.array(v, np.float16),
    "swapped": lambda v: np.array(v, ">f4"),
    "longdouble": lambda v: np.array(v, np.longdouble),
    "int array": lambda v: np.array(np.round(v), int),
    "ints": lambda v: [round(one) for one in v],
    "bools": lambda v: [one > 0 for one in v],
    "NumPy scalars": lambda v: [np.float64(one) for one in v],
    "narrow scalars": lambda v: tuple(map(np.float32, v)),
    "mixed": lambda v: [np.int8(round(v[0])), *v[1:]],
    "strided": lambda v: np.repeat(v, 2)[::2],
    "row": lambda v: [v],
    "rows": lambda v: np.array([v, v]),
    "narrow rows": lambda v: np.array([v, v], np.float32),
    "columns": lambda v: np.asfortranarray([v, v]),
    "scalar arrays": lambda v: [np.array(one) for one in v],
}
numbers = st.one_of(st.floats(-2, 2, width=16), st.sampled_from([0.0, -0.0, 0.1]))


@kinds
@given(
    wraps=st.lists(st.sampled_from(list(CONTAINERS.values())), min_size=3, max_size=3),
    given_numbers=st.lists(numbers, min_size=9, max_size=9),
)
def test_all_that_holds_numbers(kind, wraps, given_numbers):
    limb, size, count = LIMBS[kind]
    vectors = [wraps[k](given_numbers[size * k : size * k + size]) for k in range(count)]
    at_once, one_by_one = outcomes(limb, vectors)
    assert at_once == one_by_one


FAULTS = [
    None,
    "near",
    5,
    [],
    (1.0, 2.0, 3.0, 4.0),
    [1.0, 2.0, "x"],
    [1.0, None, 2.0],
    [1.0, 2j, 0.0],
    [1, 2, 10**400],
    [[1.0, 2.0], [1.0]],
    {1.0, 2.0, 3.0},
    np.zeros(4),
    np.zeros(3, bool),
    np.array(["1", "2", "3"]),
    np.zeros((4, 1)),
    object(),
]


@kinds
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
def test_faults(kind, fault):
    limb, size, count = LIMBS[kind]
    for k in range(count):
        vectors = [[0.1] * size] * k + [fault] + [[0.1] * size] * (count - k - 1)
        at_once, one_by_one = outcomes(limb, vectors)
        assert at_once == one_by_one
        with pytest.raises((ValueError, OverflowError)):
            limb.solve(*vectors)
