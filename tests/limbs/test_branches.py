"""Every solution, and which share their joints."""

import tracemalloc

import numpy as np
import pytest

import limbik
from tests import reference


def cases(count, seed=0):
    rng = np.random.default_rng(seed)
    up = reference.random_directions(rng, count)
    return reference.random_directions(rng, count) * rng.uniform(0.1, 0.8, (count, 1)) + 0.12 * up, up


def test_the_five_angle_chain_has_eight_solutions():
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    target, up = cases(200)
    b = leg.branches(target, up)
    assert b.joints.shape == (8, 200, 4, 3)
    rebuilt = reference.chain_joints(leg.lengths, b.angles)
    assert np.abs(rebuilt[..., 3, :] - target).max() < 1e-12
    assert np.abs((rebuilt[..., 3, :] - rebuilt[..., 2, :]) / 0.12 - up).max() < 1e-11
    turns = b.angles[:, None] - b.angles[None]
    apart = np.abs((turns + np.pi) % (2 * np.pi) - np.pi).max(-1)
    assert apart[~np.eye(8, dtype=bool)].min() > 1e-6  # distinct as angles
    assert np.array_equal(b.same_joints_as[:, 0], [0, 0, 0, 0, 4, 4, 4, 4])
    assert np.all(b.distinct)
    assert np.array_equal(b[0].joints, leg.solve(target, up).joints)
    assert np.array_equal(b[4].joints, leg.solve(target, up, bend=-1).joints)


def test_no_solution_is_missed():
    """A search over the chain's own angles finds no ninth: every solution of random starts is one of the eight."""
    from scipy.optimize import least_squares

    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    target, up = (rows[0] for rows in cases(1, seed=4))
    found = leg.branches(target, up).angles
    rng = np.random.default_rng(0)

    def miss(angles):
        joints = reference.chain_joints(leg.lengths, angles[None])[0]
        return np.concatenate([joints[3] - target, (joints[3] - joints[2]) / 0.12 - up])

    seen = set()
    for start in rng.uniform(-np.pi, np.pi, (60, 5)):
        end = least_squares(miss, start, xtol=1e-15, ftol=1e-15, gtol=1e-15)
        if end.cost < 1e-20:
            gap = np.abs((found - end.x + np.pi) % (2 * np.pi) - np.pi).max(-1)
            assert gap.min() < 1e-6
            seen.add(int(gap.argmin()))
    assert len(seen) >= 6


def test_straight_legs_have_one_bend():
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    b = leg.branches([[0, -2, 0.5], [0.2, -0.5, 0.3]], [0, 0, 1])
    assert b.distinct[:, 0].tolist() == [True] * 4 + [False] * 4
    assert b.distinct[:, 1].tolist() == [True] * 8


def test_comparing_branches_takes_little_memory():
    b = limbik.ThreeLink(0.45, 0.42, 0.12).branches(*cases(20_000))
    b.joints
    tracemalloc.start()
    same = b.same_joints_as
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert same.shape == (8, 20_000) and np.array_equal(same[:, -1], [0, 0, 0, 0, 4, 4, 4, 4])
    assert peak < 80e6


@pytest.mark.parametrize("make", [limbik.PlanarTwoLink, limbik.TwoLink])
def test_two_links_have_two_mirrored_solutions(make):
    limb = make(0.5, 0.4)
    target = np.array([0.3, 0.5] if make is limbik.PlanarTwoLink else [0.3, 0.5, 0.2])
    b = limb.branches(target)
    assert b.shape == (2,)
    assert np.abs(b.joints[:, 2] - target).max() < 1e-15
    e = target / np.linalg.norm(target)
    middle = b.joints[:, 1]
    mirrored = 2 * (middle[0] @ e) * e - middle[0]
    assert np.abs(middle[1] - mirrored).max() < 1e-15
    assert b.same_joints_as.tolist() == [0, 1]
    assert np.abs(limb.forward(b.angles) - b.joints).max() < 1e-15


def test_branches_respect_limits():
    leg = limbik.ThreeLink(0.45, 0.42, 0.12, last_limits=(-1.0, 1.0))
    b = leg.branches([0.2, -0.5, 0.3], [0.3, -0.8, 0.4])
    one = leg.solve([0.2, -0.5, 0.3], [0.3, -0.8, 0.4])  # on floats, whose sines may round otherwise than NumPy's
    assert np.abs(b[0].joints - one.joints).max() < 1e-15
    assert np.abs(leg.forward(b.angles) - b.joints).max() < 1e-12


def test_the_default_yaw_is_the_one_nearer_to_the_articles():
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    target, up = cases(500, seed=9)
    ankle = target - 0.12 * up
    yaw = leg.solve(target, up).angles[:, 0]
    article = np.arctan2(ankle[:, 0], ankle[:, 2])
    gap = np.abs((yaw - article + np.pi) % (2 * np.pi) - np.pi)
    assert gap.max() < np.pi / 2 + 1e-9
