"""Which engine runs a batch: NumPy for small ones, Numba where it is worth loading."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import numpy as np

from limbik.arguments import choice
from limbik.arrays import Array
from limbik.engines import numba_compiler, numpy_engine, thresholds
from limbik.engines.programs import Flags, Program
from limbik.engines.thresholds import NUMBA_STEPS_MIN_ROWS, NUMBA_WAIT_MIN_ROWS

Result = TypeVar("Result")

_forced: ContextVar[str | None] = ContextVar("limbik_engine", default=None)


@contextmanager
def use(engine: str) -> Iterator[None]:
    """Runs all batches within a `with` block on one engine, "numpy" or "numba", whatever their size.

    "operations" runs those of torch and JAX operation by operation, without kernels, and all others on NumPy.
    """
    token = _forced.set(choice("engine", engine, ("numpy", "numba", "operations")))
    try:
        yield
    finally:
        _forced.reset(token)


def have_numba() -> bool:
    """Whether Numba is installed and works; without it, limbik is slower but gives the same answers."""
    return numba_compiler.usable()


def uses_numba(steps: int, rows: int, ready: bool = False) -> bool:
    """Whether `rows` limbs of so many frames, or `rows` skeletons of so many joints, run on Numba.

    `ready` says that the kernel is compiled. Pass it only for kernels that round as NumPy does: the choice must never
    show in the result.
    """
    if forced := _forced.get():
        return forced == "numba"
    return rows >= NUMBA_STEPS_MIN_ROWS and (ready or steps * rows >= NUMBA_WAIT_MIN_ROWS) and have_numba()


def try_numba(run: Callable[[], Result]) -> Result | None:
    """What `run` returns, or None where Numba turns out to be unusable: then NumPy has to do it."""
    try:
        return run()
    except numba_compiler.NumbaUnusableError:
        return None


def chosen() -> str | None:
    """The engine of the enclosing `use` block, if any."""
    return _forced.get()


def waits_for_numba(program: Program, rows: int) -> bool:
    """Whether a batch waits for its kernel: a large one, or one within `use("numba")`."""
    forced = _forced.get()
    return program.kernels and (forced == "numba" or (forced is None and rows >= NUMBA_WAIT_MIN_ROWS and have_numba()))


def run_on_numpy(
    program: Program, answer: str, flags: Flags, groups: Sequence[Array], dtype: np.dtype[Any], out: Array
) -> Array:
    """An answer for many rows by NumPy, written into `out`."""
    return numpy_engine.run(
        numpy_engine.compiled(program, answer, flags, dtype), groups, out, thresholds.NUMPY_BLOCK_ROWS
    )
