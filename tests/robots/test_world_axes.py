"""Poses convert between the robots' z-up world and limbik's y-up world, both ways."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from limbik.errors import LimbikError
from limbik.robots import to_y_up, to_z_up
from tests.optional import optional


def test_forward_left_and_up_are_what_they_are_called():
    forward, left, up = np.eye(3)
    turns = np.tile([0, 0, 0, 1.0], (3, 1))
    found, rotations = to_y_up(np.array([forward, left, up]), turns)
    assert found.tolist() == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    # A link's own axes stay: what was its x axis, forward, is forward.
    assert np.allclose(Rotation.from_quat(rotations[0]).apply(np.eye(3)), found)


def test_both_ways_and_as_scipy_has_it():
    rng = np.random.default_rng(0)
    positions, turns = rng.normal(size=(4, 5, 3)), Rotation.random(20, random_state=0).as_quat().reshape(4, 5, 4)
    there = to_y_up(positions, turns)
    change = Rotation.from_matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert np.allclose(there.positions.reshape(-1, 3), change.apply(positions.reshape(-1, 3)))
    expected = change * Rotation.from_quat(turns.reshape(-1, 4))
    assert np.allclose((expected.inv() * Rotation.from_quat(there.rotations.reshape(-1, 4))).magnitude(), 0, atol=1e-7)
    back = to_z_up(*there)
    assert np.array_equal(back.positions, positions) and np.allclose(back.rotations, turns, atol=1e-15)


@pytest.mark.parametrize("library", ["torch", "jax"])
def test_tensors(library):
    module = optional(library)
    make = module.tensor if library == "torch" else module.numpy.asarray
    there = to_y_up(make([[1.0, 2.0, 3.0]]), make([[0.0, 0.0, 0.0, 1.0]]))
    assert np.asarray(there.positions).tolist() == [[2, 3, 1]]
    assert np.asarray(there.rotations).tolist() == [[-0.5, -0.5, -0.5, 0.5]]


def test_bad_arguments():
    with pytest.raises(LimbikError, match="positions: got shape"):
        to_y_up([1, 2], [0, 0, 0, 1])
    with pytest.raises(LimbikError, match="rotations: got"):
        to_z_up([1, 2, 3], "x")
