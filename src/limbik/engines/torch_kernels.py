"""torch tensors on fused kernels, with gradients: those of Numba (or NumPy) on the CPU, those of Triton on CUDA.

The backward pass is a kernel too (`gradient_programs.py`), behind a `torch.autograd.Function`. What kernels cannot do
runs on the torch engine, operation by operation: derivatives of gradients, forward mode, `torch.compile`, `torch.func`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

from limbik.engines import dispatch, threads, triton_engine
from limbik.engines.gradient_programs import GRADIENT, SLOPES, gradient_program
from limbik.engines.programs import Flags, Program

Groups = Mapping[str, Any]  # each a tuple of floats, or a tensor (..., components) of one number type and device


class Call(NamedTuple):
    """One call of an answer: everything but the values of its tensors."""

    program: Program
    answer: str
    flags: Flags
    groups: Groups
    shape: tuple[int, ...]
    names: tuple[str, ...]  # of the groups that are tensors
    operations: Callable[[Groups], Any]  # the same answer by operations of torch, which can be differentiated again


def suit(tensors: Sequence[Any]) -> bool:
    """Whether kernels can take these tensors: plain ones on the CPU or on CUDA, while nothing traces the operations."""
    import torch

    internals: Any = torch._C
    if (
        torch.compiler.is_compiling()
        or torch.autograd.forward_ad._current_level >= 0
        or internals._are_functorch_transforms_active()
        or internals._len_torch_dispatch_stack()
        or internals._get_tracing_state() is not None
    ):
        return False
    kind = tensors[0].device.type
    if kind == "cuda":
        return triton_engine.available() and all(type(one) in _plain() and one.is_cuda for one in tensors)
    return kind == "cpu" and all(type(one) in _plain() and one.is_cpu for one in tensors)


@cache
def _plain() -> tuple[type, ...]:
    import torch

    return torch.Tensor, torch.nn.Parameter


def run(call: Call) -> Any:
    """The answer, a tensor (*shape, numbers); part of torch's graph where an input requires a gradient."""
    import torch

    tensors = [call.groups[name] for name in call.names]
    if torch.is_grad_enabled() and any(one.requires_grad for one in tensors):
        return _function().apply(call, *tensors)
    return _answer(call)


def _answer(call: Call) -> Any:
    sizes = [call.program.answers[call.answer].size]
    return _numbers(call.program, call.answer, call.flags, call.groups, call.shape, sizes)[0]


def _numbers(
    program: Program, answer: str, flags: Flags, groups: Groups, shape: tuple[int, ...], sizes: Sequence[int]
) -> Sequence[Any]:
    """An answer's numbers as contiguous tensors (*shape, size)."""
    like = next(group for group in groups.values() if type(group) is not tuple)
    engine = triton_engine.run if like.is_cuda else run_on_cpu
    return engine(program, answer, flags, groups, shape, sizes)


def run_on_cpu(
    program: Program, answer: str, flags: Flags, groups: Groups, shape: tuple[int, ...], sizes: Sequence[int]
) -> Sequence[Any]:
    """The same by NumPy or Numba, which read the tensors' memory in place."""
    import torch

    like = next(group for group in groups.values() if type(group) is not tuple)
    dtype = np.dtype(str(like.dtype).removeprefix("torch."))
    parts = []
    for name in program.groups_of(answer):
        group = groups[name]
        if type(group) is tuple:
            parts.append(np.array(group, dtype)[:, None])
            continue
        size = group.shape[-1]
        group = group.detach().resolve_neg()
        parts.append((group if group.numel() == size else group.expand(*shape, size)).reshape(-1, size).numpy().T)
    with threads.at_most(torch.get_num_threads()):  # one in a worker of a DataLoader
        numbers, _ = dispatch.run(program, answer, flags, parts, prod(shape), dtype)
    return [part.T.reshape(*shape, len(part)).contiguous() for part in torch.from_numpy(numbers).split(list(sizes))]


@cache
def _function() -> Any:
    import torch

    class LimbAnswer(torch.autograd.Function):
        """An answer and its gradients, each by a kernel."""

        @staticmethod
        def forward(ctx: Any, call: Call, *tensors: Any) -> Any:
            ctx.call = call._replace(groups={name: one for name, one in call.groups.items() if type(one) is tuple})
            ctx.save_for_backward(*tensors)
            return _answer(call)

        @staticmethod
        def backward(ctx: Any, *slopes_of_outputs: Any) -> Any:
            (slopes,) = slopes_of_outputs
            call, tensors = ctx.call, dict(zip(ctx.call.names, ctx.saved_tensors, strict=True))
            wanted = [name for name, needed in zip(call.names, ctx.needs_input_grad[1:], strict=True) if needed]
            if torch.is_grad_enabled() or not suit([slopes, *tensors.values()]):
                found = _by_operations(call, tensors, wanted, slopes)
            else:
                found = gradients(call, tensors, wanted, slopes)
            return (None, *(found.get(name) for name in call.names))

    return LimbAnswer


def gradients(call: Call, tensors: Groups, wanted: Sequence[str], slopes: Any) -> dict[str, Any]:
    """The gradients of the wanted groups, of their groups' shapes, from the answer's slopes, (*shape, numbers)."""
    program = gradient_program(call.program, call.answer, tuple(wanted))
    groups = {**call.groups, **tensors, SLOPES: slopes}
    sizes = [tensors[name].shape[-1] for name in wanted]
    found = _numbers(program, GRADIENT, call.flags, groups, call.shape, sizes)
    return {name: one.sum_to_size(tensors[name].shape) for name, one in zip(wanted, found, strict=True)}


def _by_operations(call: Call, tensors: Groups, wanted: Sequence[str], slopes: Any) -> dict[str, Any]:
    """The same, as part of torch's graph: it can be differentiated again."""
    import torch

    inputs = [tensors[name] for name in wanted]
    with torch.enable_grad():
        numbers = call.operations({**call.groups, **tensors})
    found = torch.autograd.grad(numbers, inputs, slopes, create_graph=True, allow_unused=True)
    return dict(zip(wanted, found, strict=True))
