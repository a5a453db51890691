"""Limits, swivels, targets out of reach and tracks of robot limbs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from limbik import Status
from limbik.errors import ShapeError
from limbik.robots.robot_limb import RobotLimb
from limbik.robots.screws import ScrewChain
from tests.robots.family_limbs import FAMILY_LIMBS, family_limb, reachable_poses
from tests.robots.random_chains import Array, forward, largest_miss, random_chain
from tests.thoroughness import THOROUGH

POSES = 1000 if THOROUGH else 60


def arm_with_swivel(width: float, seed: int = 0) -> ScrewChain:
    """Seven joints as most such arms have them, with limits of some width around random angles."""
    axes = np.array([[0, 0, 1], [0, 1, 0], [0, 0, 1], [0, -1, 0], [0, 0, 1], [0, 1, 0], [0, 0, 1]], float)
    points = np.array([[0, 0, h] for h in (0.1, 0.36, 0.5, 0.78, 0.9, 1.18, 1.3)])
    middle = np.random.default_rng(seed).uniform(-1.5, 1.5, 7)
    return seven_joints(axes, points, middle - width, middle + width, (0.0, 0.0, 1.4))


def seven_joints(axes: Array, points: Array, lower: Array, upper: Array, tip: Any, rotation: Any = (0, 0, 0, 1)) -> Any:
    return ScrewChain(
        tuple("abcdefg"), axes, points, ("hinge",) * 7, lower, upper, np.array(tip), np.array(rotation, float)
    )


@pytest.mark.parametrize("width", [2.5, 1.0, 0.2, 0.02])
def test_an_answer_within_limits_is_found_wherever_there_is_one(width: float) -> None:
    for seed in range(8 if THOROUGH else 2):
        chain = arm_with_swivel(width, seed)
        limb = RobotLimb(chain)
        angles = np.random.default_rng(seed).uniform(chain.lower, chain.upper, (POSES, 7))
        position, rotation = forward(chain, angles)
        found = limb.solve(position, rotation.as_quat())
        assert (found.status == Status.REACHED).all()
        assert ((found.angles >= chain.lower - 1e-9) & (found.angles <= chain.upper + 1e-9)).all()
        assert largest_miss(chain, found.angles, position, rotation) < 1e-12


def arm_of_a_humanoid() -> ScrewChain:
    """An arm like that of a Unitree G1: no three axes meet; those of shoulder and wrist miss by up to 46 mm."""
    axes = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    points = np.array(
        [[0, 0.1, 0], [0, 0.14, -0.014], [0, 0.145, -0.1], [0.016, 0.145, -0.2]]
        + [[0.1, 0.147, -0.21], [0.2, 0.147, -0.21], [0.246, 0.147, -0.21]]
    )
    lower = np.array([-3.1, -1.6, -2.6, -1.05, -1.97, -1.61, -1.61])
    upper = np.array([2.7, 2.25, 2.6, 2.1, 1.97, 1.61, 1.61])
    return seven_joints(axes, points, lower, upper, (0.3, 0.147, -0.21))


def arm_of_a_panda() -> ScrewChain:
    """An arm with the dimensions and limits of a Franka Panda, whose last joint is free."""
    axes = np.array([[0, 0, 1], [0, 1, 0], [0, 0, 1], [0, -1, 0], [0, 0, 1], [0, -1, 0], [0, 0, -1]], float)
    points = np.array([[0, 0, 0.333]] * 3 + [[0.0825, 0, 0.649]] + [[0, 0, 1.033]] * 2 + [[0.088, 0, 1.033]])
    lower = np.array([-2.8973, -1.7628, -2.8973, -3.0718, -2.8973, -0.0175, -2.8973])
    upper = np.array([2.8973, 1.7628, 2.8973, -0.0698, 2.8973, 3.7525, 2.8973])
    return seven_joints(axes, points, lower, upper, (0.088, 0, 0.926), (1, 0, 0, 0))


@pytest.mark.parametrize(
    ("chain", "family"), [(arm_of_a_humanoid(), "nearly"), (arm_of_a_panda(), "last joint given")], ids=["G1", "Panda"]
)
def test_arms_without_arcs_in_closed_form_find_an_answer_wherever_there_is_one(chain: ScrewChain, family: str) -> None:
    limb = RobotLimb(chain)
    assert family in limb.family
    angles = np.random.default_rng(6).uniform(chain.lower, np.minimum(chain.upper, np.pi), (2 * POSES, 7))
    angles[: POSES // 2, 1::2] = chain.upper[1::2] - 1e-3  # few swivels are left there
    position, rotation = forward(chain, angles)
    found = limb.solve(position, rotation.as_quat())
    assert (found.status == Status.REACHED).all()
    assert ((found.angles >= chain.lower) & (found.angles <= chain.upper)).all()
    assert largest_miss(chain, found.angles, position, rotation) < 1e-9


def test_near_keeps_the_swivel() -> None:
    chain = arm_with_swivel(2.8)
    limb = RobotLimb(chain)
    angles = np.random.default_rng(1).uniform(chain.lower, chain.upper, (POSES, 7))
    position, rotation = forward(chain, angles)
    found = limb.solve(position, rotation.as_quat(), near=angles)
    np.testing.assert_allclose(found.angles, angles, atol=1e-6)
    again = limb.solve(position, rotation.as_quat(), near=angles, swivel=limb.swivel(angles))
    np.testing.assert_allclose(again.angles, angles, atol=1e-6)


@pytest.mark.parametrize("family", ["three parallel, last two meet", "spherical shoulder, outer meeting", "two"])
def test_out_of_reach_gives_the_nearest_pose(family: str) -> None:
    chain = random_chain(family, 2, squared=True, limit=2.0)
    limb = RobotLimb(chain)
    random = np.random.default_rng(4)
    position = random.uniform(-1.0, 1.0, (4, 3)) + np.array([1.5, 1.5, 0.0])
    rotation = Rotation.from_quat(random.normal(size=(4, 4)))
    found = limb.solve(position, rotation.as_quat())
    assert np.isin(found.status, (Status.TOO_FAR, Status.TOO_NEAR)).all()
    assert found.within_limits.all()
    arm = limb.length * (0.25 if len(chain) == 6 else 0.0)

    def measure(angles: Array, row: int) -> float:
        there, turned = forward(chain, angles[None])
        turn = (turned[0] * rotation[row].inv()).magnitude()
        return float(np.sum((there[0] - position[row]) ** 2) + (4 * arm * np.sin(0.25 * turn)) ** 2)

    for row in range(4):
        bounds = list(zip(chain.lower, chain.upper, strict=True))
        local = minimize(measure, found.angles[row], (row,), method="L-BFGS-B", bounds=bounds).fun
        assert measure(found.angles[row], row) < local + 1e-3 * (1 + local)


def test_a_track_passes_a_singular_wrist_and_keeps_its_turns() -> None:
    chain = random_chain("three parallel, last two meet", 1, squared=True)
    limb = RobotLimb(chain)
    time = np.linspace(0.0, 1.0, 41)[:, None]
    angles = np.array([0.3, -1.2, 1.4, -0.5, -0.4, 0.7]) + time * np.array([7.0, 0.2, 0.3, -0.4, 0.8, 0.5])
    position, rotation = forward(chain, angles)
    track = limb.track(position, rotation.as_quat(), previous=angles[0])
    assert (track.status == Status.REACHED).all()
    assert np.abs(np.diff(track.angles, axis=0)).max() < 0.5
    assert largest_miss(chain, track.angles, position, rotation) < 1e-8
    halves = limb.track(position[20:], rotation.as_quat()[20:], previous=track.angles[19])
    np.testing.assert_allclose(halves.angles, track.angles[20:], atol=1e-9)


def test_a_solution_of_a_batch_is_continued_row_by_row_and_a_track_from_its_end() -> None:
    chain = random_chain("three parallel, last two meet", 1, squared=True)
    limb = RobotLimb(chain)
    angles = np.random.default_rng(3).uniform(-1.0, 1.0, (5, 6))
    place, rotation = forward(chain, angles)
    turn = rotation.as_quat()
    start = limb.solve(place, turn, near=angles)
    held = limb.track(place[None], turn[None], previous=start)
    apart = limb.track(place[None], turn[None], previous=start.angles)
    assert np.array_equal(held.angles, apart.angles)
    np.testing.assert_allclose(held.angles[0], start.angles, atol=1e-9)
    way = angles[0] + np.linspace(0.0, 1.0, 20)[:, None] * (angles[1] - angles[0])
    place, rotation = forward(chain, way)
    turn = rotation.as_quat()
    path = limb.track(place, turn, previous=way[0])
    ended = limb.track(place[-1:], turn[-1:], previous=path)
    np.testing.assert_allclose(ended.angles[0], path.angles[-1], atol=1e-9)
    with pytest.raises(ShapeError, match="previous"):
        limb.track(place, turn, previous=start)


@pytest.mark.parametrize("name", [name for name in FAMILY_LIMBS if family_limb(name).oriented])
@pytest.mark.parametrize("length", [1e-3, 0.5, 2.0, 1e3])
def test_the_length_of_a_quaternion_does_not_matter(name, length):
    """Nor for whether a target can be reached at all, which is decided first."""
    limb = family_limb(name)
    angles, position, rotation = reachable_poses(limb, 8)
    assert limb.solve(position, length * rotation, near=angles + 0.2).reached.all()
