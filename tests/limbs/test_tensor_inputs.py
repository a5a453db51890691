"""Solutions of torch and JAX: kept from changes of their inputs, and pytrees that transforms take and return."""

import copy
import pickle

import numpy as np
import pytest

import limbik
from limbik.engines import thresholds
from tests.limbs.test_inputs_never_mix import ARM, LEG, inputs
from tests.optional import optional

torch = optional("torch")
jax = optional("jax")
jnp = jax.numpy


@pytest.mark.parametrize("rows", [10, 40_000])
def test_tensors_that_are_changed_in_place(rows):
    targets, ups = (torch.tensor(one) for one in inputs(rows))
    expected = {name: getattr(LEG.solve(targets.clone(), ups.clone()), name) for name in ("joints", "angles")}
    for change in (lambda: targets.add_(1), lambda: targets.data.mul_(2), lambda: targets.numpy().fill(0.5)):
        kept = targets.clone()
        s, track = LEG.solve(targets, ups), ARM.track(targets[:5], ups[:5])
        joints, tracked = LEG.solve(targets, ups).joints, ARM.track(targets[:5].clone(), ups[:5]).joints
        change()
        assert torch.equal(s.joints, expected["joints"]) and torch.equal(s.joints, joints)
        assert torch.equal(s.angles, expected["angles"])
        assert torch.equal(track.joints, tracked)
        targets.copy_(kept)
    mixed = inputs(rows)[1]
    s = LEG.solve(targets, mixed)
    mixed += 1
    assert torch.equal(s.joints, expected["joints"])


def test_gradients_reach_the_caller_s_tensors():
    targets, ups = (torch.tensor(one, requires_grad=True) for one in inputs(20))
    LEG.solve(targets, ups).joints.sum().backward()
    assert targets.grad is not None and targets.grad.abs().sum() > 0 and ups.grad is not None


def test_jax_with_arrays_of_numpy():
    targets, ups = inputs(50, "float32")
    expected = LEG.solve(jnp.array(targets), jnp.array(ups)).joints
    s = LEG.solve(jnp.array(targets), ups)
    ups += 1
    assert np.array_equal(s.joints, expected)


def test_solutions_leave_and_enter_jit():
    targets, ups = (jnp.array(one) for one in inputs(6, "float32"))
    expected = LEG.solve(targets, ups)
    solved = jax.jit(LEG.solve)(targets, ups)
    assert solved.shape == (6,) and solved.limb is LEG
    assert np.allclose(solved.joints, expected.joints, atol=1e-6)
    assert np.array_equal(solved.status, expected.status)
    read = jax.jit(lambda s: s.angles * 2)(solved)
    assert np.allclose(read, expected.angles * 2, atol=1e-5)

    def with_answer(t, u):
        s = LEG.solve(t, u)
        s.joints
        return s

    assert "joints" in jax.jit(with_answer)(targets, ups)._answers  # computed inside


def test_solutions_leave_vmap_branches_and_tracks():
    targets, ups = (jnp.array(one) for one in inputs(6, "float32"))
    mapped = jax.vmap(LEG.solve)(targets, ups)
    assert mapped.shape == (6,)
    assert np.allclose(mapped.joints, LEG.solve(targets, ups).joints, atol=1e-6)
    shared = jax.vmap(lambda t: LEG.solve(t, [0, -1, 0]))(targets)
    assert np.allclose(shared.joints, LEG.solve(targets, [0, -1, 0]).joints, atol=1e-6)
    branches = jax.jit(LEG.branches)(targets, ups)
    assert isinstance(branches, limbik.Branches) and branches.shape == (8, 6)
    track = jax.jit(LEG.track)(targets, ups)
    assert np.allclose(track.joints, LEG.track(targets, ups).joints, atol=1e-6)
    assert np.allclose(LEG.track(targets, ups, previous=track).joints[-1, -1], targets[-1], atol=1e-5)


def test_tree_functions_of_jax_and_torch():
    targets, ups = inputs(6)
    for s in (LEG.solve(targets, ups), LEG.solve([0.2, 0.3, 0.1], [0, 1, 0]), ARM.track(targets, ups)):
        same = jax.tree_util.tree_map(lambda leaf: leaf, s)
        assert np.array_equal(same.joints, s.joints)
        again = torch.utils._pytree.tree_map(lambda leaf: leaf, s)
        assert np.array_equal(again.angles, s.angles)
    doubled = jax.tree_util.tree_map(lambda leaf: leaf * 1, LEG.solve(jnp.array(targets), jnp.array(ups)))
    assert doubled.shape == (6,)


def test_solutions_leave_torch_vmap():
    targets, ups = (torch.tensor(one) for one in inputs(6))
    mapped = torch.vmap(LEG.solve)(targets, ups)
    assert torch.allclose(mapped.joints, LEG.solve(targets, ups).joints)


def test_torch_compile_takes_the_whole_call():
    targets, ups = (torch.tensor(one) for one in inputs(64))
    compiled = torch.compile(lambda t, u: LEG.solve(t, u).joints, fullgraph=True, backend="eager")
    assert torch.allclose(compiled(targets, ups), LEG.solve(targets, ups).joints)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("shape", [(1, 3), (40, 3), (5, 8, 3)])
def test_small_batches_without_gradients_are_those_of_numpy(shape, dtype):
    rng = np.random.default_rng(8)
    arrays = [rng.normal(size=shape).astype(dtype) * 0.4 for _ in range(2)]
    expected = LEG.solve(*arrays)
    for tensors in (
        [torch.tensor(one) for one in arrays],
        [torch.tensor(np.repeat(one, 2, -1))[..., ::2] for one in arrays],  # strided
    ):
        s = LEG.solve(*tensors)
        tensors[0].zero_()  # must not show
        for answer in ("joints", "angles", "rotations", "residual", "target"):
            found = getattr(s, answer)
            assert found.dtype == s.dtype == getattr(torch, dtype)
            assert np.array_equal(found.numpy(), getattr(expected, answer))
        assert s.joints.is_contiguous()
        assert s.shape == shape[:-1]
        assert np.array_equal(s[0].joints.numpy(), expected.joints[0])
        again = copy.copy(s)
        assert np.array_equal(again.joints.numpy(), expected.joints)
        restored = pickle.loads(pickle.dumps(LEG.solve(*tensors)))
        assert np.array_equal(restored.up_error.numpy(), LEG.solve(0 * arrays[0], arrays[1]).up_error)
        leaves, structure = torch.utils._pytree.tree_flatten(s)
        assert np.array_equal(torch.utils._pytree.tree_unflatten(leaves, structure).joints.numpy(), expected.joints)


@pytest.mark.parametrize("rows", [3, 5000])
def test_answers_of_tensors_keep_their_values_in_later_calls(rows):
    """Answers are copied from memory that the next call uses again; those of one number a row need no copy."""
    first, second = ([torch.tensor(one + k) for one in inputs(rows)] for k in (0.0, 0.1))
    names = ("joints", "angles", "rotations", "residual", "status")
    expected = {name: getattr(LEG.solve(*(one.numpy() for one in first)), name) for name in names}
    found = {name: getattr(LEG.solve(*first), name) for name in names}
    for name in names:
        getattr(LEG.solve(*second), name)
    for name in names:
        assert np.array_equal(found[name].numpy(), expected[name])


def test_tensors_that_require_gradients_have_them_in_small_batches_too():
    target, up = torch.randn(4, 3, requires_grad=True), torch.randn(4, 3)
    assert LEG.solve(target, up).joints.requires_grad
    assert LEG.solve(up, target).joints.requires_grad
    with torch.no_grad():
        assert not LEG.solve(target, up).joints.requires_grad


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_large_tensors_without_gradients_are_read_in_place(dtype):
    rows = thresholds.NUMBA_WAIT_MIN_ROWS
    arrays = [one.astype(dtype) for one in inputs(rows)]
    expected = LEG.solve(*arrays)
    tensors = [torch.from_numpy(one.copy()) for one in arrays]
    tensors[1] = torch.stack([tensors[1], tensors[1]], -1)[..., 0]  # strided
    s = LEG.solve(*tensors)
    for answer in ("joints", "angles", "rotations", "residual", "target"):
        found = getattr(s, answer)
        assert found.dtype == s.dtype == getattr(torch, dtype)
        assert np.array_equal(found.numpy(), getattr(expected, answer))
    part, again, restored = s[5:9], copy.copy(s), pickle.loads(pickle.dumps(s))
    leaves, structure = torch.utils._pytree.tree_flatten(s)
    built = torch.utils._pytree.tree_unflatten(leaves, structure)
    for one in (again, restored, built):
        assert np.array_equal(one.up_error.numpy(), expected.up_error)
    assert np.array_equal(part.joints.numpy(), expected.joints[5:9])
    assert LEG.solve(tensors[0], (0.0, 1.0, 0.0)).joints.shape == (rows, 4, 3)


@pytest.mark.parametrize("write", [lambda t: t.zero_(), lambda t: t.numpy().fill(0)], ids=["by torch", "by NumPy"])
def test_large_tensors_that_change_are_noticed(write):
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)  # not read yet: it computes the joints early
    targets, ups = (torch.tensor(one) for one in inputs(thresholds.NUMBA_WAIT_MIN_ROWS))
    s, other = leg.solve(targets, ups), leg.solve(targets, ups)
    joints = s.joints.clone()
    write(targets)
    assert torch.equal(s.joints, joints)
    for solution, answer in ((s, "rotations"), (other, "angles"), (other, "target")):
        with pytest.raises(limbik.LimbikError, match="tensor"):
            getattr(solution, answer)


def test_large_tensors_with_gradients_or_beside_arrays_are_copied():
    targets, ups = (torch.tensor(one, requires_grad=True) for one in inputs(thresholds.NUMBA_WAIT_MIN_ROWS))
    s = LEG.solve(targets, ups)
    with torch.no_grad():
        expected = LEG.solve(targets, ups).joints
        targets.zero_()
    assert torch.equal(s.joints, expected)
    assert s.joints.requires_grad and not expected.requires_grad
    mixed = inputs(thresholds.NUMBA_WAIT_MIN_ROWS)[1]
    s = LEG.solve(targets.detach().clone(), mixed)
    mixed += 1
    assert torch.equal(s.joints, LEG.solve(targets.detach(), ups.detach()).joints)
