"""Which engine runs a batch: NumPy at once for small ones, Numba where it pays for its loading."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from limbik.engines import numba_engine, numpy_engine
from limbik.engines.programs import Flags, Program
from limbik.engines.trace import answer_trace
from limbik.errors import ChoiceError

# From here on a batch is worth importing Numba and loading, or once ever compiling, a kernel for.
LARGE = 100_000
# From here on Numba is faster where its kernel is there already.
SMALL = 128

ENGINES = {"numpy": numpy_engine, "numba": numba_engine}
_forced: ContextVar[str | None] = ContextVar("limbik_engine", default=None)


@contextmanager
def use(engine: str) -> Iterator[None]:
    """Within it, batches run on this engine, "numpy" or "numba", whatever their size."""
    if engine not in ENGINES:
        raise ChoiceError("engine", engine, ENGINES)
    token = _forced.set(engine)
    try:
        yield
    finally:
        _forced.reset(token)


@cache
def have_numba() -> bool:
    """Whether Numba is installed; its absence costs speed, not answers."""
    return find_spec("numba") is not None


def chosen(program: Program, answer: str, flags: Flags, rows: int, ready: Callable[[], bool]) -> str:
    """The engine for a batch. `ready` tells whether Numba's kernel for it is compiled already.

    The choice never shows in the answers: below LARGE, where it would depend on what ran before, Numba is taken only
    for lines whose every operation rounds alike on both.
    """
    if forced := _forced.get():
        return forced
    if rows >= LARGE:
        return "numba" if have_numba() else "numpy"
    if rows >= SMALL and ready() and answer_trace(program, answer, flags, rare=True).rounds_alike:
        return "numba"
    return "numpy"


def track_uses_numba(frames: int, rows: int, ready: bool = False) -> bool:
    """Whether a track of so many frames and limbs runs on Numba: by its size, or where its kernel is `ready`.

    Only what rounds alike on both engines may ask whether it is ready: the choice never shows.
    """
    if forced := _forced.get():
        return forced == "numba"
    return rows >= SMALL and (ready or frames * rows >= LARGE) and have_numba()


def run(
    program: Program,
    answer: str,
    flags: Flags,
    groups: Sequence[np.ndarray[Any, Any]],
    rows: int,
    dtype: np.dtype[Any],
    out: np.ndarray[Any, Any] | None = None,
) -> np.ndarray[Any, Any]:
    """An answer for many rows, by the engine that suits their number."""
    name = chosen(program, answer, flags, rows, lambda: numba_engine.ready(program, answer, flags, groups, dtype))
    return ENGINES[name].run(program, answer, flags, groups, rows, dtype, out)
