"""Tracks on Numba: frame after frame, each as one SIMD loop over the limbs of the batch, on all cores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines import loading, threads
from limbik.engines.generated_source import indented
from limbik.engines.numba_compiler import array_type, nothing_from
from limbik.engines.numba_engine import RowLoop, by_blocks, preamble
from limbik.engines.programs import TRACK_STEPS, Flags, Program
from limbik.engines.thresholds import TRACK_LIMBS_PER_THREAD
from limbik.engines.trace import component, engine_trace
from limbik.engines.track_steps import groups_read

Varying = tuple[tuple[bool, bool], ...]  # of each group that a step reads: whether it differs by frame, and by limb


class TrackKernel(NamedTuple):
    """What a kernel's text depends on."""

    program: Program
    step: str
    flags: Flags
    dtype: np.dtype[Any]
    varying: Varying

    def text(self) -> str:
        """The kernel's source. The state is kept twice, read from one half and written to the other in turns.

        Groups that do not vary lie in one array, one after the other: every array that is passed takes time.
        """
        program, step, flags, dtype, varying = self
        spec = TRACK_STEPS[step]
        size, state_size = spec.frame_size, program.state_size(step)
        loads: dict[tuple[bool, bool], list[str]] = {(t, i): [] for t in (False, True) for i in (False, True)}
        arrays, constants = [], 0
        for name, (by_frame, by_limb) in zip(groups_read(program, step), varying, strict=True):
            components = program.all_groups[name]
            source, first = (name, 0) if by_frame or by_limb else ("constants", constants)
            for k in range(components):
                row = f"t * {components} + {k}" if by_frame else str(first + k)
                place = f"{source}, {row}, {'i' if by_limb else '0'}"
                loads[by_frame, by_limb].append(f"{component(name, k)} = load({place})")
            if source == name:
                arrays.append(name)
            else:
                constants += components
        inner = [*loads[False, True], *loads[True, True]]
        inner += [f"{component(spec.previous, k)} = load(state, old + {k}, i)" for k in range(state_size)]

        def stores(outputs: Sequence[str], rare: bool) -> list[str]:
            rows = size + state_size
            frame = [f"store(out, {rows}, {k}, t * {size} + {k}, i, {name})" for k, name in enumerate(outputs[:size])]
            after = outputs[-state_size:]
            return frame + [f"store(state, {rows}, {size + k}, new + {k}, i, {name})" for k, name in enumerate(after)]

        turns = [f"old = t % 2 * {state_size}", f"new = {state_size} - old"]
        traces = partial(engine_trace, program, step, flags, dtype)
        loop = RowLoop("case", traces, inner, stores)
        lines = [
            *preamble(dtype),
            *loop.functions,
            f"def kernel({', '.join(['start', 'stop', 'frames', 'constants', *arrays, 'state', 'out'])}):",
            *indented(loads[False, False]),
            "    for t in range(frames):",
            *indented([*turns, *loads[True, False], *by_blocks(loop.lines)], 2),
        ]
        return "\n".join(lines) + "\n"

    def signature(self) -> str:
        """It takes start, stop, the number of frames, constants, groups, the state and the output."""
        group, written = (array_type(self.dtype.name, 2, "A", written=one) for one in (False, True))
        arrays = [group for by_frame, by_limb in self.varying if by_frame or by_limb]
        return nothing_from("intp", "intp", "intp", group, *arrays, written, written)


def follow(
    kernel: TrackKernel, constants: Array, groups: Sequence[Array], frames: int, state: Array
) -> tuple[Array, Array]:
    """Frames (frames, numbers, limbs) and the state after them (numbers, limbs), from the state before.

    Args:
        kernel: which one.
        constants: the numbers of the groups that do not vary, (numbers, 1).
        groups: the others, (frames × components, limbs), with less where they do not vary.
        frames: how many there are.
        state: the state before, (numbers, limbs).

    Raises:
        NumbaUnusableError: where Numba cannot compile the kernel.
    """
    size, rows = state.shape
    run = loading.kernels.get(kernel) or loading.loaded(kernel)
    both = np.empty((2 * size, rows), state.dtype)
    both[:size] = state
    numbers = TRACK_STEPS[kernel.step].frame_size
    out = np.empty((frames * numbers, rows), state.dtype)
    if rows < 2 * TRACK_LIMBS_PER_THREAD:
        run(0, rows, frames, constants, *groups, both, out)
    else:
        threads.spread(run, rows, frames, constants, *groups, both, out, rows_per_thread=TRACK_LIMBS_PER_THREAD)
    after = frames % 2 * size
    return out.reshape(frames, numbers, rows), both[after : after + size]
