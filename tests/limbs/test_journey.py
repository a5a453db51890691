"""The way from `solve` to the joints of a batch is short: few calls, few changes of package."""

import numpy as np
import pytest

import limbik
from limbik.engines import dispatch
from tests.engines.journey import changes, journey

LIMBS = {
    "planar": (limbik.PlanarTwoLink(0.5, 0.4), 2),
    "two-link": (limbik.TwoLink(0.45, 0.42), 3),
    "three-link": (limbik.ThreeLink(0.45, 0.42, 0.12), 3),
}


@pytest.mark.parametrize("rows", [1000, 200_000])
@pytest.mark.parametrize("kind", LIMBS)
def test_a_warm_batch_takes_few_calls(kind, rows):
    limb, size = LIMBS[kind]
    vectors = np.random.default_rng(0).normal(size=(2, rows, size))
    with dispatch.use("numba"):
        limb.solve(*vectors).joints
    limb.solve(*vectors).joints
    calls = journey(lambda: limb.solve(*vectors).joints)
    assert ("engines", "spread") in calls  # on Numba
    assert len(calls) <= 26, calls
    assert changes(calls) <= 4, calls
