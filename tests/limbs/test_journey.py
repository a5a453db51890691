"""The way from `solve` to the joints of a batch is short: few calls, few changes of package."""

import numpy as np
import pytest

import limbik
from tests.engines.journey import changes, journey

LIMBS = {
    "planar": (limbik.PlanarTwoLink(0.5, 0.4), 2),
    "two-link": (limbik.TwoLink(0.45, 0.42), 3),
    "three-link": (limbik.ThreeLink(0.45, 0.42, 0.12), 3),
}


@pytest.mark.parametrize("kind", LIMBS)
def test_a_large_batch_takes_few_calls(kind):
    limb, size = LIMBS[kind]
    vectors = np.random.default_rng(0).normal(size=(2, 200_000, size))
    limb.solve(*vectors).joints
    calls = journey(lambda: limb.solve(*vectors).joints)
    assert ("engines", "spread") in calls  # on Numba
    calls = [one for one in calls if one[1] not in ("run_part", "of")]  # of each part
    assert len(calls) <= 46, calls
    assert changes(calls) <= 4, calls


@pytest.mark.parametrize("answer", ["joints", "angles"])
def test_a_small_batch_takes_very_few_calls(answer):
    limb, size = LIMBS["three-link"]
    vectors = np.random.default_rng(0).normal(size=(2, 1000, size))
    with limbik.warm_up():
        getattr(limb.solve(*vectors), answer)
    calls = journey(lambda: getattr(limb.solve(*vectors), answer))
    assert ("engines", "_run_without_kernel") not in calls  # on Numba
    assert len(calls) <= 15, calls
    assert changes(calls) <= 1, calls
