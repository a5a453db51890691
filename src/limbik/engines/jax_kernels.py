"""JAX arrays on fused kernels, with gradients: on the CPU those of Numba (or NumPy), on NVIDIA's GPUs Triton's.

XLA computes shared steps of such long formulas again for each use: in a gradient, thousands of times. So an answer and
its gradient (`gradients.py`) are kernels of the recorded formulas behind `jax.custom_vjp`: on the CPU called by
`jax.pure_callback`, on a GPU a part of XLA's program, if jax-triton is installed. Forward mode runs operation by
operation (`tensor_engine.py`), and so does everything within `dispatch.use("operations")`, as `jax.export` needs it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from limbik.engines import dispatch, plans, tensor_engine, triton_engine
from limbik.engines.gradients import GRADIENT, OUTPUT_GRADIENT, gradient_program
from limbik.engines.programs import TRACK_STEPS, Flags, Program
from limbik.engines.trace import answer_trace

if TYPE_CHECKING:
    import jax


class Call(NamedTuple):
    """One call of an answer: everything but the values of its arrays."""

    program: Program
    answer: str
    flags: Flags
    constants: tuple[tuple[str, tuple[float, ...]], ...]  # the inputs that are the same for all rows
    names: tuple[str, ...]  # of the inputs that are arrays (..., components), all of one batch shape

    @property
    def size(self) -> int:
        """How many numbers the answer has."""
        return self.program.answers[self.answer].size

    def inputs(self, arrays: Sequence[Any]) -> dict[str, Any]:
        """The inputs in the program's order: arrays, or tuples of floats."""
        given = {**dict(self.constants), **dict(zip(self.names, arrays, strict=True))}
        return {name: given[name] for name in self.program.groups_of(self.answer)}

    def backward(self, wanted: tuple[str, ...]) -> Call:
        """The call that computes the gradients of some arrays from all of them and the gradient of the answer."""
        program = gradient_program(self.program, self.answer, wanted)
        return self._replace(program=program, answer=GRADIENT, names=(*self.names, OUTPUT_GRADIENT))


def run(
    program: Program, answer: str, flags: Flags, inputs: Mapping[str, Any], shape: tuple[int, ...], dtype: Any
) -> jax.Array | None:
    """The answer, an array (*shape, *its own shape); None where kernels cannot do it: operations of JAX can."""
    import jax
    import jax.numpy as jnp

    if not (program.kernels and program.gradient_kernels) or np.dtype(dtype) not in (np.float32, np.float64):
        return None
    if dispatch.chosen() == "operations":
        return None
    constants, names, arrays = [], [], []
    for name in program.groups_of(answer):
        value = inputs[name]
        if type(value) is tuple:
            if not all(type(number) is float for number in value):
                return None
            constants.append((name, value))
        elif isinstance(value, jax.Array) and value.dtype == dtype:
            names.append(name)
            arrays.append(value if value.shape[:-1] == shape else jnp.broadcast_to(value, (*shape, value.shape[-1])))
        else:
            return None
    if not arrays or 0 in shape or any(map(_in_forward_mode, arrays)):
        return None
    call = Call(program, answer, flags, tuple(constants), tuple(names))
    numbers = compute(call, *arrays)
    own = program.answers[answer].shape
    return numbers if len(own) == 1 else numbers.reshape(shape + own)


def compute(call: Call, *arrays: jax.Array) -> jax.Array:
    """The call's numbers, (..., numbers), from arrays or tracers (..., components)."""
    import jax
    from jax.core import Tracer

    if any(isinstance(one, Tracer) for one in arrays):
        return _differentiable(call)(*arrays)
    if all(_on_one_cpu(one) for one in arrays):
        return jax.device_put(on_host(call, *arrays), arrays[0].sharding)
    return _compiled(call)(*arrays)


@cache
def _compiled(call: Call) -> Callable[..., jax.Array]:
    import jax

    return jax.jit(partial(_by_platform, call))


@cache
def _differentiable(call: Call) -> Callable[..., jax.Array]:
    """A function from a call's tracers to its numbers, whose gradient is a call of the same kind."""
    import jax
    import jax.numpy as jnp
    from jax.custom_derivatives import SymbolicZero

    def forward(*inputs: Any) -> tuple[jax.Array, Any]:
        arrays = [jnp.asarray(one.value) for one in inputs]  # a caller's may be NumPy's
        wanted = {name: () for name, one in zip(call.names, inputs, strict=True) if one.perturbed}
        return compute(call, *arrays), (arrays, wanted)

    def backward(saved: Any, output_gradient: Any) -> tuple[jax.Array | None, ...]:
        arrays, wanted = saved
        if isinstance(output_gradient, SymbolicZero):
            return (None,) * len(arrays)
        if call.answer == GRADIENT:  # the gradient of a gradient is that of the operations
            return jax.vjp(partial(by_operations, call), *arrays)[1](output_gradient)
        found = compute(call.backward(tuple(wanted)), *arrays, jnp.asarray(output_gradient))
        ends = np.cumsum([call.program.all_groups[name] for name in wanted])
        parts = dict(zip(wanted, jnp.split(found, ends[:-1], -1), strict=True))
        return tuple(parts.get(name) for name in call.names)

    answer = jax.custom_vjp(partial(_by_platform, call))
    answer.defvjp(forward, backward, symbolic_zeros=True)
    return answer


def _by_platform(call: Call, *arrays: jax.Array) -> jax.Array:
    """The call's numbers, by what suits the platform for which XLA compiles."""
    import jax

    shape, dtype = arrays[0].shape[:-1], arrays[0].dtype
    result = jax.ShapeDtypeStruct((*shape, call.size), dtype)

    def by_callback(*arrays: jax.Array) -> jax.Array:
        return call_host(partial(on_host, call), result, *arrays)

    on_cuda = by_operations if _triton_call() is None else on_gpu
    return jax.lax.platform_dependent(
        *arrays, cpu=by_callback, cuda=partial(on_cuda, call), default=partial(by_operations, call)
    )


def call_host(function: Callable[..., Any], result: Any, *arrays: Any) -> Any:
    """What a function of NumPy arrays gives, when XLA's program runs; under `jax.vmap` they have more leading axes.

    JAX hands over arrays on threads of its own, where `jax.enable_x64` of the caller's thread does not count, and would
    round float64. So these numbers travel as pairs of integers, there and back.
    """
    import jax

    wide = [one.dtype == np.float64 for one in arrays]
    packed = [
        jax.lax.bitcast_convert_type(one, np.uint32) if is_wide else one
        for one, is_wide in zip(arrays, wide, strict=True)
    ]

    def call(*given: Any) -> Any:
        plain = (np.ascontiguousarray(one) for one in given)
        unpacked = (one.view(np.float64)[..., 0] if pair else one for one, pair in zip(plain, wide, strict=True))
        numbers = np.ascontiguousarray(function(*unpacked))
        return numbers[..., None].view(np.uint32) if returns_wide else numbers

    returns_wide = result.dtype == np.float64
    pairs = jax.ShapeDtypeStruct((*result.shape, 2), np.uint32) if returns_wide else result
    found = jax.pure_callback(call, pairs, *packed, vmap_method="broadcast_all")
    return jax.lax.bitcast_convert_type(found, np.float64) if returns_wide else found


def on_host(call: Call, *arrays: Any) -> Any:
    """The call's numbers, (..., numbers), by NumPy or Numba, which read the arrays in place."""
    arrays = tuple(np.asarray(array) for array in arrays)
    dtype, shape = arrays[0].dtype, arrays[0].shape[:-1]
    parts = [
        np.array(value, dtype)[:, None] if type(value) is tuple else value.reshape(-1, value.shape[-1]).T
        for value in call.inputs(arrays).values()
    ]
    numbers = plans.run_groups(call.program, call.answer, call.flags, parts, prod(shape), dtype)
    return np.ascontiguousarray(numbers.T).reshape(*shape, call.size)


def on_gpu(call: Call, *arrays: Any) -> Any:
    """The call's numbers by one kernel of Triton's, on NVIDIA's GPUs, through jax-triton."""
    return _on_gpu(call, 0, *arrays)


def take_steps(program: Program, step: str, flags: Flags, groups: Mapping[str, Any], state: Any, count: int) -> Any:
    """The state (..., numbers) after so many steps of a track, by one such kernel; all arrays have its batch shape."""
    given = {**groups, TRACK_STEPS[step].previous: state}
    order = [(name, given[name]) for name in program.groups_of(step)]
    constants = tuple((name, value) for name, value in order if type(value) is tuple)
    arrays = {name: value for name, value in order if type(value) is not tuple}
    return _on_gpu(Call(program, step, flags, constants, tuple(arrays)), count, *arrays.values())


def has_kernels_on_gpu() -> bool:
    """Whether jax-triton is installed, which makes kernels part of XLA's program."""
    return _triton_call() is not None


def _on_gpu(call: Call, steps: int, *arrays: Any) -> Any:
    import jax

    triton_call = _triton_call()
    shape, dtype = arrays[0].shape[:-1], arrays[0].dtype
    inputs = call.inputs(arrays)
    layouts = tuple("number" if type(value) is tuple else "rows" for value in inputs.values())
    tuning = triton_engine.STEPS_TUNING if steps else triton_engine.tuning_of(call.answer, dtype.name)
    how = (call.program, call.answer, call.flags, dtype.name, layouts, (call.size,), tuning)
    kernel = triton_engine.Kernel(*how, repeats=steps > 0)
    rows, number = prod(shape), float if dtype == np.float64 else np.float32
    return triton_call(
        *arrays,
        *(number(inputs[name][k]) for name, k in kernel.constants),
        rows,
        *([steps] if steps else []),
        kernel=_triton_function(kernel),
        out_shape=jax.ShapeDtypeStruct((*shape, call.size), dtype),
        grid=(-(-rows // kernel.tuning.block),),
        num_warps=kernel.tuning.warps,
        enable_fp_fusion=kernel.fuses,
    )


@cache
def _triton_function(kernel: triton_engine.Kernel) -> Any:
    return kernel.function()


@cache
def _triton_call() -> Any:
    """The function of jax-triton that calls a kernel; None without that package."""
    folder = os.environ.get("TRITON_CACHE_DIR")
    try:
        from jax_triton import triton_call
    except ImportError:
        return None
    finally:  # jax-triton switches off the cache of Triton's other users
        os.environ.pop("TRITON_CACHE_DIR", None)
        if folder is not None:
            os.environ["TRITON_CACHE_DIR"] = folder
    return triton_call


def by_operations(call: Call, *arrays: Any) -> Any:
    """The call's numbers as operations of JAX."""
    import jax.numpy as jnp

    components: list[Any] = []
    for value in call.inputs(arrays).values():
        components.extend(value if type(value) is tuple else (value[..., k] for k in range(value.shape[-1])))
    shape, dtype = arrays[0].shape[:-1], arrays[0].dtype
    trace = answer_trace(call.program, call.answer, call.flags, rare=True)
    numbers = tensor_engine.function("jax", trace, dtype.name)(*components)
    return jnp.stack([jnp.broadcast_to(jnp.asarray(number, dtype), shape) for number in numbers], -1)


def _in_forward_mode(array: Any) -> bool:
    """Whether JAX differentiates forward: then a tracer, or one within it, is of that kind."""
    while array is not None and type(array).__name__ != "JVPTracer":
        array = getattr(array, "primal", None)
    return array is not None


def _on_one_cpu(array: Any) -> bool:
    devices = array.devices()
    return len(devices) == 1 and next(iter(devices)).platform == "cpu"
