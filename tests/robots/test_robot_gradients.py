"""Gradients of robot limbs: those of the answer that is returned, for every family; finite wherever there is none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from limbik import Status
from limbik.robots.robot_limb import RobotLimb
from tests.optional import double_precision, optional
from tests.robots.family_limbs import FAMILY_LIMBS, family_limb, reachable_poses
from tests.robots.random_chains import Array, random_chain
from tests.thoroughness import some

torch = optional("torch")
jax = optional("jax")
STEP = 1e-5  # of central differences, metres or radians
MAX_ERROR = 1e-6  # of a gradient, relative to the largest one of its row
MIN_SINGULAR_VALUE = 0.005  # of the Jacobian of a regular pose
ROWS = 8
ALONG_X = np.array([1.0, 0.0, 0.0])


def slopes_by_torch(limb: RobotLimb, poses: dict[str, Array]) -> dict[str, Array]:
    """How angles (rows, n) move with each number of the arguments: (rows, n, numbers)."""
    tensors = {name: torch.tensor(one, requires_grad=True) for name, one in poses.items()}
    angles: Any = limb.solve(**tensors).angles
    rows = [torch.autograd.grad(one.sum(), [*tensors.values()], retain_graph=True) for one in angles.T]
    found = {name: np.stack([row[k].numpy() for row in rows], 1) for k, name in enumerate(tensors)}
    return {name: one if one.ndim == 3 else one[..., None] for name, one in found.items()}


def differences(limb: RobotLimb, poses: dict[str, Array], name: str, step: float = STEP) -> Array:
    """The same by central differences of NumPy's answers."""
    found = []
    for number in range(poses[name].shape[-1] if poses[name].ndim > 1 else 1):
        moved = poses[name] * 0.0
        moved[..., number if moved.ndim > 1 else slice(None)] = step
        ahead, behind = (limb.solve(**poses | {name: poses[name] + way * moved}).angles for way in (1, -1))
        found.append((ahead - behind) / (2.0 * step))
    return np.stack(found, -1)


def check_against_differences(limb: RobotLimb, poses: dict[str, Array], names: list[str], least: int) -> None:
    """The slopes, where the answer is regular and differences of two steps agree: so many rows at least."""
    slopes = slopes_by_torch(limb, poses)
    rates = limb.jacobian(limb.solve(**poses).angles)[:, : 6 if limb.oriented else 3]
    apart_from_singularities = np.linalg.svd(rates, compute_uv=False)[:, -1] > MIN_SINGULAR_VALUE
    for name in names:
        coarse, fine = (differences(limb, poses, name, step) for step in (STEP, 0.3 * STEP))
        size = np.maximum(1.0, np.abs(fine).max(axis=(1, 2)))
        regular = np.abs(coarse - fine).max(axis=(1, 2)) < 0.5 * MAX_ERROR * size
        error = np.abs(slopes[name] - fine).max(axis=(1, 2)) / size
        regular &= apart_from_singularities
        assert regular.sum() >= least, name
        assert error[regular].max() < MAX_ERROR, name


def poses_of(limb: RobotLimb, rows: int = ROWS) -> dict[str, Array]:
    """Poses, and angles to be near, a little apart from those that made them."""
    angles, position, rotation = reachable_poses(limb, rows, seed=11)
    near = angles + np.random.default_rng(1).normal(size=angles.shape) * 0.01
    return {"position": position, "rotation": rotation, "near": near}


@pytest.mark.parametrize("name", [name for name in FAMILY_LIMBS if name != "4, iterative"])
def test_slopes_are_those_of_the_answer(name: str) -> None:
    limb = family_limb(name)
    poses = poses_of(limb)
    names = ["position", *(["rotation"] if limb.uses_rotation else []), *(["near"] if limb.redundancy else [])]
    check_against_differences(limb, poses, names, 3)
    assert not limb.redundancy or (slopes_by_torch(limb, poses)["near"] != 0.0).any()


def test_slopes_of_limbs_that_come_near_to_a_rotation() -> None:
    limb = family_limb("4, iterative")
    poses = poses_of(limb)
    slopes = slopes_by_torch(limb, poses)
    for name in ("position", "rotation"):  # descents leave more than the rounding of a closed form
        error = np.abs(slopes[name] - differences(limb, poses, name, 1e-4)).max(axis=(1, 2))
        assert np.median(error) < MAX_ERROR * max(1.0, np.abs(slopes[name]).max())


@pytest.mark.parametrize("name", ["7R, swivel", "7R, last joint"])
def test_slopes_with_a_swivel_and_without_angles_to_be_near(name: str) -> None:
    limb = family_limb(name)
    angles, position, rotation = reachable_poses(limb, ROWS)
    poses = {"position": position, "rotation": rotation}
    check_against_differences(limb, poses, ["position", "rotation"], 3)
    check_against_differences(limb, poses | {"swivel": limb.swivel(angles)}, ["position", "rotation", "swivel"], 3)


@pytest.mark.parametrize("name", ["7R, nearly", "8, iterative"])
def test_the_tip_follows_its_target_where_nothing_decides_how_the_joints_move(name: str) -> None:
    limb = family_limb(name)
    poses = poses_of(limb)
    del poses["near"]
    slopes = slopes_by_torch(limb, poses)["position"]
    rates = limb.jacobian(limb.solve(**poses).angles)
    np.testing.assert_allclose(rates[:, :3] @ slopes, np.broadcast_to(np.eye(3), (ROWS, 3, 3)), atol=1e-6)
    np.testing.assert_allclose(rates[:, 3:] @ slopes, 0.0, atol=1e-6)


@pytest.mark.parametrize("name", ["2R", "3, slide"])
def test_slopes_of_the_nearest_pose_out_of_reach(name: str) -> None:
    limb = family_limb(name)
    poses = poses_of(limb)
    poses["position"] = poses["position"] * 1.5 + limb.length * np.random.default_rng(0).normal(size=(ROWS, 3))
    assert np.sum(limb.solve(**poses).status != Status.REACHED) > ROWS // 2
    check_against_differences(limb, poses, ["position"], 4)


def test_a_joint_that_rests_on_its_limit_does_not_move_and_the_others_take_over() -> None:
    chain = random_chain("seven, swivel", 2, squared=True, limit=2.5)
    limb = RobotLimb(replace(chain, upper=np.where(np.arange(7) == 2, 0.4, chain.upper)))
    angles, position, rotation = reachable_poses(limb, 20)
    poses = {"position": position, "rotation": rotation, "near": np.where(np.arange(7) == 2, 1.5, angles)}
    found = limb.solve(**poses)
    rests = (found.angles[:, 2] > limb.upper[2] - 1e-12) & (found.status == Status.REACHED)
    assert rests.any()
    slopes = slopes_by_torch(limb, poses)
    assert (slopes["position"][rests, 2] == 0.0).all() and (slopes["near"][rests, 2] == 0.0).all()
    moved = limb.jacobian(found.angles[rests]) @ slopes["position"][rests]
    wanted = np.broadcast_to(np.eye(6)[:, :3], moved.shape)
    regular = limb.manipulability(found.angles[rests]) > 1e-3
    np.testing.assert_allclose(moved[regular], wanted[regular], atol=1e-6)


@pytest.mark.parametrize("name", FAMILY_LIMBS)
def test_slopes_are_finite_where_there_are_none(name: str) -> None:
    limb = family_limb(name)
    angles = np.zeros((6, len(limb.joints)))
    angles[1] = limb.upper  # every joint on its limit
    position, rotation = limb.forward(angles)
    position[2] *= 1e3
    position[3], rotation[4] = np.nan, 0.0
    position[5] = 1e300
    tensors = {"position": position, "rotation": rotation, "near": angles + 0.01}
    tensors = {name: torch.tensor(one, requires_grad=True) for name, one in tensors.items()}
    for call in (limb.solve, limb.branches):
        angles_found: Any = call(**tensors).angles
        slopes = torch.autograd.grad(torch.nan_to_num(angles_found).sum(), [*tensors.values()])
        assert all(torch.isfinite(one).all() for one in slopes)


@pytest.mark.parametrize("name", some(["5R", "6R, guess", "6R, shoulder", "7R, swivel", "3, slide", "2R"], 2))
def test_slopes_of_branches_follow_each_branch(name: str) -> None:
    limb = family_limb(name)
    poses = poses_of(limb, 4)
    place = torch.tensor(poses["position"], requires_grad=True)
    found: Any = limb.branches(place, torch.tensor(poses["rotation"]), torch.tensor(poses["near"]))
    slopes = np.stack(
        [
            [torch.autograd.grad(joint.sum(), place, retain_graph=True)[0].numpy() for joint in branch.T]
            for branch in found.angles
        ]
    )
    slopes = np.moveaxis(slopes, 1, -2)  # (branches, rows, n, 3)
    reached = np.asarray(found.status) == Status.REACHED
    rates = limb.jacobian(found.angles.detach().numpy())[..., :3, :]
    regular = reached & (np.linalg.svd(rates, compute_uv=False)[..., -1] > 0.02)
    assert regular.any() and np.isfinite(slopes).all()
    np.testing.assert_allclose((rates @ slopes @ rates)[regular], rates[regular], atol=1e-5)  # the tip follows


@pytest.mark.parametrize("name", ["3R", "6R, wrist", "7R, swivel"])
def test_gradcheck(name: str) -> None:
    limb = family_limb(name)
    given = poses_of(limb)
    chosen = np.argsort(limb.solve(**given).singular_distance)[-2:]  # the most regular ones
    poses = {one: torch.tensor(value[chosen], requires_grad=True) for one, value in given.items()}
    inputs = tuple(poses.values())[: 3 if limb.redundancy else 2 if limb.uses_rotation else 1]
    names = list(poses)[: len(inputs)]
    assert torch.autograd.gradcheck(
        lambda *given: limb.solve(**poses | dict(zip(names, given, strict=True))).angles, inputs, eps=1e-5, atol=1e-5
    )
    if limb.redundancy == 0:
        assert torch.autograd.gradgradcheck(
            lambda place: limb.solve(**poses | {"position": place}).angles, inputs[:1], eps=1e-5, atol=1e-3, rtol=1e-3
        )


@pytest.mark.parametrize("name", some(FAMILY_LIMBS, 7))
def test_jax_has_the_slopes_of_torch_compiled_and_mapped(name: str) -> None:
    limb = family_limb(name)
    poses = poses_of(limb)
    wanted = torch.tensor(poses["position"], requires_grad=True)
    others = {one: torch.tensor(poses[one]) for one in ("rotation", "near")}
    limb.solve(wanted, **others).angles.sum().backward()
    with double_precision(jax):
        arrays = {one: jax.numpy.asarray(value) for one, value in poses.items()}

        def total(place: Any, others: dict[str, Any]) -> Any:
            return limb.solve(place, **others).angles.sum()

        others = {one: arrays[one] for one in ("rotation", "near")}
        plain = jax.grad(total)(arrays["position"], others)
        mapped = jax.jit(jax.vmap(jax.grad(total)))(arrays["position"], others)
    np.testing.assert_allclose(np.asarray(plain), wanted.grad.numpy(), atol=1e-6, rtol=1e-6)
    assert np.isfinite(np.asarray(mapped)).all()
    agree = np.isclose(np.asarray(mapped), wanted.grad.numpy(), atol=1e-4, rtol=1e-4).all(axis=1)
    assert agree.mean() > 0.7  # the others are other answers


def test_forward_mode_and_second_derivatives_of_jax() -> None:
    limb = family_limb("3R")
    poses = poses_of(limb, 1)
    with double_precision(jax):
        place, near = (jax.numpy.asarray(poses[name][0]) for name in ("position", "near"))

        def angles(place: Any) -> Any:
            return limb.solve(place, near=near).angles

        _, rates = jax.jvp(angles, (place,), (jax.numpy.asarray(ALONG_X),))
        slopes = jax.grad(lambda place: angles(place).sum())
        _, bends = jax.jvp(slopes, (place,), (jax.numpy.asarray(ALONG_X),))
        ahead, behind = (slopes(place + way * STEP * ALONG_X) for way in (1, -1))
        moved = limb.jacobian(np.asarray(angles(place)))[:3] @ np.asarray(rates)
    np.testing.assert_allclose(moved, ALONG_X, atol=1e-7)
    np.testing.assert_allclose(np.asarray(bends), np.asarray(ahead - behind) / (2 * STEP), rtol=1e-4, atol=1e-4)
