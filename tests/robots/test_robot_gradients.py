"""Gradients of robot limbs: the inverse Jacobian away from singularities, finite at them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from limbik.robots.robot_limb import RobotLimb
from tests.optional import optional
from tests.robots.random_chains import forward, jacobian, random_chain
from tests.thoroughness import THOROUGH

torch = optional("torch")
jax = optional("jax")


@pytest.mark.parametrize("family", ["three parallel, last two meet", "spherical shoulder, outer meeting", "nearly"])
def test_torch_gives_the_inverse_jacobian(family: str) -> None:
    chain = random_chain("spherical wrist, inner parallel" if family == "nearly" else family, 4, squared=True)
    if family == "nearly":  # Newton steps follow, and the gradient is that of the implicit function
        points = chain.points + np.random.default_rng(0).normal(size=(6, 3)) * 1e-4
        chain = type(chain)(**{**chain.__dict__, "points": points})
    limb = RobotLimb(chain)
    angles = np.random.default_rng(1).uniform(-2, 2, (5, 6))
    position, rotation = forward(chain, angles)
    for row in range(5):
        rates = jacobian(chain, angles[row : row + 1])[0]
        if np.linalg.svd(rates, compute_uv=False)[-1] < 0.02:
            continue
        place = torch.tensor(position[row], requires_grad=True)
        found: Any = limb.solve(place, torch.tensor(rotation[row].as_quat()), near=torch.tensor(angles[row]))
        gradient = torch.stack([torch.autograd.grad(one, place, retain_graph=True)[0] for one in found.angles])
        np.testing.assert_allclose(gradient.numpy(), np.linalg.inv(rates)[:, :3], atol=1e-7, rtol=1e-7)


def test_gradients_are_finite_where_the_arm_is_singular_or_cannot_reach() -> None:
    chain = random_chain("three parallel, last two meet", 4, squared=True)
    limb = RobotLimb(chain)
    angles = np.zeros((4, 6))  # straight, with a singular wrist
    angles[1, 4], angles[2, 2] = 0.5, 0.5
    position, rotation = forward(chain, angles)
    position[3] *= 9.0
    place = torch.tensor(position, requires_grad=True)
    turn = torch.tensor(rotation.as_quat(), requires_grad=True)
    limb.solve(place, turn).angles.sum().backward()
    assert torch.isfinite(place.grad).all()
    assert torch.isfinite(turn.grad).all()


@pytest.mark.parametrize("family", ["seven, swivel", "seven, wrist and last joint", "five, leg"])
def test_tensors_of_limbs_with_something_to_choose(family: str) -> None:
    chain = random_chain(family, 2, squared=True)
    limb = RobotLimb(chain)
    angles = np.random.default_rng(1).uniform(-1, 1, (4, len(chain)))
    position, rotation = forward(chain, angles)
    place = torch.tensor(position, requires_grad=True)
    found: Any = limb.solve(place, torch.tensor(rotation.as_quat()), near=torch.tensor(angles))
    np.testing.assert_allclose(found.angles.detach().numpy(), angles, atol=1e-6)
    rows = [torch.autograd.grad(found.angles[0, k], place, retain_graph=True)[0][0] for k in range(len(chain))]
    motion = jacobian(chain, angles[:1])[0, :3] @ torch.stack(rows).numpy()  # the tip follows its target
    np.testing.assert_allclose(motion, np.eye(3), atol=1e-7)
    assert limb.branches(place, torch.tensor(rotation.as_quat())).angles.shape == (8, 4, len(chain))


@pytest.mark.skipif(not THOROUGH, reason="XLA compiles a limb for many seconds")
def test_jax_agrees_with_numpy() -> None:
    chain = random_chain("three, last two parallel", 2, squared=True)
    limb = RobotLimb(chain)
    angles = np.random.default_rng(1).uniform(-1, 1, (6, 3))
    position, _ = forward(chain, angles)
    wanted = limb.solve(position, near=angles)
    found: Any = limb.solve(jax.numpy.asarray(position), near=jax.numpy.asarray(angles))
    np.testing.assert_allclose(np.asarray(found.angles), wanted.angles, atol=1e-4)
    slopes = jax.grad(lambda place: limb.solve(place, near=jax.numpy.asarray(angles[0])).angles.sum())
    gradient = np.asarray(slopes(jax.numpy.asarray(position[0])))
    inverse = np.linalg.inv(jacobian(chain, angles[:1])[0, :3])
    np.testing.assert_allclose(gradient, inverse.sum(axis=0), rtol=1e-2, atol=1e-3)
