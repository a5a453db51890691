"""Tracks on Numba: frame after frame, each as one SIMD loop over the limbs of the batch, on all cores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines import numba_engine, threads
from limbik.engines.generated_source import indented
from limbik.engines.numba_compiler import compile_kernel
from limbik.engines.numba_engine import Loop, by_blocks, preamble
from limbik.engines.programs import TRACK_STEPS, Flags, Program
from limbik.engines.trace import component
from limbik.engines.track_steps import step_trace


class TrackKernel(NamedTuple):
    """What a kernel's text depends on; `varying` says of each group whether it differs by frame, and by limb."""

    program: Program
    step: str
    flags: Flags
    dtype: np.dtype[Any]
    varying: tuple[tuple[bool, bool], ...]

    def text(self) -> str:
        """The kernel's source. The state is kept twice, read from one half and written to the other in turns."""
        program, step, flags, dtype, varying = self
        spec = TRACK_STEPS[step]
        size, state_size = spec.frame_size, spec.state_size
        names = [name for name in program.groups_of(step) if name != spec.previous]
        loads: dict[tuple[bool, bool], list[str]] = {(t, i): [] for t in (False, True) for i in (False, True)}
        for name, (by_frame, by_limb) in zip(names, varying, strict=True):
            components = program.all_groups[name]
            for k in range(components):
                row = f"t * {components} + {k}" if by_frame else str(k)
                place = f"{name}, {row}, {'i' if by_limb else '0'}"
                loads[by_frame, by_limb].append(f"{component(name, k)} = load({place})")
        inner = [*loads[False, True], *loads[True, True]]
        inner += [f"{component(spec.previous, k)} = load(state, old + {k}, i)" for k in range(state_size)]

        count = program.answers[step].size

        def stores(outputs: Mapping[int, str], rare: bool) -> list[str]:
            rows = size + state_size
            frame = [f"store(out, {rows}, {k}, t * {size} + {k}, i, {outputs[k]})" for k in outputs if k < size]
            places = {k - count + state_size: name for k, name in outputs.items() if k >= count - state_size}
            after = [f"store(state, {rows}, {size + k}, new + {k}, i, {name})" for k, name in places.items()]
            return frame + after

        turns = [f"old = t % 2 * {state_size}", f"new = {state_size} - old"]
        traces = partial(step_trace, program, step, flags, dtype)
        functions, setup, loop = by_blocks(traces, Loop((), inner, stores, size + state_size))
        lines = [
            *preamble(dtype),
            *functions,
            f"def kernel(start, stop, frames, {', '.join(names)}, state, out):",
            *indented([*loads[False, False], *setup]),
            "    for t in range(frames):",
            *indented([*turns, *loads[True, False], *loop], 2),
        ]
        return "\n".join(lines) + "\n"

    def compiled(self) -> Callable[..., Any]:
        """The compiled kernel; takes start, stop, the number of frames, the groups, the state and the output."""
        import numba

        number = numba.from_dtype(self.dtype)
        groups = [numba.types.Array(number, 2, "A", readonly=True)] * len(self.varying)
        written = numba.types.Array(number, 2, "A")
        signature = numba.void(numba.intp, numba.intp, numba.intp, *groups, written, written)
        return compile_kernel(self.text(), signature)


def kernel_for(program: Program, step: str, flags: Flags, groups: Sequence[Array], dtype: np.dtype[Any]) -> TrackKernel:
    """The kernel for groups (frames, components, limbs), with an axis of 1 where they do not vary."""
    varying = tuple((group.shape[0] > 1, group.shape[2] > 1) for group in groups)
    return TrackKernel(program, step, flags, dtype, varying)


def follow(kernel: TrackKernel, groups: Sequence[Array], frames: int, state: Array) -> tuple[Array, Array]:
    """Frames (frames, numbers, limbs) and the state after them (numbers, limbs), from the state before.

    Raises:
        NumbaUnusableError: where Numba cannot compile the kernel.
    """
    size, rows = state.shape
    run = numba_engine.kernels.get(kernel) or numba_engine.loaded(kernel)
    flat = [np.ascontiguousarray(group).reshape(-1, group.shape[2]) for group in groups]
    both = np.empty((2 * size, rows), state.dtype)
    both[:size] = state
    out = np.empty((frames * TRACK_STEPS[kernel.step].frame_size, rows), state.dtype)
    threads.spread(run, rows, frames, *flat, both, out, worth=512)
    after = frames % 2 * size
    return out.reshape(frames, -1, rows), both[after : after + size].copy()
