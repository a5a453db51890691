"""A plain memory copy: what moving the bytes costs where nothing is worked out."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.engines import threads


def copy_fresh(source: Array, numbers: int, rows: int) -> Array:
    """A copy of some numbers into memory that has not been touched yet."""
    target = np.empty(numbers, source.dtype)
    copy_into(target, source, numbers, rows)
    return target


def copy_into(target: Array, source: Array, numbers: int, rows: int) -> None:
    """Copies some numbers; either end begins anew where it is too short.

    So a copy needs no memory beside the inputs and one answer. It is spread over threads as a batch of `rows` is.
    """
    threads.spread(lambda start, stop: _part(target, source, start * numbers // rows, stop * numbers // rows), rows)


def _part(target: Array, source: Array, start: int, stop: int) -> None:
    while start < stop:
        there, here = start % len(target), start % len(source)
        count = min(stop - start, len(target) - there, len(source) - here)
        np.copyto(target[there : there + count], source[here : here + count])
        start += count


def whole_memory(array: Array) -> Array:
    """The block of memory that an array is a view of, as one row of numbers."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array.reshape(-1)
