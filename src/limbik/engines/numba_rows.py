"""Formulas over a few rows on Numba: one kernel for groups of any width, called with as little around it as possible.

A kernel of `numba_engine` takes arrays (components, rows), so that its loop becomes SIMD code. For a few rows, making
these arrays takes several times as long as the kernel itself. This one takes groups as they lie in memory, and goes
through each by an index of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from limbik.engines.generated_source import indented
from limbik.engines.numba_compiler import array_type, nothing_from
from limbik.engines.numba_engine import RowFunction, preamble
from limbik.engines.trace import Trace, component


class FewRowsKernel:
    """The kernel of a formula; each is told apart by its identity.

    Args:
        trace: returns the operations of one row, without conditions.
        groups: the number of components of each group.
        truths: the groups that are arrays of bool.
    """

    def __init__(self, trace: Callable[[], Trace], groups: Mapping[str, int], truths: frozenset[str]) -> None:
        self._trace, self._groups, self._truths = trace, groups, truths

    def text(self) -> str:
        """The kernel's source: a group of `wide` rows begins again whenever its index has reached that."""
        function = RowFunction("row", self._trace())
        before, loads, after = [], [], []
        for name, size in self._groups.items():
            wide, at = f"wide_{name}", f"at_{name}"
            before += [f"{wide} = {name}.size // {size}", f"{at} = np.uintp(0)"]
            for k in range(size):
                place = at if k == 0 else f"{at} + {wide}" if k == 1 else f"{at} + {k} * {wide}"
                loads.append(f"{component(name, k)} = real({name}[np.uintp({place})])")
            after += [f"{at} += np.uintp(1)", f"if {at} == np.uintp({wide}):", f"    {at} = np.uintp(0)"]
        lines = [
            *preamble(np.dtype(np.float64)),
            *function.definition,
            f"def kernel(rows, out, {', '.join(self._groups)}):",
            *indented(before),
            "    for i in range(rows):",
            *indented([*loads, *function.call], 2),
            *indented([f"out[{k}, i] = {output}" for k, output in enumerate(function.outputs)], 2),
            *indented(after, 2),
        ]
        return "\n".join(lines) + "\n"

    def signature(self) -> str:
        """It takes the number of rows, the output (numbers, rows), and the groups, flat."""
        groups = [array_type("boolean" if name in self._truths else "float64", 1, "C") for name in self._groups]
        return nothing_from("intp", array_type("float64", 2, "C", written=True), *groups)
