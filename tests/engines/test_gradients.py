"""Gradients by fused kernels: those of torch's own differentiation of the same formulas, for every limb and option."""

import contextlib

import numpy as np
import pytest

import limbik
from limbik.engines import dispatch, tensor_engine
from tests import reference
from tests.optional import optional

torch = optional("torch")

LEG = limbik.ThreeLink(0.45, 0.42, 0.12)
ARM = limbik.TwoLink(0.45, 0.42)
FLAT = limbik.PlanarTwoLink(0.5, 0.4)
BENT_LEG = limbik.ThreeLink(0.45, 0.42, 0.12, middle_limits=(0.1, 2.4), last_limits=(-1.5, 0.5))
BENT_ARM = limbik.TwoLink(0.45, 0.42, middle_limits=(0.2, 2.0))
CASES = {
    "planar": (FLAT, {}),
    "planar, other bend": (FLAT, {"bend": -1}),
    "arm": (ARM, {}),
    "arm, limits": (BENT_ARM, {}),
    "arm, soft, stretched, twisted": (ARM, {"soften": 0.9, "stretch": 1.2, "twist": 0.3}),
    "leg": (LEG, {}),
    "leg, other bend": (LEG, {"bend": -1, "origin": (0.1, 0.2, -0.3)}),
    "leg, easy": (LEG, {"style": "easy"}),
    "leg, hint": (LEG, {"hint": (0.1, 0.2, 0.9)}),
    "leg, position first": (LEG, {"priority": "position"}),
    "leg, limits": (BENT_LEG, {}),
}
ANSWERS = ("joints", "angles", "rotations", "residual", "up_error", "out_of_plane", "stretch")


def answers_of(limb):
    return [name for name in ANSWERS if name in ("joints", "angles") or answered(limb, name)]


def answered(limb, name):
    program = limb._program
    return name in program.answers or name in program.report


def rows(limb, seed, count=80):
    """Targets and directions: reachable or not, straight, folded, singular, invalid, huge, tiny."""
    rng = np.random.default_rng(seed)
    size = 2 if limb is FLAT else 3
    target = rng.normal(size=(count, size)) * 0.4
    up = rng.normal(size=(count, 3))
    reach = float(limb.reach)
    target[0], target[1] = 0, [reach, *[0] * (size - 1)]
    target[2], target[3] = [0, reach, 0][:size], np.nan
    target[4], target[5] = [0, 0.03, 0][:size], 1e12
    target[6] = 1e-4
    if size == 3:
        up[8:12] = target[8:12]
        up[12:14] = 0
        up[14] = np.inf
        target[15], up[15] = [0, -0.6, 0], [0, -1, 0]
        target[16], up[16] = [0, 0.12, 0], [0, 1, 0]
    return (target,) if size == 2 else (target, up)


def by(kernels):
    return contextlib.nullcontext() if kernels else dispatch.use("operations")


def gradients(solve, name, values, *, kernels, dtype="float64"):
    """The answer, and its gradients for random slopes, by kernels or by operations of torch."""
    inputs = [torch.tensor(value, dtype=getattr(torch, dtype)).requires_grad_() for value in values]
    with by(kernels):
        answer = getattr(solve(*inputs), name)
        generator = torch.Generator().manual_seed(1)
        slopes = torch.randn(answer.shape, generator=generator, dtype=torch.float64).to(answer.dtype)
        found = torch.autograd.grad(answer, inputs, slopes, allow_unused=True)
    return answer.detach(), [
        one.numpy() if one is not None else 0 * value for one, value in zip(found, values, strict=True)
    ]


def check_equal(found, expected, sensitive):
    """Equal to 1e-10 of each row's largest gradient, or as far as the rounding of the inputs changes it by itself."""
    for one, other, shifted in zip(found, expected, sensitive, strict=True):
        assert np.isfinite(one).all()
        slack = 1e-10 * (1 + np.abs(other).max(-1, keepdims=True)) + 64 * np.abs(other - shifted)
        assert (np.abs(one - other) <= slack).all()
        assert np.quantile(np.abs(one - other) / (1 + np.abs(other)), 0.9) < 1e-12


@pytest.mark.parametrize("case", CASES)
def test_gradients_equal_those_of_torch(case):
    limb, options = CASES[case]
    values = rows(limb, 0)
    shifted = [value * (1 + 2**-51) for value in values]
    for name in answers_of(limb):

        def solve(*inputs):
            return limb.solve(*inputs, **options)

        answer, found = gradients(solve, name, values, kernels=True)
        expected_answer, expected = gradients(solve, name, values, kernels=False)
        moved, sensitive = gradients(solve, name, shifted, kernels=False)
        slack = 1e-14 + 64 * (moved - expected_answer).abs().nan_to_num()  # a stretched limb magnifies rounding
        assert torch.equal(answer.isnan(), expected_answer.isnan()), name
        assert ((answer - expected_answer).abs().nan_to_num() <= slack).all(), name
        check_equal(found, expected, sensitive)


@pytest.mark.parametrize(("case", "dtype"), [("arm, soft, stretched, twisted", "float32"), ("leg, hint", "float64")])
def test_numba_and_numpy_agree(case, dtype):
    limb, options = CASES[case]
    values = rows(limb, 1, 1200)
    found = {}
    for engine in ("numpy", "numba"):
        with dispatch.use(engine):
            found[engine] = gradients(
                lambda *one: limb.solve(*one, **options), "joints", values, kernels=True, dtype=dtype
            )
    assert torch.equal(found["numpy"][0].isnan(), found["numba"][0].isnan())
    for one, other in zip(found["numpy"][1], found["numba"][1], strict=True):
        assert np.isfinite(other).all()
        largest = 1 + np.abs(one).max(-1, keepdims=True)
        assert (np.abs(one - other) / largest).max() < 1e4 * np.finfo(dtype).eps


@pytest.mark.parametrize(("limb", "options"), [(ARM, {"soften": 0.9, "twist": 0.3}), (LEG, {}), (BENT_LEG, {})])
def test_gradcheck(limb, options):
    """Against finite differences, away from singularities and from the edge of what can be reached."""
    rng = np.random.default_rng(3)
    target = torch.tensor(reference.random_directions(rng, 6) * rng.uniform(0.3, 0.6, (6, 1)))
    up = torch.tensor(reference.random_directions(rng, 6))

    def numbers(t, u):
        s = limb.solve(t, u, **options)
        return s.joints, s.rotations

    assert torch.autograd.gradcheck(numbers, (target.requires_grad_(), up.requires_grad_()))


def test_planar_gradcheck_and_its_second_derivatives():
    target = torch.tensor([[0.3, 0.4], [-0.5, 0.2]], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda t: FLAT.solve(t).joints, target)
    assert torch.autograd.gradgradcheck(lambda t: FLAT.solve(t).joints, target)


def test_derivatives_of_gradients_are_those_of_torch():
    target, up = (torch.tensor(value[20:30], requires_grad=True) for value in rows(LEG, 4))

    def second(kernels):
        with by(kernels):
            (first,) = torch.autograd.grad((LEG.solve(target, up).joints ** 2).sum(), target, create_graph=True)
            return torch.autograd.grad((first**2).sum(), (target, up))

    for one, other in zip(second(True), second(False), strict=True):
        assert torch.allclose(one, other, rtol=1e-10, atol=1e-10)


def test_gradients_of_a_track_equal_those_of_torch():
    path = np.array([0.3, -0.4, 0.2]) + np.cumsum(np.random.default_rng(0).normal(size=(6, 3, 3)) * 0.03, 0)
    for limb, others in ((ARM, ()), (LEG, ((0.2, -1, 0.1),))):
        found, expected = (
            gradients(lambda t, limb=limb, others=others: limb.track(t, *others), "joints", (path,), kernels=kernels)
            for kernels in (True, False)
        )
        assert np.abs(found[1][0] - expected[1][0]).max() <= 1e-10 * (1 + np.abs(expected[1][0]).max())


def test_groups_that_are_shared_get_the_sum_of_their_rows():
    """Lengths, an `up` for all rows, a batch of two axes, narrow numbers, slopes that repeat one number."""
    target, up = (torch.tensor(value[20:44]).reshape(4, 6, 3) for value in rows(LEG, 5))
    parts = [target, up[0, 0].clone(), torch.tensor(0.45, dtype=torch.float64)]

    def both(change):
        found = []
        for kernels in (True, False):
            inputs = [change(part).detach().requires_grad_() for part in parts]
            with by(kernels):
                joints = limbik.ThreeLink(inputs[2], 0.42, 0.12).solve(inputs[0], inputs[1]).joints
                found.append((joints, torch.autograd.grad(joints.sum(), inputs)))
        assert found[0][0].dtype == found[1][0].dtype
        for one, other in zip(found[0][1], found[1][1], strict=True):
            assert one.shape == other.shape
            assert one.dtype == other.dtype
            yield one, other

    assert all(torch.allclose(*pair, rtol=1e-10, atol=1e-10) for pair in both(lambda part: part))
    assert all(torch.allclose(*pair, rtol=0.05, atol=0.05) for pair in both(lambda part: part.to(torch.float16)))
    strided = both(lambda part: torch.stack([part, part], -1)[..., 0])
    assert all(torch.allclose(*pair, rtol=1e-10, atol=1e-10) for pair in strided)


def test_one_limb_and_no_limb():
    target = torch.tensor([0.3, 0.2, 0.1], dtype=torch.float64, requires_grad=True)
    (found,) = torch.autograd.grad(ARM.solve(target).joints[2].sum(), target)
    assert torch.allclose(found, torch.ones(3, dtype=torch.float64), atol=1e-14)  # the tip goes where the target goes
    empty = torch.zeros(0, 3, requires_grad=True)
    (found,) = torch.autograd.grad(ARM.solve(empty).joints.sum(), empty)
    assert found.shape == (0, 3)


def test_only_what_requires_a_gradient_gets_one(monkeypatch):
    """And nothing of it runs on torch's operations."""
    monkeypatch.setattr(tensor_engine, "run", lambda *arguments: pytest.fail("by operations of torch"))
    target, up = (torch.tensor(value[20:30]) for value in rows(LEG, 6))
    up = torch.nn.Parameter(up)
    LEG.solve(target, up).joints.sum().backward()
    assert target.grad is None
    assert up.grad.shape == (10, 3)
    with torch.no_grad():
        assert not LEG.solve(target, up).joints.requires_grad


@pytest.mark.filterwarnings("ignore:.*torch.jit.script:DeprecationWarning")
def test_what_kernels_cannot_do_runs_on_torch():
    """Forward mode and function transforms give the same derivatives."""
    target, up = (torch.tensor(value[20:26]) for value in rows(LEG, 7))
    tangent = torch.randn(target.shape, generator=torch.Generator().manual_seed(0), dtype=torch.float64)

    def joints(t):
        return LEG.solve(t, up).joints

    reverse = torch.autograd.functional.jacobian(joints, target)
    by_hand = torch.einsum("ijkab,ab->ijk", reverse, tangent)
    assert torch.allclose(torch.func.jvp(joints, (target,), (tangent,))[1], by_hand, rtol=1e-10, atol=1e-12)
    with torch.autograd.forward_ad.dual_level():
        dual = joints(torch.autograd.forward_ad.make_dual(target, tangent))
        assert torch.allclose(torch.autograd.forward_ad.unpack_dual(dual).tangent, by_hand, rtol=1e-10, atol=1e-12)
    assert torch.allclose(torch.func.jacrev(joints)(target), reverse, rtol=1e-10, atol=1e-12)
    summed = torch.func.grad(lambda t: (joints(t) * tangent[:, None]).sum())(target)
    assert torch.allclose(summed, torch.einsum("ijkab,ik->ab", reverse, tangent), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("limb", [ARM, LEG, limbik.NLink([0.3, 0.3, 0.2])], ids=["arm", "leg", "tail"])
@pytest.mark.parametrize("library", ["torch", "jax"])
@pytest.mark.parametrize("size", [1e-30, 1e-38, 1e-44])
def test_gradients_of_subnormal_directions_are_finite(limb, library, size):
    """They grow with the reciprocal of the length, beyond the largest float32."""
    module = pytest.importorskip(library)
    target = np.array([[0.3, 0.2, 0.4], [0.1, -0.5, 0.3]], np.float32)
    side = np.array([[1, 2, 0.5], [0.3, -1, 0.2]], np.float32) * np.float32(size)
    for answer in ("joints", "angles", "rotations"):
        if library == "torch":
            tensors = [module.tensor(one, requires_grad=True) for one in (target, side)]
            getattr(limb.solve(*tensors), answer).sum().backward()
            gradients = [tensor.grad.numpy() for tensor in tensors]
        else:

            def total(*arrays, answer=answer):
                return getattr(limb.solve(*arrays), answer).sum()

            gradients = module.grad(total, argnums=(0, 1))(*map(module.numpy.asarray, (target, side)))
        assert np.all(np.isfinite(gradients)), answer
