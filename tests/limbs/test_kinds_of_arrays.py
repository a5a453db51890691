"""Arrays in another byte order, and masked ones: as the same numbers in this machine's order, with NaN where masked."""

from itertools import product

import numpy as np
import pytest

import limbik
from limbik.arguments import numbers, reals
from limbik.errors import ArgumentError
from limbik.limbs.status import Status
from limbik.terrains.heightfield import Heightfield

LIMBS = {
    "planar": (limbik.PlanarTwoLink(0.5, 0.4), {"target": 2}),
    "two links": (limbik.TwoLink(0.5, 0.4), {"target": 3, "pole": 3}),
    "three links": (limbik.ThreeLink(0.45, 0.42, 0.12), {"target": 3, "up": 3, "hint": 3}),
    "n links": (limbik.NLink([0.3, 0.2, 0.2]), {"target": 3, "pole": 3}),
}
SHAPES: list[tuple[int, ...]] = [(), (1,), (3, 2), (2000,)]


def inputs(given, shape):
    rng = np.random.default_rng(len(shape))
    return {name: rng.uniform(-0.6, 0.6, (*shape, size)) for name, size in given.items()}


@pytest.mark.parametrize(
    ("name", "shape", "kind"), [*product(LIMBS, SHAPES, ["f2", "f4", "f8", "i4"]), ("two links", (200_000,), "f4")]
)
def test_the_order_of_bytes_makes_no_difference(name, shape, kind):
    limb, given = LIMBS[name]
    words = {key: np.asarray(4.0 * value, kind) for key, value in inputs(given, shape).items()}
    native = limb.solve(**words)
    swapped = limb.solve(**{key: value.astype(value.dtype.newbyteorder("S")) for key, value in words.items()})
    expected = np.float32 if kind in ("f2", "f4") else np.float64
    for answer in ("joints", "angles", "residual", "status"):
        one, other = np.asarray(getattr(native, answer)), np.asarray(getattr(swapped, answer))
        assert one.dtype == other.dtype and other.dtype.isnative
        assert answer in ("status", "residual") or other.dtype == expected
        assert np.array_equal(one, other, equal_nan=answer != "status")


@pytest.mark.parametrize("name", LIMBS)
@pytest.mark.parametrize("shape", SHAPES[1:])
@pytest.mark.parametrize("kind", ["f4", ">f4", "f8"])
def test_a_row_with_a_masked_number_is_invalid_alone(name, shape, kind):
    limb, given = LIMBS[name]
    words = {key: value.astype(kind) for key, value in inputs(given, shape).items()}
    masked = np.zeros(words["target"].shape, bool)
    masked.reshape(-1, given["target"])[::3, 1] = True
    solution = limb.solve(**words | {"target": np.ma.MaskedArray(words["target"], masked)})
    expected = limb.solve(**words | {"target": np.where(masked, np.nan, words["target"]).astype(kind)})
    assert np.array_equal(solution.status == Status.INVALID, masked.any(axis=-1))
    assert solution.joints.dtype == expected.joints.dtype == np.dtype(kind).newbyteorder("=")
    assert np.array_equal(solution.joints, expected.joints, equal_nan=True)


def test_one_masked_target_and_masked_whole_numbers():
    leg = limbik.TwoLink(0.5, 0.4)
    assert leg.solve(np.ma.MaskedArray([0.1, -0.5, 0.2], [False, True, False])).status == Status.INVALID
    assert leg.solve(np.ma.MaskedArray([0.1, -0.5, 0.2])).status == Status.REACHED
    found = leg.solve(np.ma.MaskedArray([[0, 0, 0], [1, 1, 1]], [[True, False, False], [False] * 3]))
    assert (found.status == Status.INVALID).tolist() == [True, False]


def test_checks_of_arguments_see_masked_numbers():
    masked = np.ma.MaskedArray([1, 2, 3], [False, False, True])
    assert np.array_equal(reals("times", masked), [1.0, 2.0, np.nan], equal_nan=True)
    with pytest.raises(ArgumentError, match=r"times: got nan at index \(2,\)"):
        numbers("times", masked)
    with pytest.raises(ArgumentError, match="row 0, column 1"):
        Heightfield(np.ma.MaskedArray(np.zeros((2, 2)), [[False, True], [False, False]]))
    with pytest.raises(ArgumentError, match="real numbers"):
        reals("times", np.ma.MaskedArray(["a"], [True]))
    with pytest.raises(ArgumentError, match="positive"):
        limbik.TwoLink(np.ma.MaskedArray([0.5, 0.4], [False, True]), 0.4)
