"""A row alone and the same row in batches of any size: the same bits on the CPU, except in the last bits of angles."""

import numpy as np
import pytest

import limbik
from limbik.engines import thresholds

LIMITS = {"middle_limits": (0.1, 2.5)}
LEG = limbik.ThreeLink(0.45, 0.42, 0.12)
BENT_LEG = limbik.ThreeLink(0.45, 0.42, 0.12, last_limits=(-0.5, 1.2), **LIMITS)
CHAIN = limbik.NLink([0.2, 0.25, 0.2, 0.1])
BENT_CHAIN = limbik.NLink([0.2, 0.25, 0.2, 0.1], limits=(0.05, 1.2))
ROW = object()  # an option that differs from row to row
CASES = {
    "planar": (limbik.PlanarTwoLink(0.5, 0.4, **LIMITS), [{}, {"bend": -1}]),
    "two-link": (limbik.TwoLink(0.45, 0.42), [{}, {"twist": ROW}, {"soften": 0.8, "stretch": 1.2}]),
    "two-link, limits": (limbik.TwoLink(0.45, 0.42, **LIMITS), [{}, {"soften": 0.7, "twist": 0.3}]),
    "three-link": (
        LEG,
        [{}, {"bend": -1}, {"hint": ROW}, {"style": "easy", "hint": ROW}, {"priority": "position", "hint": ROW}],
    ),
    "three-link, limits": (BENT_LEG, [{}, {"bend": -1, "hint": ROW}, {"style": "easy"}, {"priority": "position"}]),
    "n-link": (CHAIN, [{}, {"soften": 0.8, "direction": ROW}]),
    "n-link, limits": (BENT_CHAIN, [{}, {"soften": 0.8, "direction": ROW}]),
    "n-link, shares": (limbik.NLink([0.3, 0.25, 0.2], shares=[1.0, 2.0]), [{}]),
}
ANSWERS = ("joints", "rotations", "status", "residual", "singular", "stretch")
ANGLES = ("angles", "up_error", "out_of_plane")
ROWS = 150_000
DTYPES = pytest.mark.parametrize("dtype", ["float64", "float32"])


def arrays(limb, dtype):
    """Targets within and beyond reach, poles or ups, and what options read."""
    rng = np.random.default_rng(4)
    size = 2 if isinstance(limb, limbik.PlanarTwoLink) else 3
    target, side, option = (rng.normal(size=(3, ROWS, size)) * 0.45).astype(dtype)
    target[5], side[6] = np.nan, target[6]  # invalid; singular
    return [target] if size == 2 else [target, side], option


def solved(limb, vectors, option, options, rows, wrap=np.asarray):
    """The answers for some rows."""
    given = {
        name: wrap(option[rows][..., 0] if name == "twist" else option[rows]) if value is ROW else value
        for name, value in options.items()
    }
    solution = limb.solve(*(wrap(vector[rows]) for vector in vectors), **given)
    names = [
        name for name in (*ANSWERS, *ANGLES) if name in ("status", "residual", "singular") or hasattr(solution, name)
    ]
    return {name: np.asarray(getattr(solution, name)) for name in names}


def assert_same(found, expected, dtype):
    for name, value in found.items():
        wanted = expected[name]
        if name in ANGLES:
            np.testing.assert_allclose(value, wanted, rtol=0, atol=8 * np.finfo(dtype).eps, err_msg=name)
        else:
            assert np.array_equal(value, wanted, equal_nan=value.dtype.kind == "f"), name


@DTYPES
@pytest.mark.parametrize("case", CASES)
def test_alone_and_in_batches(case, dtype):
    limb, kinds = CASES[case]
    vectors, option = arrays(limb, dtype)
    for options in kinds:
        expected = solved(limb, vectors, option, options, slice(5000))
        for rows in (2, 7, 100):
            found = solved(limb, vectors, option, options, slice(rows))
            assert_same(found, {name: value[:rows] for name, value in expected.items()}, dtype)
        for row in range(12):
            wanted = {name: value[row] for name, value in expected.items()}
            assert_same(solved(limb, vectors, option, options, row), wanted, dtype)
            if dtype == "float64":
                assert_same(solved(limb, vectors, option, options, row, np.ndarray.tolist), wanted, dtype)
            part = solved(limb, vectors, option, options, slice(row, row + 1))
            assert_same({name: value[0] for name, value in part.items()}, wanted, dtype)


KERNELS = {
    ("two-link", "float64"): {"soften": 0.8, "twist": ROW},
    ("three-link, limits", "float64"): {},
    ("n-link, limits", "float32"): {"soften": 0.8},
}


@pytest.mark.parametrize(("case", "dtype"), KERNELS)
def test_large_batches(case, dtype, monkeypatch):
    """On kernels, whose compilation takes most of the time."""
    limb, options = CASES[case][0], KERNELS[case, dtype]
    vectors, option = arrays(limb, dtype)
    monkeypatch.setattr(thresholds, "KERNEL_MIN_SECONDS", np.inf)  # small batches stay on NumPy
    names = [name for name, value in options.items() if value is ROW]
    given = dict.fromkeys(names, option[:, 0])
    joints = limb.solve(*vectors, **{**options, **given}).joints
    part = limb.solve(
        *(one[:5000] for one in vectors), **{**options, **{name: one[:5000] for name, one in given.items()}}
    )
    assert np.array_equal(joints[:5000], part.joints, equal_nan=True)


@DTYPES
@pytest.mark.parametrize("limb", [LEG, BENT_LEG, CHAIN], ids=["leg", "leg, limits", "chain"])
def test_tracks_alone_and_in_batches(limb, dtype):
    rng = np.random.default_rng(5)
    target, up = (np.cumsum(rng.normal(size=(2, 12, 150, 3)) * 0.1, axis=1) + rng.normal(size=(2, 1, 150, 3))).astype(
        dtype
    )
    whole = limb.track(target, up)
    for rows in (slice(0, 1), slice(0, 2), slice(0, 30)):
        assert np.array_equal(limb.track(target[:, rows], up[:, rows]).joints, whole.joints[:, rows], equal_nan=True)
    assert np.array_equal(limb.track(target[:, 0], up[:, 0]).joints, whole.joints[:, 0], equal_nan=True)
