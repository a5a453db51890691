"""The Numba engine: a trace compiled into one SIMD loop, which gives the same bits as NumPy except for atan2, sin, cos.

Kernels are generated as text, one for each combination of answer, flags, number type and memory layout of the groups,
and compiled when first used. `kernel_cache` keeps their machine code for other processes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from limbik.engines import numba_compiler, numpy_engine
from limbik.engines.generated_source import indented
from limbik.engines.programs import Flags, Program
from limbik.engines.thresholds import NUMBA_BLOCK_ROWS
from limbik.engines.trace import Trace, Writer, answer_trace, component, engine_trace, lower, merged
from limbik.formulas import elementary
from limbik.formulas.operations import Symbol

TEMPLATES = {
    "absolute": "abs({0})",
    "minimum": "select({0} < {1}, {0}, {1})",
    "maximum": "select({0} > {1}, {0}, {1})",
    "where": "select({0}, {1}, {2})",
    "outside": "~(({0} >= {1}) & ({0} <= {2}))",
}


def elementary_formulas(dtype: np.dtype[Any]) -> dict[str, Callable[..., Any]]:
    """The functions that this engine replaces by polynomials: those of libm do not vectorise."""
    precision = elementary.FLOAT64 if dtype == np.float64 else elementary.FLOAT32
    return {
        "atan2": lambda y, x: elementary.arctangent(y, x, precision),
        "unit_angle": lambda y, x: elementary.arctangent_of_unit(y, x, precision),
        "sin": lambda a: elementary.sine_and_cosine(a, precision)[0],
        "cos": lambda a: elementary.sine_and_cosine(a, precision)[1],
    }


def preamble(dtype: np.dtype[Any]) -> list[str]:
    """The first lines of every kernel: imports and constants."""
    constants = numpy_engine.constants(dtype).items()
    return [
        "import numpy as np",
        "from limbik.engines.numba_intrinsics import load, store",
        "from limbik.engines.numba_lowering import straight_line",
        f"real = np.{dtype.name}",
        *(f"{name} = real({'np.nan' if name == 'NAN' else repr(value)})" for name, value in constants),
        "",
    ]


class RowFunction:
    """A trace as a function of one row's numbers: its definition, and the statement that calls it."""

    def __init__(self, name: str, trace: Trace) -> None:
        writer = Writer(TEMPLATES, lambda number: f"real({number!r})")
        self.outputs = [writer.write(output) for output in trace.outputs]
        self.conditions = [writer.write(condition) for condition in merged(trace.conditions)]
        body = writer.lines(*self.outputs, *self.conditions)
        # Parameters and literals among the outputs need not be returned.
        computed = [one for one in dict.fromkeys(self.outputs) if re.fullmatch(r"v\d+", one)]
        parameters = ", ".join(trace.parameters)
        results = "".join(f"{one}, " for one in [*computed, *self.conditions])
        self.definition = [
            f"@straight_line(outputs={len(computed)}, conditions={len(self.conditions)})",
            f"def {name}({parameters}):",
            *indented([*body, f"return ({results})"]),
            "",
        ]
        self.call = [f"({results}) = {name}({parameters})"] if results else []


def by_blocks(
    traces: Callable[[bool], Trace],
    loads: Sequence[str],
    stores: Callable[[Sequence[str], bool], list[str]],
    before: Sequence[str] = (),
) -> tuple[list[str], list[str]]:
    """A loop over blocks of rows, each computed by the short trace, and again by the full one if it has a rare case.

    Args:
        traces: returns the short trace, or the full one for True.
        loads: the lines that read a row.
        stores: returns the lines that write a row's outputs, given their names and whether the trace is the full one.
        before: the lines that stand before the rows of each block.

    Returns:
        The functions that the loop calls, and the loop.
    """
    usual = RowFunction("usual_case", traces(False))
    lines = [
        f"for first in range(start, stop, {NUMBA_BLOCK_ROWS}):",
        f"    last = min(first + {NUMBA_BLOCK_ROWS}, stop)",
        *indented(before),
        "    seen = False",
        "    for i in range(first, last):",
        *indented([*loads, *usual.call, *stores(usual.outputs, False)], 2),
        *indented([f"seen |= {condition}" for condition in usual.conditions], 2),
    ]
    if not usual.conditions:  # nothing is rare
        return usual.definition, lines
    rare = RowFunction("rare_case", traces(True))
    again = [
        "    if seen:",
        "        for i in range(first, last):",
        *indented([*loads, *rare.call, *stores(rare.outputs, True)], 3),
    ]
    return [*usual.definition, *rare.definition], [*lines, *again]


# How a group lies in memory: row and index of component k of size, in a loop over i.
LAYOUTS = {
    "constant": "0, {place}",  # one for all rows: in the array `constants`, where those of all such groups lie
    "rows": "{k}, i",  # component-major: each component contiguous, read in place
    "interleaved": "0, i * {size} + {k}",  # row-major, such as (N, 3): components of a row side by side, read in place
    "strided": "{k}, i - first",  # anything else: copied block by block, within the processor's cache
}


class Kernel(NamedTuple):
    """What a kernel's text depends on.

    `blank` lists outputs that are 0 in every valid row, which it does not write.
    """

    program: Program
    answer: str
    flags: Flags
    dtype: np.dtype[Any]
    layouts: tuple[str, ...]
    blank: tuple[int, ...]

    def text(self) -> str:
        """The kernel's source: the groups that vary are arrays (components, rows), the others lie in one array."""
        loads: dict[bool, list[str]] = {False: [], True: []}
        scratch, staging, varying = [], [], []
        constants = 0
        for name, layout in zip(self.program.groups_of(self.answer), self.layouts, strict=True):
            size = self.program.all_groups[name]
            source = {"strided": f"staged_{name}", "constant": "constants"}.get(layout, name)
            for k in range(size):
                place = LAYOUTS[layout].format(k=k, size=size, place=constants + k)
                loads[layout != "constant"].append(f"{component(name, k)} = load({source}, {place})")
            if layout == "constant":
                constants += size
            else:
                varying.append(name)
            if layout == "strided":
                # Not a power of two long, or all components would fall into the same lines of the cache.
                scratch.append(f"{source} = np.empty(({size}, {NUMBA_BLOCK_ROWS + 8}), real)")
                staging += ["for i in range(first, last):"]
                staging += [f"    {source}[{k}, i - first] = {name}[{k}, i]" for k in range(size)]
        name = f"{self.program.name}_{self.answer}_{self.dtype.name}"
        functions, loop = by_blocks(self.trace, loads[True], self._stores, staging)
        lines = [
            *preamble(self.dtype),
            *functions,
            f"def {name}({', '.join(['start', 'stop', 'constants', *varying, 'out'])}):",
            *indented([*loads[False], *scratch, *loop]),
            f"kernel = {name}",
        ]
        return "\n".join(lines) + "\n"

    def compiled(self) -> Callable[..., Any]:
        """The compiled kernel."""
        return compiled(self)

    def trace(self, rare: bool) -> Trace:
        """The operations of the kernel, in full or without the rare cases."""
        recorded = engine_trace(self.program, self.answer, self.flags, self.dtype, rare)
        return lower(recorded, rare, elementary_formulas(self.dtype))

    def _stores(self, outputs: Sequence[str], rare: bool) -> list[str]:
        rows = len(outputs)
        written = [k for k in range(rows) if rare or k not in self.blank]
        return [f"store(out, {rows}, {k}, {k}, i, {outputs[k]})" for k in written]


@cache
def copied_inputs(program: Program, answer: str, flags: Flags) -> tuple[tuple[int, int, int], ...]:
    """The outputs that are copies of an input: (output, number of the group, component)."""
    places = {}
    for number, name in enumerate(program.groups_of(answer)):
        places |= {component(name, k): (number, k) for k in range(program.all_groups[name])}
    outputs = answer_trace(program, answer, flags, rare=False).outputs
    names = [str(one.inputs[0]) if isinstance(one, Symbol) and one.operation == "name" else "" for one in outputs]
    return tuple((output, *places[name]) for output, name in enumerate(names) if name in places)


# Those that this process has compiled or loaded, of limbs and of tracks, which have a method `compiled`.
kernels: dict[Any, Callable[..., Any]] = {}


def compiled(kernel: Kernel) -> Callable[..., Any]:
    """The compiled kernel; takes start, stop, the constants, the varying groups, the output."""
    import numba

    number = numba.from_dtype(kernel.dtype)
    # One signature for every layout: `load` and `store` look at the strides themselves.
    group = numba.types.Array(number, 2, "A", readonly=True)
    varying = [group for layout in kernel.layouts if layout != "constant"]
    signature = numba.void(numba.intp, numba.intp, group, *varying, numba.types.Array(number, 2, "A"))
    return numba_compiler.compile_kernel(kernel.text(), signature)


def loaded(kernel: Any) -> Callable[..., Any]:
    """The kernel, compiled or found on disk, as one of `kernels` from now on."""
    with numba_compiler.compiling():
        if kernel not in kernels:
            if numba_compiler.usable():
                numba_compiler.import_numba()
            kernels[kernel] = kernel.compiled()
    return kernels[kernel]
