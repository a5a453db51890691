"""Numba gives bit for bit what NumPy gives, but for the transcendental functions, whose difference is bounded."""

from itertools import product

import numpy as np
import pytest

import limbik
from limbik.engines import dispatch, loading, numba_engine, thresholds
from tests import reference
from tests.thoroughness import some


def legs(count, dtype):
    rng = np.random.default_rng(0)
    target = reference.random_directions(rng, count) * rng.uniform(0, 1.2, (count, 1))
    up = rng.normal(size=(count, 3))
    up[::97] = target[::97]  # some rare cases among them
    target[::101] = 0
    return target.astype(dtype), up.astype(dtype)


LEG_OPTIONS = [{}, {"style": "easy"}, {"priority": "position"}, {"hint": (0.1, 0.2, 0.9)}]


@pytest.mark.parametrize(("dtype", "options"), some(product(("float64", "float32"), LEG_OPTIONS), 3))
def test_legs_are_bit_identical(dtype, options):
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    target, up = legs(3000, dtype)
    if options:  # with an array of origins, as in tests/limbs: kernels are compiled once for both
        options = {**options, "origin": target[::-1] / 2}
    answers = {}
    for engine in ("numpy", "numba"):
        with dispatch.use(engine):
            s = leg.solve(target, up, **options)
            answers[engine] = [s.joints, s.rotations, s.residual, s.status, s.angles]
    for a, b in zip(answers["numpy"][:4], answers["numba"][:4], strict=True):
        assert np.array_equal(a, b)
    eps = np.finfo(dtype).eps
    gap = np.abs(answers["numpy"][4] - answers["numba"][4])
    # float32 kernels divide by an estimate and a Newton step; angles near a singularity magnify that.
    assert np.minimum(gap, 2 * np.pi - gap).max() <= (16 if dtype == "float64" else 32) * eps


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_arms_are_bit_identical(dtype):
    target, pole = legs(3000, dtype)
    limb = limbik.TwoLink(0.45, 0.42)
    found = {}
    for engine in ("numpy", "numba"):
        with dispatch.use(engine):
            s = limb.solve(target, pole, twist=0.3)
            found[engine] = s.joints, s.rotations, limb.solve(target, pole, soften=0.9).joints
    assert np.array_equal(found["numpy"][0], found["numba"][0])
    assert np.array_equal(found["numpy"][1], found["numba"][1])
    assert np.abs(found["numpy"][2] - found["numba"][2]).max() <= 4 * np.finfo(dtype).eps


LAYOUTS = {
    "component-major": lambda rows: np.ascontiguousarray(rows.T).T,
    "row-major": np.ascontiguousarray,
    "three columns of four": lambda rows: np.concatenate([rows, rows[:, :1]], axis=1)[:, :3],
    "every other row": lambda rows: np.repeat(rows, 2, axis=0)[::2],
    "backwards": lambda rows: rows[::-1].copy()[::-1],
}


@pytest.mark.parametrize("answer", ["joints", "angles"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_how_the_input_lies_in_memory_changes_no_bit(layout, answer):
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    target, up = legs(1500, "float64")
    with dispatch.use("numba"):
        expected = getattr(leg.solve(target, up), answer)
        found = getattr(leg.solve(LAYOUTS[layout](target), up), answer)
    assert np.array_equal(found, expected)


def test_no_row_depends_on_its_neighbours():
    """Angles, whose arguments wait in memory for a second loop, among them rare cases, and rows that are invalid."""
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    target, up = legs(1100, "float32")
    target[5::83] = np.nan
    with dispatch.use("numba"):
        whole = leg.solve(target, up).angles
        few = [leg.solve(target[k : k + 3], up[k : k + 3]).angles for k in range(0, 120, 3)]
    assert np.array_equal(np.concatenate(few), whole[:120], equal_nan=True)


def test_plain_floats_agree_with_numpy_to_the_bit():
    target, up = legs(200, "float64")
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    s = leg.solve(target, up)
    for k in range(200):
        one = leg.solve(target[k].tolist(), up[k].tolist())
        assert np.array_equal(one.joints, s.joints[k])
        assert np.array_equal(one.rotations, s.rotations[k])


def test_small_batches_never_wait_for_a_compiler(monkeypatch):
    monkeypatch.setattr(loading.requests, "wait_for", lambda kernel: pytest.fail("compiled for a small batch"))
    leg = limbik.ThreeLink(0.451, 0.422, 0.123)
    assert leg.solve(np.ones((5000, 3)) * 0.2, (0.3, 1, 0), style="easy", hint=(1, 2, 3)).joints.shape == (5000, 4, 3)


def test_without_numba_large_batches_run_on_numpy(monkeypatch):
    monkeypatch.setattr(dispatch, "have_numba", lambda: False)
    monkeypatch.setattr(loading.requests, "wait_for", lambda kernel: pytest.fail("Numba is not there"))
    s = limbik.TwoLink(0.45, 0.42).solve(np.ones((thresholds.NUMBA_WAIT_MIN_ROWS, 3)) * 0.2)
    assert np.abs(s.joints[:, 2] - 0.2).max() < 1e-15


def test_large_batches_run_on_numba(monkeypatch):
    monkeypatch.setattr(dispatch, "run_on_numpy", lambda *_: pytest.fail("NumPy"))
    limbik.PlanarTwoLink(1, 1).solve(np.ones((thresholds.NUMBA_WAIT_MIN_ROWS, 2))).joints
    assert "joints" in {kernel.answer for kernel in loading.kernels if isinstance(kernel, numba_engine.Kernel)}


def test_an_unknown_engine_is_refused():
    with pytest.raises(limbik.LimbikError, match="engine"), dispatch.use("abacus"):
        pass
