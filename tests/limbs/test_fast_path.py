"""One limb without options goes a quick way of its own, to the answers and faults of the general way, bit for bit."""

import copy
import math
import pickle

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import limbik
from limbik.engines import scalar_engine
from limbik.limbs.fast_path import ScalarSolution

# Each limb with the number of components and of vectors that it takes, and the groups that hold these.
LIMBS = {
    "planar": (limbik.PlanarTwoLink, 2, ("target", "origin")),
    "two-link": (limbik.TwoLink, 3, ("target", "pole", "origin")),
    "three-link": (limbik.ThreeLink, 3, ("target", "up", "origin")),
}
LINKS = {"planar": 2, "two-link": 2, "three-link": 3}
ANSWERS = ("joints", "angles", "rotations", "status", "residual", "singular", "up_error", "out_of_plane", "stretch")
kinds = pytest.mark.parametrize("kind", LIMBS)


def both(kind, *lengths, **limits):
    """The limb, and the same limb with the general way only."""
    make = LIMBS[kind][0]
    lengths = lengths or (0.45, 0.42, 0.12)[: LINKS[kind]]
    general = make(*lengths, **limits)
    del general._fast_path, general._quick
    return make(*lengths, **limits), general


def outcome(call):
    """What a call gives, to the bit, or the fault that it raises."""
    try:
        value = call()
    except Exception as error:
        return type(error), str(error)
    array = np.asarray(value)
    bits = np.where(np.isnan(array), np.nan, array) if array.dtype.kind == "f" else array  # NaNs are all alike
    return type(value), array.dtype, array.shape, bits.tobytes()


def outcomes(solve, *vectors, **options):
    """Everything there is to know about a solution."""
    told = [outcome(lambda name=name: getattr(solve(*vectors, **options), name)) for name in ANSWERS]
    return [*told, outcome(lambda: solve(*vectors, **options)._answer("state")), outcome(lambda: solve(*vectors).dtype)]


def vectors_of(kind, numbers):
    """As many vectors as the limb takes, from twelve numbers."""
    _, size, names = LIMBS[kind]
    return [numbers[size * k : size * k + size] for k in range(len(names))]


hostile = st.one_of(
    st.floats(-2, 2), st.floats(), st.sampled_from([0.0, -0.0, 1.0, 5e-324, 1e-200, 1e200, math.nan, -math.inf])
)


@kinds
@given(numbers=st.lists(hostile, min_size=9, max_size=9), ratio=st.floats(1e-6, 1e6), given_origin=st.booleans())
@example(numbers=[0.1, 0.2, 0.3] * 3, ratio=1.0, given_origin=False)  # up along the aim
@example(numbers=[0.0] * 9, ratio=1.0, given_origin=True)
def test_answers_are_those_of_the_general_way(kind, numbers, ratio, given_origin):
    quick, general = both(kind, *(1.0, ratio, 0.5)[: LINKS[kind]])
    vectors = vectors_of(kind, numbers)[: None if given_origin else -1]
    assert isinstance(quick.solve(*vectors), ScalarSolution)
    assert not isinstance(general.solve(*vectors), ScalarSolution)
    assert outcomes(quick.solve, *vectors) == outcomes(general.solve, *vectors)


@kinds
@pytest.mark.parametrize("lengths", [(1e-300, 1e-300), (5e-324, 1.0), (1e300, 1e300), (1.0, 1e300), (1e-9, 1e9)])
def test_lengths_at_the_extremes(kind, lengths):
    quick, general = both(kind, *lengths, *(1.0,) * (LINKS[kind] - 2))
    rng = np.random.default_rng(0)
    for scale in (1e-300, 1e-9, 1.0, 1e9, 1e300):
        vectors = vectors_of(kind, (rng.normal(size=9) * scale).tolist())
        assert outcomes(quick.solve, *vectors) == outcomes(general.solve, *vectors)


@kinds
def test_the_line_is_the_one_that_takes_numbers(kind):
    """From the formula to the array nothing is added: the numbers are those of the plain function of numbers."""
    limb = both(kind)[0]
    rng = np.random.default_rng(1)
    for _ in range(50):
        s = limb.solve(*vectors_of(kind, rng.normal(size=9).tolist()))
        for name in ("joints", "angles"):
            numbers = [one for group in s._program.groups_of(name) for one in s._groups[group]]
            expected = scalar_engine.compiled(s._program, name, s._flags)(*numbers)
            assert getattr(s, name).ravel().tolist() == list(expected)


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
    "scalar arrays": lambda v: [np.array(one) for one in v],
}
container = st.sampled_from(list(CONTAINERS.values()))


@kinds
@given(wraps=st.lists(container, min_size=3, max_size=3), numbers=st.lists(st.floats(-1, 1), min_size=9, max_size=9))
def test_all_that_holds_numbers_is_read_alike(kind, wraps, numbers):
    quick, general = both(kind)
    vectors = [wrap(one) for wrap, one in zip(wraps, vectors_of(kind, numbers), strict=False)]
    assert outcomes(quick.solve, *vectors) == outcomes(general.solve, *vectors)


FAULTS = [
    None,
    "near",
    5,
    1.0,
    [],
    [1.0],
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
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_those_of_the_general_way(kind, fault):
    quick, general = both(kind)
    sound = vectors_of(kind, [0.1] * 9)
    for k in range(len(sound)):
        vectors = [*sound[:k], fault, *sound[k + 1 :]]
        assert outcome(lambda vectors=vectors: quick.solve(*vectors)) == outcome(
            lambda vectors=vectors: general.solve(*vectors)
        )
        with pytest.raises((ValueError, OverflowError)):
            quick.solve(*vectors)


def test_options_go_the_general_way():
    leg, arm, planar = (both(kind)[0] for kind in ("three-link", "two-link", "planar"))
    spatial = ([0.2, 0.3, 0.1], [0.0, 0.1, 1.0])
    solutions = [
        *(leg.solve(*spatial, **one) for one in ({"bend": -1}, {"style": "easy"}, {"hint": (1, 0, 0)})),
        leg.solve(*spatial, priority="position"),
        leg.solve(*spatial, out=leg.solve(*spatial)),
        *(arm.solve(*spatial, **one) for one in ({"twist": 0.2}, {"soften": 0.9}, {"stretch": 2.0})),
        planar.solve([0.2, 0.3], bend=-1),
        both("three-link", last_limits=(-1, 1))[0].solve(*spatial),
        limbik.PlanarTwoLink([1.0, 2.0], 1.0).solve([0.2, 0.3]),
    ]
    assert not any(isinstance(one, ScalarSolution) for one in solutions)
    for bend in (1, 1.0, np.int64(1), True):
        assert np.array_equal(leg.solve(*spatial, bend=bend).joints, leg.solve(*spatial).joints)


@kinds
def test_a_range_of_the_middle_joint_is_kept(kind):
    quick, general = both(kind, middle_limits=(0.5, 2.0))
    rng = np.random.default_rng(2)
    for numbers in rng.normal(size=(50, 9)):
        vectors = vectors_of(kind, numbers.tolist())
        assert isinstance(quick.solve(*vectors), ScalarSolution)
        assert outcomes(quick.solve, *vectors) == outcomes(general.solve, *vectors)


@kinds
def test_it_is_a_solution_as_any_other(kind):
    quick, general = both(kind)
    vectors = vectors_of(kind, np.random.default_rng(3).normal(size=9).tolist())
    s, other = quick.solve(*vectors), general.solve(*vectors)
    assert repr(s) == repr(other)
    assert s._groups == other._groups
    assert (s.shape, s.dtype, s.joint_names) == (other.shape, other.dtype, other.joint_names)
    assert s.joints is s.joints
    assert s.joints.flags.owndata
    assert s.joints.flags.writeable
    with pytest.raises(TypeError, match="no length"):
        len(s)
    with pytest.raises(IndexError):
        s[0]


@kinds
def test_it_keeps_its_inputs(kind):
    limb = both(kind)[0]
    for wrap in (list, np.array):
        vectors = [wrap(one) for one in vectors_of(kind, [0.1, 0.3, 0.2] * 3)]
        s, expected = limb.solve(*vectors), limb.solve(*vectors).joints
        for vector in vectors:
            vector[0] = 9.0
        assert np.array_equal(s.joints, expected)


@kinds
@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_copies_and_pickles(kind, again):
    limb = both(kind)[0]
    vectors = vectors_of(kind, [0.1, 0.3, 0.2] * 3)
    s = limb.solve(*vectors)
    joints, status = s.joints, s.status
    assert np.array_equal(again(limb).solve(*vectors).joints, joints)
    other = again(s)
    assert other.status == status
    assert np.array_equal(other.joints, joints)
    assert np.array_equal(again(limb.solve(*vectors)).angles, s.angles)


@kinds
def test_its_memory_can_be_given_away(kind):
    limb = both(kind)[0]
    vectors = vectors_of(kind, [0.1, 0.3, 0.2] * 3)
    first = limb.solve(*vectors)
    joints = first.joints
    assert np.array_equal(limb.solve(*vectors, out=first).joints, joints)
    with pytest.raises(limbik.LimbikError, match="out="):
        first.joints
    batch = limb.solve(*(np.tile(one, (4, 1)) for one in vectors))
    batch.joints
    assert np.array_equal(limb.solve(*vectors, out=batch).joints, joints)


@pytest.mark.parametrize("kind", ["two-link", "three-link"])
def test_a_track_goes_on_from_it(kind):
    quick, general = both(kind)
    path = np.linspace([0.1, 0.3, 0.2], [0.4, 0.1, 0.2], 5)
    side = [0.2, 0.1, 0.9]
    begun = [limb.track(path, side, previous=limb.solve(path[0], side)) for limb in (quick, general)]
    assert np.array_equal(begun[0].joints, begun[1].joints)
