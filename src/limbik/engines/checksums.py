"""A checksum of a batch's inputs, by which two answers are known to come from the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines.loading import kernels, loaded
from limbik.engines.numba_compiler import array_type, nothing_from

WORDS = {4: np.dtype(np.uint32), 8: np.dtype(np.uint64)}  # by the size of a number


class ChecksumKernel(NamedTuple):
    """The kernel for words of one size: each is mixed with its place, so that no two can be exchanged unnoticed."""

    word: np.dtype[np.unsignedinteger]

    def text(self) -> str:
        """The kernel's source: the sum of each word's halves, multiplied, after a number for its place was added."""
        return """\
import numpy as np

def kernel(words, first, sums):
    total, place = np.uint64(0), np.uint64(first + 1) * np.uint64(0x9E3779B97F4A7C15)
    for i in range(len(words)):
        mixed = np.uint64(words[i]) + place
        total += (mixed & np.uint64(0xFFFFFFFF)) * (mixed >> np.uint64(32))
        place += np.uint64(0x9E3779B97F4A7C15)
    sums[0] += total
"""

    def signature(self) -> str:
        """It takes words, the place of the first one, and the sum to add to."""
        return nothing_from(array_type(self.word.name, 1, "C"), "intp", array_type("uint64", 1, "C", written=True))


class Checksum:
    """The checksum of arrays (components, rows): the sum of what `add` adds for parts that cover all rows.

    Raises:
        NumbaUnusableError: where Numba cannot compile its kernel.
    """

    def __init__(self, arrays: Sequence[Array]) -> None:
        self._parts: list[tuple[Callable[..., None], Array, int, int]] = []  # kernel, words, words of a row, place
        for number, array in enumerate(arrays):
            word = WORDS[array.itemsize]
            kernel = ChecksumKernel(word)
            add = kernels.get(kernel) or loaded(kernel)
            size, rows = array.shape
            if array.T.flags.c_contiguous:
                self._parts.append((add, array.T.reshape(-1).view(word), size, number << 48))
            else:
                self._parts += [(add, row.view(word), 1, (number << 48) + k * rows) for k, row in enumerate(array)]

    def of(self, start: int, stop: int) -> int:
        """The checksum of some rows."""
        sums = np.zeros(1, np.uint64)
        for add, words, size, place in self._parts:
            part = np.ascontiguousarray(words[start * size : stop * size])
            add(part, place + start * size, sums)
        return int(sums[0])
