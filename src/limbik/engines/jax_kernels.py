"""JAX arrays on fused kernels, with gradients: on the CPU those of Numba (or NumPy), on NVIDIA's GPUs Triton's.

XLA computes shared steps of such long formulas again for each use: in a gradient, thousands of times. So an answer and
its gradient (`gradient_programs.py`) are primitives of JAX, which run kernels of the recorded formulas: on the CPU
through a callback, on a GPU as part of XLA's program, if jax-triton is installed. Elsewhere they are lowered to
operations. Forward mode and derivatives of gradients are those of the operations (`tensor_engine.py`). All are the same
under jit, vmap and differentiation.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from math import prod
from typing import Any, NamedTuple

import numpy as np

from limbik.engines import plans, tensor_engine, triton_engine
from limbik.engines.gradient_programs import GRADIENT, SLOPES, gradient_program
from limbik.engines.programs import Flags, Program
from limbik.engines.trace import answer_trace


class Call(NamedTuple):
    """One call of an answer: everything but the values of its arrays."""

    program: Program
    answer: str
    flags: Flags
    constants: tuple[tuple[str, tuple[float, ...]], ...]  # the groups that are the same for all rows
    names: tuple[str, ...]  # of the groups that are arrays (..., components), all of one batch shape

    @property
    def size(self) -> int:
        """How many numbers the answer has."""
        return self.program.answers[self.answer].size

    def groups(self, arrays: Sequence[Any]) -> dict[str, Any]:
        """The groups in the program's order: arrays, or tuples of floats."""
        given = {**dict(self.constants), **dict(zip(self.names, arrays, strict=True))}
        return {name: given[name] for name in self.program.groups_of(self.answer)}

    def gradient(self, wanted: tuple[str, ...]) -> Call:
        """The call that computes the slopes of some of the arrays from all of them and the slopes of the answer."""
        program = gradient_program(self.program, self.answer, wanted)
        return self._replace(program=program, answer=GRADIENT, names=(*self.names, SLOPES))


def run(
    program: Program, answer: str, flags: Flags, groups: Mapping[str, Any], shape: tuple[int, ...], dtype: Any
) -> Any:
    """The answer, an array (*shape, *its own shape); None where kernels cannot do it: operations of JAX can."""
    import jax
    import jax.numpy as jnp

    if not (program.kernels and program.gradient_kernels) or np.dtype(dtype) not in (np.float32, np.float64):
        return None
    constants, names, arrays = [], [], []
    for name in program.groups_of(answer):
        group = groups[name]
        if type(group) is tuple:
            if not all(type(number) is float for number in group):
                return None
            constants.append((name, group))
        elif isinstance(group, jax.Array) and group.dtype == dtype:
            names.append(name)
            arrays.append(group if group.shape[:-1] == shape else jnp.broadcast_to(group, (*shape, group.shape[-1])))
        else:
            return None
    if not arrays or 0 in shape:
        return None
    call = Call(program, answer, flags, tuple(constants), tuple(names))
    numbers = _primitives().answer.bind(*arrays, call=call)
    own = program.answers[answer].shape
    return numbers if len(own) == 1 else numbers.reshape(shape + own)


def on_host(call: Call, *arrays: Any) -> Any:
    """The call's numbers, (..., numbers), by NumPy or Numba, which read the arrays in place."""
    arrays = tuple(np.asarray(array) for array in arrays)
    dtype, shape = arrays[0].dtype, arrays[0].shape[:-1]
    parts = [
        np.array(group, dtype)[:, None] if type(group) is tuple else group.reshape(-1, group.shape[-1]).T
        for group in call.groups(arrays).values()
    ]
    numbers = plans.run_groups(call.program, call.answer, call.flags, parts, prod(shape), dtype)
    return np.ascontiguousarray(numbers.T).reshape(*shape, call.size)


def on_gpu(call: Call, *arrays: Any) -> Any:
    """The same by one kernel of Triton's, on NVIDIA's GPUs; operation by operation without jax-triton."""
    import jax

    if (triton_call := _triton_call()) is None:
        return by_operations(call, *arrays)
    shape, dtype = arrays[0].shape[:-1], arrays[0].dtype
    groups = call.groups(arrays)
    layouts = tuple("number" if type(group) is tuple else "rows" for group in groups.values())
    tuning = triton_engine.tuning_of(call.answer, dtype.name)
    kernel = triton_engine.Kernel(call.program, call.answer, call.flags, dtype.name, layouts, (call.size,), tuning)
    rows, number = prod(shape), float if dtype == np.float64 else np.float32
    return triton_call(
        *arrays,
        *(number(groups[name][k]) for name, k in kernel.constants),
        rows,
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
    """The same as operations of JAX."""
    import jax.numpy as jnp

    components: list[Any] = []
    for group in call.groups(arrays).values():
        components.extend(group if type(group) is tuple else (group[..., k] for k in range(group.shape[-1])))
    shape, dtype = arrays[0].shape[:-1], arrays[0].dtype
    trace = answer_trace(call.program, call.answer, call.flags, rare=True)
    numbers = tensor_engine.function("jax", trace, dtype.name)(*components)
    return jnp.stack([jnp.broadcast_to(jnp.asarray(number, dtype), shape) for number in numbers], -1)


class _Primitives(NamedTuple):
    """JAX's primitives; all take the arrays of a call first."""

    answer: Any  # the answer's numbers
    change: Any  # how they change, from the changes of the wanted arrays, in which it is linear
    gradient: Any  # its transpose: the slopes of the wanted arrays, one after the other, from those of the answer


@cache
def _primitives() -> _Primitives:
    import jax
    from jax.interpreters import ad

    def change_by_operations(*operands: Any, call: Call, wanted: tuple[str, ...]) -> Any:
        arrays = operands[: len(call.names)]
        changes = dict(zip(wanted, operands[len(call.names) :], strict=True))
        moved = tuple(array for name, array in zip(call.names, arrays, strict=True) if name in changes)

        def answer_of(*moved: Any) -> Any:
            given = dict(zip(call.names, arrays, strict=True)) | dict(zip(wanted, moved, strict=True))
            return by_operations(call, *given.values())

        return jax.jvp(answer_of, moved, tuple(changes.values()))[1]

    def answer_by(engine: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *operands, call: engine(call, *operands)

    def gradient_by(engine: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *operands, call, wanted: engine(call.gradient(wanted), *operands)

    def sizes(call: Call, wanted: tuple[str, ...]) -> list[int]:
        return [call.program.all_groups[name] for name in wanted]

    answer = _primitive(
        "limb_answer",
        lambda *operands, call: call.size,
        *(answer_by(engine) for engine in (by_operations, on_host, on_gpu)),
    )
    change = _primitive("limb_change", lambda *operands, call, wanted: call.size, change_by_operations)
    gradient = _primitive(
        "limb_gradient",
        lambda *operands, call, wanted: sum(sizes(call, wanted)),
        *(gradient_by(engine) for engine in (by_operations, on_host, on_gpu)),
    )

    def answer_and_change(arrays: Any, tangents: Any, *, call: Call) -> Any:
        moving = [type(one) is not ad.Zero for one in tangents]
        wanted = tuple(name for name, moves in zip(call.names, moving, strict=True) if moves)
        given = [one for one, moves in zip(tangents, moving, strict=True) if moves]
        return answer.bind(*arrays, call=call), change.bind(*arrays, *given, call=call, wanted=wanted)

    def transposed_change(slopes: Any, *operands: Any, call: Call, wanted: tuple[str, ...]) -> Any:
        arrays, changes = operands[: len(call.names)], operands[len(call.names) :]
        if type(slopes) is ad.Zero:
            return [None] * len(arrays) + [ad.Zero(one.aval) for one in changes]
        linear = [ad.is_undefined_primal(one) for one in changes]
        asked = tuple(name for name, unknown in zip(wanted, linear, strict=True) if unknown)
        found = gradient.bind(*arrays, slopes, call=call, wanted=asked)
        ends = np.cumsum(sizes(call, asked)).tolist()
        parts = iter(found[..., end - size : end] for end, size in zip(ends, sizes(call, asked), strict=True))
        return [None] * len(arrays) + [next(parts) if unknown else None for unknown in linear]

    ad.primitive_jvps[answer] = answer_and_change
    ad.primitive_transposes[change] = transposed_change
    # Derivatives of gradients are those of the operations.
    ad.primitive_jvps[change] = partial(_changes_of, ad, change_by_operations)
    ad.primitive_jvps[gradient] = partial(_changes_of, ad, _slopes_by_operations)
    return _Primitives(answer, change, gradient)


def _slopes_by_operations(*operands: Any, call: Call, wanted: tuple[str, ...]) -> Any:
    """The gradient as JAX derives it from the operations of the answer."""
    import jax
    import jax.numpy as jnp

    *arrays, slopes = operands
    given = dict(zip(call.names, arrays, strict=True))

    def answer_of(*moved: Any) -> Any:
        return by_operations(call, *(given | dict(zip(wanted, moved, strict=True))).values())

    return jnp.concatenate(jax.vjp(answer_of, *(given[name] for name in wanted))[1](slopes), -1)


def _changes_of(ad: Any, operations: Callable[..., Any], operands: Any, tangents: Any, **params: Any) -> Any:
    import jax

    changes = tuple(ad.instantiate_zeros(one) for one in tangents)
    return jax.jvp(partial(operations, **params), tuple(operands), changes)


def _primitive(
    name: str,
    size: Callable[..., int],
    operations: Callable[..., Any],
    host: Callable[..., Any] | None = None,
    gpu: Callable[..., Any] | None = None,
) -> Any:
    """A primitive that maps arrays (..., components) of one batch shape to (..., size)."""
    import jax
    import jax.numpy as jnp
    from jax.extend.core import Primitive
    from jax.interpreters import batching, mlir

    primitive = Primitive(name)

    @cache
    def compiled(params: tuple[tuple[str, Any], ...]) -> Any:
        return jax.jit(partial(primitive.bind, **dict(params)))

    def computed(*given: Any, **params: Any) -> Any:
        operands = [one if isinstance(one, jax.Array) else jnp.asarray(one) for one in given]  # slopes may be NumPy's
        if host and all(_on_one_cpu(one) for one in operands):
            return jax.device_put(host(*operands, **params), operands[0].sharding)
        return compiled(tuple(params.items()))(*operands)

    def abstract(*operands: Any, **params: Any) -> Any:
        first = operands[0]
        return first.update(shape=(*first.shape[:-1], size(*operands, **params)), weak_type=False)

    def batched(operands: Sequence[Any], axes: Sequence[Any], **params: Any) -> Any:
        rows = next(one.shape[axis] for one, axis in zip(operands, axes, strict=True) if axis is not None)
        moved = [
            jnp.broadcast_to(one, (rows, *one.shape)) if axis is None else jnp.moveaxis(one, axis, 0)
            for one, axis in zip(operands, axes, strict=True)
        ]
        return primitive.bind(*moved, **params), 0

    lowered = mlir.lower_fun(operations, multiple_results=False)

    def is_exported(ctx: Any) -> bool:  # callbacks and kernels are for this process and device alone
        return len(ctx.module_context.platforms) > 1 or ctx.module_context.lowering_parameters.for_export

    def lowered_for_gpu(ctx: Any, *operands: Any, **params: Any) -> Any:
        rule = lowered if is_exported(ctx) else mlir.lower_fun(gpu or operations, multiple_results=False)
        return rule(ctx, *operands, **params)

    def lowered_for_cpu(ctx: Any, *operands: Any, **params: Any) -> Any:
        if is_exported(ctx):
            return lowered(ctx, *operands, **params)
        results, *_ = mlir.emit_python_callback(
            ctx,
            lambda *arrays: (host(*arrays, **params),) if host else (),
            None,
            list(operands),
            ctx.avals_in,
            ctx.avals_out,
            has_side_effect=False,
        )
        return results

    primitive.def_impl(computed)
    primitive.def_abstract_eval(abstract)
    batching.primitive_batchers[primitive] = batched
    mlir.register_lowering(primitive, lowered)
    if host:
        mlir.register_lowering(primitive, lowered_for_cpu, platform="cpu")
    if gpu:
        mlir.register_lowering(primitive, lowered_for_gpu, platform="cuda")
    return primitive


def _on_one_cpu(array: Any) -> bool:
    devices = array.devices()
    return len(devices) == 1 and next(iter(devices)).platform == "cpu"
