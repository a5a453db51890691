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

from limbik.engines import numpy_engine
from limbik.engines.generated_source import indented
from limbik.engines.numba_compiler import array_type, nothing_from
from limbik.engines.programs import Flags, Program
from limbik.engines.splitting import Split, split
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
        "from limbik.engines.numba_intrinsics import fetch, load, store",
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


class RowLoop:
    """A loop over the rows of a block, by the short trace, and again by the full one if a row is a rare case.

    Args:
        name: of the functions that it calls.
        traces: returns the short trace, or the full one for True.
        loads: the lines that read a row.
        stores: returns the lines that write a row's outputs, given their names and whether the trace is the full one.
    """

    def __init__(
        self,
        name: str,
        traces: Callable[[bool], Trace],
        loads: Sequence[str],
        stores: Callable[[Sequence[str], bool], list[str]],
    ) -> None:
        usual = RowFunction(f"usual_{name}", traces(False))
        self.functions = usual.definition
        self.lines = [
            "seen = False",
            "for i in range(first, last):",
            *indented([*loads, *usual.call, *stores(usual.outputs, False)]),
            *indented([f"seen |= {condition}" for condition in usual.conditions]),
        ]
        if usual.conditions:
            rare = RowFunction(f"rare_{name}", traces(True))
            again = indented([*loads, *rare.call, *stores(rare.outputs, True)], 2)
            self.functions = [*usual.definition, *rare.definition]
            self.lines += ["if seen:", "    for i in range(first, last):", *again]


def by_blocks(lines: Sequence[str]) -> list[str]:
    """Lines of a loop over blocks of rows, from `first` to `last`."""
    head = f"for first in range(start, stop, {NUMBA_BLOCK_ROWS}):"
    return [head, f"    last = min(first + {NUMBA_BLOCK_ROWS}, stop)", *indented(lines)]


def block_memory(name: str, components: int) -> str:
    """The line that makes an array for a block's rows."""
    # Not a power of two long, or all components would fall into the same lines of the cache.
    return f"{name} = np.empty(({components}, {NUMBA_BLOCK_ROWS + 8}), real)"


class AngleLoops:
    """The angles of an answer, two at a time in loops of their own: a processor looks some hundred steps ahead.

    In one long loop it would see one row, in which roots and divisions wait for one another. The first loop leaves the
    arguments of atan2 in an array `angles`, of a block's rows, which stays in the cache.
    """

    def __init__(self, split: Split, outputs: Sequence[Symbol | float], dtype: np.dtype[Any]) -> None:
        self._split, self._outputs, self._dtype = split, outputs, dtype
        # The rows of that array: y of all angles, x of all, and what is added to some.
        self._places = {k: row for row, k in enumerate([*split.angles, *range(split.size, split.memory)])}
        self._count = split.size + len(self._places)  # of rows that are written to
        self.memory = block_memory("angles", len(self._places))

    def keep(self, k: int, name: str) -> str:
        """The line that writes output k of the first loop."""
        row = self._places.get(k)
        if row is None:
            return f"store(out, {self._count}, {k}, {k}, i, {name})"
        return f"store(angles, {self._count}, {self._split.size + row}, {row}, i - first, {name})"

    def loops(self) -> list[RowLoop]:
        """The loops after the first."""
        angles = self._split.angles
        return [self._loop(angles[first : first + 2]) for first in range(0, len(angles), 2)]

    def _loop(self, angles: Sequence[int]) -> RowLoop:
        split, loads, formulas = self._split, [], []
        for k in angles:
            row = self._places[k]
            rows = [row, row + len(split.angles)]
            if k in split.turned:
                rows.append(2 * len(split.angles) + split.turned.index(k))
            loads += [f"a{one} = fetch(angles, {self._count}, {split.size + one}, {one}, i - first)" for one in rows]
            y, x, *turn = (Symbol("name", f"a{one}") for one in rows)
            formulas.append(sum(turn, Symbol(_angle_operation(self._outputs[k]), y, x)))
        names = tuple(line.partition(" = ")[0] for line in loads)
        trace = Trace("angles", names, tuple(formulas), ())

        def stores(outputs: Sequence[str], rare: bool) -> list[str]:
            return [f"store(out, {self._count}, {k}, {k}, i, {name})" for k, name in zip(angles, outputs, strict=True)]

        return RowLoop(
            f"angles_{angles[0]}", lambda rare: lower(trace, rare, elementary_formulas(self._dtype)), loads, stores
        )


def _angle_operation(output: Any) -> str:
    """Which operation an angle is, atan2 or that of a unit vector: the outermost one."""
    waiting = [output]
    for step in waiting:
        if isinstance(step, Symbol):
            if step.operation in ("atan2", "unit_angle"):
                return step.operation
            waiting += step.inputs
    raise AssertionError("an angle has such an operation")


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
                scratch.append(block_memory(source, size))
                staging += ["for i in range(first, last):"]
                staging += [f"    {source}[{k}, i - first] = {name}[{k}, i]" for k in range(size)]
        name = f"{self.program.name}_{self.answer}_{self.dtype.name}"
        loops = [RowLoop("case", self.trace, loads[True], self._stores)]
        if angles := self._angles():
            scratch.append(angles.memory)
            loops += angles.loops()
        lines = [
            *preamble(self.dtype),
            *(line for loop in loops for line in loop.functions),
            f"def {name}({', '.join(['start', 'stop', 'constants', *varying, 'out'])}):",
            *indented([*loads[False], *scratch]),
            *indented(by_blocks([*staging, *(line for loop in loops for line in loop.lines)])),
            f"kernel = {name}",
        ]
        return "\n".join(lines) + "\n"

    def signature(self) -> str:
        """It takes start, stop, the constants, the varying groups, the output: any strides, which `load` looks at."""
        group = array_type(self.dtype.name, 2, "A")
        varying = [group for layout in self.layouts if layout != "constant"]
        return nothing_from("intp", "intp", group, *varying, array_type(self.dtype.name, 2, "A", written=True))

    def trace(self, rare: bool) -> Trace:
        """The operations of the kernel, or of its first loop, in full or without the rare cases."""
        parts = self._angles() and split(self.program, self.answer, self.flags)
        program, answer = (parts.program, parts.answer) if parts else (self.program, self.answer)
        recorded = engine_trace(program, answer, self.flags, self.dtype, rare)
        return lower(recorded, rare, elementary_formulas(self.dtype))

    def _stores(self, outputs: Sequence[str], rare: bool) -> list[str]:
        rows, angles = len(outputs), self._angles()
        written = [k for k in range(rows) if rare or k not in self.blank]
        if angles:
            return [angles.keep(k, outputs[k]) for k in written]
        return [f"store(out, {rows}, {k}, {k}, i, {outputs[k]})" for k in written]

    def _angles(self) -> AngleLoops | None:
        """The loops of its angles, where the arguments of atan2 can be had before."""
        parts = split(self.program, self.answer, self.flags)
        if not parts or not parts.angles:
            return None
        return AngleLoops(parts, answer_trace(self.program, self.answer, self.flags, rare=False).outputs, self.dtype)


@cache
def copied_inputs(program: Program, answer: str, flags: Flags) -> tuple[tuple[int, int, int], ...]:
    """The outputs that are copies of an input: (output, number of the group, component)."""
    places = {}
    for number, name in enumerate(program.groups_of(answer)):
        places |= {component(name, k): (number, k) for k in range(program.all_groups[name])}
    outputs = answer_trace(program, answer, flags, rare=False).outputs
    names = [str(one.inputs[0]) if isinstance(one, Symbol) and one.operation == "name" else "" for one in outputs]
    return tuple((output, *places[name]) for output, name in enumerate(names) if name in places)
