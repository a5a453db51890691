"""Every engine puts a robot's links in the same place, with gradients, for any batch shape and number type."""

import numpy as np
import pytest

import limbik
from limbik import Robot
from limbik.engines import dispatch
from limbik.errors import LimbikError
from tests.optional import double_precision, optional
from tests.robots.family_limbs import FAMILY_LIMBS, family_limb, reachable_poses
from tests.robots.small_robots import MJCF, URDF, write

BASE = {"position": (0.4, -0.2, 1.0), "rotation": (0.5, -0.5, 0.5, 0.5)}


@pytest.fixture(params=[MJCF, URDF], ids=["mjcf", "urdf"])
def robot(request, tmp_path):
    return Robot.load(write(tmp_path, request.param))


def angles_of(robot, *shape):
    return np.random.default_rng(3).uniform(-3, 3, (*shape, len(robot.joints)))


@pytest.mark.parametrize("shape", [(), (1,), (0,), (20,), (3, 1, 7)])
def test_numpy_and_numba_and_floats_agree(robot, shape):
    angles = angles_of(robot, *shape)
    found = {}
    for engine in ("numpy", "numba"):
        with dispatch.use(engine):
            found[engine] = robot.forward(angles, **BASE)
    chosen = robot.forward(angles, **BASE)
    assert chosen.positions.shape == (*shape, len(robot.links), 3)
    assert chosen.rotations.shape == (*shape, len(robot.links), 4)
    for other in found.values():
        assert np.allclose(chosen.positions, other.positions, rtol=0, atol=1e-14)
        assert np.allclose(chosen.rotations, other.rotations, rtol=0, atol=1e-14)
    assert np.allclose(np.linalg.norm(chosen.rotations, axis=-1), 1)


def test_the_base_is_placed_and_everything_with_it(robot):
    base = robot.links.index(robot.base)
    positions, rotations = robot.forward(angles_of(robot, 4), **BASE)
    assert np.all(positions[:, base] == BASE["position"]) and np.all(rotations[:, base] == BASE["rotation"])
    many = robot.forward(angles_of(robot), position=np.eye(3), rotation=np.array([[0, 0, 0, 1.0]]))
    assert np.allclose(many.positions[:, base], np.eye(3))
    moved = many.positions - many.positions[:, [base]]
    assert np.allclose(moved[:, base:], moved[0, base:])


@pytest.mark.parametrize("library", ["torch", "jax"])
def test_tensors_agree_with_numpy_and_have_gradients(tmp_path, library):
    robot = Robot.load(write(tmp_path, MJCF))
    module = optional(library)
    angles = angles_of(robot, 5)
    expected = robot.forward(angles, **BASE)
    step = 1e-6
    moves = step * np.eye(angles.shape[-1])
    ahead, behind = (np.stack([robot.forward(angles + s * one, **BASE).positions for one in moves]) for s in (1, -1))
    rates = ((ahead - behind).sum((2, 3)) / (2 * step)).T
    if library == "torch":
        tensor = module.tensor(angles, requires_grad=True)
        found = robot.forward(tensor, **BASE)
        found.positions.sum().backward()
        slopes, dtype = tensor.grad.numpy(), found.positions.dtype
        found = [one.detach().numpy() for one in found]
        assert dtype == module.float64
        assert robot.forward(tensor.float()).positions.dtype == module.float32
        rows = module.vmap(lambda one: robot.forward(one, **BASE).positions)(tensor)
        assert np.allclose(rows.detach().numpy(), found[0])
    else:
        with double_precision(module):

            def total(one):
                frames = robot.forward(one, **BASE)
                return frames.positions.sum(), frames

            # Compiled once: XLA takes seconds.
            slopes, found = module.jit(module.grad(total, has_aux=True))(module.numpy.asarray(angles))
            assert found.positions.dtype == "float64"
            slopes, found = np.asarray(slopes), [np.asarray(one) for one in found]
    assert np.allclose(found[0], expected.positions, rtol=0, atol=1e-14)
    assert np.allclose(found[1], expected.rotations, rtol=0, atol=1e-14)
    assert np.allclose(slopes, rates, atol=1e-7)


def test_number_types(robot):
    angles = angles_of(robot, 3)
    found = robot.forward(angles.astype(np.float32))
    assert found.positions.dtype == found.rotations.dtype == np.float32
    assert np.allclose(found.positions, robot.forward(angles).positions, atol=1e-6)
    assert robot.forward(angles.tolist()).positions.dtype == np.float64


def test_angles_by_name(robot):
    names = [joint.name for joint in robot.joints]
    angles = angles_of(robot, 4)
    by_name = robot.forward({name: angles[:, k] for k, name in enumerate(names)})
    assert np.array_equal(by_name.positions, robot.forward(angles).positions)
    some = np.zeros((4, len(names)))
    some[:, 1] = angles[:, 1]
    assert np.array_equal(robot.forward({names[1]: angles[:, 1]}).positions, robot.forward(some).positions)
    assert np.array_equal(robot.forward({}).positions, robot.forward(np.zeros(len(names))).positions)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("rows", [4, 30])
def test_a_bad_row_is_nan_alone(robot, bad, rows):
    angles = angles_of(robot, rows)
    good = robot.forward(angles)
    angles[1] = bad
    found = robot.forward(angles)
    others = np.arange(rows) != 1
    assert np.array_equal(found.positions[others], good.positions[others])
    assert np.isnan(found.positions[1, -1]).any()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda robot: robot.forward([1, 2]), "angles: got shape"),
        (lambda robot: robot.forward("abc"), "angles: got 'abc'"),
        (lambda robot: robot.forward(None), "angles: got None"),
        (lambda robot: robot.forward({"nobody": 1.0}), "angles: got 'nobody'; expected names of joints"),
        (lambda robot: robot.forward({f"{robot.joints[-1].name}x": 1.0}), r"did you mean '(right_knee|grip)'"),
        (lambda robot: robot.forward({robot.joints[0].name: "x"}), r"angles\["),
        (lambda robot: robot.forward({3: 1.0}), "angles: got 3"),
        (lambda robot: robot.forward(np.zeros(len(robot.joints)), position=[1, 2]), "position"),
        (lambda robot: robot.forward(np.zeros(len(robot.joints)), rotation=[[1, 2]]), "rotation"),
        (lambda robot: robot.forward(np.zeros((3, len(robot.joints))), position=np.zeros((2, 3))), "batch shapes"),
        (lambda robot: Robot.load(3), "path: got 3"),
    ],
)
def test_bad_arguments(robot, call, message):
    with pytest.raises(LimbikError, match=message):
        call(robot)


def test_a_joint_that_follows_cannot_be_set(tmp_path):
    robot = Robot.load(write(tmp_path, URDF))
    with pytest.raises(LimbikError, match="'follow' follows 'grip'"):
        robot.forward({"follow": 1.0})


@pytest.mark.parametrize("name", FAMILY_LIMBS)
def test_kernels_and_numpy_give_robot_limbs_the_same_bits(name):
    """Whether a kernel is ready must not show, not even where descents follow the free motion of a redundant limb."""
    limb = family_limb(name)
    angles, position, rotation = reachable_poses(limb, 12)
    position[0] *= 3.0
    found = []
    for engine in ("numpy", "numba"):
        with dispatch.use(engine), limbik.warm_up():
            calls = [limb.solve(position, rotation, near=angles + 0.2), limb.branches(position, rotation)]
            found.append([*limb.forward(angles), *(one.angles for one in calls)])
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)
