"""Which engine follows a track: plain floats, NumPy, or Numba once its kernel is worth loading."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch, loading, numba_track, track_steps
from limbik.engines.constants import Constants, same_bits
from limbik.engines.numba_track import TrackKernel
from limbik.engines.programs import TRACK_STEPS, Flags, Program
from limbik.engines.thresholds import FLOATS_MAX_TRACKS


class Steps:
    """The steps of tracks whose groups vary alike. All engines give the same bits.

    Args:
        program, step, flags, dtype: how a step is taken: a name in TRACK_STEPS.
        varying: of each group that a step reads, whether it differs by frame, and by limb.
    """

    def __init__(
        self, program: Program, step: str, flags: Flags, dtype: np.dtype[Any], varying: tuple[tuple[bool, bool], ...]
    ) -> None:
        self._kernel = TrackKernel(program, step, flags, dtype, varying)
        self._dtype = dtype
        self._bound: tuple[Constants, Array] | None = None  # the constants of the last call, also as an array

    def follow(self, same: Constants, arrays: Sequence[Array], frames: int, state: Array) -> tuple[Array, Array]:
        """Frames (frames, numbers, limbs) and the state after them (numbers, limbs), from the state before.

        Args:
            same: the groups that do not vary, in order.
            arrays: the others, (components, limbs), or (frames, components, limbs) where they vary by frame.
            frames: how many there are.
            state: the state before, (numbers, limbs).
        """
        rows, kernel = state.shape[1], self._kernel
        ready = dispatch.chosen() is None and kernel in loading.kernels
        if ready or (rows > 1 and dispatch.uses_numba(frames, rows)):
            flat = [np.ascontiguousarray(array).reshape(-1, rows) for array in arrays]
            constants = self._constants(same)
            if ready:
                return numba_track.follow(kernel, constants, flat, frames, state)
            done = dispatch.try_numba(lambda: numba_track.follow(kernel, constants, flat, frames, state))
            if done is not None:
                return done
        started = perf_counter()
        found = _without_kernel(kernel, same, arrays, frames, state)
        if dispatch.chosen() is None:
            loading.note(kernel, perf_counter() - started)
        return found

    def _constants(self, same: Constants) -> Array:
        bound = self._bound
        if bound is None or not same_bits(bound[0], same):
            numbers = np.array([number for group in same for number in group], self._dtype)
            bound = self._bound = same, numbers.reshape(-1, 1)
        return bound[1]


def _without_kernel(
    kernel: TrackKernel, same: Constants, arrays: Sequence[Array], frames: int, state: Array
) -> tuple[Array, Array]:
    program, step, flags, dtype, varying = kernel
    spec, rows = TRACK_STEPS[step], state.shape[1]
    out = np.empty((frames, spec.frame_size, rows), dtype)
    few = FLOATS_MAX_TRACKS if dispatch.chosen() is None else 1
    constants, others = iter([np.array(group, dtype).reshape(-1, 1) for group in same]), iter(arrays)
    parts = [next(others if any(one) else constants) for one in varying]
    for t in range(frames):
        now = [part[t] if part.ndim == 3 else part for part in parts]
        numbers = track_steps.take(program, step, flags, now, state, few)
        out[t] = numbers[: spec.frame_size]
        state = numbers[-program.state_size(step) :]
    return out, np.ascontiguousarray(state, dtype)
