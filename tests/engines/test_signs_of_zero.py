"""A limb whose constants have −0.0 gets answers of its own, not those of the call before, which had 0.0."""

import numpy as np
import pytest

import limbik
from limbik.engines import dispatch

PLUS, MINUS = (0.0, 0.0, 0.0), (-0.0, -0.0, -0.0)
TARGETS = [(-1.5, -0.0, -0.0), (-0.0, -1.5, -0.0), (-0.0, -3.5, -0.0), (-0.0, -0.0, -1.5)]
UP = (0.0, 1.0, 0.0)


def test_a_small_batch_after_another():
    arm, target = limbik.PlanarTwoLink(1, 1), np.array([[-2.5, -0.0]] * 3)
    before = arm.solve(target, origin=(0.0, 0.0)).angles
    after = arm.solve(target, origin=(0.0, -0.0)).angles
    assert (before[:, 0] == -np.pi).all()  # (−2.5, −0.0) from the origin
    assert (after[:, 0] == np.pi).all()  # −0.0 − (−0.0) = 0.0


@pytest.mark.parametrize("answer", ["joints", "rotations"])
@pytest.mark.parametrize("limb", [limbik.TwoLink(1, 1), limbik.ThreeLink(1, 1, 0.3)], ids=["arm", "leg"])
def test_a_frame_after_another(limb, answer):
    target = np.array([TARGETS])
    with dispatch.use("numba"):
        limb.track(target, UP, origin=PLUS)
        found = getattr(limb.track(target, UP, origin=MINUS), answer)
    with dispatch.use("numpy"):
        expected = getattr(limb.track(target, UP, origin=MINUS), answer)
    assert found.tobytes() == expected.tobytes()


def test_what_an_answer_copies_from_a_constant():
    limb, target = limbik.TwoLink(1, 1), np.array([(0.5, 0.5, 0.2)] * 3)  # no rare cases, which copy more
    with dispatch.use("numba"):
        general = limb.solve(target, UP, origin=MINUS).joints[:, 0]
    with limbik.warm_up():
        limb.solve(target, UP, origin=MINUS).joints
    planned = limb.solve(target, UP, origin=MINUS).joints[:, 0]  # on the same kernel
    assert np.signbit([general, planned]).all()
