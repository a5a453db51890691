"""The Solution as people hold it: indexing, words, number types, and no answer that is quietly wrong."""

import copy
import pickle

import numpy as np
import pytest

import limbik
from limbik import Status

LEG = limbik.ThreeLink(0.45, 0.42, 0.12)
RNG = np.random.default_rng(0)
TARGETS = RNG.normal(size=(6, 4, 3)) * 0.3
UPS = RNG.normal(size=(6, 4, 3))


def test_single_answers_have_no_batch():
    s = LEG.solve([0.2, -0.6, 0.3], [0, -1, 0])
    assert s.shape == ()
    assert s.joints.shape == (4, 3)
    assert s.angles.shape == (5,)
    assert s.rotations.shape == (3, 4)
    assert s.status is Status.REACHED
    assert s.reached is True
    assert isinstance(s.residual, float)
    assert s.singular is False
    assert np.array_equal(s.degrees(), np.degrees(s.angles))


@pytest.mark.parametrize("index", [0, -1, (2, 3), slice(1, 4), (slice(None), 2), [0, 5], (..., 1), np.arange(6) > 2])
def test_indexing_picks_rows_of_every_answer(index):
    s = LEG.solve(TARGETS, UPS, origin=(0.1, 0, 0))
    part = s[index]
    names = ("joints", "angles", "rotations", "residual", "status", "up_error", "singular")
    for name in names:
        whole = getattr(s, name)
        extra = (slice(None),) * (whole.ndim - 2) if isinstance(index, tuple) and index[0] is ... else ()
        expected = whole[(*index, *extra)] if extra else whole[index]
        assert np.allclose(getattr(part, name), expected, rtol=0, atol=4e-15), name


def test_iteration_and_length():
    s = LEG.solve(TARGETS, UPS)
    assert len(s) == 6
    assert [one.shape for one in s] == [(4,)] * 6
    with pytest.raises(IndexError):
        s[9]
    with pytest.raises(IndexError):
        s[0, 0, 0]
    with pytest.raises(TypeError):
        len(s[0, 0])
    with pytest.raises(IndexError):
        s[0, 0][0]


@pytest.mark.parametrize(
    ("values", "expected"),
    [("float64", "float64"), ("float32", "float32"), ("float16", "float32"), ("int64", "float64"), ("int8", "float64")],
)
@pytest.mark.parametrize("shape", [(3,), (5, 3)])
def test_number_types(values, expected, shape):
    s = LEG.solve(np.ones(shape).astype(values), (0, 1, 0))
    assert s.joints.dtype == s.angles.dtype == s.rotations.dtype == expected
    assert s.joints.flags.writeable


def test_mixed_number_types_take_the_wider():
    assert LEG.solve(np.ones((2, 3), "float32"), np.ones((2, 3))).joints.dtype == "float64"
    assert LEG.solve(np.ones((2, 3), "float32"), [0, 1, 0]).joints.dtype == "float32"


def test_words_for_people():
    text = repr(LEG.solve([0.2, -0.6, 0.3], [0, -1, 0]))
    assert "REACHED" in text
    assert "yaw 33.69°" in text
    assert "knee" in text
    assert "out of the plane" in repr(LEG.solve([0.2, -0.6, 0.3], [1, 0, 0], style="easy"))
    assert "TOO_FAR" in repr(LEG.solve([2, 0, 0], [0, 1, 0]))
    assert "bending plane was free" in repr(LEG.solve([0, -0.6, 0], [0, -1, 0]))
    assert "INVALID" in repr(LEG.solve([np.nan, 0, 0], [0, 1, 0]))
    batch = repr(LEG.solve(TARGETS, UPS))
    assert "(6, 4)" in batch
    assert "REACHED" in batch
    assert repr(LEG.solve(np.zeros((0, 3)), [0, 1, 0])).startswith("three-link solutions, shape (0,)")
    assert repr(LEG) == "ThreeLink(0.45, 0.42, 0.12)"


def test_answers_that_a_limb_does_not_have_say_what_there_is_instead():
    planar = limbik.PlanarTwoLink(1, 1).solve([1, 1])
    with pytest.raises(AttributeError, match="angles describe the pose completely"):
        planar.rotations
    with pytest.raises(limbik.LimbikError, match="up_error"):
        limbik.TwoLink(1, 1).solve([1, 1, 1]).up_error
    with pytest.raises(limbik.LimbikError, match="stretch"):
        LEG.solve([1, 0, 0], [0, 1, 0]).stretch
    assert not hasattr(planar, "rotations")


def test_a_large_input_that_was_reused_is_noticed():
    targets = np.ones((100_000, 3)) * 0.3
    s = LEG.solve(targets, (0, 1, 0))
    first = s.joints
    targets += 0.1
    assert s.joints is first  # what was asked for is kept
    with pytest.raises(limbik.LimbikError, match="array was changed after solve"):
        s.angles


def test_out_reuses_the_memory_of_an_earlier_solution():
    a = LEG.solve(TARGETS, UPS)
    memory = a.joints.__array_interface__["data"]
    b = LEG.solve(TARGETS[::-1], UPS, out=a)
    expected = LEG.solve(TARGETS[::-1], UPS)
    assert b.joints.__array_interface__["data"] == memory
    assert np.array_equal(b.joints, expected.joints)
    assert np.array_equal(b.rotations, expected.rotations)  # not there before: new memory
    with pytest.raises(limbik.LimbikError, match="given to another"):
        a.joints
    smaller = LEG.solve(TARGETS[:2], UPS[:2], out=b)
    assert np.array_equal(smaller.joints, LEG.solve(TARGETS[:2], UPS[:2]).joints)
    with pytest.raises(limbik.LimbikError, match="out"):
        LEG.solve(TARGETS, UPS, out="there")
    single = LEG.solve([0.1, 0.2, 0.3], [0, 1, 0], out=LEG.solve([0.2, 0.2, 0.3], [0, 1, 0]))
    assert single.reached


def test_out_never_writes_into_what_is_still_read():
    """Large inputs are kept by reference: targets may be a view of the very joints whose memory is offered."""
    rng = np.random.default_rng(1)
    targets, ups = rng.uniform(-0.5, 0.5, (60_000, 3)), rng.normal(size=(60_000, 3))
    earlier = LEG.solve(targets, ups)
    knees = earlier.joints[::-1, 1]
    expected = LEG.solve(knees.copy(), ups).joints
    assert np.array_equal(LEG.solve(knees, ups, out=earlier).joints, expected)


def test_the_repr_of_a_limb_can_be_evaluated():
    for limb in (
        limbik.ThreeLink(0.45, 0.42, 0.1234567890123, middle_limits=(0.1, 2.0), last_limits=(-1.0, 1.0)),
        limbik.TwoLink([0.4, 0.5], 0.3),
    ):
        again = eval(repr(limb), vars(limbik))
        assert np.array_equal(again.lengths, limb.lengths)
        assert again._limits == limb._limits


def test_status_prints_its_name():
    s = LEG.solve([0.2, -0.6, 0.3], [0, -1, 0])
    assert str(s.status) == f"{s.status}" == s.status_names == "REACHED"
    assert LEG.solve(TARGETS, UPS).status_names.shape == (6, 4)
    assert s.limb is LEG and s.target.tolist() == [0.2, -0.6, 0.3]


def test_a_misspelt_answer_is_suggested():
    solutions = (LEG.solve([0.2, -0.6, 0.3], [0, -1, 0]), LEG.solve(TARGETS, UPS), LEG.track(TARGETS, UPS))
    for s in (*solutions, copy.copy(solutions[0]), pickle.loads(pickle.dumps(solutions[1]))):
        with pytest.raises(AttributeError, match=r"a three-link solution has no angle \(did you mean 'angles'\?\)"):
            s.angle
        with pytest.raises(limbik.LimbikError, match=r"has no nonsense$"):
            s.nonsense
        assert not hasattr(s, "_nonsense")


def test_limbs_compare_by_value():
    def make():
        return [
            limbik.ThreeLink(0.45, 0.42, 0.12),
            limbik.ThreeLink(0.45, 0.42, 0.12, last_limits=(-1.0, 1.0)),
            limbik.ThreeLink(np.array([0.45, 0.4]), 0.42, 0.12),
            limbik.TwoLink(0.45, 0.42),
            limbik.PlanarTwoLink(0.45, 0.42),
            limbik.NLink([0.45, 0.42]),
            limbik.NLink([0.45, 0.42, 0.3], shares=[1, 2]),
            limbik.NLink([0.45, 0.42, 0.3], limits=(0.1, 2.0)),
        ]

    limbs, again = make(), make()
    assert limbs == again and len({*limbs, *again}) == len(limbs)
    assert all(copy.deepcopy(one) == one == pickle.loads(pickle.dumps(one)) for one in limbs)
    assert sum(one == other for one in limbs for other in again) == len(limbs)
    assert limbs[0] != "leg"


def test_solutions_and_frames_compare_by_identity():
    batch = LEG.solve(TARGETS, UPS)
    frames = limbik.Chain([1, 1], ("x", "x")).forward(np.zeros((4, 2)))
    for one in (batch, LEG.branches(TARGETS, UPS), LEG.track(TARGETS, UPS), frames):
        again = copy.deepcopy(one)
        assert one == one and one != again
        assert len({one, again}) == 2


@pytest.mark.parametrize(
    "bad", [[1, 2, 10**400], "abc", [[1, 2, 3], [1]], None, np.zeros((2, 3), bool), np.zeros((2, 4))]
)
def test_inputs_that_are_no_vectors_are_named(bad):
    with pytest.raises(limbik.LimbikError, match="target: got"):
        LEG.solve(bad, [0, -1, 0])
    with pytest.raises(limbik.LimbikError, match="radians"):
        limbik.TwoLink(1, 1).solve([1, 0, 0], twist=45)
