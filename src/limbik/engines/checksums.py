"""A checksum of a batch's inputs, by which two answers are known to come from the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines import numba_engine

WORDS = {4: np.dtype(np.uint32), 8: np.dtype(np.uint64)}  # by the size of a number


class ChecksumKernel(NamedTuple):
    """The kernel for words of one size: each is mixed with its place, so that no two can be exchanged unnoticed."""

    word: np.dtype[np.unsignedinteger]

    def text(self) -> str:
        """The kernel's source: the sum of each word's halves, multiplied, after a number for its place was added."""
        return """\
import numpy as np

def kernel(words, first):
    total, place = np.uint64(0), np.uint64(first + 1) * np.uint64(0x9E3779B97F4A7C15)
    for i in range(len(words)):
        mixed = np.uint64(words[i]) + place
        total += (mixed & np.uint64(0xFFFFFFFF)) * (mixed >> np.uint64(32))
        place += np.uint64(0x9E3779B97F4A7C15)
    return total
"""

    def compiled(self) -> Callable[[Array, int], int]:
        """The compiled kernel; takes words and the place of the first one."""
        import numba

        from limbik.engines.numba_compiler import compile_kernel

        words = numba.types.Array(numba.from_dtype(self.word), 1, "C", readonly=True)
        return compile_kernel(self.text(), numba.uint64(words, numba.intp))


def checksum(arrays: Sequence[Array], start: int, stop: int) -> int:
    """The checksum of some rows of arrays (components, rows); those of parts that cover all rows add up, modulo 2⁶⁴.

    Raises:
        NumbaUnusableError: where Numba cannot compile its kernel.
    """
    total = 0
    for number, array in enumerate(arrays):
        word = WORDS[array.itemsize]
        kernel = ChecksumKernel(word)
        add = numba_engine.kernels.get(kernel) or numba_engine.loaded(kernel)
        size, rows = array.shape
        if array.T.flags.c_contiguous:
            parts, first, step = [array.T[start:stop].reshape(-1)], start * size, 0
        else:
            parts, first, step = list(array[:, start:stop]), start, rows
        for k, part in enumerate(parts):
            total += add(np.ascontiguousarray(part).view(word), (number << 48) + k * step + first)
    return total % 2**64
