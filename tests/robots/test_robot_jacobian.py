"""Jacobians of robot limbs: as central differences and MuJoCo have them, on every array library, slides included."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik
from limbik.errors import ShapeError
from limbik.robots import RobotLimb, ScrewChain
from tests.optional import double_precision, optional
from tests.robots.mujoco_referee import compiled
from tests.robots.random_chains import random_chain
from tests.robots.robot_files import menagerie
from tests.robots.small_robots import MJCF, write

Array = np.ndarray[Any, Any]
SLIDES = {"none": (), "one": (2,), "first and last": (0, 5), "in a row": (1, 2, 4)}


def chain_with(slides: tuple[int, ...], seed: int = 3) -> ScrewChain:
    """Six joints in general position, some of them slides."""
    chain = random_chain("spherical wrist, inner parallel", seed)
    random = np.random.default_rng(seed)
    kinds = tuple("slide" if k in slides else "hinge" for k in range(6))
    return replace(chain, kinds=kinds, points=chain.points + random.uniform(-0.2, 0.2, (6, 3)))


def transform(chain: ScrewChain, values: Array) -> Array:
    """The tip's transform (4, 4) by a product of matrices."""
    found = np.eye(4)
    for axis, point, kind, value in zip(chain.axes, chain.points, chain.kinds, values, strict=True):
        step = np.eye(4)
        if kind == "slide":
            step[:3, 3] = value * axis
        else:
            step[:3, :3] = Rotation.from_rotvec(value * axis).as_matrix()
            step[:3, 3] = point - step[:3, :3] @ point
        found = found @ step
    home = np.eye(4)
    home[:3, :3], home[:3, 3] = Rotation.from_quat(chain.rotation).as_matrix(), chain.position
    return found @ home


def differences(chain: ScrewChain, values: Array, step: float = 1e-5) -> Array:
    """The Jacobian (6, n) by central differences of `transform`."""
    columns = []
    for joint in np.eye(len(chain)):
        ahead, behind = (transform(chain, values + sign * step * joint) for sign in (1, -1))
        turn = Rotation.from_matrix(ahead[:3, :3] @ behind[:3, :3].T).as_rotvec()
        columns.append(np.concatenate([ahead[:3, 3] - behind[:3, 3], turn]) / (2 * step))
    return np.array(columns).T


@pytest.mark.parametrize("slides", SLIDES.values(), ids=SLIDES)
def test_jacobians_are_central_differences(slides: tuple[int, ...]) -> None:
    chain = chain_with(slides)
    limb = RobotLimb(chain)
    values = np.random.default_rng(0).uniform(-2, 2, (3, 2, 6))
    found = limb.jacobian(values)
    assert found.shape == (3, 2, 6, 6)
    for index in np.ndindex(3, 2):
        np.testing.assert_allclose(found[index], differences(chain, values[index]), atol=1e-9)
    np.testing.assert_allclose(limb.jacobian(values[0, 0].tolist()), found[0, 0], atol=1e-15)
    assert limb.jacobian(values.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize(
    "name", ["unitree_g1/g1.xml", "kuka_iiwa_14/iiwa14.xml", "pal_talos/talos.xml", "with a slide"]
)
def test_jacobians_are_those_of_mujoco(name: str, tmp_path: Path) -> None:
    mujoco = optional("mujoco")
    path = write(tmp_path, MJCF) if name == "with a slide" else menagerie(name)
    robot, model = limbik.Robot.load(path), compiled(path.read_text())
    data, random = mujoco.MjData(model), np.random.default_rng(0)
    for limb in robot.limbs().values():
        ids = [model.joint(joint).id for joint in limb.joints]
        for _ in range(5):
            data.qpos[:] = model.qpos0
            values = random.uniform(np.maximum(limb.lower, -3), np.minimum(limb.upper, 3))
            data.qpos[model.jnt_qposadr[ids]] = values
            mujoco.mj_forward(model, data)
            rates = np.zeros((2, 3, model.nv))
            if limb.tip in robot.links:
                mujoco.mj_jacBody(model, data, *rates, model.body(limb.tip).id)
            else:
                place = robot.limb(limb.tip).forward(values)[0]
                owner = model.body(int(model.jnt_bodyid[ids[-1]]))
                base = data.body(limb.base)
                mujoco.mj_jac(model, data, *rates, base.xpos + base.xmat.reshape(3, 3) @ place, owner.id)
            frame = data.body(limb.base).xmat.reshape(3, 3)
            wanted = (frame.T @ rates[:, :, model.jnt_dofadr[ids]]).reshape(6, -1)
            np.testing.assert_allclose(limb.jacobian(values), wanted, atol=1e-12)


def test_base_pose_and_tool_are_heeded() -> None:
    robot = limbik.Robot.load(menagerie("universal_robots_ur5e/ur5e.xml"))
    turn = Rotation.from_rotvec([0.4, -0.7, 1.1])
    tool, base = ((0.1, -0.2, 0.3), None), ((1.0, 2.0, 3.0), tuple(turn.as_quat()))
    plain, placed = (robot.limb("wrist_3_link", tool=tool, base_pose=pose) for pose in (None, base))
    values = np.random.default_rng(0).uniform(-2, 2, 6)
    np.testing.assert_allclose(placed.jacobian(values), np.kron(np.eye(2), turn.as_matrix()) @ plain.jacobian(values))
    np.testing.assert_allclose(plain.jacobian(values), differences(plain.chain, values), atol=1e-9)


@pytest.mark.parametrize("slides", SLIDES.values(), ids=SLIDES)
def test_tensors_have_jacobians_with_gradients(slides: tuple[int, ...]) -> None:
    torch = optional("torch")
    limb = RobotLimb(chain_with(slides))
    values = np.random.default_rng(0).uniform(-2, 2, (2, 6))
    given = torch.tensor(values, requires_grad=True)
    np.testing.assert_allclose(limb.jacobian(given).detach().numpy(), limb.jacobian(values), atol=1e-14)
    assert torch.autograd.gradcheck(limb.jacobian, given)
    assert torch.autograd.gradcheck(limb.manipulability, given)


def test_jax_has_jacobians_under_jit_and_vmap() -> None:
    jax = optional("jax")
    limb = RobotLimb(chain_with((2,)))
    values = np.random.default_rng(0).uniform(-2, 2, (2, 6))
    with double_precision(jax):
        given = jax.numpy.asarray(values)
        np.testing.assert_allclose(jax.jit(jax.vmap(limb.jacobian))(given), limb.jacobian(values), atol=1e-14)
        slope = jax.grad(limb.manipulability)(given[0])
    step = 1e-6 * np.eye(6)
    wanted = (limb.manipulability(values[0] + step) - limb.manipulability(values[0] - step)) / 2e-6
    np.testing.assert_allclose(slope, wanted, atol=1e-8)


def test_manipulability_is_the_product_of_singular_values() -> None:
    limb = RobotLimb(chain_with((2,)))
    values = np.random.default_rng(0).uniform(-2, 2, (4, 6))
    scaled = limb.jacobian(values)
    scaled[:, :3] /= limb.chain.length
    scaled[:, :, 2] *= limb.chain.length
    np.testing.assert_allclose(limb.manipulability(values), np.abs(np.linalg.det(scaled)), rtol=1e-12)
    assert np.isnan(limb.manipulability(np.full(6, np.nan)))
    assert limb.manipulability(np.zeros(6)) >= 0.0


def test_solutions_have_the_jacobian_at_their_angles() -> None:
    limb = RobotLimb(random_chain("three parallel, last two meet", 0))
    values = np.random.default_rng(0).uniform(-2, 2, (4, 6))
    values[0, 4] = np.pi / 2
    found = limb.solve(*limb.forward(values), near=values)
    assert np.array_equal(found.jacobian, limb.jacobian(found.angles))
    np.testing.assert_allclose(found.manipulability, limb.manipulability(values), rtol=1e-6)
    assert isinstance(found[0].singular, bool) and isinstance(found[0].manipulability, float)
    three = RobotLimb(random_chain("three, last two parallel", 0))
    gantry = three.jacobian([0.1, 0.2, 0.3])[:3] / three.chain.length  # the position alone counts
    np.testing.assert_allclose(three.manipulability([0.1, 0.2, 0.3]), np.abs(np.linalg.det(gantry)), rtol=1e-12)


def test_angles_of_another_shape_are_refused() -> None:
    limb = RobotLimb(chain_with(()))
    for ask in (limb.jacobian, limb.manipulability):
        with pytest.raises(ShapeError, match="6 numbers"):
            ask([0.0] * 5)
