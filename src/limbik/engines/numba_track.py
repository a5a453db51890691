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
from limbik.engines.programs import STATE, Flags, Program
from limbik.engines.trace import Writer, answer_trace, component, lower, merged

FRAME = 7  # numbers of a frame: aim, side, sign of the hinge
STATES = 12  # numbers of the state


@dataclass(frozen=True)
class TrackKernel:
    """What a kernel depends on; `varying` says of each group whether it differs by frame, and by limb."""

    program: Program
    flags: Flags
    dtype: np.dtype[Any]
    varying: tuple[tuple[bool, bool], ...]

    def text(self) -> str:
        """The kernel's source. The state is kept twice, read from one half and written to the other in turns."""
        names = [name for name in self.program.groups_of("follow") if name not in STATE]
        loads: dict[tuple[bool, bool], list[str]] = {(t, i): [] for t in (False, True) for i in (False, True)}
        for name, (by_frame, by_limb) in zip(names, self.varying, strict=True):
            size = self.program.all_groups[name]
            for k in range(size):
                row = f"t * {size} + {k}" if by_frame else str(k)
                index = "i" if by_limb else "0"
                loads[by_frame, by_limb].append(f"{component(name, k)} = load({name}, {row}, {index})")
        states = [component(name, k) for name, size in STATE.items() for k in range(size)]
        inner = [*loads[False, True], *loads[True, True]]
        inner += [f"{name} = load(state, old + {k}, i)" for k, name in enumerate(states)]
        lines = [
            *preamble(self.dtype),
            f"def kernel(start, stop, frames, {', '.join(names)}, state, out):",
            *(f"    {one}" for one in loads[False, False]),
            "    for t in range(frames):",
            f"        old = t % 2 * {STATES}",
            f"        new = {STATES} - old",
            *(f"        {one}" for one in loads[True, False]),
            *(f"        {one}" for one in by_blocks([], partial(self._loop, inner))),
        ]
        return "\n".join(lines) + "\n"

    def _loop(self, loads: list[str], rare: bool) -> list[str]:
        line = lower(answer_trace(self.program, "follow", self.flags, rare), rare, elementary_formulas(self.dtype))
        writer = Writer(TEMPLATES, lambda number: f"real({number!r})")
        outputs = [writer.write(output) for output in line.outputs]
        conditions = [writer.write(condition) for condition in merged(line.conditions)]
        count = len(outputs)
        frame = [f"store(out, {count}, {k}, t * {FRAME} + {k}, i, {outputs[k]})" for k in range(FRAME)]
        state = [f"store(state, {count}, {k}, new + {k - FRAME}, i, {outputs[k]})" for k in range(FRAME, count)]
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


def follow(program: Program, flags: Flags, groups: Sequence[Array], frames: int, state: Array) -> tuple[Array, Array]:
    """Frames (frames, 7, limbs) and the state after them (12, limbs), from the state before.

    Groups are (frames, components, limbs), with an axis of 1 where they do not vary.
    """
    rows = state.shape[1]
    varying = tuple((group.shape[0] > 1, group.shape[2] > 1) for group in groups)
    kernel = compiled(TrackKernel(program, flags, state.dtype, varying))
    flat = [np.ascontiguousarray(group).reshape(-1, group.shape[2]) for group in groups]
    both = np.empty((2 * STATES, rows), state.dtype)
    both[:STATES] = state
    out = np.empty((frames * FRAME, rows), state.dtype)
    threads.spread(kernel, rows, frames, *flat, both, out, worth=512)
    after = frames % 2 * STATES
    return out.reshape(frames, FRAME, rows), both[after : after + STATES].copy()
