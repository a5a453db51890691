"""The steps of tracks, written so that every engine rounds them alike.

Which engine takes a step depends on what has run before, and each step builds on the one before it. So the steps use
polynomials for atan2, sine and cosine, without fused operations, on floats and NumPy too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines import numpy_engine, scalar_engine
from limbik.engines.programs import TRACK_STEPS, Flags, Program
from limbik.engines.trace import Trace, answer_trace, lower
from limbik.formulas import elementary

PRECISIONS = {
    np.dtype(np.float64): replace(elementary.FLOAT64, fused=False),
    np.dtype(np.float32): replace(elementary.FLOAT32, fused=False),
}


def step_formulas(dtype: np.dtype[Any]) -> dict[str, Callable[..., Any]]:
    """What takes the place of the elementary functions in a step."""
    precision = PRECISIONS[dtype]
    return {
        "atan2": lambda y, x: elementary.arctangent(y, x, precision),
        "sin": lambda a: elementary.sine_and_cosine(a, precision)[0],
        "cos": lambda a: elementary.sine_and_cosine(a, precision)[1],
    }


@cache
def groups_read(program: Program, step: str) -> tuple[str, ...]:
    """The groups that a step reads besides the state."""
    return tuple(name for name in program.groups_of(step) if name != TRACK_STEPS[step].previous)


@cache
def step_trace(program: Program, step: str, flags: Flags, dtype: np.dtype[Any], rare: bool) -> Trace:
    """The trace of a step."""
    return lower(answer_trace(program, step, flags, rare), rare, step_formulas(dtype))


@cache
def _on_floats(program: Program, step: str, flags: Flags) -> Callable[..., tuple[float, ...]]:
    short, full = (step_trace(program, step, flags, np.dtype(np.float64), rare) for rare in (False, True))
    return scalar_engine.function(short, scalar_engine.function(full, None))


@cache
def _on_numpy(program: Program, step: str, flags: Flags, dtype: np.dtype[Any]) -> Callable[..., Any]:
    short, full = (step_trace(program, step, flags, dtype, rare) for rare in (False, True))
    return numpy_engine.function(short, dtype, numpy_engine.function(full, dtype, None))


def take(program: Program, step: str, flags: Flags, parts: Sequence[Array], state: Array, few: int) -> Array:
    """One step of all limbs: the numbers of the frame and the state after it, (numbers, limbs).

    Args:
        program, step, flags: the formula.
        parts: its groups but the state, (components, limbs) or (components, 1).
        state: the state before, (numbers, limbs).
        few: up to this number of limbs the step is taken on plain floats, if the number type is theirs.
    """
    rows, dtype = state.shape[1], state.dtype
    if 0 < rows <= few and dtype == np.float64:
        groups = (*parts, state)
        columns = [row.tolist() if len(row) == rows else row.tolist() * rows for group in groups for row in group]
        function = _on_floats(program, step, flags)
        try:
            return np.array([function(*row) for row in zip(*columns, strict=True)]).T
        except (ArithmeticError, ValueError):  # floats cannot divide by 0 or floor NaN
            pass
    with np.errstate(all="ignore"):
        numbers = _on_numpy(program, step, flags, dtype)(*(row for part in parts for row in part), *state)
    return np.stack([np.broadcast_to(one, rows) for one in numbers]).astype(dtype, copy=False)
