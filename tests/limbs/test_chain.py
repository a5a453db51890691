"""Forward kinematics of serial chains, against SciPy."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik


@pytest.mark.parametrize("shape", [(), (1,), (3, 1, 2), (0,)])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_any_chain_agrees_with_scipy(shape, dtype):
    rng = np.random.default_rng(0)
    axes = ("zxy", "", "yx", "x", "zz")
    lengths = rng.uniform(0.1, 1, 5)
    angles = rng.uniform(-3, 3, (*shape, 8)).astype(dtype)
    origin = rng.normal(size=(*shape, 3)).astype(dtype)
    frames = limbik.Chain(lengths, axes).forward(angles, origin)
    assert frames.joints.shape == (*shape, 6, 3)
    assert frames.rotations.shape == (*shape, 5, 4)
    assert frames.joints.dtype == frames.rotations.dtype == dtype
    near = 1e-13 if dtype == "float64" else 3e-6
    flat = angles.reshape(-1, 8)
    for row in range(len(flat)):
        turn, place, used = Rotation.identity(), origin.reshape(-1, 3)[row].astype(float), 0
        for k, word in enumerate(axes):
            for letter in word:
                turn = turn * Rotation.from_euler(letter, flat[row, used])
                used += 1
            place = place + turn.apply([0, 0, lengths[k]])
            assert np.abs(frames.joints.reshape(-1, 6, 3)[row, k + 1] - place).max() < near
            assert abs(abs(frames.rotations.reshape(-1, 5, 4)[row, k] @ turn.as_quat()) - 1) < near


def test_rotations_place_a_chain_locally_and_in_the_world():
    rng = np.random.default_rng(1)
    chain = limbik.Chain(rng.uniform(0.1, 1, 4), ("", "", "", ""))
    local = Rotation.random(7 * 4, rng=rng)
    world = [local[0::4]]
    for k in range(1, 4):
        world.append(world[-1] * local[k::4])
    given = local.as_quat().reshape(7, 4, 4)
    absolute = np.stack([turn.as_quat() for turn in world], 1)
    a, b = chain.place(given, local=True), chain.place(absolute)
    assert np.abs(a.joints - b.joints).max() < 1e-14
    assert np.abs(np.abs(np.sum(a.rotations * absolute, -1)) - 1).max() < 1e-14


def test_planar_chain_of_many_links():
    rng = np.random.default_rng(2)
    lengths, angles = rng.uniform(0.1, 1, 9), rng.uniform(-3, 3, (5, 9))
    joints = limbik.PlanarChain(lengths).forward(angles, origin=(1, 2))
    heading = np.cumsum(angles, -1)
    expected = [1, 2] + np.cumsum(lengths[:, None] * np.stack([np.cos(heading), np.sin(heading)], -1), -2)
    assert np.abs(joints[:, 1:] - expected).max() < 1e-14
    assert np.array_equal(joints[:, 0], np.tile([1.0, 2.0], (5, 1)))


def test_a_solution_is_a_chain():
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    rng = np.random.default_rng(3)
    s = leg.solve(rng.normal(size=(50, 3)) * 0.3, rng.normal(size=(50, 3)))
    by_angles = limbik.Chain(leg.lengths, ("yzx", "x", "x")).forward(s.angles)
    by_rotations = limbik.Chain(leg.lengths, ("", "", "")).place(s.rotations)
    assert np.abs(by_angles.joints - s.joints).max() < 1e-14
    assert np.abs(by_rotations.joints - s.joints).max() < 1e-14
    assert np.abs(np.abs(np.sum(by_angles.rotations * s.rotations, -1)) - 1).max() < 1e-14
