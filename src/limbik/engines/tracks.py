"""Which engine follows a track: plain floats, NumPy, or Numba once its kernel is worth loading."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch, loading, numba_engine, numba_track, track_steps
from limbik.engines.programs import TRACK_STEPS, Flags, Program

# Up to this number of limbs, plain floats limb by limb are faster than NumPy.
FEW = 20


def follow(
    program: Program, step: str, flags: Flags, parts: Sequence[Array], frames: int, state: Array
) -> tuple[Array, Array]:
    """Frames (frames, numbers, limbs) and the state after them (numbers, limbs), from the state before.

    Groups are (frames, components, limbs), with an axis of 1 where they do not vary. All engines give the same bits,
    except where a formula has an exponential function, as in soft reach.
    """
    rows, dtype = state.shape[1], state.dtype
    kernel = numba_track.kernel_for(program, step, flags, parts, dtype)
    alike = track_steps.step_trace(program, step, flags, dtype, True).rounds_alike and (rows > 1 or dtype == np.float64)
    ready = alike and dispatch.chosen() is None and kernel in numba_engine.kernels
    if ready or (rows > 1 and dispatch.uses_numba(frames, rows)):
        done = dispatch.try_numba(lambda: numba_track.follow(kernel, parts, frames, state))
        if done is not None:
            return done
    started = perf_counter()
    found = _without_kernel(program, step, flags, parts, frames, state)
    if alike and dispatch.chosen() is None:
        loading.note(kernel, perf_counter() - started)
    return found


def _without_kernel(
    program: Program, step: str, flags: Flags, parts: Sequence[Array], frames: int, state: Array
) -> tuple[Array, Array]:
    spec, dtype, rows = TRACK_STEPS[step], state.dtype, state.shape[1]
    out = np.empty((frames, spec.frame_size, rows), dtype)
    if rows == 1:  # on floats, whatever the number type
        state = state.astype(np.float64)
    few = FEW if dispatch.chosen() is None else 1
    for t in range(frames):
        now: list[Any] = [part[min(t, len(part) - 1)] for part in parts]
        numbers = track_steps.take(program, step, flags, now, state, few)
        out[t] = numbers[: spec.frame_size]
        state = numbers[-spec.state_size :]
    return out, np.ascontiguousarray(state, dtype)
