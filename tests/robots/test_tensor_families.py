"""Limbs of every family on torch and JAX: the status and the answers that NumPy gives, on devices and compiled too."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest

from limbik import Status
from limbik.engines import dispatch
from limbik.robots import tensor_solving
from limbik.robots.robot_limb import RobotLimb
from tests.optional import double_precision, optional
from tests.robots.family_limbs import FAMILY_LIMBS, family_limb, reachable_poses
from tests.robots.random_chains import Array
from tests.thoroughness import some

torch = optional("torch")
jax = optional("jax")
MAX_MISS = 1e-9  # metres or radians
FAR = 3  # rows whose targets are out of reach


def poses_of(limb: RobotLimb, rows: int = 12) -> dict[str, Array]:
    """Poses of which the first are out of reach, and angles to be near."""
    angles, position, rotation = reachable_poses(limb, rows)
    position[:FAR] += 3.0 * limb.length
    near = angles + np.random.default_rng(1).normal(size=angles.shape) * 0.03
    return {"position": position, "rotation": rotation, "near": near}


def tensors_of(library: str, poses: dict[str, Array]) -> dict[str, Any]:
    make = torch.tensor if library == "torch" else jax.numpy.asarray
    return {name: make(one) for name, one in poses.items()}


def precision(library: str) -> Any:
    return double_precision(jax) if library == "jax" else nullcontext()


def check_reached(limb: RobotLimb, found: Any, status: Array) -> None:
    reached = status == Status.REACHED
    assert np.asarray(found.residual)[reached].max(initial=0.0) < MAX_MISS
    if limb.oriented:
        assert np.asarray(found.rotation_residual)[reached].max(initial=0.0) < MAX_MISS
    assert np.asarray(found.within_limits)[reached].all()


@pytest.mark.parametrize("library", ["torch", "jax"])
@pytest.mark.parametrize("name", FAMILY_LIMBS)
def test_plain_tensors_have_the_numbers_of_numpy(name: str, library: str) -> None:
    limb, empty = family_limb(name), np.zeros((2, 0, 7))
    poses = poses_of(limb)
    poses["position"][5] = np.nan
    with precision(library):
        for call in (limb.solve, limb.branches):
            found, wanted = call(**tensors_of(library, poses)), call(**poses)
            assert np.array_equal(np.asarray(found.status), wanted.status)
            np.testing.assert_allclose(np.asarray(found.angles), wanted.angles, atol=1e-8)
            poses_of_none = tensors_of(library, {"position": empty[..., :3], "rotation": empty[..., 3:]})
            shape = (2, 0) if call == limb.solve else (limb.branch_count, 2, 0)
            none: Any = call(**poses_of_none)
            assert tuple(none.angles.shape) == (*shape, len(limb.joints)) and tuple(none.status.shape) == shape


@pytest.mark.parametrize("near", [True, False])
@pytest.mark.parametrize("name", FAMILY_LIMBS)
def test_what_devices_run_finds_what_numpy_finds(name: str, near: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    limb = family_limb(name)
    poses = poses_of(limb)
    poses["position"][5] = np.nan
    if not near:
        del poses["near"]
    solved: Any = limb.solve(**poses)
    branches = limb.branches(**poses)
    monkeypatch.setattr(tensor_solving, "_are_arrays", lambda *arguments: False)
    tensors = tensors_of("torch", poses)
    found: Any = limb.solve(**tensors)
    assert np.array_equal(np.asarray(found.status), solved.status)
    check_reached(limb, found, solved.status)
    if near:
        np.testing.assert_allclose(found.angles[FAR:].numpy(), solved.angles[FAR:], atol=1e-5)
    every: Any = limb.branches(**tensors)
    assert every.angles.shape == branches.angles.shape
    assert (np.asarray(every.status) == branches.status).mean() > 0.9  # near a branch's end rounding decides
    check_reached(limb, found, np.asarray(found.status))


@pytest.mark.parametrize("name", ["7R, swivel", "7R, last joint", "7R, nearly"])
def test_a_swivel_is_kept_by_what_devices_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    limb = family_limb(name)
    angles, position, rotation = reachable_poses(limb, 12)
    poses = {"position": position, "rotation": rotation, "swivel": limb.swivel(angles) + 0.05}
    wanted = limb.solve(**poses)
    monkeypatch.setattr(tensor_solving, "_are_arrays", lambda *arguments: False)
    found: Any = limb.solve(**tensors_of("torch", poses))
    assert np.array_equal(np.asarray(found.status), wanted.status)
    reached = wanted.status == Status.REACHED
    np.testing.assert_allclose(found.angles[reached].numpy(), wanted.angles[reached], atol=1e-7)


@pytest.mark.parametrize("name", FAMILY_LIMBS)
def test_jax_compiles_every_family(name: str) -> None:
    limb = family_limb(name)
    poses = poses_of(limb)
    wanted = limb.solve(**poses)
    with double_precision(jax):
        found = jax.jit(limb_answer(limb))(tensors_of("jax", poses))
        assert np.array_equal(np.asarray(found["status"]), wanted.status)
        reached = wanted.status == Status.REACHED
        assert np.asarray(found["residual"])[reached].max() < MAX_MISS
        apart, least = (np.abs(one - poses["near"])[FAR:].max(axis=1) for one in (found["angles"], wanted.angles))
        assert (np.asarray(apart) < least + 0.01).all()


def limb_answer(limb: RobotLimb) -> Any:
    """A function from poses to arrays."""

    def answer(poses: dict[str, Any]) -> dict[str, Any]:
        found = limb.solve(**poses)
        return {name: getattr(found, name) for name in ("angles", "status", "residual")}

    return answer


@pytest.mark.parametrize("name", some(["3R", "7R, swivel", "6R, guess"], 3))
def test_jax_can_do_without_callbacks(name: str) -> None:
    limb = family_limb(name)
    poses = poses_of(limb)
    with double_precision(jax), dispatch.use("operations"):
        compiled = jax.jit(limb_answer(limb))
        assert "callback" not in str(jax.make_jaxpr(compiled)(tensors_of("jax", poses)))
        found = compiled(tensors_of("jax", poses))
    assert np.array_equal(np.asarray(found["status"]), limb.solve(**poses).status)


def test_jax_compiles_branches_and_maps_over_poses() -> None:
    limb = family_limb("6R, guess")
    poses = poses_of(limb)
    with double_precision(jax):
        tensors = tensors_of("jax", poses)
        every = jax.jit(lambda poses: limb.branches(**poses).status)(tensors)
        mapped = jax.jit(jax.vmap(limb_answer(limb)))(tensors)
    assert (np.asarray(every) == limb.branches(**poses).status).mean() > 0.9
    assert np.array_equal(np.asarray(mapped["status"]), limb.solve(**poses).status)


def test_torch_maps_over_poses() -> None:
    limb = family_limb("2R")
    poses = poses_of(limb, 5)
    tensors = tensors_of("torch", poses)
    found = torch.vmap(lambda position, near: limb.solve(position, near=near).angles)(
        tensors["position"], tensors["near"]
    )
    np.testing.assert_allclose(found.numpy(), limb.solve(**poses).angles, atol=1e-6)
