"""torch tensors on fused kernels, with gradients: those of Numba (or NumPy) on the CPU, those of Triton on CUDA.

The backward pass is a kernel too (`gradients.py`), behind a `torch.autograd.Function`, or an operator where
`torch.compile` traces (`torch_operators.py`). What kernels cannot do runs on the torch engine, operation by operation:
derivatives of gradients, forward mode, `torch.func`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from limbik.engines import dispatch, plans, tensor_engine, threads, triton_engine
from limbik.engines.gradients import GRADIENT, OUTPUT_GRADIENT, gradient_program
from limbik.engines.programs import Flags, Program

if TYPE_CHECKING:
    import torch

Inputs = Mapping[str, Any]  # each a tuple of floats, or a tensor (..., components) of one dtype and device


class Call(NamedTuple):
    """One call of an answer: everything but the values of its tensors."""

    program: Program
    answer: str
    flags: Flags
    constants: Inputs  # the inputs that are tuples
    names: tuple[str, ...]  # of those that are tensors
    shape: tuple[int, ...]

    def inputs(self, tensors: Sequence[Any]) -> Inputs:
        """All inputs by name."""
        return {**self.constants, **dict(zip(self.names, tensors, strict=True))}


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
    """Arrays that share memory with tensors run on as many threads as torch uses; yields NumPy's dtype."""
    import torch

    with threads.at_most(torch.get_num_threads()):  # one in a worker of a DataLoader
        yield _numpy_dtype(dtype)


def as_tensor(array: Any) -> Any:
    """A tensor in an array's memory."""
    import torch

    return torch.from_numpy(array)


def run(
    program: Program, answer: str, flags: Flags, inputs: Inputs, shape: tuple[int, ...], dtype: torch.dtype
) -> torch.Tensor | None:
    """The answer, a tensor (*shape, *its own shape), part of torch's graph where an input requires a gradient.

    None where kernels cannot do it: operations of torch can.
    """
    import torch

    if torch.compiler.is_compiling() and not torch._C._are_functorch_transforms_active():
        from limbik.engines import torch_operators

        return torch_operators.run(program, answer, flags, inputs, shape, dtype)
    if not eager() or dispatch.chosen() == "operations":
        return None
    needed = {name: inputs[name] for name in program.groups_of(answer)}
    tensors = {name: value for name, value in needed.items() if type(value) is not tuple}
    given = [*tensors.values()]
    if not given or not suit(given, dtype) or (given[0].is_cuda and not program.kernels):
        return None
    constants = {name: value for name, value in needed.items() if type(value) is tuple}
    call = Call(program, answer, flags, constants, tuple(tensors), shape)
    if torch.is_grad_enabled() and any(one.requires_grad for one in given):
        return _function().apply(call, *given) if program.gradient_kernels else None
    return numbers_of(call, given)


def numbers_of(call: Call, tensors: Sequence[torch.Tensor]) -> torch.Tensor:
    """The answer of a call, a tensor (*shape, *its own shape), from the tensors of its inputs."""
    return _numbers(call, tensors, [call.program.answers[call.answer].shape])[0]


def _numbers(call: Call, tensors: Sequence[torch.Tensor], shapes: Sequence[tuple[int, ...]]) -> list[torch.Tensor]:
    """The numbers of a call's answer as contiguous tensors of such shapes, beside the batch's."""
    outputs = [_empty(tensors[0], call.shape + own) for own in shapes]
    if 0 not in call.shape:
        (triton_engine.run if tensors[0].is_cuda else run_on_cpu)(
            call.program, call.answer, call.flags, call.inputs(tensors), call.names, call.shape, outputs
        )
    return outputs


def _empty(like: Any, shape: tuple[int, ...]) -> Any:
    """A tensor to fill, like another in its type and device."""
    import torch

    if like.is_cuda:
        return like.new_empty(shape)
    # NumPy asks the system for large pages, torch does not: with small ones, fresh memory takes longer than solving.
    return torch.from_numpy(np.empty(shape, _numpy_dtype(like.dtype)))


def _numpy_dtype(dtype: Any) -> np.dtype[Any]:
    return np.dtype(str(dtype).removeprefix("torch."))


def run_on_cpu(
    program: Program,
    answer: str,
    flags: Flags,
    inputs: Inputs,
    names: Sequence[str],
    shape: tuple[int, ...],
    outputs: Sequence[Any],
) -> None:
    """Writes an answer into tensors, as `triton_engine.run`, by NumPy or Numba, which read the inputs in place."""
    parts = []
    for name in program.groups_of(answer):
        group = inputs[name]
        if name not in names:
            parts.append(np.array(group, _numpy_dtype(outputs[0].dtype))[:, None])
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
            return numbers_of(call, tensors)

        @staticmethod
        def backward(ctx: Any, *output_gradients: Any) -> Any:
            (output_gradient,) = output_gradients
            tensors = ctx.saved_tensors
            wanted = [k for k, needed in enumerate(ctx.needs_input_grad[1:]) if needed]
            by_kernel = eager() and not torch.is_grad_enabled() and suit([output_gradient, *tensors], tensors[0].dtype)
            differentiate = gradients if by_kernel else _gradients_by_operations
            found = dict(zip(wanted, differentiate(ctx.call, tensors, wanted, output_gradient), strict=True))
            return None, *(found.get(k) for k in range(len(tensors)))

    return LimbAnswer


def gradients(
    call: Call, tensors: Sequence[torch.Tensor], wanted: Sequence[int], output_gradient: torch.Tensor
) -> list[torch.Tensor]:
    """The gradients of the wanted tensors, of their shapes, from that of the answer."""
    names = tuple(call.names[k] for k in wanted)
    program = gradient_program(call.program, call.answer, names)
    rows = output_gradient.reshape(*call.shape, program.groups[OUTPUT_GRADIENT])
    backward = call._replace(program=program, answer=GRADIENT, names=(*call.names, OUTPUT_GRADIENT))
    own = [tensors[k].shape for k in wanted]
    found = _numbers(backward, [*tensors, rows], [(size[-1],) for size in own])
    return [one if one.shape == size else one.sum_to_size(size) for one, size in zip(found, own, strict=True)]


def _gradients_by_operations(
    call: Call, tensors: Sequence[torch.Tensor], wanted: Sequence[int], output_gradient: torch.Tensor
) -> Sequence[torch.Tensor | None]:
    """The gradients as part of torch's graph: they can be differentiated again."""
    import torch

    program, answer, flags, _, _, shape = call
    with torch.enable_grad():
        numbers = tensor_engine.run("torch", program, answer, flags, call.inputs(tensors), shape, tensors[0].dtype)
    inputs = [tensors[k] for k in wanted]
    return torch.autograd.grad(numbers, inputs, output_gradient, create_graph=True, allow_unused=True)
