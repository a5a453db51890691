"""An answer and its gradient as operators of torch, so that `torch.compile` calls kernels instead of tracing formulas.

A formula is thousands of operations, for which a compiler takes minutes. An operator is one; it runs what eager calls
run, `torch_kernels`. Operators take tensors and numbers only: a text names the program, the answer and its flags.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import torch

from limbik.engines import torch_kernels
from limbik.engines.programs import Flags, Program, program_named


def run(
    program: Program,
    answer: str,
    flags: Flags,
    inputs: torch_kernels.Inputs,
    shape: tuple[int, ...],
    dtype: torch.dtype,
) -> torch.Tensor | None:
    """The answer, a tensor (*shape, *its own shape), by an operator; None for tensors that are not of this dtype."""
    names, tensors, numbers = [], [], []
    for name in program.groups_of(answer):
        value = inputs[name]
        if type(value) is tuple:
            numbers.extend(value)
        elif value.dtype is dtype:
            names.append(name)
            tensors.append(value)
        else:
            return None
    if not tensors or dtype not in (torch.float32, torch.float64):
        return None
    call = _describe(program.name, answer, tuple(flags), tuple(names))
    return torch.ops.limbik.answer(tensors, numbers, call, shape)


@torch.compiler.assume_constant_result
def _describe(program: str, answer: str, flags: tuple[bool, ...], names: tuple[str, ...]) -> str:
    """A call as a text."""
    return json.dumps([program, answer, flags, names])


def _read(call: str, numbers: Sequence[float], shape: Sequence[int]) -> torch_kernels.Call:
    """The call that a text describes, with the numbers of the inputs that are no tensors."""
    named, answer, flags, names = json.loads(call)
    program, left = program_named(named), iter(numbers)
    sizes = {name: program.all_groups[name] for name in program.groups_of(answer) if name not in names}
    constants = {name: tuple(next(left) for _ in range(size)) for name, size in sizes.items()}
    return torch_kernels.Call(program, answer, program.flags(*flags), constants, tuple(names), tuple(shape))


@torch.library.custom_op("limbik::answer", mutates_args=())
def _answer(tensors: Sequence[torch.Tensor], numbers: Sequence[float], call: str, shape: Sequence[int]) -> torch.Tensor:
    return torch_kernels.numbers_of(_read(call, numbers, shape), tensors)


@torch.library.custom_op("limbik::gradients", mutates_args=())
def _gradients(
    tensors: Sequence[torch.Tensor],
    wanted: Sequence[int],
    output_gradient: torch.Tensor,
    numbers: Sequence[float],
    call: str,
    shape: Sequence[int],
) -> list[torch.Tensor]:
    found = torch_kernels.gradients(_read(call, numbers, shape), tensors, wanted, output_gradient)
    return [one.contiguous() for one in found]


@_answer.register_fake
def _(tensors: Sequence[torch.Tensor], numbers: Sequence[float], call: str, shape: Sequence[int]) -> torch.Tensor:
    program, answer, *_ = json.loads(call)
    return tensors[0].new_empty((*shape, *program_named(program).answers[answer].shape))


@_gradients.register_fake
def _(tensors: Sequence[torch.Tensor], wanted: Sequence[int], *others: Any) -> list[torch.Tensor]:
    return [tensors[k].new_empty(tensors[k].shape) for k in wanted]


def _keep_inputs(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
    tensors, *ctx.others = inputs
    ctx.save_for_backward(*tensors)


def _differentiate(ctx: Any, output_gradient: torch.Tensor) -> tuple[Any, ...]:
    tensors = list(ctx.saved_tensors)
    wanted = [k for k, needed in enumerate(ctx.needs_input_grad[0]) if needed]
    found = torch.ops.limbik.gradients(tensors, wanted, output_gradient, *ctx.others)
    gradients = dict(zip(wanted, found, strict=True))
    none = ([] if value == [] else None for value in ctx.others)  # torch takes an empty list for one of tensors
    return [gradients.get(k) for k in range(len(tensors))], *none


_answer.register_autograd(_differentiate, setup_context=_keep_inputs)
