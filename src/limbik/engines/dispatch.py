"""Which engine runs a batch: NumPy for small ones, Numba where it is worth loading."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import numpy as np

from limbik.arguments import choice
from limbik.arrays import Array
from limbik.engines import numba_compiler, numba_engine, numpy_engine
from limbik.engines.programs import Flags, Program
from limbik.engines.trace import answer_trace

Result = TypeVar("Result")

# From this number of rows on, importing Numba and loading or compiling a kernel pays.
LARGE = 100_000
# From this number of rows on, Numba is faster if its kernel is ready.
SMALL = 128

_forced: ContextVar[str | None] = ContextVar("limbik_engine", default=None)


@contextmanager
def use(engine: str) -> Iterator[None]:
    """Runs all batches within a `with` block on one engine, "numpy" or "numba", whatever their size."""
    token = _forced.set(choice("engine", engine, ("numpy", "numba")))
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
    return rows >= SMALL and (ready or steps * rows >= LARGE) and have_numba()


def try_numba(run: Callable[[], Result]) -> Result | None:
    """What `run` returns, or None where Numba turns out to be unusable: then NumPy has to do it."""
    try:
        return run()
    except numba_compiler.NumbaUnusableError:
        return None


def run(
    program: Program,
    answer: str,
    flags: Flags,
    groups: Sequence[Array],
    rows: int,
    dtype: np.dtype[Any],
    out: Array | None = None,
) -> tuple[Array, int | None]:
    """An answer for many rows, (numbers, rows), by the engine that suits their number, and Numba's checksum.

    The choice never shows in the answers: below LARGE, where it depends on what ran before, Numba is used only for
    traces whose every operation rounds alike on both engines.
    """
    forced = _forced.get()
    large = forced == "numba" or (forced is None and rows >= LARGE and have_numba())
    if large or (forced is None and SMALL <= rows < LARGE and numba_engine.kernels):
        kernel = numba_engine.kernel_for(program, answer, flags, groups, dtype)
        if large or (kernel in numba_engine.kernels and answer_trace(program, answer, flags, True).rounds_alike):
            try:
                return numba_engine.run(kernel, groups, rows, out)
            except numba_compiler.NumbaUnusableError:
                pass
    if out is None:
        out = np.empty((program.answers[answer].size, rows), dtype)
    return numpy_engine.run(numpy_engine.compiled(program, answer, flags, dtype), groups, out), None
