"""The Numba engine: a trace compiled into one SIMD loop, which gives the same bits as NumPy except for atan2, sin, cos.

Kernels are generated as text, one for each combination of answer, flags, number type and memory layout of the groups,
and compiled when first used. `kernel_cache` keeps their machine code for other processes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines import numba_compiler, numpy_engine, threads
from limbik.engines.generated_source import indented
from limbik.engines.programs import Flags, Program
from limbik.engines.stages import ROWS, stages
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


LINE = 64  # bytes of a line of the cache, and of the widest vectors

# Rows computed together; a block in which one row is a rare case is computed again by the full trace.
BLOCK = 512

# Weights of a block's rows in the checksum of the inputs. Odd, so that no change of a single row goes unnoticed, and
# 2 (i - j) modulo 1024 apart, so that no two rows can be exchanged unnoticed.
_rows = np.arange(BLOCK, dtype=np.uint64)
for _shift, _factor in ((4, 0x165), (5, 0x1B3), (3, 0x0D7)):  # permutations; importing np.random takes long
    _rows = (_rows ^ (_rows >> np.uint64(_shift))) * np.uint64(_factor) % np.uint64(BLOCK)
WEIGHTS = (np.uint64(2) * _rows + np.uint64(1))[None] * np.uint64(0x9E3779B97F4A7C15)
WEIGHTS = {8: WEIGHTS, 4: WEIGHTS.astype(np.uint32)}  # by the size of a number

# A block's total becomes part of the checksum: mixed with the block's place, so that blocks cannot be exchanged either.
MIX_BLOCK = (
    "mixed = np.uint64(total) + np.uint64(first + 1) * np.uint64(0x9E3779B97F4A7C15)",
    "mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)",
    "mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)",
    "checksum += mixed ^ (mixed >> np.uint64(31))",
)


def preamble(dtype: np.dtype[Any]) -> list[str]:
    """The first lines of every kernel: imports and constants."""
    constants = numpy_engine.constants(dtype).items()
    return [
        "import numpy as np",
        "from limbik.engines.numba_intrinsics import add_weighted, carry, fetch, fold_bits, load, store",
        "from limbik.engines.numba_lowering import straight_line",
        f"real, word = np.{dtype.name}, np.uint{8 * dtype.itemsize}",
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


class Loop(NamedTuple):
    """What a loop over rows does besides the formula."""

    varying: Sequence[str]  # the parameters that `loads` reads for each row, to cut the loop into stages; or none
    loads: Sequence[str]
    stores: Callable[[Mapping[int, str], bool], list[str]]  # of outputs, by number, and whether for the full trace
    rows: int  # of the output
    before: Sequence[str] = ()  # once for each block
    folds: Sequence[str] = ()  # once for each row


def by_blocks(traces: Callable[[bool], Trace], loop: Loop) -> tuple[list[str], list[str], list[str]]:
    """A loop over blocks of rows, each computed by the short trace, and again by the full one if it has a rare case.

    `traces` returns the short one, or the full one for True.

    Returns:
        The functions that the loop calls, what stands before it, and the loop.
    """
    parts = stages(traces(False), loop.varying)
    usual = [RowFunction(f"usual_case_{k}", part.trace) for k, part in enumerate(parts)]
    lines = [
        f"for first in range(start, stop, {BLOCK}):",
        f"    last = min(first + {BLOCK}, stop)",
        *indented(loop.before),
        f"    for part in range(first, last, {ROWS}):",
        f"        end = min(part + {ROWS}, last)",
        "        seen = False",
    ]
    count = sum(len(part.carries) for part in parts)
    for part, function in zip(parts, usual, strict=True):
        names = function.outputs
        own = len(part.results)
        loads = [f"carried_{k} = fetch(carried, {loop.rows}, {k}, i - part)" for k in part.carried]
        carries = [
            f"carry(carried, {loop.rows}, {count}, {k}, i - part, {name})"
            for k, name in zip(part.carries, names[own:], strict=True)
        ]
        body = [
            *([*loop.loads, *loop.folds] if part is parts[0] else loads),
            *function.call,
            *loop.stores(dict(zip(part.results, names[:own], strict=True)), False),
            *carries,
            *(f"seen_now |= {condition}" for condition in function.conditions),
        ]
        lines += indented(["seen_now = False", "for i in range(part, end):", *indented(body), "seen |= seen_now"], 2)
    setup = aligned("carried", count, ROWS) if count else []
    functions = [line for function in usual for line in function.definition]
    if not any(function.conditions for function in usual):  # nothing is rare
        return functions, setup, lines
    rare = RowFunction("rare_case", traces(True))
    again = [
        "        if seen:",
        "            for i in range(part, end):",
        *indented([*loop.loads, *rare.call, *loop.stores(dict(enumerate(rare.outputs)), True)], 4),
    ]
    return [*functions, *rare.definition], setup, [*lines, *again]


def aligned(name: str, rows: int, columns: int) -> list[str]:
    """The lines that make an array whose rows begin with lines of the cache, so that no vector lies across two."""
    return [
        f"space = np.empty({rows * columns + LINE}, real)",
        f"skipped = ({LINE} - space.ctypes.data % {LINE}) % {LINE} // space.itemsize",
        f"{name} = space[skipped : skipped + {rows * columns}].reshape(({rows}, {columns}))",
    ]


# How a group lies in memory: row and index of component k of size, in a loop over i.
LAYOUTS = {
    "constant": "0, {place}",  # one for all rows: in the array `constants`, where those of all such groups lie
    "rows": "{k}, i",  # component-major: each component contiguous, read in place
    "interleaved": "0, i * {size} + {k}",  # row-major, such as (N, 3): components of a row side by side, read in place
    "strided": "{k}, i - first",  # anything else: copied block by block, within the processor's cache
}


# From this number of rows on, a kernel pays that takes up to four times as long to compile and a tenth less to run: one
# cut into stages, where arithmetic is the limit, not memory (for angles).
MANY = 10_000
# Groups whose default is one number: such kernels have it in their text, where the compiler can leave it out.
DEFAULTS = {"origin": 0.0, "signs": 1.0}


class Kernel(NamedTuple):
    """What a kernel's text depends on.

    `blank` lists outputs that are 0 in every valid row, which it does not write. `staged` says that it is cut into
    stages; `default` lists the groups that have their DEFAULTS, where that is made use of.
    """

    program: Program
    answer: str
    flags: Flags
    dtype: np.dtype[Any]
    layouts: tuple[str, ...]
    blank: tuple[int, ...]
    staged: bool = False
    default: tuple[str, ...] = ()

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
                value = f"real({DEFAULTS[name]})" if name in self.default else f"load({source}, {place})"
                loads[layout != "constant"].append(f"{component(name, k)} = {value}")
            if layout == "constant":
                constants += size
            else:
                varying.append(name)
            if layout == "strided":
                # Not a power of two long, or all components would fall into the same lines of the cache.
                scratch.append(f"{source} = np.empty(({size}, {BLOCK + 8}), real)")
                staging += ["for i in range(first, last):"]
                staging += [f"    {source}[{k}, i - first] = {name}[{k}, i]" for k in range(size)]
        name = f"{self.program.name}_{self.answer}_{self.dtype.name}"
        inputs = [line.partition(" = ")[0] for line in loads[True]] if self.staged else []
        rows = self.program.answers[self.answer].size
        body = Loop(inputs, loads[True], self._stores, rows, ["total = word(0)", *staging], self._folds())
        functions, setup, loop = by_blocks(self.trace, body)
        lines = [
            *preamble(self.dtype),
            *functions,
            f"def {name}({', '.join(['start', 'stop', 'weights', 'constants', *varying, 'out'])}):",
            *indented([*loads[False], *scratch, *setup, "checksum = np.uint64(0)"]),
            *indented(loop),
            *indented(indented(MIX_BLOCK)),
            "    return checksum",
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

    def _folds(self) -> list[str]:
        """The lines that add a row to its block's checksum: the pose's groups, which every answer depends on."""
        varying = [
            component(name, k)
            for name, layout in zip(self.program.groups, self.layouts, strict=False)
            if layout != "constant"
            for k in range(self.program.groups[name])
        ]
        folds = [f"bits = fold_bits(bits, {name}, {11 * k})" for k, name in enumerate(varying)]
        return ["bits = word(0)", *folds, "total = add_weighted(total, bits, load(weights, 0, i - first))"]

    def _stores(self, outputs: Mapping[int, str], rare: bool) -> list[str]:
        rows = self.program.answers[self.answer].size
        written = {k: name for k, name in outputs.items() if rare or k not in self.blank}
        return [f"store(out, {rows}, {k}, {k}, i, {name})" for k, name in written.items()]


@cache
def copied_inputs(program: Program, answer: str, flags: Flags) -> tuple[tuple[int, int, int], ...]:
    """The outputs that are copies of an input: (output, number of the group, component)."""
    places = {}
    for number, name in enumerate(program.groups_of(answer)):
        places |= {component(name, k): (number, k) for k in range(program.all_groups[name])}
    outputs = answer_trace(program, answer, flags, rare=False).outputs
    names = [str(one.inputs[0]) if isinstance(one, Symbol) and one.operation == "name" else "" for one in outputs]
    return tuple((output, *places[name]) for output, name in enumerate(names) if name in places)


def _default(name: str, group: Array) -> bool:
    """Whether a group has its default, with the sign of zero."""
    if name not in DEFAULTS or group.shape[1] > 1:
        return False
    return group.tobytes() == np.full_like(group, DEFAULTS[name]).tobytes()


def kernel_for(program: Program, answer: str, flags: Flags, groups: Sequence[Array], dtype: np.dtype[Any]) -> Kernel:
    """The kernel for these groups, (components, rows) or (components, 1)."""
    layouts, blank, most = [], [], 0
    for group in groups:
        components, rows = group.shape
        most = max(most, rows)
        between_components, between_rows = group.strides
        if rows == 1:
            layouts.append("constant")
        elif between_rows == group.itemsize:
            layouts.append("rows")
        elif between_components == group.itemsize and between_rows == components * group.itemsize:
            layouts.append("interleaved")
        else:
            layouts.append("strided")
    for output, number, k in copied_inputs(program, answer, flags):
        # What cleared memory holds: 0.0, and not −0.0.
        if layouts[number] == "constant" and groups[number][k, 0] == 0 and not np.signbit(groups[number][k, 0]):
            blank.append(output)
    staged = most >= MANY and not answer_trace(program, answer, flags, rare=False).rounds_alike
    default: tuple[str, ...] = ()
    if staged:
        named = zip(program.groups_of(answer), groups, strict=True)
        default = tuple(name for name, group in named if _default(name, group))
    return Kernel(program, answer, flags, dtype, tuple(layouts), tuple(blank), staged, default)


# Those that this process has compiled or loaded, of limbs and of tracks, which have a method `compiled`.
kernels: dict[Any, Callable[..., Any]] = {}


def compiled(kernel: Kernel) -> Callable[..., Any]:
    """The compiled kernel; takes start, stop, the checksum's weights, the constants, the varying groups, the output."""
    import numba

    number = numba.from_dtype(kernel.dtype)
    # One signature for every layout: `load` and `store` look at the strides themselves.
    group = numba.types.Array(number, 2, "A", readonly=True)
    words = numba.types.Array(numba.from_dtype(WEIGHTS[kernel.dtype.itemsize].dtype), 2, "A", readonly=True)
    varying = [group for layout in kernel.layouts if layout != "constant"]
    signature = numba.uint64(numba.intp, numba.intp, words, group, *varying, numba.types.Array(number, 2, "A"))
    return numba_compiler.compile_kernel(kernel.text(), signature)


def run(kernel: Kernel, groups: Sequence[Array], rows: int, out: Array | None = None) -> tuple[Array, int]:
    """An answer for many rows, (numbers, rows), from groups of shape (components, rows) or (components, 1).

    Written into `out`, if there is one. The checksum is that of the pose's groups that vary from row to row, whatever
    the answer: two answers with the same one come from the same inputs.

    Raises:
        NumbaUnusableError: where Numba cannot compile the kernel.
    """
    work = kernels.get(kernel) or loaded(kernel)
    program, answer, _, dtype, layouts, blank, *_ = kernel
    constants, varying = [], []
    for group, layout in zip(groups, layouts, strict=True):
        (constants if layout == "constant" else varying).append(group)
    packed = np.concatenate(constants).reshape(1, -1) if constants else np.empty((1, 0), dtype)
    if out is None:
        shape = (program.answers[answer].size, rows)
        out = np.zeros(shape, dtype) if blank else np.empty(shape, dtype)
    elif blank:
        out[list(blank)] = 0
    given = WEIGHTS[dtype.itemsize], packed, *varying, out
    return out, sum(threads.spread(work, rows, *given, worth=program.rows_per_thread)) % 2**64


def loaded(kernel: Any) -> Callable[..., Any]:
    """The kernel, compiled or found on disk, as one of `kernels` from now on."""
    with numba_compiler.compiling():
        if kernel not in kernels:
            if numba_compiler.usable():
                numba_compiler.import_numba()
            kernels[kernel] = kernel.compiled()
    return kernels[kernel]
