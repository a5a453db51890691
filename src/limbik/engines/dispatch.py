"""Which engine runs a batch: NumPy for small ones, Numba where it is worth loading."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from typing import Any, TypeVar

import numpy as np

from limbik.arguments import choice
from limbik.arrays import Array
from limbik.engines import loading, numba_compiler, numba_engine, numpy_engine, scalar_engine, thresholds
from limbik.engines.programs import Flags, Program
from limbik.engines.splitting import split
from limbik.engines.thresholds import (
    FLOATS_MAX_ROWS,
    NUMBA_STEPS_MIN_ROWS,
    NUMBA_WAIT_MIN_ROWS,
)

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


def run(
    program: Program,
    answer: str,
    flags: Flags,
    groups: Sequence[Array],
    rows: int,
    dtype: np.dtype[Any],
    out: Array | None = None,
    *,
    alike: bool = True,
    checked: bool = False,
) -> tuple[Array, int | None]:
    """An answer for many rows, (numbers, rows), by the engine that suits their number.

    If it is to be `checked`, and runs on Numba, there is a checksum of its inputs, too.

    The choice never shows in the answers: below NUMBA_WAIT_MIN_ROWS, where it depends on what ran before, all
    engines compute what rounds alike on each of them, and NumPy the rest. Without `alike`, it may show in their last
    bits.
    """
    forced = _forced.get()
    if program.kernels and (forced == "numba" or (forced is None and rows >= NUMBA_WAIT_MIN_ROWS and have_numba())):
        try:
            kernel = numba_engine.kernel_for(program, answer, flags, groups, dtype)
            return numba_engine.run(kernel, groups, rows, out, checked=checked)
        except numba_compiler.NumbaUnusableError:
            pass
    if forced is None and rows < NUMBA_WAIT_MIN_ROWS and not alike:
        return _run_small(program, answer, flags, groups, rows, dtype, out), None
    if forced is None and rows < NUMBA_WAIT_MIN_ROWS and (parts := split(program, answer, flags)):
        memory = out if out is not None and out.shape == (parts.memory, rows) else None
        return parts.finish(_run_small(*parts[:2], flags, groups, rows, dtype, memory)), None
    if out is None or out.shape[0] != program.answers[answer].size:
        out = np.empty((program.answers[answer].size, rows), dtype)
    return run_on_numpy(program, answer, flags, groups, dtype, out), None


def _run_small(
    program: Program,
    answer: str,
    flags: Flags,
    groups: Sequence[Array],
    rows: int,
    dtype: np.dtype[Any],
    out: Array | None,
) -> Array:
    """An answer that rounds alike on every engine: by the kernel if it is ready, or on floats or NumPy."""
    kernel = numba_engine.kernel_for(program, answer, flags, groups, dtype)
    if kernel in numba_engine.kernels:
        return numba_engine.run(kernel, groups, rows, out)[0]
    started = perf_counter()
    if out is None:
        out = np.empty((program.answers[answer].size, rows), dtype)
    if not (rows <= FLOATS_MAX_ROWS and dtype == np.float64 and _run_on_floats(program, answer, flags, groups, out)):
        run_on_numpy(program, answer, flags, groups, dtype, out)
    if program.kernels:
        loading.note(kernel, perf_counter() - started)
    return out


def _run_on_floats(program: Program, answer: str, flags: Flags, groups: Sequence[Array], out: Array) -> bool:
    """An answer for a few rows on plain floats, written into `out`; whether they can, as they cannot divide by 0."""
    function, rows = scalar_engine.compiled(program, answer, flags), out.shape[1]
    columns = [row.tolist() if len(row) == rows else row.tolist() * rows for group in groups for row in group]
    try:
        for k, row in enumerate(zip(*columns, strict=True)):
            out[:, k] = function(*row)
    except (ArithmeticError, ValueError):
        return False
    return True


def run_on_numpy(
    program: Program, answer: str, flags: Flags, groups: Sequence[Array], dtype: np.dtype[Any], out: Array
) -> Array:
    """An answer for many rows by NumPy, written into `out`."""
    return numpy_engine.run(
        numpy_engine.compiled(program, answer, flags, dtype), groups, out, thresholds.NUMPY_BLOCK_ROWS
    )
