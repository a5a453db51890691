"""World positions and rotations are those of SciPy's rotations and of plain matrices, on either engine."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from limbik.engines import dispatch, loading, numba_forward, thresholds
from limbik.skeleton.kinematics import forward, generations
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton
from tests.skeleton import figures


def random_tree(rng, joints, roots=1):
    """Parents of a random tree: some long lines, some wide families."""
    parents = [-1] * roots
    for joint in range(roots, joints):
        parents.append(int(rng.integers(max(0, joint - rng.integers(1, 6)), joint)))
    return np.array(parents)


def random_pose(rng, parents, frames, scaled=False):
    joints = len(parents)
    skeleton = Skeleton(tuple(map(str, range(joints))), parents, rng.normal(size=(joints, 3)))
    scales = rng.uniform(0.5, 2.0, (frames, joints, 3)) if scaled else None
    return Pose(skeleton, figures.random_quaternions(rng, frames, joints), rng.normal(size=(frames, joints, 3)), scales)


@given(st.integers(0, 2**32), st.integers(1, 40), st.integers(1, 3), st.booleans())
def test_positions_are_those_of_matrices_and_rotations_leave_scales_out(seed, joints, roots, scaled):
    rng = np.random.default_rng(seed)
    pose = random_pose(rng, random_tree(rng, joints, min(roots, joints)), 5, scaled)
    wanted, _ = figures.world_by_matrices(pose.skeleton, pose.rotations, pose.translations, pose.scales)
    _, unscaled = figures.world_by_matrices(pose.skeleton, pose.rotations, pose.translations)
    positions, rotations = pose.world()
    assert np.abs(positions - wanted).max() <= 1e-13 * np.abs(wanted).max()
    turns = Rotation.from_matrix(unscaled[..., :3, :3].reshape(-1, 3, 3))
    assert (Rotation.from_quat(rotations.reshape(-1, 4)) * turns.inv()).magnitude().max() < 1e-7


@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(1, 3), st.integers(1, 9))
def test_numba_gives_what_numpy_gives_to_the_bit(seed, joints, roots, frames):
    rng = np.random.default_rng(seed)
    pose = random_pose(rng, random_tree(rng, joints, min(roots, joints)), frames)
    found = {}
    for engine in ("numpy", "numba"):
        with dispatch.use(engine):
            found[engine] = pose.world()
    for a, b in zip(found["numpy"], found["numba"], strict=True):
        assert np.array_equal(a, b)


@pytest.mark.parametrize("engine", ["numpy", "numba"])
@pytest.mark.parametrize("batch", [(), (1,), (3, 2), (2, 1, 3), (0,)])
def test_any_batch_of_poses(engine, batch):
    rng = np.random.default_rng(5)
    parents = random_tree(rng, 9)
    pose = random_pose(rng, parents, int(np.prod(batch)))
    with dispatch.use(engine):
        positions, rotations = forward(
            parents, pose.rotations.reshape(*batch, 9, 4), pose.translations.reshape(*batch, 9, 3), None
        )
    wanted, _ = figures.world_by_matrices(pose.skeleton, pose.rotations, pose.translations)
    assert positions.shape == (*batch, 9, 3)
    assert rotations.shape == (*batch, 9, 4)
    assert np.allclose(positions.reshape(-1, 9, 3), wanted, atol=1e-12)


@pytest.mark.parametrize("engine", ["numpy", "numba"])
def test_views_and_shared_translations_are_read_as_they_are(engine):
    rng = np.random.default_rng(6)
    pose = random_pose(rng, random_tree(rng, 12), 30)
    every_third = Pose(pose.skeleton, pose.rotations[::-3], pose.skeleton.translations)
    with dispatch.use(engine):
        found = every_third.positions()
    wanted, _ = figures.world_by_matrices(
        pose.skeleton, pose.rotations[::-3], np.broadcast_to(pose.skeleton.translations, (10, 12, 3))
    )
    assert np.allclose(found, wanted, atol=1e-12)


def test_a_frame_with_nan_leaves_its_neighbours_alone():
    rng = np.random.default_rng(7)
    pose = random_pose(rng, random_tree(rng, 6), 3)
    rotations = pose.rotations.copy()
    rotations[1, 0] = np.nan
    for engine in ("numpy", "numba"):
        with dispatch.use(engine):
            found = pose.with_(rotations=rotations).positions()
        assert np.array_equal(found[[0, 2]], pose.positions()[[0, 2]])
        assert np.isnan(found[1, 1:]).all()


def test_large_clips_run_on_numba_and_small_ones_compile_nothing(monkeypatch):
    used = []
    real = numba_forward.forward
    monkeypatch.setattr(numba_forward, "forward", lambda *given: used.append(len(given[1])) or real(*given))
    monkeypatch.delitem(loading.kernels, numba_forward.KERNEL, raising=False)  # as in a new process
    rng = np.random.default_rng(8)
    parents = random_tree(rng, 30)
    large = thresholds.NUMBA_WAIT_MIN_ROWS // 30 + 1
    random_pose(rng, parents, 300).positions()
    random_pose(rng, parents, large).positions()
    random_pose(rng, parents, large, scaled=True).positions()
    random_pose(rng, parents, 200).positions()  # now there is a kernel
    assert used == [large, 200]


def test_without_numba_large_clips_run_on_numpy(monkeypatch):
    monkeypatch.setattr(dispatch, "have_numba", lambda: False)
    monkeypatch.setattr(numba_forward, "forward", lambda *_: pytest.fail("Numba is not there"))
    rng = np.random.default_rng(9)
    pose = random_pose(rng, random_tree(rng, 4), thresholds.NUMBA_WAIT_MIN_ROWS // 4)
    assert np.isfinite(pose.positions()).all()


@given(st.integers(0, 2**32), st.integers(1, 60))
def test_generations_come_after_their_parents(seed, joints):
    parents = random_tree(np.random.default_rng(seed), joints, min(2, joints))
    done = set(np.flatnonzero(parents < 0).tolist())
    for level in generations(parents):
        assert all(parents[joint] in done for joint in level)
        done |= set(level.tolist())
    assert done == set(range(joints))
