"""The torch and JAX engines: the same trace over their operations, with gradients, on any device.

Neither library is imported unless an input is theirs. The full trace is run, rare cases included. It is safe to
differentiate: what `where` discards is finite too, and sqrt and atan2 have derivative 0 where they have none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from limbik.arrays import HANDLERS
from limbik.engines import numpy_engine
from limbik.engines.generated_source import define, indented
from limbik.engines.programs import Flags, Program, program_named
from limbik.engines.trace import Trace, Writer, answer_trace

# Steps of a trace up to which JAX compiles it at once: the time that XLA takes grows faster than their number.
LONGEST_COMPILED = 1500

TEMPLATES = {"multiply_add": "{0} * {1} + {2}"}


@cache
def function(library: str, trace: Trace, dtype: str) -> Callable[..., tuple[Any, ...]]:
    """A function of the trace's parameters, tensors or numbers, on torch or JAX."""
    functions = _torch_functions(dtype) if library == "torch" else _jax_functions(dtype)
    scope = {**numpy_engine.constants(np.dtype(dtype)), **functions}
    made = define(f"{trace.name}_{library}_{dtype}", text(library, trace, dtype), scope)
    if library == "jax" and trace.steps <= LONGEST_COMPILED:
        import jax

        made = jax.jit(made)
    return made


def text(library: str, trace: Trace, dtype: str) -> list[str]:
    """The source of that function."""
    writer = Writer(TEMPLATES if library == "torch" else {**TEMPLATES, "barrier": "barrier({0})"})
    outputs = [writer.write(output) for output in trace.outputs]
    body = [*writer.lines(*outputs), f"return ({', '.join(outputs)},)"]
    return [f"def {trace.name}_{library}_{dtype}({', '.join(trace.parameters)}):", *indented(body)]


class _Functions:
    """Holds the functions made so far, as attributes, where torch.compile finds them while it traces."""


_functions = _Functions()


def _make(name: str, library: str, program: str, answer: str, flags: tuple[bool, ...], dtype: str) -> bool:
    if not hasattr(_functions, name):
        described = program_named(program)
        trace = answer_trace(described, answer, described.flags(*flags), rare=True)
        setattr(_functions, name, function(library, trace, dtype))
    return True


# torch.compile calls this while it traces, instead of tracing it: this mark is what
# `torch.compiler.assume_constant_result` sets; it is set here because torch may not be installed.
_make._dynamo_marked_constant = True  # type: ignore[attr-defined]


def compiled(library: str, program: Program, answer: str, flags: Flags, dtype: str) -> Callable[..., Any]:
    """A function from the components of an answer's groups to its numbers."""
    name = f"{library}_{program.name}_{answer}_{flags}_{dtype}"
    _make(name, library, program.name, answer, tuple(flags), dtype)  # torch.compile loses a named tuple's fields
    return getattr(_functions, name)


def _torch_functions(dtype: str) -> dict[str, Any]:
    import torch

    number = getattr(torch, dtype)
    tensor = torch.Tensor

    # A parameter that is the same for all rows may be a plain number, and so may what is computed from such numbers.

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

    def float_or_tensor(name: str) -> Callable[[Any], Any]:
        of_float, of_tensor = getattr(math, name), getattr(torch, name)
        return lambda a: of_tensor(a) if isinstance(a, tensor) else of_float(a)

    def outside(a: Any, low: Any, high: Any) -> Any:
        inside = (a >= low) & (a <= high)
        return ~inside if isinstance(inside, tensor) else not inside

    def atan2(y: Any, x: Any) -> Any:
        if not isinstance(x, tensor) and not isinstance(y, tensor):
            return math.atan2(y, x)
        y, x = (one if isinstance(one, tensor) else torch.full_like(other, one) for one, other in ((y, x), (x, y)))
        none = (x == 0) & (y == 0)
        return torch.where(none, torch.atan2(y, x).detach(), torch.atan2(y, torch.where(none, 1.0, x)))

    return {
        "where": where,
        "sqrt": sqrt,
        "atan2": atan2,
        # Of two equal numbers the first, as in `gradients.py`; torch's own functions share the gradient.
        "minimum": lambda a, b: where(a <= b, a, b),
        "maximum": lambda a, b: where(a >= b, a, b),
        "outside": outside,
        "absolute": abs,
        **{name: float_or_tensor(name) for name in ("sin", "cos", "floor")},
    }


def _jax_functions(dtype: str) -> dict[str, Any]:
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
        "minimum": lambda a, b: where(a <= b, a, b),
        "maximum": lambda a, b: where(a >= b, a, b),
        "barrier": jax.lax.optimization_barrier,
        "outside": lambda a, low, high: ~((a >= low) & (a <= high)),
        "absolute": jnp.abs,
        **{name: getattr(jnp, name) for name in ("sin", "cos", "floor")},
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
    """An answer, (*shape, *its own shape), for groups that are tensors of this number type or tuples of floats."""
    handler = HANDLERS[library]
    working = handler.working(dtype)
    like = next(group for group in groups.values() if type(group) is not tuple)
    components: list[Any] = []
    for name in program.groups_of(answer):
        group = groups[name]
        if library == "torch":
            group = _with_finite_gradient(group)
        components.extend(group if type(group) is tuple else (group[..., k] for k in range(group.shape[-1])))
    numbers = compiled(library, program, answer, flags, working)(*components)
    return handler.stack(numbers, shape, like, working, dtype).reshape(shape + program.answers[answer].shape)


def _with_finite_gradient(group: Any) -> Any:
    """A tensor, equal to this one, through which no infinite gradient passes: see `gradients.bounded`."""
    from limbik.engines import torch_kernels

    if type(group) is tuple or not (group.requires_grad and torch_kernels.eager()):
        return group
    import torch

    same = group.view_as(group)
    same.register_hook(lambda slope: slope if slope is None else torch.nan_to_num(slope, nan=math.nan))
    return same
