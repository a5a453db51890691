"""The engine of Numba: a straight line compiled into one SIMD loop, bit for bit what NumPy gives (but for atan2).

Kernels are written as text, one for each answer, flags, number type and pattern of constant and varying groups, and are
compiled when first used. The text is kept as a file in the user's cache folder, named by all it depends on, so that
Numba's own cache on disk finds the machine code again in the next process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, partial
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines import kernel_cache, numpy_engine, threads
from limbik.engines.programs import Flags, Program
from limbik.engines.trace import Writer, answer_trace, component, gathered, lower
from limbik.formulas import elementary
from limbik.formulas.operations import Symbol

TEMPLATES = {
    "negative": "-{0}",
    "sqrt": "math.sqrt({0})",
    "absolute": "abs({0})",
    "minimum": "select({0} < {1}, {0}, {1})",
    "maximum": "select({0} > {1}, {0}, {1})",
    "where": "select({0}, {1}, {2})",
    "outside": "not (({0} >= {1}) & ({0} <= {2}))",
    "atan2": "math.atan2({0}, {1})",
    "floor": "floor({0})",
    "multiply_add": "multiply_add({0}, {1}, {2})",
    "signbit": "signbit({0})",
    "sin": "math.sin({0})",
    "cos": "math.cos({0})",
    "exp": "math.exp({0})",
}


def elementary_formulas(dtype: np.dtype[Any]) -> dict[str, Callable[..., Any]]:
    """The functions that this engine writes out: libm's do not vectorise."""
    precision = elementary.FLOAT64 if dtype == np.float64 else elementary.FLOAT32
    return {
        "atan2": lambda y, x: elementary.arctangent(y, x, precision),
        "sin": lambda a: elementary.sine_and_cosine(a, precision)[0],
        "cos": lambda a: elementary.sine_and_cosine(a, precision)[1],
    }


# Rows that are worked out together; where one of them is a rare case, its block is done again in full.
BLOCK = 512


def preamble(dtype: np.dtype[Any]) -> list[str]:
    """The first lines of every kernel: what its text refers to."""
    constants = numpy_engine.constants(dtype).items()
    return [
        "import math",
        "import numpy as np",
        "from limbik.engines.numba_intrinsics import floor, load, multiply_add, select, signbit, store",
        f"real = np.{dtype.name}",
        *(f"{name} = real({'np.nan' if name == 'NAN' else repr(float(value))})" for name, value in constants),
        "",
    ]


def build(text: str, signature: Any) -> Callable[..., Any]:
    """A kernel's text, compiled or found on disk."""
    import numba

    module, cacheable = kernel_cache.load(text, numba.__version__)
    options: dict[str, Any] = {"error_model": "numpy", "nogil": True}
    try:
        return numba.njit([signature], cache=cacheable, **options)(module.kernel)
    except (RuntimeError, OSError, EOFError, ImportError):  # no place for Numba's cache, or what is there is broken
        return numba.njit([signature], **options)(module.kernel)


def by_blocks(before: list[str], loop: Callable[[bool], list[str]]) -> list[str]:
    """A loop over blocks of rows, each worked out by the short line, and once more in full where it had a rare case."""
    return [
        f"for first in range(start, stop, {BLOCK}):",
        f"    last = min(first + {BLOCK}, stop)",
        "    seen = False",
        *(f"    {one}" for one in (*before, *loop(False))),
        "    if seen:",
        *(f"        {one}" for one in loop(True)),
    ]


class Layout(Enum):
    """How a group lies in memory."""

    CONSTANT = "constant"  # one for all rows
    ROWS = "rows"  # component-major: each component contiguous, read where it is
    INTERLEAVED = "interleaved"  # row-major, such as (N, 3): components of a row side by side, read where they are
    STRIDED = "strided"  # anything else: copied block by block, in the cache

    @classmethod
    def of(cls, group: Array) -> Layout:
        """The layout of a group (components, rows) or (components, 1)."""
        if group.shape[1] == 1:
            return cls.CONSTANT
        if group.strides[1] == group.itemsize:
            return cls.ROWS
        interleaved = group.strides == (group.itemsize, len(group) * group.itemsize)
        return cls.INTERLEAVED if interleaved else cls.STRIDED

    def place(self, k: int, size: int) -> str:
        """Row and index of component k of size, in the text of a loop over i."""
        return {
            Layout.CONSTANT: f"{k}, 0",
            Layout.ROWS: f"{k}, i",
            Layout.INTERLEAVED: f"0, i * {size} + {k}",
            Layout.STRIDED: f"{k}, i - first",
        }[self]


@dataclass(frozen=True)
class Kernel:
    """What a kernel depends on. `blank` lists outputs that are 0 in every valid row, and so need no writing."""

    program: Program
    answer: str
    flags: Flags
    dtype: np.dtype[Any]
    layouts: tuple[Layout, ...]
    blank: tuple[int, ...]

    @classmethod
    def of(cls, program: Program, answer: str, flags: Flags, groups: Sequence[Array], dtype: np.dtype[Any]) -> Kernel:
        """The kernel for these groups."""
        layouts = tuple(Layout.of(group) for group in groups)
        zeros = tuple(
            tuple(k for k, number in enumerate(group[:, 0].tolist()) if number == 0)
            if layout is Layout.CONSTANT
            else ()
            for group, layout in zip(groups, layouts, strict=True)
        )
        return _kernel(program, answer, flags, dtype, layouts, zeros)

    def text(self) -> str:
        """The kernel's source: its groups are arrays (components, rows), constant groups (components, 1)."""
        loads: dict[bool, list[str]] = {False: [], True: []}
        scratch, staging = [], []
        groups = self.program.groups_of(self.answer)
        for name, layout in zip(groups, self.layouts, strict=True):
            size = self.program.all_groups[name]
            varies = layout is not Layout.CONSTANT
            source = f"staged_{name}" if layout is Layout.STRIDED else name
            for k in range(size):
                loads[varies].append(f"{component(name, k)} = load({source}, {layout.place(k, size)})")
            if layout is Layout.STRIDED:
                # Not a power of two long, or all components would fall into the same lines of the cache.
                scratch.append(f"{source} = np.empty(({size}, {BLOCK + 8}), real)")
                staging += ["for i in range(first, last):"]
                staging += [f"    {source}[{k}, i - first] = {name}[{k}, i]" for k in range(size)]
        lines = [
            *preamble(self.dtype),
            "def kernel(start, stop, " + ", ".join(groups) + ", out):",
            *(f"    {one}" for one in (*loads[False], *scratch)),
            *(f"    {one}" for one in by_blocks(staging, partial(self._loop, loads[True]))),
        ]
        return "\n".join(lines) + "\n"

    def _loop(self, loads: list[str], rare: bool) -> list[str]:
        """The lines of one loop over a block; without the rare cases it also notes whether there was one."""
        line = answer_trace(self.program, self.answer, self.flags, rare)
        line = lower(line, rare, elementary_formulas(self.dtype))
        writer = Writer(TEMPLATES, lambda number: f"real({number!r})")
        outputs = [writer.write(output) for output in line.outputs]
        conditions = [writer.write(condition) for condition in gathered(line.conditions)]
        written = [k for k in range(len(outputs)) if rare or k not in self.blank]
        return [
            "for i in range(first, last):",
            *(f"    {one}" for one in (*loads, *writer.lines(*outputs, *conditions))),
            *(f"    store(out, {len(outputs)}, {k}, {k}, i, {outputs[k]})" for k in written),
            *(f"    seen |= {condition}" for condition in conditions),
        ]


@cache
def _kernel(
    program: Program,
    answer: str,
    flags: Flags,
    dtype: np.dtype[Any],
    layouts: tuple[Layout, ...],
    zeros: tuple[tuple[int, ...], ...],
) -> Kernel:
    """The kernel for groups of these layouts, of which these components are zero in all rows."""
    blank = {component(name, k) for name, some in zip(program.groups_of(answer), zeros, strict=True) for k in some}
    outputs = answer_trace(program, answer, flags, rare=False).outputs
    names = [str(one.inputs[0]) if isinstance(one, Symbol) and one.operation == "name" else "" for one in outputs]
    return Kernel(program, answer, flags, dtype, layouts, tuple(k for k, name in enumerate(names) if name in blank))


_kernels: dict[Kernel, Callable[..., Any]] = {}


def ready(program: Program, answer: str, flags: Flags, groups: Sequence[Array], dtype: np.dtype[Any]) -> bool:
    """Whether the kernel for these groups has been used before in this process."""
    return bool(_kernels) and Kernel.of(program, answer, flags, groups, dtype) in _kernels


def compiled(kernel: Kernel) -> Callable[..., Any]:
    """The compiled kernel; takes start, stop, the groups and the output."""
    if kernel in _kernels:
        return _kernels[kernel]
    import numba

    number = numba.from_dtype(kernel.dtype)
    # One signature for every layout: `load` and `store` look at the strides themselves.
    group = numba.types.Array(number, 2, "A", readonly=True)
    signature = numba.void(numba.intp, numba.intp, *[group] * len(kernel.layouts), numba.types.Array(number, 2, "A"))
    _kernels[kernel] = build(kernel.text(), signature)
    return _kernels[kernel]


def run(
    program: Program,
    answer: str,
    flags: Flags,
    groups: Sequence[Array],
    rows: int,
    dtype: np.dtype[Any],
    out: Array | None = None,
) -> Array:
    """An answer for many rows: (numbers, rows), from groups of shape (components, rows) or (components, 1).

    Written into `out` where that is given.
    """
    kernel = Kernel.of(program, answer, flags, groups, dtype)
    if out is None:
        shape = (program.answers[answer].size, rows)
        out = np.zeros(shape, dtype) if kernel.blank else np.empty(shape, dtype)
    else:
        out[list(kernel.blank)] = 0
    function = compiled(kernel)
    threads.spread(lambda start, stop: function(start, stop, *groups, out), rows)
    return out
