"""Many steps from a state, each from the one before, on arrays and tensors: what a descent of robot limbs consists of.

The steps of NumPy arrays, and of tensors in this machine's memory, are those of a track (`tracks.py`). On CUDA they are
one kernel with a loop. Where operations are recorded, as by `jax.jit` for other devices, they are a loop of operations.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from math import prod
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch, tensor_dispatch, tracks, triton_engine
from limbik.engines.programs import Flags, Program
from limbik.engines.track_steps import groups_read

FLOAT64 = np.dtype(np.float64)
STEPS_OF_KERNEL = 5  # that a kernel of XLA's program takes: all numbers of steps are rounded up to multiples

Groups = Mapping[str, Any]  # tuples of floats, or arrays or tensors (..., components)


def on_arrays(program: Program, step: str, flags: Flags, groups: Groups, state: Array, count: int) -> Array:
    """The state (..., numbers) after so many steps, in float64."""
    shape, size = state.shape[:-1], state.shape[-1]
    names = groups_read(program, step)
    varies = [type(groups[name]) is not tuple for name in names]
    same = tuple(groups[name] for name, one in zip(names, varies, strict=True) if not one)
    arrays = []
    for name, one in zip(names, varies, strict=True):
        if one:
            full = np.broadcast_to(groups[name], (*shape, program.all_groups[name]))
            arrays.append(np.ascontiguousarray(full.reshape(prod(shape), full.shape[-1]).T, FLOAT64))
    columns = np.ascontiguousarray(state.reshape(prod(shape), size).T, FLOAT64)
    taken = _steps(program, step, flags, tuple((False, one) for one in varies))
    _, after = taken.follow(same, arrays, count, columns)
    return after.T.reshape(*shape, size)


@cache
def _steps(program: Program, step: str, flags: Flags, varying: tuple[tuple[bool, bool], ...]) -> tracks.Steps:
    return tracks.Steps(program, step, flags, FLOAT64, varying)


def on_tensors(library: str, program: Program, step: str, flags: Flags, groups: Groups, state: Any, count: Any) -> Any:
    """The state (..., numbers) after so many steps, without gradients; JAX takes a traced number of them, too."""
    take = _on_torch if library == "torch" else _on_jax
    return take(program, step, flags, groups, state, count)


def _on_torch(program: Program, step: str, flags: Flags, groups: Groups, state: Any, count: int) -> Any:
    from limbik.engines import torch_kernels

    tensors = [state, *(one for one in groups.values() if type(one) is not tuple)]
    if torch_kernels.eager() and dispatch.chosen() != "operations" and torch_kernels.suit(tensors, state.dtype):
        if state.is_cuda and program.kernels:
            return triton_engine.take_steps(program, step, flags, groups, state, count)
        if state.is_cpu:
            arrays = {name: one if type(one) is tuple else one.detach().numpy() for name, one in groups.items()}
            with torch_kernels.on_arrays(state.dtype) as dtype:
                after = on_arrays(program, step, flags, arrays, state.detach().numpy(), count)
            return torch_kernels.as_tensor(after.astype(dtype, copy=False))
    for _ in range(count):
        state = _take("torch", program, step, flags, groups, state)
    return state


def _take(library: str, program: Program, step: str, flags: Flags, groups: Groups, state: Any) -> Any:
    given = {name: groups.get(name, state) for name in program.groups_of(step)}
    return tensor_dispatch.run(library, program, step, flags, given, tuple(state.shape[:-1]), state.dtype)


def _on_jax(program: Program, step: str, flags: Flags, groups: Groups, state: Any, count: Any) -> Any:
    import jax
    import jax.numpy as jnp

    from limbik.engines import jax_kernels

    names = [name for name in groups_read(program, step) if type(groups[name]) is not tuple]
    constants = {name: one for name, one in groups.items() if type(one) is tuple}
    shape, dtype = state.shape, state.dtype

    def by_operations(count: Any, state: Any, *arrays: Any) -> Any:
        given = {**constants, **dict(zip(names, arrays, strict=True))}

        def take(_: Any, state: Any) -> Any:
            with dispatch.use("operations"):
                return _take("jax", program, step, flags, given, state)

        return jax.lax.fori_loop(0, count, take, state)

    def by_callback(count: Any, state: Any, *arrays: Any) -> Any:
        host = partial(_on_host, program, step, flags, constants, tuple(names))
        result = jax.ShapeDtypeStruct(shape, dtype)
        return jax_kernels.call_host(host, result, count, state, *arrays)

    def by_kernel(count: Any, state: Any, *arrays: Any) -> Any:
        given = {**constants, **dict(zip(names, arrays, strict=True))}

        def take(_: Any, state: Any) -> Any:
            return jax_kernels.take_steps(program, step, flags, given, state, STEPS_OF_KERNEL)

        return jax.lax.fori_loop(0, -(-count // STEPS_OF_KERNEL), take, state)

    arrays = [jnp.asarray(groups[name], dtype) for name in names]
    arrays = [jnp.broadcast_to(one, (*shape[:-1], one.shape[-1])) for one in arrays]  # also for `jax.vmap`
    count = jnp.asarray(count)
    if dispatch.chosen() == "operations" or not program.kernels or 0 in shape:
        return by_operations(count, state, *arrays)
    on_cuda = by_kernel if jax_kernels.has_kernels_on_gpu() else by_operations
    return jax.lax.platform_dependent(count, state, *arrays, cpu=by_callback, cuda=on_cuda, default=by_operations)


def _on_host(
    program: Program,
    step: str,
    flags: Flags,
    constants: Groups,
    names: tuple[str, ...],
    count: Any,
    state: Any,
    *arrays: Any,
) -> Array:
    """The steps of `jax.pure_callback`; under `jax.vmap` all arguments have more leading axes."""
    state = np.asarray(state)
    groups = {**constants, **dict(zip(names, map(np.asarray, arrays), strict=True))}
    after = on_arrays(program, step, flags, groups, state, int(np.max(count, initial=0)))
    return after.astype(state.dtype)
