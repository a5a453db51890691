"""One pose at a time: compiled kernels, once they are loaded, give the same bits as plain floats."""

import numpy as np
import pytest

import limbik
from limbik import samples
from limbik.engines import dispatch, loading, numba_forward
from limbik.skeleton.reach_kernel import ReachKernel, reach_on_floats

FLAGS = [(poled, turned) for poled in (False, True) for turned in (False, True)]


@pytest.fixture
def unloaded(monkeypatch):
    """Kernels of one pose are not loaded, and nothing loads them in the background."""
    for kernel in (numba_forward.KERNEL, *(ReachKernel(*flags) for flags in FLAGS)):
        monkeypatch.delitem(loading.kernels, kernel, raising=False)
    monkeypatch.setattr(loading.requests, "make", lambda kernel: None)


def limb(rng):
    """Places and rotations of three joints and of their parents, some of them straight, folded or without length."""
    positions = rng.normal(size=(6, 3))
    kind = rng.integers(5)
    if kind == 1:
        positions[5] = positions[4] + rng.uniform(0.1, 2.0) * (positions[4] - positions[3])  # straight
    if kind == 2:
        positions[5] = positions[3]  # folded
    if kind == 3:
        positions[4] = positions[3]  # no first link
    rotations = rng.normal(size=(6, 4))
    return positions.tolist(), (rotations / np.linalg.norm(rotations, axis=1)[:, None]).tolist()


def answers(cases):
    return [reach_on_floats((3, 4, 5), [-1, -1, -1, 0, 1, 2], *case) for case in cases]


@pytest.mark.parametrize("flags", FLAGS)
def test_limbs_have_the_same_bits_on_floats_and_on_the_kernel(unloaded, flags):
    rng = np.random.default_rng(5)
    cases = []
    for row in range(400):
        positions, rotations = limb(rng)
        target = positions[3] if row % 7 == 0 else positions[5] if row % 7 == 1 else rng.normal(size=3).tolist()
        pole, turn = rng.normal(size=3).tolist(), rng.normal(size=4).tolist()
        given = (pole if flags[0] else None, turn if flags[1] else None)
        cases.append((positions, rotations, [0.0, 0.0, 1.0], target, *given))
    floats = answers(cases)
    loading.loaded(ReachKernel(*flags))
    compiled = answers(cases)
    usable = [one is not None and np.isfinite(one).all() for one in floats]
    assert np.mean(usable) > 0.7
    for before, after, fine in zip(floats, compiled, usable, strict=True):
        if fine:
            assert np.array_equal(before, after)
        else:  # floats raise where the kernel has numbers that are not finite: then arrays do it
            assert after is None or before is None or not np.isfinite(after).all()


def test_reach_is_the_same_with_and_without_kernels(unloaded):
    pose = samples.walk()[10]
    limbs = limbik.find_limbs(pose)
    ends = {name: pose.positions()[one.joints[-1]] + [0.03, 0.02, -0.04] for name, one in limbs.items()}

    def reached():
        one = pose.reach("left_arm", ends["left_arm"])
        return [one.rotations, pose.reach(ends).rotations, pose.reach(ends).translations, *pose.world()]

    before = reached()
    with limbik.warm_up():
        reached()
    assert numba_forward.ready() and ReachKernel(False, True) in loading.kernels
    for floats, kernels in zip(before, reached(), strict=True):
        assert np.array_equal(floats, kernels)
    with dispatch.use("numpy"):
        for floats, arrays in zip(before, reached(), strict=True):
            assert np.array_equal(floats, arrays)


def test_ends_that_their_limbs_reach_leave_the_torso_where_it_is():
    pose = samples.walk()[10]
    ends = {name: pose.positions()[one.joints[-1]] for name, one in limbik.find_limbs(pose).items()}
    ends["left_arm"] = ends["left_arm"] + [0.05, 0.05, 0.05]
    near = limbik.reach_ends(pose, ends)
    assert near.reached
    assert np.array_equal(near.pose.translations, pose.translations)
    several = pose.with_(rotations=pose.rotations[None], translations=pose.translations[None])
    assert np.abs(limbik.reach_ends(several, ends).pose.rotations[0] - near.pose.rotations).max() < 1e-12
