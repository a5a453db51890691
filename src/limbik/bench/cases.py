"""A case to measure: limb, answer, number type, memory layout and number of targets."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.bench.measured_limbs import KINDS, numbers_out, reachable

COMPONENTS = "component-major"  # (3, N) in memory: all x, then all y, then all z
ROWS = "row-major"  # (N, 3) in memory: x, y, z of one target, then of the next
LAYOUTS = (COMPONENTS, ROWS)
# Beyond this many rows the targets repeat, so that generating them does not take long.
DISTINCT = 1 << 20
# Eager NumPy keeps every intermediate as an array; no formula has more intermediates per row than this.
EAGER_NUMBERS = 200
# Python, NumPy and Numba themselves.
BESIDE = 300 << 20


@dataclass(frozen=True)
class Case:
    """A limb's answer for some number of targets."""

    limb: str
    answer: str
    dtype: str
    layout: str
    targets: int

    @property
    def bytes_in(self) -> int:
        """The size of all inputs."""
        return KINDS[self.limb].numbers_in * self.targets * np.dtype(self.dtype).itemsize

    @property
    def bytes_out(self) -> int:
        """The size of the answer."""
        return numbers_out(self.limb, self.answer) * self.targets * np.dtype(self.dtype).itemsize

    @property
    def copied(self) -> int:
        """The size, in numbers, of a memory copy that moves as many bytes as this case reads and writes."""
        return (KINDS[self.limb].numbers_in + numbers_out(self.limb, self.answer)) * self.targets // 2

    @property
    def bytes_needed(self) -> int:
        """The memory needed to measure the case: the inputs, and one answer or one copy at a time."""
        copy = self.copied * np.dtype(self.dtype).itemsize
        return BESIDE + self.bytes_in + max(self.bytes_out, copy)

    @property
    def bytes_needed_eagerly(self) -> int:
        """The memory needed to measure eager NumPy over whole arrays as well."""
        return self.bytes_needed + EAGER_NUMBERS * self.targets * np.dtype(self.dtype).itemsize


@dataclass(frozen=True)
class Inputs:
    """The input arrays of a case, views of one block of memory."""

    case: Case
    memory: Array

    @classmethod
    def of(cls, case: Case) -> Inputs:
        """Random inputs from a fixed seed."""
        kind = KINDS[case.limb]
        made = cls(case, np.empty(kind.numbers_in * case.targets, case.dtype))
        some = min(DISTINCT, case.targets)
        pattern = [part.astype(case.dtype) for part in reachable(case.limb, some)]
        for array, part in zip(made.arrays, pattern, strict=True):
            for start in range(0, case.targets, some):
                rows = min(some, case.targets - start)
                array[start : start + rows] = part[:rows]
        return made

    @cached_property
    def arrays(self) -> list[Array]:
        """The arguments of `solve`, each (targets, components)."""
        count = self.case.targets
        parts, start = [], 0
        for size in KINDS[self.case.limb].inputs.values():
            part = self.memory[start * count : (start + size) * count]
            by_components = self.case.layout == COMPONENTS
            parts.append(part.reshape(size, count).T if by_components else part.reshape(count, size))
            start += size
        return parts

    @cached_property
    def arguments(self) -> list[Any]:
        """The arguments as users pass them: lists of floats for one target, arrays for many."""
        return [array[0].tolist() for array in self.arrays] if self.case.targets == 1 else self.arrays
