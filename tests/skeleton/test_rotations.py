"""Quaternions do what SciPy's rotations do, for any batch."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp

from limbik import rotations
from tests.skeleton.figures import random_quaternions

ORDERS = ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx"]
seeds = st.integers(0, 2**32)


def apart(q, reference):
    """The angles between quaternions and SciPy's rotations."""
    return (Rotation.from_quat(np.array(q).reshape(-1, 4)) * reference.inv()).magnitude().max()


@given(seeds)
def test_products_inverses_and_turned_vectors(seed):
    rng = np.random.default_rng(seed)
    p, q, v = random_quaternions(rng, 3, 1), random_quaternions(rng, 5), rng.normal(size=(3, 5, 3))
    both = Rotation.from_quat(np.repeat(p, 5, axis=1).reshape(-1, 4)), Rotation.from_quat(np.tile(q, (3, 1)))
    assert apart(rotations.multiply(p, q), both[0] * both[1]) < 1e-14 * 10
    assert apart(rotations.inverse(q), Rotation.from_quat(q).inv()) < 1e-13
    assert np.allclose(rotations.rotate(p, v).reshape(-1, 3), both[0].apply(v.reshape(-1, 3)), atol=1e-14)
    assert rotations.rotate(q[0], v).shape == v.shape


@given(seeds)
def test_matrices_both_ways(seed):
    rng = np.random.default_rng(seed)
    q = random_quaternions(rng, 4, 3)
    q[0] = np.eye(4)[rng.integers(0, 4, 3)]  # half turns, and none
    reference = Rotation.from_quat(q.reshape(-1, 4))
    assert np.allclose(rotations.to_matrices(q).reshape(-1, 3, 3), reference.as_matrix(), atol=1e-14)
    assert apart(rotations.from_matrices(reference.as_matrix().reshape(4, 3, 3, 3)), reference) < 1e-13


@pytest.mark.parametrize("order", ORDERS)
@given(seed=seeds)
def test_euler_angles_both_ways(order, seed):
    rng = np.random.default_rng(seed)
    angles = rng.uniform(-np.pi, np.pi, (6, 3))
    angles[0, 1] = rng.choice([-0.5, 0.5]) * np.pi  # gimbal lock
    reference = Rotation.from_euler(order.upper(), angles)
    q = rotations.from_euler(order, angles.T).T
    assert apart(q, reference) < 1e-13
    back = rotations.to_euler(order, q)
    assert apart(rotations.from_euler(order, back.T).T, reference) < 1e-7
    assert np.allclose(back[1:], reference[1:].as_euler(order.upper()), atol=1e-7)


@given(seeds, st.floats(0.0, 1.0))
def test_arcs_are_the_shorter_ones_at_even_speed(seed, part):
    rng = np.random.default_rng(seed)
    p, q = random_quaternions(rng, 2, 8)
    q[0] = p[0]
    q[1] = -p[1]
    q[2] = p[2] + 1e-12 * q[2]
    found = rotations.slerp(p, q, np.full(8, part))
    for k in range(8):
        wanted = Slerp([0.0, 1.0], Rotation.from_quat([p[k], q[k]]))(part)
        assert (Rotation.from_quat(found[k]) * wanted.inv()).magnitude() < 1e-7


@given(seeds)
def test_the_shortest_arc_takes_one_direction_to_the_other(seed):
    rng = np.random.default_rng(seed)
    a, b, spare = rng.normal(size=(3, 6, 3))
    b[0] = -a[0]
    b[1] = a[1]
    b[2] = -a[2] + 1e-9 * b[2]
    q = rotations.shortest_arc(a, b, spare)
    turned = rotations.rotate(q, rotations.normalized(a))
    assert np.allclose(turned, rotations.normalized(b), atol=1e-7)
    angles = np.arccos(np.clip(np.sum(rotations.normalized(a) * rotations.normalized(b), axis=-1), -1, 1))
    assert np.allclose(Rotation.from_quat(q).magnitude(), angles, atol=1e-7)


@given(seeds)
def test_continuous_rotations_stay_in_one_hemisphere(seed):
    rng = np.random.default_rng(seed)
    q = random_quaternions(rng, 30, 2)
    found = rotations.continuous(q)
    assert (np.sum(found[1:] * found[:-1], axis=-1) >= 0.0).all()
    assert np.array_equal(np.abs(found), np.abs(q))
    assert np.array_equal(found[0], q[0])


def test_the_zero_vector_has_no_direction():
    assert rotations.normalized(np.zeros(3)).tolist() == [0.0, 0.0, 0.0]


def test_public_functions_take_lists_and_name_what_does_not_fit():
    from limbik import LimbikError, rotations

    half = rotations.about([0, 0, 1], np.pi / 2)
    assert np.allclose(rotations.rotate(half.tolist(), [1, 0, 0]), [0, 1, 0])
    assert np.allclose(rotations.multiply(half, rotations.inverse(list(half))), rotations.IDENTITY)
    assert np.allclose(rotations.from_matrices(rotations.to_matrices(list(half)).tolist()), half)
    assert np.allclose(rotations.slerp(rotations.IDENTITY, list(half), 0.5), rotations.about((0, 0, 1), np.pi / 4))
    wrong = {
        "rotate": ([0, 0, 1], [1, 0, 0]),
        "multiply": (np.zeros((3, 4)), np.zeros((2, 4))),
        "inverse": ([1, 2, 3],),
        "slerp": ("a", "b", 0.5),
        "about": ([1, 2], 0.5),
        "to_matrices": ([1.0],),
        "from_matrices": (np.eye(2),),
    }
    for name, arguments in wrong.items():
        with pytest.raises(LimbikError, match=f"rotations.{name}: got"):
            getattr(rotations, name)(*arguments)
