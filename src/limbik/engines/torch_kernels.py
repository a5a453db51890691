"""torch tensors on fused kernels, with gradients: those of Numba (or NumPy) on the CPU, those of Triton on CUDA.

The backward pass is a kernel too (`gradient_programs.py`), behind a `torch.autograd.Function`. What kernels cannot do
runs on the torch engine, operation by operation: derivatives of gradients, forward mode, `torch.compile`, `torch.func`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

from limbik.engines import plans, tensor_engine, threads, triton_engine
from limbik.engines.gradient_programs import GRADIENT, SLOPES, gradient_program
from limbik.engines.programs import Flags, Program

Groups = Mapping[str, Any]  # each a tuple of floats, or a tensor (..., components) of one number type and device


class Call(NamedTuple):
    """One call of an answer: everything but the values of its tensors."""

    program: Program
    answer: str
    flags: Flags
    groups: Groups  # those that are tuples
    names: tuple[str, ...]  # of those that are tensors
    shape: tuple[int, ...]


def eager() -> bool:
    """Whether torch runs operations as they come: nothing traces, transforms or differentiates them forward."""
    import torch

    internals: Any = torch._C
    return not (
        torch.compiler.is_compiling()
        or torch.autograd.forward_ad._current_level >= 0
        or internals._are_functorch_transforms_active()
        or internals._len_torch_dispatch_stack()
        or internals._get_tracing_state() is not None
    )


def suit(tensors: Sequence[Any], dtype: Any) -> bool:
    """Whether kernels can take these tensors: plain ones of this type, all on the CPU or on one CUDA device."""
    import torch

    if dtype is not torch.float32 and dtype is not torch.float64:
        return False
    device = None
    for one in tensors:
        if type(one) is not torch.Tensor and type(one) is not torch.nn.Parameter:
            return False
        device = one.get_device() if device is None else device
        if one.dtype is not dtype or one.get_device() != device:
            return False
    return triton_engine.available() if tensors[0].is_cuda else tensors[0].is_cpu


def shared_arrays(values: Sequence[Any], constant: Any) -> list[Any] | None:
    """NumPy arrays in the memory of tensors; `constant` stays as it is.

    None where a tensor does not lie on the CPU as it is, or is to be differentiated: torch has to know of the call.
    """
    import torch

    if not eager():
        return None
    tracked = torch.is_grad_enabled()
    arrays = []
    for value in values:
        if value is constant:
            arrays.append(value)
            continue
        if type(value) is not torch.Tensor or (tracked and value.requires_grad) or not value.is_cpu:
            return None
        if value.is_neg() or value.layout is not torch.strided or value.dtype not in (torch.float32, torch.float64):
            return None
        arrays.append(value.detach().numpy() if value.requires_grad else value.numpy())
    return arrays


@contextmanager
def on_arrays(dtype: Any) -> Iterator[np.dtype[Any]]:
    """Arrays that share memory with tensors run on as many threads as torch uses; yields NumPy's number type."""
    import torch

    with threads.at_most(torch.get_num_threads()):  # one in a worker of a DataLoader
        yield _number_type(dtype)


def as_tensor(array: Any) -> Any:
    """A tensor in an array's memory."""
    import torch

    return torch.from_numpy(array)


def run(
    program: Program, answer: str, flags: Flags, groups: Mapping[str, Any], shape: tuple[int, ...], dtype: Any
) -> Any:
    """The answer, a tensor (*shape, *its own shape), part of torch's graph where an input requires a gradient.

    None where kernels cannot do it: operations of torch can.
    """
    import torch

    if not eager():
        return None
    names = []
    tensors = []
    for name in program.groups_of(answer):
        group = groups[name]
        if type(group) is not tuple:
            names.append(name)
            tensors.append(group)
    if not tensors or not suit(tensors, dtype) or (tensors[0].is_cuda and not program.kernels):
        return None
    if torch.is_grad_enabled() and any(one.requires_grad for one in tensors):
        if not program.gradient_kernels:
            return None
        constants = {name: group for name, group in groups.items() if type(group) is tuple}
        return _function().apply(Call(program, answer, flags, constants, tuple(names), shape), *tensors)
    return _numbers(program, answer, flags, groups, names, shape, [program.answers[answer].shape])[0]


def _numbers(
    program: Program,
    answer: str,
    flags: Flags,
    groups: Groups,
    names: Sequence[str],
    shape: tuple[int, ...],
    shapes: Sequence[tuple[int, ...]],
) -> list[Any]:
    """An answer's numbers as contiguous tensors of such shapes, beside the batch's; `names` are those of tensors."""
    like = groups[names[0]]
    outputs = [_empty(like, shape + own) for own in shapes]
    if 0 not in shape:
        (triton_engine.run if like.is_cuda else run_on_cpu)(program, answer, flags, groups, names, shape, outputs)
    return outputs


def _empty(like: Any, shape: tuple[int, ...]) -> Any:
    """A tensor to fill, like another in its type and device."""
    import torch

    if like.is_cuda:
        return like.new_empty(shape)
    # NumPy asks the system for large pages, torch does not: with small ones, fresh memory takes longer than solving.
    return torch.from_numpy(np.empty(shape, _number_type(like.dtype)))


def _number_type(dtype: Any) -> np.dtype[Any]:
    return np.dtype(str(dtype).removeprefix("torch."))


def run_on_cpu(
    program: Program,
    answer: str,
    flags: Flags,
    groups: Groups,
    names: Sequence[str],
    shape: tuple[int, ...],
    outputs: Sequence[Any],
) -> None:
    """Writes an answer into tensors, as `triton_engine.run`, by NumPy or Numba, which read the inputs in place."""
    parts = []
    for name in program.groups_of(answer):
        group = groups[name]
        if name not in names:
            parts.append(np.array(group, _number_type(outputs[0].dtype))[:, None])
            continue
        size = group.shape[-1]
        group = group.detach().resolve_neg()
        parts.append((group if group.numel() == size else group.expand(*shape, size)).reshape(-1, size).numpy().T)
    rows = prod(shape)
    with on_arrays(outputs[0].dtype) as dtype:
        numbers = plans.run_groups(program, answer, flags, parts, rows, dtype)
    first = 0
    for output in outputs:
        size = output.numel() // rows
        output.view(rows, size).numpy()[:] = numbers[first : first + size].T
        first += size


@cache
def _function() -> Any:
    import torch

    class LimbAnswer(torch.autograd.Function):
        """An answer and its gradients, each by a kernel."""

        @staticmethod
        def forward(ctx: Any, call: Call, *tensors: Any) -> Any:
            ctx.call = call
            ctx.save_for_backward(*tensors)
            program, answer, flags, constants, names, shape = call
            groups = {**constants, **dict(zip(names, tensors, strict=True))}
            return _numbers(program, answer, flags, groups, names, shape, [program.answers[answer].shape])[0]

        @staticmethod
        def backward(ctx: Any, *slopes_of_outputs: Any) -> Any:
            (slopes,) = slopes_of_outputs
            names, tensors = ctx.call.names, ctx.saved_tensors
            wanted = [name for name, needed in zip(names, ctx.needs_input_grad[1:], strict=True) if needed]
            if torch.is_grad_enabled() or not (eager() and suit([slopes, *tensors], slopes.dtype)):
                found = _gradients_by_operations(ctx.call, tensors, wanted, slopes)
            else:
                found = _gradients(ctx.call, tensors, wanted, slopes)
            return (None, *(found.get(name) for name in names))

    return LimbAnswer


def _gradients(call: Call, tensors: Sequence[Any], wanted: Sequence[str], slopes: Any) -> dict[str, Any]:
    """The gradients of the wanted groups, of their groups' shapes, from the answer's slopes."""
    program = gradient_program(call.program, call.answer, tuple(wanted))
    groups = {**call.groups, **dict(zip(call.names, tensors, strict=True))}
    groups[SLOPES] = slopes.reshape(*call.shape, program.groups[SLOPES])
    own = [groups[name].shape for name in wanted]
    shapes = [(size[-1],) for size in own]
    found = _numbers(program, GRADIENT, call.flags, groups, (*call.names, SLOPES), call.shape, shapes)
    summed = (one if one.shape == size else one.sum_to_size(size) for one, size in zip(found, own, strict=True))
    return dict(zip(wanted, summed, strict=True))


def _gradients_by_operations(call: Call, tensors: Sequence[Any], wanted: Sequence[str], slopes: Any) -> dict[str, Any]:
    """The same, as part of torch's graph: they can be differentiated again."""
    import torch

    groups = {**call.groups, **dict(zip(call.names, tensors, strict=True))}
    with torch.enable_grad():
        numbers = tensor_engine.run("torch", call.program, call.answer, call.flags, groups, call.shape, slopes.dtype)
    inputs = [groups[name] for name in wanted]
    found = torch.autograd.grad(numbers, inputs, slopes, create_graph=True, allow_unused=True)
    return dict(zip(wanted, found, strict=True))
