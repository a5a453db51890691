"""What a caller writes into an array after `solve` never shows in some answers, or rows, and not in others."""

import copy
import pickle

import numpy as np
import pytest

import limbik
from limbik.engines import dispatch, threads

LEG = limbik.ThreeLink(0.45, 0.42, 0.12)
ARM = limbik.TwoLink(0.45, 0.42)
PLANAR = limbik.PlanarTwoLink(0.5, 0.4)
ANSWERS = ("joints", "angles", "rotations", "residual")


def inputs(rows, dtype="float64", order="C", seed=0):
    rng = np.random.default_rng(seed)
    arrays = rng.uniform(-0.5, 0.5, (rows, 3)), rng.normal(size=(rows, 3))
    return [np.array(array, dtype, order=order) for array in arrays]


def outcome(solution, name):
    """An answer, or "changed" where it is refused."""
    try:
        return np.array(getattr(solution, name))
    except limbik.errors.ChangedInputError:
        return "changed"


@pytest.mark.parametrize(
    ("dtype", "order", "rows", "trials"),
    [("float64", "C", 1_000_000, 1), ("float64", "C", 100_000, 6), ("float32", "F", 100_000, 6)],
)
def test_one_value_of_many_rows(dtype, order, rows, trials):
    """Any single value, changed by any amount, before the first answer or between two, in both orders."""
    rng = np.random.default_rng(1)
    arrays = inputs(rows, dtype, order)
    expected = {name: np.array(getattr(LEG.solve(*arrays), name)) for name in ("joints", "angles")}
    for trial in range(trials):
        first, second = ("joints", "angles") if trial % 2 else ("angles", "joints")
        s = LEG.solve(*arrays)
        before = outcome(s, first) if trial % 3 == 0 else None
        array, row, column = arrays[rng.integers(2)], rng.integers(rows), rng.integers(3)
        old = array[row, column]
        array[row, column] = rng.choice([np.nextafter(old, 9, dtype=dtype), -old, 0.0, np.nan, old + 0.1])
        for name in (first, second):
            found = outcome(s, name)
            assert isinstance(found, str) or np.array_equal(found, expected[name])
        assert before is None or np.array_equal(before, expected[first])
        assert outcome(s, "rotations") == "changed"
        array[row, column] = old
        assert not isinstance(outcome(s, "rotations"), str)  # as it was: the same inputs again


@pytest.mark.parametrize("distance", [1, 8, 511, 512, 4096, 65_536])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_exchanged_rows_are_noticed(distance, dtype):
    """Round numbers, whose bits differ least: also between blocks and threads."""
    targets, ups = inputs(120_000, dtype)
    targets[::2], targets[1::2] = 0.25, -0.25
    for row in (0, 3, 1000):
        targets[row + distance, 1] = -targets[row, 1]
        s = LEG.solve(targets, ups)
        targets[[row, row + distance], 1] = targets[[row + distance, row], 1]
        assert isinstance(outcome(s, "target"), str)
        targets[::2], targets[1::2] = 0.25, -0.25


@pytest.mark.parametrize("change", [lambda a: a * 2, lambda a: a + 1, lambda a: a[::-1]])
def test_whole_arrays_that_are_scaled_or_shifted_are_noticed(change):
    targets = np.ones((1 << 18, 3))
    targets[: 1 << 17] = 0.5
    s = ARM.solve(targets)
    targets[:] = change(targets).copy()
    assert isinstance(outcome(s, "target"), str)


def test_threads_do_not_show_in_the_checksum():
    targets, ups = inputs(300_000)
    with threads.at_most(1):
        one = LEG.solve(targets, ups)
    two = LEG.solve(targets, ups)
    assert one._checksum == two._checksum is not None
    with threads.at_most(1):
        assert np.array_equal(one.angles, two.angles)


@pytest.mark.parametrize("rows", [10, 60_000, 150_000])
@pytest.mark.parametrize("engine", ["numpy", "numba"])
def test_every_engine_and_size(rows, engine):
    targets, ups = inputs(rows)
    with dispatch.use(engine):
        expected = {name: np.array(getattr(LEG.solve(targets.copy(), ups.copy()), name)) for name in ANSWERS}
        for reads in (ANSWERS, ANSWERS[::-1]):
            s = LEG.solve(targets, ups)
            for k, name in enumerate(reads):
                targets[rows // 2, 1] += 0.125
                found = outcome(s, name)
                assert isinstance(found, str) or np.array_equal(found, expected[name]), (name, k)
            targets[rows // 2, 1] -= 0.5


def test_an_engine_that_changes_between_two_answers():
    targets, ups = inputs(150_000)
    s = LEG.solve(targets, ups)
    with dispatch.use("numpy"):
        assert np.abs(s.angles - LEG.solve(targets, ups).angles).max() < 1e-12
        targets[7, 0] += 1e-9
        assert isinstance(outcome(s, "rotations"), str)


def test_the_answer_that_is_read_first_is_the_one_computed_early():
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    targets, ups = inputs(150_000)
    assert leg.solve(targets, ups)._early[0] == "joints"
    leg.solve(targets, ups).angles
    assert leg.solve(targets, ups)._early[0] == "angles"
    leg.solve(targets, ups).joints
    assert leg.solve(targets, ups)._early[0] == "joints"


@pytest.mark.parametrize("rows", [50, 200_000])
def test_rows_targets_copies_and_pickles_are_of_the_old_inputs(rows):
    targets, ups = inputs(rows)
    expected = LEG.solve(targets.copy(), ups.copy())
    s = LEG.solve(targets, ups)
    part, one = s[rows // 4 : rows // 2], s[3]
    stored = pickle.dumps(LEG.solve(targets, ups))
    targets[:] = 0.125
    for found, index in (
        (part, slice(rows // 4, rows // 2)),
        (one, 3),
        (pickle.loads(stored), slice(None)),
        (copy.copy(s), ...),
    ):
        for name in ("joints", "target"):
            try:
                assert np.array_equal(getattr(found, name), getattr(expected, name)[index])
            except limbik.errors.ChangedInputError:
                assert rows > 100  # large arrays are not copied: an error, never a mixture


@pytest.mark.parametrize("rows", [10, 60_000])
def test_branches_tracks_limits_and_lengths_keep_their_inputs(rows):
    targets, ups = inputs(rows)
    lengths = np.full(rows, 0.45)
    limited = limbik.ThreeLink(0.45, 0.42, 0.12, last_limits=(-1.0, 1.0))
    makers = (
        LEG.branches,
        lambda t, u: ARM.track(t[:100], u[:100]),
        limited.solve,
        lambda t, u: PLANAR.branches(t[:, :2]),
        lambda t, u: limbik.ThreeLink(lengths, 0.42, 0.12).solve([0.2, 0.3, 0.1], u[0]),
    )
    for make in makers:
        kept = make(targets.copy(), ups.copy())
        s = make(targets, ups)
        targets += 0.1
        ups += 0.1
        lengths += 0.1
        assert np.array_equal(s.joints, kept.joints)
        assert np.array_equal(s.residual, kept.residual, equal_nan=True)
        lengths -= 0.1
        targets, ups = inputs(rows)


def test_a_limb_keeps_its_lengths():
    lengths = np.array([0.4, 0.5])
    leg = limbik.ThreeLink(lengths, 0.42, 0.12)
    chain = limbik.PlanarChain(lengths)
    lengths[:] = 9
    assert leg.lengths[:, 0].tolist() == [0.4, 0.5] == chain.lengths.tolist()
    with pytest.raises(ValueError, match="read-only"):
        leg.lengths[0] = 1


def test_repeated_targets_are_copied_once_and_answered_when_read():
    """A broadcast view counts by the memory behind it, however many rows it has."""
    target = np.array([0.3, -0.4, 0.2])
    s = LEG.solve(np.broadcast_to(target, (100_000_000, 3)), (0.0, -1.0, 0.0))
    expected = LEG.solve(target.copy(), (0.0, -1.0, 0.0)).joints
    target[:] = 0.0
    assert not s._answers and s._early is None
    assert np.array_equal(s[99_999_999].joints, expected)
