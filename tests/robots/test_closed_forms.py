"""Robot limbs in closed form: every branch is right by another forward kinematics, and the one asked for is there."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from limbik import Status
from limbik.engines import dispatch, threads
from limbik.robots.robot_limb import RobotLimb
from limbik.robots.screws import ScrewChain
from tests.robots.random_chains import FAMILIES, angle_gap, forward, jacobian, largest_miss, random_chain
from tests.thoroughness import THOROUGH

POSES = 4000 if THOROUGH else 300
SEEDS = range(6) if THOROUGH else range(2)


def made(family: str, seed: int, squared: bool = False, poses: int = POSES) -> tuple[RobotLimb, Any, Any, Rotation]:
    """A limb, random angles, and the poses to which they bring its tip."""
    chain = random_chain(family, seed, squared=squared)
    angles = np.random.default_rng(seed + 100).uniform(-np.pi, np.pi, (poses, len(chain)))
    return RobotLimb(chain), angles, *forward(chain, angles)


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_every_branch_is_exact_and_the_one_that_made_the_pose_is_there(family: str, seed: int, squared: bool) -> None:
    limb, angles, position, rotation = made(family, seed, squared)
    swivel = limb.swivel(angles) if len(limb.chain) == 7 else None
    found = limb.branches(position, rotation.as_quat(), swivel=swivel)
    assert np.isfinite(found.angles).all()
    gaps = angle_gap(found.angles, angles)
    posed = "position" not in limb.family  # the rotation is given, too
    slopes = jacobian(limb.chain, angles)[:, : 6 if posed else 3]
    regular = np.linalg.svd(slopes, compute_uv=False)[:, -1] > 1e-4
    assert gaps.min(axis=0)[regular].max() < 1e-6
    reached = found.status == Status.REACHED
    for branch, ok in zip(found.angles, reached, strict=True):
        there, turned = forward(limb.chain, branch)
        assert np.linalg.norm(there - position, axis=1)[ok].max(initial=0) < 1e-11
        assert not posed or (turned * rotation.inv()).magnitude()[ok].max(initial=0) < 1e-11
    same = angle_gap(found.angles[:, None], found.angles[None]) < 1e-7
    same &= reached[:, None] & reached[None] & regular
    assert (same.sum(axis=(0, 1)) == np.where(regular, reached.sum(axis=0), 0)).all()  # distinct from one another


@pytest.mark.parametrize("family", FAMILIES)
def test_engines_agree(family: str) -> None:
    limb, _, position, rotation = made(family, 3, poses=50)
    answers: list[Any] = []
    compiled = THOROUGH or family == "three parallel, last two meet"  # a kernel takes seconds to compile
    for engine in ("numpy", "numba" if compiled else "numpy"):
        with dispatch.use(engine):
            answers.append(limb.solve(position, rotation.as_quat()))
    few = [limb.solve(one, turn) for one, turn in zip(position[:4], rotation.as_quat()[:4], strict=True)]
    np.testing.assert_allclose(answers[0].angles, answers[1].angles, atol=1e-9)
    np.testing.assert_allclose([one.angles for one in few], answers[0].angles[:4], atol=1e-9)
    assert [one.branch for one in few] == answers[0].branch[:4].tolist()


def test_the_size_of_a_batch_and_the_number_of_threads_do_not_change_the_answers() -> None:
    limb = RobotLimb(random_chain("three parallel, last two meet", 1, squared=True))
    assert limb.closed_form.layout.program.rows_per_thread < 5000
    angles = np.random.default_rng(8).uniform(-np.pi, np.pi, (10_000, 6))
    position, rotation = forward(limb.chain, angles)
    quaternions = rotation.as_quat()
    with dispatch.use("numba"):
        every = limb.branches(position, quaternions)
        with threads.at_most(1):
            alone = limb.branches(position, quaternions)
        few = limb.branches(position[4000:4300], quaternions[4000:4300])
        best, part = limb.solve(position, quaternions), limb.solve(position[4000:4300], quaternions[4000:4300])
    assert np.array_equal(every.angles, alone.angles)
    assert np.array_equal(every.cost, alone.cost)
    assert np.array_equal(every.angles[:, 4000:4300], few.angles)
    np.testing.assert_allclose(part.angles, best.angles[4000:4300], atol=1e-9)  # in one call for all branches
    assert np.array_equal(part.branch, best.branch[4000:4300])


def test_the_nearest_branch_within_limits_is_chosen() -> None:
    chain = random_chain("three parallel, last two meet", 1, squared=True, limit=4.0)
    limb = RobotLimb(chain)
    angles = np.random.default_rng(5).uniform(-4.0, 4.0, (POSES, 6))
    position, rotation = forward(chain, angles)
    found = limb.solve(position, rotation.as_quat(), near=angles)
    assert (found.status == Status.REACHED).all()
    assert found.within_limits.all()
    np.testing.assert_allclose(found.angles, angles, atol=1e-6)


def test_rows_that_are_not_finite_are_invalid_alone() -> None:
    limb, _, position, rotation = made("spherical wrist, inner parallel", 0, poses=12)
    quaternions = rotation.as_quat()
    clean = limb.solve(position, quaternions)
    position[3, 1], position[4, 0], quaternions[5, 2], quaternions[6] = np.nan, np.inf, np.nan, 0.0
    found = limb.solve(position, quaternions)
    bad = np.isin(np.arange(12), (3, 4, 5, 6))
    assert (found.status[bad] == Status.INVALID).all()
    assert np.isnan(found.angles[bad]).all()
    np.testing.assert_allclose(found.angles[~bad], clean.angles[~bad], atol=1e-12)


def leg_with_hip_aside() -> ScrewChain:
    """A leg like that of a Unitree G1: the hip's pitch axis passes its roll and yaw axes at 36 mm."""
    axes = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 0], [1, 0, 0]], float)
    points = np.array(
        [[0, 0, 0], [0.02, 0.05, -0.03], [0.02, 0.05, -0.1], [0.1, 0.05, -0.15], [0, 0.05, -0.45], [0, 0.05, -0.467]]
    )
    lower, upper = np.array([-1.5, -0.5, -1.0, 0.25, -0.8, -0.26]), np.array([1.5, 1.0, 1.0, 2.2, 0.5, 0.26])
    names = ("hip pitch", "hip roll", "hip yaw", "knee", "ankle pitch", "ankle roll")
    tip = np.array([0.0, 0.05, -0.5])
    return ScrewChain(names, axes, points, ("hinge",) * 6, lower, upper, tip, np.array([0.0, 0.0, 0.0, 1.0]))


def test_a_leg_by_one_scalar() -> None:
    chain = leg_with_hip_aside()
    limb = RobotLimb(chain)
    assert "one scalar, fixed steps" in limb.family
    angles = np.random.default_rng(2).uniform(chain.lower, chain.upper, (POSES, 6))
    position, rotation = forward(chain, angles)
    for near in (None, angles):
        found = limb.solve(position, rotation.as_quat(), near=near)
        assert (found.status == Status.REACHED).all()
        assert found.within_limits.all()
        assert largest_miss(chain, found.angles, position, rotation) < 1e-10
    # Where two answers nearly coincide, the fixed steps may lead to the other one.
    apart = np.linalg.svd(jacobian(chain, angles), compute_uv=False)[:, -1] > 1e-3
    assert apart.mean() > 0.99
    np.testing.assert_allclose(found.angles[apart], angles[apart], atol=1e-6)


@pytest.mark.parametrize("size", [1e-6, 1e-4, 3e-3])
def test_files_with_rounded_numbers_are_solved_on_their_own_geometry(size: float) -> None:
    exact = random_chain("spherical wrist, inner parallel", 3, squared=True)
    random = np.random.default_rng(7)
    axes = exact.axes + 0.3 * size * random.normal(size=(6, 3))
    points = exact.points + 0.3 * size * random.normal(size=(6, 3))
    chain = replace(exact, axes=axes / np.linalg.norm(axes, axis=1, keepdims=True), points=points)
    limb = RobotLimb(chain)
    assert 0 < limb.miss[0] < 3 * size
    angles = random.uniform(-2, 2, (POSES, 6))
    regular = np.linalg.svd(jacobian(chain, angles), compute_uv=False)[:, -1] > 0.05
    angles = angles[regular]
    position, rotation = forward(chain, angles)
    found = limb.solve(position, rotation.as_quat(), near=angles)
    np.testing.assert_allclose(found.angles, angles, atol=1e-9)
    assert found.residual.max() < 1e-12


def test_where_no_family_fits_the_limb_says_why_and_is_solved_by_descents() -> None:
    chain = random_chain("spherical wrist, inner parallel", 0)
    points = chain.points.copy()
    points[5] += np.array([0.3, 0.2, 0.1])
    points[4] -= np.array([0.1, 0.3, 0.2])
    points[3] -= np.array([0.2, 0.1, 0.3])
    leg = random_chain("three, last two parallel", 0)
    limbs = {
        r"joint \d, joint \d.* miss a common point by [0-9.]+ mm": replace(chain, points=points),
        "slide": replace(chain, kinds=("slide", *chain.kinds[1:]), lower=np.full(6, -2.0), upper=np.full(6, 2.0)),
        "tip lies on the axis of 'joint 2'": replace(leg, position=leg.points[2] + 0.1 * leg.axes[2]),
    }
    for reason, lacking in limbs.items():
        limb = RobotLimb(lacking)
        assert "iterative" in limb.family and re.search(reason, limb.closed_form.words)
        angles = np.random.default_rng(0).uniform(-1.5, 1.5, (20, len(lacking)))
        place, turn = limb.forward(angles)
        found = limb.solve(place, turn)
        assert (found.status == Status.REACHED).all() and found.residual.max() < 1e-9
