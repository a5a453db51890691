"""Which engine runs a batch: NumPy at once for small ones, Numba where it pays for its loading."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from limbik.engines import numba_engine, numpy_engine
from limbik.engines.programs import Program

# From here on a batch is worth importing Numba and loading, or once ever compiling, a kernel for.
LARGE = 100_000
# From here on Numba is faster, once it is there.
SMALL = 128


def pays(rows: int) -> bool:
    """Whether Numba is the faster choice for this many rows, all told."""
    if rows >= LARGE:
        return "numba" in sys.modules or find_spec("numba") is not None
    return False


def run(
    program: Program,
    answer: str,
    flags: tuple[bool, ...],
    groups: Sequence[np.ndarray[Any, Any]],
    rows: int,
    dtype: np.dtype[Any],
) -> np.ndarray[Any, Any]:
    """An answer for many rows, by the engine that suits their number."""
    engine = numba_engine if pays(rows) else numpy_engine
    return engine.run(program, answer, flags, groups, rows, dtype)
