"""Solutions of robot limbs are siblings of those of other limbs; limbs compare by value."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

import limbik
from limbik import LimbikError, Status
from limbik.robots.robot_limb import RobotLimb
from tests.robots.random_chains import forward, random_chain

CHAIN = random_chain("three parallel, last two meet", 0)
LIMB = RobotLimb(CHAIN)
ANGLES = np.random.default_rng(100).uniform(-np.pi, np.pi, (2, 3, 6))
PLACES, TURNS = (part.reshape(2, 3, -1) for part in LIMB.forward(ANGLES.reshape(6, 6)))
SHARED = "shape dtype limb target joint_names angle_names joints angles status status_names reached residual singular"


def test_solutions_have_what_those_of_other_limbs_have():
    batch, one = LIMB.solve(PLACES, TURNS, near=ANGLES), LIMB.solve(PLACES[0, 0], TURNS[0, 0], near=ANGLES[0, 0])
    sibling = limbik.TwoLink(0.4, 0.3).solve([0.2, 0.3, 0.1])
    assert all(hasattr(which, name) for name in (*SHARED.split(), "degrees") for which in (batch, one, sibling))
    assert (one.status, one.reached, one.status_names) == (Status.REACHED, True, "REACHED")
    assert isinstance(one.residual, float) and isinstance(one.within_limits, bool)
    assert batch.status_names.tolist() == [["REACHED"] * 3] * 2
    assert np.array_equal(batch.target, PLACES) and np.array_equal(batch.target_rotation, TURNS)
    np.testing.assert_allclose(batch.degrees(), np.degrees(ANGLES), atol=1e-6)
    tips = forward(CHAIN, batch.angles.reshape(6, 6))[0].reshape(2, 3, 3)
    np.testing.assert_allclose(batch.joints[..., -1, :], tips, atol=1e-12)
    with pytest.raises(LimbikError, match=r"a robot-limb solution has no rotation_residul.*did you mean"):
        _ = one.rotation_residul


def test_rows_of_a_batch_are_solutions():
    batch = LIMB.solve(PLACES, TURNS)
    assert (len(batch), len(list(batch)), batch[1].shape, batch[..., 1:].shape) == (2, 2, (3,), (2, 2))
    assert np.array_equal(batch[1, 2].angles, batch.angles[1, 2])
    assert np.array_equal(batch[:, 1].residual, batch.residual[:, 1])
    every = LIMB.branches(PLACES[0, 0], TURNS[0, 0])
    assert np.array_equal(every.target, np.tile(PLACES[0, 0], (len(every), 1)))
    assert [one.branch for one in every] == list(range(8))
    track = LIMB.track(PLACES, TURNS)
    assert (track[1:].is_track, track[0].is_track, track[::-1].is_track) == (True, False, False)
    with pytest.raises(TypeError, match="no length"):
        len(batch[0, 0])
    for wrong in (lambda: batch[0, 0][0], lambda: batch[5], lambda: batch[0, 0, 0]):
        with pytest.raises(IndexError):
            wrong()


@pytest.mark.parametrize("family", ["two", "seven, swivel", "nearly"])
def test_one_pose_is_solved_by_its_kernel_as_without(family):
    limb = RobotLimb(random_chain(family, 0)) if family != "nearly" else nearly_spherical()
    near = np.linspace(0.3, -0.9, len(limb.chain))
    place, turn = limb.forward(near + 0.02)
    asked = [partial(ask, place, turn, near) for ask in (limb.solve, limb.branches)]
    before = [ask() for ask in asked]
    with limbik.warm_up():
        limb.solve(place, turn, near)
    assert limb._single.solve(place, turn, near, every=False) is not None
    for one, other in zip(before, [ask() for ask in asked], strict=True):
        assert np.array_equal(one.target, other.target) and np.array_equal(one.branch, other.branch)
        np.testing.assert_allclose(one.angles, other.angles, atol=1e-12)


def nearly_spherical():
    chain = random_chain("spherical wrist, inner parallel", 4, squared=True)
    return RobotLimb(replace(chain, points=chain.points + np.random.default_rng(0).normal(size=(6, 3)) * 1e-4))


def test_limbs_compare_by_value():
    same, other = RobotLimb(random_chain("three parallel, last two meet", 0)), RobotLimb(random_chain("two", 0))
    assert same == LIMB and hash(LIMB) == hash(same) and other != LIMB and LIMB != "limb"
    assert len({LIMB, same, other}) == 2 and LIMB.chain == same.chain != other.chain


def test_solutions_print_as_a_table_or_a_line():
    one, several = LIMB.solve(PLACES[0, 0], TURNS[0, 0]), LIMB.solve(PLACES[0], TURNS[0])
    degrees = [f"{angle:.2f}°" for angle in one.degrees()]
    assert repr(one).split("\n")[1:-1] == [f"  joint {k}  {angle}" for k, angle in enumerate(degrees)]
    assert repr(several).startswith("robot limb solutions, shape (3,), float64: 3 REACHED; largest residual")
    assert repr(LIMB) == "RobotLimb('base' to 'tip': joint 0, joint 1, joint 2, joint 3, joint 4, joint 5)"
