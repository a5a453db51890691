"""JAX on fused kernels: gradients equal those of torch's operations, under every transformation of JAX."""

import numpy as np
import pytest

import limbik
from limbik.engines import dispatch
from tests.engines.test_gradients import CASES, answers_of
from tests.optional import double_precision, optional
from tests.thoroughness import some

torch = optional("torch")
jax = optional("jax")
LEG = limbik.ThreeLink(0.45, 0.42, 0.12)
FLAT = limbik.PlanarTwoLink(0.5, 0.4)


@pytest.fixture(autouse=True)
def _float64():
    with double_precision(jax):
        yield


def points_of(limb):
    """Random rows, most of them reachable, and the singular ones: straight, folded, at the origin, up along the aim."""
    rng = np.random.default_rng(5)
    size = limb._program.groups["target"]
    target = rng.normal(size=(24, size)) * 0.35
    up = rng.normal(size=(24, size))
    along = np.zeros(size)
    along[-1] = 1.0
    reach = float(limb.reach)
    target[:6] = np.outer([0, reach, 3 * reach, 0.5 * reach, 0.12, 0.03], along)
    up[:6] = np.outer([1, 1, 1, 1, 1, 0], along)
    return (target,) if limb is FLAT or size == 2 else (target, up)


def gradients_by_torch(solve, answer, weights, points):
    with dispatch.use("operations"):
        inputs = [torch.tensor(point, requires_grad=True) for point in points]
        total = (getattr(solve(*inputs), answer) * torch.tensor(weights)).sum()
        found = torch.autograd.grad(total, inputs, allow_unused=True)
    return [np.zeros_like(point) if one is None else one.numpy() for one, point in zip(found, points, strict=True)]


@pytest.mark.parametrize("case", some(list(CASES), 3))
def test_gradients_equal_those_of_operations(case):
    limb, options = CASES[case]
    points = points_of(limb)
    rng = np.random.default_rng(6)

    def solve(*inputs):
        return limb.solve(*inputs, **options)

    for answer in answers_of(limb):
        weights = rng.normal(size=np.shape(getattr(solve(*points), answer)))

        def total(*inputs, answer=answer, weights=weights):
            return (getattr(solve(*inputs), answer) * weights).sum()

        slopes = jax.grad(total, tuple(range(len(points))))
        expected = gradients_by_torch(solve, answer, weights, points)
        for found, wanted in zip(slopes(*map(jax.numpy.asarray, points)), expected, strict=True):
            assert np.isfinite(found).all()
            assert np.all(np.abs(found - wanted) <= 1e-10 * np.maximum(1.0, np.abs(wanted))), answer


def test_transformations_agree_with_one_another():
    target, up = (jax.numpy.asarray(point) for point in points_of(LEG))

    def total(t, u):
        s = LEG.solve(t, u)
        return (s.joints**2).sum() + s.angles[..., 0].sum()

    slopes = jax.grad(total, (0, 1))
    expected = slopes(target, up)
    for name, found in {
        "jit": jax.jit(slopes)(target, up),
        "vmap": jax.vmap(slopes)(target, up),
        "jit of vmap": jax.jit(jax.vmap(slopes))(target, up),
        "vmap over the last axis": jax.vmap(slopes, in_axes=1)(target.T, up.T),
        "one up for all": jax.vmap(slopes, in_axes=(0, None))(target, up[0]),
    }.items():
        wanted = slopes(target, jax.numpy.broadcast_to(up[0], up.shape)) if "one" in name else expected
        for one, other in zip(found, wanted, strict=True):
            assert np.allclose(one, other, rtol=0, atol=1e-12), name


@pytest.mark.parametrize("answer", ["joints", "angles", "rotations"])
@pytest.mark.parametrize("shape", [(3,), (24, 3)])
def test_slopes_may_be_arrays_of_numpy(answer, shape):
    targets = points_of(LEG)[0][: 24 if len(shape) == 2 else 1].reshape(shape)
    found, pullback = jax.vjp(lambda target: getattr(LEG.solve(target, (0.0, 0.0, 1.0)), answer), targets)
    slopes = np.random.default_rng(3).normal(size=found.shape)
    (expected,) = pullback(jax.numpy.asarray(slopes))
    assert np.array_equal(pullback(slopes)[0], expected)


def test_second_derivatives_equal_differences_of_gradients():
    target = np.array([[0.31, 0.42], [0.2, -0.55]])
    for answer in some(("joints", "angles"), 2):  # XLA takes seconds

        def total(t, answer=answer):
            return (getattr(FLAT.solve(t), answer) ** 2).sum()

        found = jax.jit(jax.hessian(total))(jax.numpy.asarray(target))
        slopes = jax.grad(total)
        for place in np.ndindex(2, 2):
            step = np.zeros((2, 2))
            step[place] = 1e-6
            ahead, behind = (slopes(jax.numpy.asarray(target + sign * step)) for sign in (1, -1))
            assert np.allclose(found[place], (ahead - behind) / 2e-6, rtol=1e-6, atol=1e-6)


def test_compiled_functions_call_kernels_and_exported_ones_do_not():
    (target,) = points_of(FLAT)

    def joints(t):
        return FLAT.solve(t).joints

    def slopes(t):
        return jax.grad(lambda t: (joints(t) ** 2).sum())(t)

    def fresh(t):  # JAX keeps what it has traced
        return slopes(t)

    assert "callback" in jax.jit(fresh).lower(jax.numpy.asarray(target)).as_text()
    assert np.array_equal(jax.jit(joints)(jax.numpy.asarray(target)), FLAT.solve(target).joints)
    with dispatch.use("operations"):
        exported = jax.export.export(jax.jit(slopes))(jax.numpy.asarray(target))
    assert "callback" not in exported.mlir_module()
    found = exported.call(jax.numpy.asarray(target))
    assert np.allclose(found, jax.jit(slopes)(jax.numpy.asarray(target)), rtol=0, atol=1e-10)


def test_forward_mode_equals_reverse_mode():
    target, up = (jax.numpy.asarray(point[6:]) for point in points_of(LEG))

    def joints(t):
        return LEG.solve(t, up).joints

    change = np.random.default_rng(7).normal(size=target.shape)
    _, moved = jax.jit(lambda t, c: jax.jvp(joints, (t,), (c,)))(target, change)
    weights = np.random.default_rng(8).normal(size=moved.shape)
    (gradient,) = jax.vjp(joints, target)[1](weights)
    assert np.allclose(np.sum(moved * weights), np.sum(gradient * change), rtol=1e-9)


def test_scan():
    target, up = (jax.numpy.asarray(point) for point in points_of(LEG))

    def total(up):
        return jax.lax.scan(lambda sum_, t: (sum_ + LEG.solve(t, up[0]).joints.sum(), None), 0.0, target)[0]

    def at_once(up):
        return LEG.solve(target, up[0]).joints.sum()

    assert np.allclose(total(up), at_once(up), rtol=1e-12)
    assert np.allclose(jax.grad(total)(up), jax.grad(at_once)(up), rtol=0, atol=1e-10)


def test_an_empty_batch():
    empty = jax.numpy.zeros((0, 3))
    assert LEG.solve(empty, empty).joints.shape == (0, 4, 3)
