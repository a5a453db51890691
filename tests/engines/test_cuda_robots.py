"""Robot limbs of every family on CUDA: everything stays there, with the status and the slopes of the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from limbik import Status
from limbik.robots import tensor_solving
from limbik.robots.robot_solution import RobotSolution
from tests.optional import optional
from tests.robots.family_limbs import FAMILY_LIMBS, family_limb
from tests.robots.test_tensor_families import FAR, check_reached, poses_of

torch = optional("torch")
if not torch.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)


@pytest.mark.parametrize("near", [True, False])
@pytest.mark.parametrize("name", FAMILY_LIMBS)
def test_answers_stay_on_the_device(name: str, near: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    limb = family_limb(name)
    poses = poses_of(limb, 300)
    if not near:
        del poses["near"]
    wanted: Any = limb.solve(**poses)
    monkeypatch.setattr(tensor_solving, "solve_arrays", None)  # NumPy's solver is out of reach
    found: Any = limb.solve(**{one: torch.tensor(value, device="cuda") for one, value in poses.items()})
    assert found.angles.is_cuda and found.status.is_cuda
    status = found.status.cpu().numpy()
    assert (status[FAR:] == wanted.status[FAR:]).all()
    parts = (found.target, found.target_rotation, found.angles, found.branch, found.cost)
    check_reached(limb, RobotSolution(limb, *(one.cpu() for one in parts), library="torch"), status)


@pytest.mark.parametrize("name", FAMILY_LIMBS)
def test_branches_and_slopes_are_those_of_the_cpu(name: str) -> None:
    limb = family_limb(name)
    poses = poses_of(limb, 50)
    slopes = []
    for device in ("cpu", "cuda"):
        tensors = {one: torch.tensor(value, device=device, requires_grad=True) for one, value in poses.items()}
        found: Any = limb.solve(**tensors)
        slopes.append(torch.autograd.grad(found.angles[FAR:].sum(), tensors["position"])[0].cpu())
        every: Any = limb.branches(**tensors)
        assert every.angles.shape == (limb.branch_count, 50, len(limb.joints)) and every.angles.device.type == device
    agree = torch.isclose(slopes[0], slopes[1], rtol=1e-4, atol=1e-4).all(-1)
    assert agree.double().mean() > 0.9


def test_empty_batches_and_single_poses() -> None:
    limb = family_limb("6R, guess")
    poses = {one: torch.tensor(value, device="cuda") for one, value in poses_of(limb).items()}
    none: Any = limb.solve(poses["position"][:0], poses["rotation"][:0])
    assert none.angles.shape == (0, 6)
    one: Any = limb.solve(**{name: value[FAR] for name, value in poses.items()})
    assert one.angles.shape == (6,) and int(one.status) == Status.REACHED
    assert np.isfinite(one.angles.cpu().numpy()).all()
