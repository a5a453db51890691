"""The steps of tracks on floats and NumPy, which round them as Numba does: each step builds on the one before it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from limbik.arrays import Array
from limbik.engines import numpy_engine, scalar_engine
from limbik.engines.programs import TRACK_STEPS, Flags, Program


@cache
def groups_read(program: Program, step: str) -> tuple[str, ...]:
    """The groups that a step reads besides the state."""
    return tuple(name for name in program.groups_of(step) if name != TRACK_STEPS[step].previous)


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
        function = scalar_engine.compiled(program, step, flags)
        try:
            return np.array([function(*row) for row in zip(*columns, strict=True)]).T
        except (ArithmeticError, ValueError):  # floats cannot divide by 0 or floor NaN
            pass
    with np.errstate(all="ignore"):
        numbers = numpy_engine.compiled(program, step, flags, dtype)(*(row for part in parts for row in part), *state)
    return np.stack([np.broadcast_to(one, rows) for one in numbers]).astype(dtype, copy=False)
