"""Which engine runs tensors: fused kernels where they can, otherwise operations of their library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from limbik.arrays import HANDLERS, library_of
from limbik.engines import tensor_engine
from limbik.engines.programs import Flags, Program


def run(
    library: str,
    program: Program,
    answer: str,
    flags: Flags,
    groups: Mapping[str, Any],
    shape: tuple[int, ...],
    dtype: Any,
) -> Any:
    """An answer, (*shape, *its own shape), for groups that are tensors (..., components) or tuples of floats."""
    kernels = _kernels(library)
    if (numbers := kernels.run(program, answer, flags, groups, shape, dtype)) is not None:
        return numbers
    handler = HANDLERS[library]
    working = handler.working(dtype)
    number = getattr(handler.module(), working)
    like = next(group for group in groups.values() if type(group) is not tuple and library_of(group) == library)
    parts: dict[str, Any] = {}
    for name in program.groups_of(answer):
        group = groups[name]
        parts[name] = group if type(group) is tuple else handler.convert(group, like, working)
    numbers = kernels.run(program, answer, flags, parts, shape, number)
    if numbers is None:
        numbers = tensor_engine.run(library, program, answer, flags, parts, shape, number)
    return numbers if numbers.dtype == dtype else handler.cast(numbers, dtype)


def _kernels(library: str) -> Any:
    """The module that runs fused kernels on tensors of a library; imported when first used."""
    if library == "torch":
        from limbik.engines import torch_kernels

        return torch_kernels
    from limbik.engines import jax_kernels

    return jax_kernels
