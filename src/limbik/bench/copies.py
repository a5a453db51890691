"""A plain memory copy: the cost of moving the bytes without computing anything."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.engines import threads


def copy_fresh(source: Array, numbers: int, rows: int) -> Array:
    """Copies `numbers` values into newly allocated memory."""
    target = np.empty(numbers, source.dtype)
    copy_into(target, source, numbers, rows)
    return target


def copy_into(target: Array, source: Array, numbers: int, rows: int) -> None:
    """Copies `numbers` values; source and target wrap around where they are shorter.

    So a copy needs no memory beyond the inputs and one answer. It uses threads as a batch of `rows` rows does.
    """
    threads.spread(lambda start, stop: _part(target, source, start * numbers // rows, stop * numbers // rows), rows)


def _part(target: Array, source: Array, start: int, stop: int) -> None:
    while start < stop:
        there, here = start % len(target), start % len(source)
        count = min(stop - start, len(target) - there, len(source) - here)
        np.copyto(target[there : there + count], source[here : here + count])
        start += count


def whole_memory(array: Array) -> Array:
    """The block of memory that an array is a view of, flattened."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array.reshape(-1)
