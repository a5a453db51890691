"""Vector formulas that several packages use are written once: arrays go through the same text as limbs."""

import numpy as np
from scipy.spatial.transform import Rotation

from limbik import rotations
from limbik.engines.numpy_engine import evaluate
from limbik.formulas import elementary, quaternions, vectors
from limbik.skeleton.timing import ease

RNG = np.random.default_rng(0)


def test_matrices_become_quaternions_by_the_formula_of_the_limbs():
    turns = Rotation.random(500, random_state=0)
    matrices = turns.as_matrix()
    found = rotations.from_matrices(matrices)
    assert np.abs(np.abs(np.sum(found * turns.as_quat(), axis=-1)) - 1).max() < 1e-15
    axes = {name: tuple(matrices[..., k].T) for k, name in enumerate("xyz")}
    assert np.abs(np.stack(evaluate(quaternions.from_axes, **axes), -1) - found).max() < 1e-15
    half_turns = np.array([np.diag(d) for d in ((1, -1, -1), (-1, 1, -1), (-1, -1, 1), (1, 1, 1))], float)
    assert np.array_equal(rotations.from_matrices(half_turns), np.eye(4))
    assert np.abs(np.linalg.norm(rotations.from_matrices(1.001 * matrices), axis=-1) - 1).max() < 1e-15


def test_rejection_is_that_of_the_limbs():
    vector, axis = RNG.normal(size=(2, 500, 3))
    axis /= np.linalg.norm(axis, axis=-1, keepdims=True)
    found = rotations.reject(vector, axis)
    assert np.abs(np.sum(found * axis, axis=-1)).max() < 1e-15
    assert np.array_equal(found, np.stack(vectors.reject(tuple(vector.T), tuple(axis.T)), -1))


def test_smoothstep_is_one():
    t = np.linspace(0, 1, 11)
    assert np.array_equal(ease(t), evaluate(lambda t: elementary.smoothstep(t[0]), t=(t,))[0])
    assert np.array_equal(ease([-1.0, 2.0]), [0.0, 1.0])
