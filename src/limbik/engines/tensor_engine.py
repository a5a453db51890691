"""The engines of torch and JAX: the same line over their operations, with gradients, on any device.

Neither is imported unless an input is theirs. The full line is run, rare cases and all: its choices are safe to
differentiate, because what a choice leaves out is safe too, and roots and atan2 have derivative 0 where they have none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from limbik.arrays import HANDLERS, library_of
from limbik.engines import numpy_engine, triton_engine
from limbik.engines.programs import PROGRAMS, Flags, Program
from limbik.engines.trace import Trace, Writer, answer_trace

TEMPLATES = {**numpy_engine.TEMPLATES, "outside": "outside({0}, {1}, {2})"}


@cache
def function(library: str, line: Trace, dtype: str) -> Callable[..., tuple[Any, ...]]:
    """A function of the line's parameters, tensors or numbers, on torch or JAX."""
    writer = Writer(TEMPLATES if library == "torch" else {**TEMPLATES, "barrier": "barrier({0})"})
    outputs = [writer.write(output) for output in line.outputs]
    body = [*writer.lines(*outputs), f"return ({', '.join(outputs)},)"]
    text = f"def straight({', '.join(line.parameters)}):\n" + "".join(f"    {one}\n" for one in body)
    constants = {name: float(value) for name, value in numpy_engine.constants(np.dtype(dtype)).items()}
    names = {**constants, **(_torch_names(dtype) if library == "torch" else _jax_names(dtype))}
    exec(text, names)
    straight = names["straight"]
    if library == "jax":
        import jax

        straight = jax.jit(straight)
    return straight


class _Made:
    """Holds the functions made so far, as attributes, where torch.compile finds them while it traces."""


_made = _Made()


def _make(name: str, library: str, program: str, answer: str, flags: Flags, dtype: str) -> bool:
    if not hasattr(_made, name):
        setattr(_made, name, function(library, answer_trace(PROGRAMS[program], answer, flags, rare=True), dtype))
    return True


# torch.compile calls this while it traces, instead of tracing it: the mark that `torch.compiler.assume_constant_result`
# leaves, set here because torch may not be there.
_make._dynamo_marked_constant = True  # type: ignore[attr-defined]


def compiled(library: str, program: Program, answer: str, flags: Flags, dtype: str) -> Callable[..., Any]:
    """An answer as a function from the components of its groups to its numbers."""
    name = f"{library}_{program.name}_{answer}_{flags}_{dtype}"
    _make(name, library, program.name, answer, flags, dtype)
    return getattr(_made, name)


def _torch_names(dtype: str) -> dict[str, Any]:
    import torch

    number = getattr(torch, dtype)
    tensor = torch.Tensor

    # A parameter that is the same for all rows may be a plain number, and so may what is worked out from such alone.

    def where(condition: Any, yes: Any, no: Any) -> Any:
        if not isinstance(condition, tensor):
            return yes if condition else no
        if not isinstance(yes, tensor) and not isinstance(no, tensor):
            yes = torch.full((), yes, dtype=number, device=condition.device)
        return torch.where(condition, yes, no)

    def sqrt(a: Any) -> Any:
        if not isinstance(a, tensor):
            return a**0.5
        none = a <= 0
        return torch.where(none, a * 0, torch.sqrt(torch.where(none, 1.0, a)))

    def plain_or(name: str) -> Callable[[Any], Any]:
        ours, theirs = getattr(math, name), getattr(torch, name)
        return lambda a: theirs(a) if isinstance(a, tensor) else ours(a)

    def outside(a: Any, low: Any, high: Any) -> Any:
        inside = (a >= low) & (a <= high)
        return ~inside if isinstance(inside, tensor) else not inside

    def atan2(y: Any, x: Any) -> Any:
        if not isinstance(x, tensor) and not isinstance(y, tensor):
            return math.atan2(y, x)
        y, x = (one if isinstance(one, tensor) else torch.full_like(other, one) for one, other in ((y, x), (x, y)))
        none = (x == 0) & (y == 0)
        return torch.where(none, torch.atan2(y, x).detach(), torch.atan2(y, torch.where(none, 1.0, x)))

    def minimum(a: Any, b: Any) -> Any:
        if isinstance(a, tensor):
            return torch.minimum(a, b) if isinstance(b, tensor) else a.clamp(max=b)
        return b.clamp(max=a) if isinstance(b, tensor) else min(a, b)

    def maximum(a: Any, b: Any) -> Any:
        if isinstance(a, tensor):
            return torch.maximum(a, b) if isinstance(b, tensor) else a.clamp(min=b)
        return b.clamp(min=a) if isinstance(b, tensor) else max(a, b)

    return {
        "where": where,
        "sqrt": sqrt,
        "atan2": atan2,
        "minimum": minimum,
        "maximum": maximum,
        "outside": outside,
        "abs": abs,
        **{name: plain_or(name) for name in ("sin", "cos", "exp", "floor")},
    }


def _jax_names(dtype: str) -> dict[str, Any]:
    import jax
    import jax.numpy as jnp

    def where(condition: Any, yes: Any, no: Any) -> Any:
        return jnp.where(condition, jnp.asarray(yes, dtype), jnp.asarray(no, dtype))

    def sqrt(a: Any) -> Any:
        none = a <= 0
        return jnp.where(none, a * 0, jnp.sqrt(jnp.where(none, 1, a)))

    def atan2(y: Any, x: Any) -> Any:
        none = (x == 0) & (y == 0)
        return jnp.arctan2(y, jnp.where(none, 1, x)) + jnp.where(none & jnp.signbit(x), jnp.pi, 0).astype(dtype)

    return {
        "where": where,
        "sqrt": sqrt,
        "atan2": atan2,
        "minimum": jnp.minimum,
        "maximum": jnp.maximum,
        "barrier": jax.lax.optimization_barrier,
        "outside": lambda a, low, high: ~((a >= low) & (a <= high)),
        "abs": jnp.abs,
        **{name: getattr(jnp, name) for name in ("sin", "cos", "exp", "floor")},
    }


def run(
    library: str,
    program: Program,
    answer: str,
    flags: Flags,
    groups: Mapping[str, Any],
    shape: tuple[int, ...],
    dtype: Any,
) -> Any:
    """An answer (..., *its shape) for groups that are tensors (..., components) or tuples of floats."""
    handler = HANDLERS[library]
    working = handler.working(dtype)
    names = program.groups_of(answer)
    if library == "torch" and triton_engine.suits(groups, names, shape, dtype):
        return triton_engine.run(program, answer, flags, groups, shape).reshape(shape + program.answers[answer].shape)
    like = next(group for group in groups.values() if library_of(group) == library)
    components: list[Any] = []
    for name in names:
        group = groups[name]
        if isinstance(group, tuple):
            components.extend(group)
        else:
            converted = handler.convert(group, like, working)
            components.extend(converted[..., k] for k in range(converted.shape[-1]))
    numbers = compiled(library, program, answer, flags, working)(*components)
    stacked = handler.stack(numbers, shape, like, working, dtype)
    return stacked.reshape(shape + program.answers[answer].shape)
