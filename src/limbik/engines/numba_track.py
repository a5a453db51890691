"""Tracks on Numba: frame after frame, each as one SIMD loop over the limbs of the batch, on all cores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines import threads
from limbik.engines.numba_compiler import compile_kernel
from limbik.engines.numba_engine import TEMPLATES, by_blocks, elementary_formulas, preamble
from limbik.engines.programs import TRACK_STEPS, Flags, Program
from limbik.engines.trace import Writer, answer_trace, component, lower, merged


@dataclass(frozen=True)
class TrackKernel:
    """What a kernel depends on; `varying` says of each group whether it differs by frame, and by limb."""

    program: Program
    step: str
    flags: Flags
    dtype: np.dtype[Any]
    varying: tuple[tuple[bool, bool], ...]

    @property
    def frame_size(self) -> int:
        """How many numbers a frame has."""
        return sum(TRACK_STEPS[self.step].frame.values())

    @property
    def state_size(self) -> int:
        """How many numbers the state has."""
        return sum(TRACK_STEPS[self.step].state.values())

    def text(self) -> str:
        """The kernel's source. The state is kept twice, read from one half and written to the other in turns."""
        state = TRACK_STEPS[self.step].state
        names = [name for name in self.program.groups_of(self.step) if name not in state]
        loads: dict[tuple[bool, bool], list[str]] = {(t, i): [] for t in (False, True) for i in (False, True)}
        for name, (by_frame, by_limb) in zip(names, self.varying, strict=True):
            size = self.program.all_groups[name]
            for k in range(size):
                row = f"t * {size} + {k}" if by_frame else str(k)
                index = "i" if by_limb else "0"
                loads[by_frame, by_limb].append(f"{component(name, k)} = load({name}, {row}, {index})")
        states = [component(name, k) for name, size in state.items() for k in range(size)]
        inner = [*loads[False, True], *loads[True, True]]
        inner += [f"{name} = load(state, old + {k}, i)" for k, name in enumerate(states)]
        lines = [
            *preamble(self.dtype),
            f"def kernel(start, stop, frames, {', '.join(names)}, state, out):",
            *(f"    {one}" for one in loads[False, False]),
            "    for t in range(frames):",
            f"        old = t % 2 * {self.state_size}",
            f"        new = {self.state_size} - old",
            *(f"        {one}" for one in loads[True, False]),
            *(f"        {one}" for one in by_blocks([], partial(self._loop, inner))),
        ]
        return "\n".join(lines) + "\n"

    def _loop(self, loads: list[str], rare: bool) -> list[str]:
        line = lower(answer_trace(self.program, self.step, self.flags, rare), rare, elementary_formulas(self.dtype))
        writer = Writer(TEMPLATES, lambda number: f"real({number!r})")
        outputs = [writer.write(output) for output in line.outputs]
        conditions = [writer.write(condition) for condition in merged(line.conditions)]
        count, size = len(outputs), self.frame_size
        frame = [f"store(out, {count}, {k}, t * {size} + {k}, i, {outputs[k]})" for k in range(size)]
        state = [f"store(state, {count}, {k}, new + {k - size}, i, {outputs[k]})" for k in range(size, count)]
        body = [*loads, *writer.lines(*outputs, *conditions), *frame, *state]
        body += [f"seen |= {condition}" for condition in conditions]
        return ["for i in range(first, last):", *(f"    {one}" for one in body)]


@cache
def compiled(kernel: TrackKernel) -> Callable[..., Any]:
    """The compiled kernel; takes start, stop, the number of frames, the groups, the state and the output."""
    import numba

    number = numba.from_dtype(kernel.dtype)
    group = numba.types.Array(number, 2, "A", readonly=True)
    written = numba.types.Array(number, 2, "A")
    groups = [group] * len(kernel.varying)
    return compile_kernel(kernel.text(), numba.void(numba.intp, numba.intp, numba.intp, *groups, written, written))


def follow(
    program: Program, step: str, flags: Flags, groups: Sequence[Array], frames: int, state: Array
) -> tuple[Array, Array]:
    """Frames (frames, numbers, limbs) and the state after them (numbers, limbs), from the state before.

    Groups are (frames, components, limbs), with an axis of 1 where they do not vary.
    """
    size, rows = state.shape
    varying = tuple((group.shape[0] > 1, group.shape[2] > 1) for group in groups)
    kernel = TrackKernel(program, step, flags, state.dtype, varying)
    run = compiled(kernel)
    flat = [np.ascontiguousarray(group).reshape(-1, group.shape[2]) for group in groups]
    both = np.empty((2 * size, rows), state.dtype)
    both[:size] = state
    out = np.empty((frames * kernel.frame_size, rows), state.dtype)
    threads.spread(run, rows, frames, *flat, both, out, worth=512)
    after = frames % 2 * size
    return out.reshape(frames, kernel.frame_size, rows), both[after : after + size].copy()
