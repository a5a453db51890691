"""One thing to measure: which limb, which answer, which numbers, how many, and how they lie in memory."""

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
# Beyond this many rows the targets repeat: what random numbers cost is not what is measured.
DISTINCT = 1 << 20
# Eager NumPy keeps every step of a formula as an array; this many numbers a row are more than any formula here has.
EAGER_NUMBERS = 200
# Python, NumPy, Numba and what they hold.
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
        """How many numbers a copy has that reads and writes as many bytes as go in and come out here."""
        return (KINDS[self.limb].numbers_in + numbers_out(self.limb, self.answer)) * self.targets // 2

    @property
    def bytes_needed(self) -> int:
        """The memory that measuring it takes: inputs, and one answer or one copy at a time."""
        copy = self.copied * np.dtype(self.dtype).itemsize
        return BESIDE + self.bytes_in + max(self.bytes_out, copy)

    @property
    def bytes_needed_eagerly(self) -> int:
        """The same with NumPy over whole arrays."""
        return self.bytes_needed + EAGER_NUMBERS * self.targets * np.dtype(self.dtype).itemsize

    def told(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "limb": self.limb,
            "answer": self.answer,
            "dtype": self.dtype,
            "layout": self.layout,
            "targets": self.targets,
        }


@dataclass(frozen=True)
class Inputs:
    """The arrays for a case, all parts of one block of memory."""

    case: Case
    memory: Array

    @classmethod
    def of(cls, case: Case) -> Inputs:
        """Fresh inputs: random, the same in every run."""
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
        """What `solve` is given, each (targets, components)."""
        count = self.case.targets
        parts, start = [], 0
        for size in KINDS[self.case.limb].inputs.values():
            part = self.memory[start * count : (start + size) * count]
            by_components = self.case.layout == COMPONENTS
            parts.append(part.reshape(size, count).T if by_components else part.reshape(count, size))
            start += size
        return parts

    @cached_property
    def given(self) -> list[Any]:
        """The same as people pass it: one target as lists of floats, many as arrays."""
        return [array[0].tolist() for array in self.arrays] if self.case.targets == 1 else self.arrays
