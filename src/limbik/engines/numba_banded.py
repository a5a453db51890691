"""Symmetric positive definite systems of five diagonals, on plain floats, or on Numba once that pays: the same bits."""

from __future__ import annotations

import inspect
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch, loading
from limbik.engines.numba_compiler import array_type, nothing_from


def eliminate(main: Any, next_: Any, second: Any, found: Any, near: Any, far: Any) -> None:
    """Solves by LDLᵀ. All have as many numbers as there are unknowns: lists, or arrays.

    main, next_ and second are the diagonals; `found` holds the right side first and the unknowns at last; `near` and
    `far` are memory for the two diagonals of L.
    """
    count = len(main)
    before, two_before = 0.0, 0.0  # of D
    for i in range(count):
        pivot, right, beside = main[i], found[i], next_[i]
        if i > 0:
            pivot -= near[i - 1] * near[i - 1] * before
            right -= near[i - 1] * found[i - 1]
            beside -= near[i - 1] * before * far[i - 1]
        if i > 1:
            pivot -= far[i - 2] * far[i - 2] * two_before
            right -= far[i - 2] * found[i - 2]
        found[i] = right
        near[i], far[i] = beside / pivot, second[i] / pivot
        main[i] = pivot
        before, two_before = pivot, before
    for i in range(count - 1, -1, -1):
        value = found[i] / main[i]
        if i < count - 1:
            value -= near[i] * found[i + 1]
        if i < count - 2:
            value -= far[i] * found[i + 2]
        found[i] = value


class BandedKernel(NamedTuple):
    """The kernel; there is one."""

    name: str = "banded"  # kernels are told apart by their fields

    def text(self) -> str:
        """The kernel's source: that of `eliminate`."""
        lines = inspect.getsource(eliminate).splitlines()
        head = "def kernel(main, next_, second, found, near, far):"
        return "\n".join([head, *lines[1:]]) + "\n"

    def signature(self) -> str:
        """It takes the arguments of `eliminate`, contiguous arrays."""
        return nothing_from(*[array_type("float64", 1, "C", written=True)] * 6)


KERNEL = BandedKernel()


def solve_banded(system: Array, values: Array) -> Array:
    """What (n,) a system multiplies to obtain values (n,).

    system: (3, n), its main diagonal, the next one and the one after; the last one and two of these do not count.
    """
    rows = np.concatenate([system, values[None], np.zeros((2, len(values)))])  # all of them are written to
    free = dispatch.chosen() is None
    if free and (work := loading.kernels.get(KERNEL)):
        work(*rows)
        return rows[3]
    started = perf_counter()
    lists = rows.tolist()
    eliminate(*lists)
    if free:
        loading.note(KERNEL, perf_counter() - started)
    return np.array(lists[3])
