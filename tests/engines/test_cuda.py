"""CUDA tensors, on a machine that has a GPU: answers, gradients, graphs, changed inputs."""

import numpy as np
import pytest

import limbik
from limbik.engines import torch_kernels
from tests.optional import optional

torch = optional("torch")
if not torch.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)

LEG = limbik.ThreeLink(0.45, 0.42, 0.12)
ARM = limbik.TwoLink(0.45, 0.42)
FLAT = limbik.PlanarTwoLink(0.5, 0.4)
CALLS = {
    "leg": LEG.solve,
    "leg, easy": lambda t, u: LEG.solve(t, u, style="easy", hint=(0.1, 0.2, 0.9)),
    "arm": lambda t, u: ARM.solve(t, u, soften=0.9, stretch=1.2, twist=0.3),
    "one direction": lambda t, u: LEG.solve(t, u[0]),
}


def rows(dtype, count=5000):
    rng = np.random.default_rng(0)
    target, up = rng.normal(size=(count, 3)) * 0.4, rng.normal(size=(count, 3))
    target[5], up[9], target[20] = np.nan, 0, 0
    return (torch.tensor(one, dtype=getattr(torch, dtype), device="cuda") for one in (target, up))


@pytest.mark.parametrize(("dtype", "near"), [("float64", 1e-14), ("float32", 4e-6)])
@pytest.mark.parametrize("call", CALLS)
def test_answers_are_those_of_the_cpu(call, dtype, near):
    target, up = rows(dtype)
    found, expected = CALLS[call](target, up), CALLS[call](target.cpu(), up.cpu())
    for name in ("joints", "residual"):
        one, other = getattr(found, name).cpu(), getattr(expected, name)
        assert torch.equal(one.isnan(), other.isnan())
        gap = (one - other).nan_to_num().abs()
        assert gap.quantile(0.99) < near
        assert gap.max() < near**0.5  # a straight limb's middle joint stands off by the root of the rounding


@pytest.mark.parametrize("call", ["leg", "leg, easy", "one direction"])  # no transcendental functions in joints
def test_in_float64_joints_and_rotations_have_the_bits_of_the_cpu(call):
    target, up = rows("float64")
    found, expected = CALLS[call](target, up), CALLS[call](target.cpu(), up.cpu())
    for name in ("joints", "rotations"):
        assert torch.equal(getattr(found, name).cpu().nan_to_num(7), getattr(expected, name).nan_to_num(7)), name
    gap = (found.angles.cpu() - expected.angles).nan_to_num()
    assert gap.abs().max() < 1e-14


@pytest.mark.parametrize(("dtype", "near"), [("float64", 1e-14), ("float32", 1e-6)])
def test_a_folded_limb_bends_the_same_way_as_on_the_cpu(dtype, near):
    rng = np.random.default_rng(1)
    target = torch.tensor(rng.normal(size=(1000, 2)) * 0.03, dtype=getattr(torch, dtype))
    target[0] = 0
    for bend in (-1, 1):
        found, expected = (FLAT.solve(one, bend=bend) for one in (target.cuda(), target))
        for name in ("angles", "joints"):
            assert (getattr(found, name).cpu() - getattr(expected, name)).abs().max() < near


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("name", ["joints", "angles"])
def test_gradients_are_those_of_torch(call, name, monkeypatch):
    target, up = (one.requires_grad_() for one in rows("float64"))
    answer = getattr(CALLS[call](target, up), name)
    slopes = torch.randn_like(answer)
    found = torch.autograd.grad(answer, (target, up), slopes)
    monkeypatch.setattr(torch_kernels, "suit", lambda *tensors: False)
    expected = torch.autograd.grad(getattr(CALLS[call](target, up), name), (target, up), slopes)
    for one, other in zip(found, expected, strict=True):
        assert one.isfinite().all()
        gap = (one - other).abs() / (1 + other.abs().amax(-1, keepdim=True))
        assert gap.quantile(0.99) < 1e-11
        assert gap.max() < 1e-6  # near singularities the rounding differs by as much


def test_gradcheck():
    target = torch.tensor([[0.3, 0.4, 0.2], [-0.5, 0.2, 0.1]], dtype=torch.float64, device="cuda", requires_grad=True)
    up = torch.tensor([[0.1, -1.0, 0.3], [1.0, 0.2, 0.4]], dtype=torch.float64, device="cuda", requires_grad=True)
    assert torch.autograd.gradcheck(lambda t, u: (LEG.solve(t, u).joints, LEG.solve(t, u).rotations), (target, up))
    assert torch.autograd.gradgradcheck(lambda t, u: ARM.solve(t, u).joints, (target, up))


def captured(work):
    """A CUDA graph of a call, and what the call returned."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        results = work()
    return graph, results


def test_calls_and_gradients_can_be_captured_in_a_graph():
    target, up = (one.nan_to_num().requires_grad_() for one in rows("float32"))
    slopes = torch.randn(len(target), 4, 3, device="cuda")

    def work():
        joints = LEG.solve(target, up).joints
        return joints.detach(), *torch.autograd.grad(joints, (target, up), slopes)

    graph, found = captured(work)
    with torch.no_grad():
        target += 0.01
    graph.replay()
    for one, other in zip(found, work(), strict=True):
        assert torch.equal(one, other)


def test_a_tensor_that_changed_before_an_answer_is_read_raises():
    target, up = rows("float32", 30)
    s = LEG.solve(target, up)
    joints = s.joints.clone()
    target += 1
    assert torch.equal(s.joints.nan_to_num(), joints.nan_to_num())
    with pytest.raises(limbik.LimbikError, match="changed"):
        _ = s.angles
