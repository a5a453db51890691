"""Plans: how an answer is computed from inputs that are passed alike, made once and kept from call to call.

A plan is a function of a call's parts, the batch's shape, and memory that may be overwritten; it returns the answer,
(*shape, *its own shape). A part is one input: a tuple of floats where it is the same for all rows, or an array in one
of the layouts "i" (rows, components), "r" (components, rows), both contiguous, or "s", (components, rows) with any
strides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import prod
from operator import itemgetter
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch, loading, numba_compiler, numba_engine, scalar_engine, threads
from limbik.engines.constants import Constants, is_blank, same_bits
from limbik.engines.numba_engine import Kernel
from limbik.engines.programs import Flags, Program
from limbik.engines.splitting import Split, split
from limbik.engines.thresholds import CHECKSUM_BLOCK_ROWS, FLOATS_MAX_ROWS, NUMBA_WAIT_MIN_ROWS, ZEROED_MAX_ROWS
from limbik.engines.trace import Aliases

Part = Any  # tuple[float, ...] | Array
Plan = Callable[[Sequence[Part], tuple[int, ...], Array | None], Array]

FLOAT64 = np.dtype(np.float64)
KERNEL_LAYOUTS = {"c": "constant", "i": "interleaved", "r": "rows", "s": "strided"}


class Formula(NamedTuple):
    """An answer of a program as a function of the parts of a call."""

    program: Program
    answer: str
    flags: Flags
    names: tuple[str, ...]  # of the inputs that a call passes, in order
    aliases: Aliases = ()  # inputs that equal one of those
    fixed: dict[str, tuple[float, ...]] = {}  # the other inputs  # noqa: RUF012


def plan_one(formula: Formula) -> Plan:
    """The plan for one limb, whose parts are all tuples: on plain floats."""
    program, answer, flags, names, aliases, fixed = formula
    on_floats = scalar_engine.binder(program, answer, flags, names, aliases)(fixed)
    if not program.answers[answer].built_on:
        return on_floats
    on_rows = PlanOfRows(formula, "c" * len(names), FLOAT64)

    def run(parts: Sequence[Part], shape: tuple[int, ...], memory: Array | None = None) -> Array:
        try:
            return on_floats(parts)
        except (ArithmeticError, ValueError):  # floats cannot divide by 0 or floor NaN
            return on_rows(parts, shape, memory)

    return run


class PlanOfRows:
    """The plan for a batch whose parts lie in memory as `layouts` says, a letter for each; "c" for a tuple.

    Which engine runs it never shows in the answers: below NUMBA_WAIT_MIN_ROWS, where that depends on what ran before,
    every engine computes what all of them round alike, and NumPy the rest. Where bits need not be `alike`, the choice
    may show in the last ones.
    """

    def __init__(self, formula: Formula, layouts: str, dtype: np.dtype[Any], *, alike: bool = True) -> None:
        program, answer, flags, *_ = formula
        self._formula, self._layouts, self._dtype = formula, layouts, dtype
        self._shape = program.answers[answer].shape
        self._orders: dict[int, tuple[int, ...]] = {}  # of axes, by how many a batch has
        self._split = split(program, answer, flags) if alike else Split(program, answer, prod(self._shape), (), ())
        # What all engines round alike, and the whole answer; mostly they are the same.
        self._alike = self._split and _Rows(
            formula._replace(program=self._split.program, answer=self._split.answer), layouts, dtype
        )
        self._whole = self._alike if self._split and self._split.program is program else None

    def __call__(self, parts: Sequence[Part], shape: tuple[int, ...], memory: Array | None = None) -> Array:
        """The answer, (*shape, *its own shape)."""
        if len(shape) == 1:
            return self._batch_first(self.numbers(parts, shape[0], memory), shape)
        return self._batch_first(self.numbers(parts, prod(shape), memory), shape)

    def numbers(self, parts: Sequence[Part], rows: int, memory: Array | None = None) -> Array:
        """The answer as (numbers, rows)."""
        forced = dispatch.chosen()
        if forced is None and rows < NUMBA_WAIT_MIN_ROWS and self._alike is not None:
            found = self._alike.run(parts, rows, memory)
            assert self._split is not None
            return self._split.finish(found) if self._split.angles else found
        whole = self._for_many_rows()
        if dispatch.waits_for_numba(self._formula.program, rows):
            try:
                return whole.run_on_kernel(loading.loaded, parts, rows, memory)
            except numba_compiler.NumbaUnusableError:
                pass
        return whole.run_on_numpy(parts, rows, memory)

    def with_checksum(
        self, parts: Sequence[Part], shape: tuple[int, ...], memory: Array | None = None
    ) -> tuple[Array, int | None]:
        """The answer and the checksum of the arrays among the parts; None where Numba does not run the batch."""
        rows = prod(shape)
        if dispatch.waits_for_numba(self._formula.program, rows):
            varying = _arrays_of_rows(parts, self._layouts)
            try:
                found, total = self._for_many_rows().run_with_checksum(parts, varying, rows, memory)
                return self._batch_first(found, shape), total
            except numba_compiler.NumbaUnusableError:
                pass
        return self(parts, shape, memory), None

    def _for_many_rows(self) -> _Rows:
        if self._whole is None:
            self._whole = _Rows(self._formula, self._layouts, self._dtype)
        return self._whole

    def _batch_first(self, numbers: Array, shape: tuple[int, ...]) -> Array:
        own = self._shape
        if len(shape) == 1:
            return numbers.T if len(own) == 1 else numbers.reshape(*own, shape[0]).transpose(2, 0, 1)
        order = self._orders.get(len(shape))
        if order is None:
            axes = len(own), len(own) + len(shape)
            order = self._orders[len(shape)] = (*range(*axes), *range(axes[0]))
        return numbers.reshape(own + shape).transpose(order)


class _Bound(NamedTuple):
    """What the parts that are tuples determine."""

    same: Constants  # those parts
    constants: Array  # the kernel's, (1, numbers)
    kernel: Kernel
    zeros: slice | list[int] | None  # outputs that are 0 in every row, which the kernel does not write


class _Rows:
    """A formula on many rows: by its kernel, on NumPy, or on plain floats."""

    def __init__(self, formula: Formula, layouts: str, dtype: np.dtype[Any]) -> None:
        program, answer, flags, names, aliases, fixed = formula
        self._formula, self._layouts, self._dtype = formula, layouts, dtype
        self._size = program.answers[answer].size
        same = dict(aliases)
        # Of each group that the formula reads: the part that it is, or its numbers.
        wanted = [same.get(name, name) for name in program.groups_of(answer)]
        self._sources: list[Any] = [names.index(name) if name in names else fixed[name] for name in wanted]
        read = [k for k in self._sources if type(k) is int]
        self._kernel_layouts = tuple(
            KERNEL_LAYOUTS[layouts[k]] if type(k) is int else "constant" for k in self._sources
        )
        self._pick_arrays = _picker([k for k in read if layouts[k] != "c"])
        self._pick_same = _picker([k for k in dict.fromkeys(read) if layouts[k] == "c"])
        sizes = [program.all_groups[name] for name in program.groups_of(answer)]
        places, first = [], 0  # of the constants of each group in the kernel's
        for size, layout in zip(sizes, self._kernel_layouts, strict=True):
            places.append(first)
            first += size * (layout == "constant")
        # Outputs that are copies of a constant, and its place.
        self._copies = [
            (output, places[number] + k)
            for output, number, k in numba_engine.copied_inputs(program, answer, flags)
            if self._kernel_layouts[number] == "constant"
        ]
        self._kernels: dict[tuple[int, ...], tuple[Kernel, slice | list[int] | None]] = {}  # by outputs that are 0
        self._bound: _Bound | None = None
        self._write: Callable[..., None] | None = None  # one row, on plain floats

    def run(self, parts: Sequence[Part], rows: int, memory: Array | None) -> Array:
        """The answer, (numbers, rows), by the kernel if it is ready."""
        bound = self._bind(parts)
        if (work := loading.kernels.get(bound.kernel)) is None:
            return self._run_without_kernel(bound.kernel, parts, rows, memory)
        out = self._memory_for_kernel(bound, rows, memory)
        if rows < 2 * self._formula.program.rows_per_thread:
            work(0, rows, bound.constants, *self._pick_arrays(parts), out)
        else:
            self._spread(work, rows, bound.constants, *self._pick_arrays(parts), out)
        return out

    def run_on_kernel(
        self, load: Callable[[Kernel], Callable[..., Any]], parts: Sequence[Part], rows: int, memory: Array | None
    ) -> Array:
        """The answer, (numbers, rows), by the kernel, which is loaded or compiled first."""
        bound = self._bind(parts)
        work = loading.kernels.get(bound.kernel) or load(bound.kernel)
        out = self._memory_for_kernel(bound, rows, memory)
        self._spread(work, rows, bound.constants, *self._pick_arrays(parts), out)
        return out

    def run_with_checksum(
        self, parts: Sequence[Part], varying: Sequence[Array], rows: int, memory: Array | None
    ) -> tuple[Array, int]:
        """The answer by the kernel, and the checksum of arrays, each read once for both."""
        from limbik.engines.checksums import Checksum

        bound = self._bind(parts)
        work = loading.kernels.get(bound.kernel) or loading.loaded(bound.kernel)
        arrays, out = self._pick_arrays(parts), self._memory_for_kernel(bound, rows, memory)
        checksum = Checksum(varying)

        def run_part(start: int, stop: int) -> int:
            total = 0
            for first in range(start, stop, CHECKSUM_BLOCK_ROWS):
                last = min(first + CHECKSUM_BLOCK_ROWS, stop)
                work(first, last, bound.constants, *arrays, out)
                total += checksum.of(first, last)  # while they are in the processor's cache
            return total

        return out, sum(self._spread(run_part, rows)) % 2**64

    def run_on_numpy(self, parts: Sequence[Part], rows: int, memory: Array | None) -> Array:
        """The answer, (numbers, rows), by NumPy."""
        out = memory if self._fits(memory, rows) else np.empty((self._size, rows), self._dtype)
        assert out is not None
        program, answer, flags, *_ = self._formula
        columns: dict[int, Array] = {}
        groups = []
        for source in self._sources:
            if type(source) is tuple:
                groups.append(np.array(source, self._dtype).reshape(-1, 1))
                continue
            if source not in columns:
                part = parts[source]
                if type(part) is tuple:
                    columns[source] = np.array(part, self._dtype).reshape(-1, 1)
                else:
                    columns[source] = part.T if self._layouts[source] == "i" else part
            groups.append(columns[source])
        return dispatch.run_on_numpy(program, answer, flags, groups, self._dtype, out)

    def _run_without_kernel(self, kernel: Kernel, parts: Sequence[Part], rows: int, memory: Array | None) -> Array:
        """The answer on plain floats or NumPy; how long that takes decides when the kernel is loaded."""
        started = perf_counter()
        found = None
        if rows <= FLOATS_MAX_ROWS and self._dtype == FLOAT64:
            found = self._run_on_floats(parts, rows)
        if found is None:
            found = self.run_on_numpy(parts, rows, memory)
        elif memory is not None and self._fits(memory, rows):
            np.copyto(memory, found)
            found = memory
        if self._formula.program.kernels:
            loading.note(kernel, perf_counter() - started)
        return found

    def _run_on_floats(self, parts: Sequence[Part], rows: int) -> Array | None:
        """The answer row by row; None where floats cannot do it, as they cannot divide by 0."""
        program, answer, flags, names, aliases, fixed = self._formula
        if self._write is None:
            self._write = scalar_engine.binder(program, answer, flags, names, aliases, into=True)(fixed)
        columns = [
            [part] * rows if layout == "c" else (part if layout == "i" else part.T).tolist()
            for part, layout in zip(parts, self._layouts, strict=True)
        ]
        numbers, step = np.empty((rows, self._size)), 8 * self._size  # bytes
        try:
            for k, row in enumerate(zip(*columns, strict=True)):
                self._write(numbers, k * step, row)
        except (ArithmeticError, ValueError):
            return None
        return np.ascontiguousarray(numbers.T)

    def _bind(self, parts: Sequence[Part]) -> _Bound:
        """The kernel for the constants among the parts, which are mostly the same objects as in the call before."""
        same, bound = self._pick_same(parts), self._bound
        if bound is not None and same_bits(bound.same, same):
            return bound
        numbers: list[float] = []
        for source, layout in zip(self._sources, self._kernel_layouts, strict=True):
            if layout == "constant":
                numbers += parts[source] if type(source) is int else source
        blank = tuple([output for output, place in self._copies if is_blank(numbers[place])])
        found = self._kernels.get(blank)
        if found is None:
            together = bool(blank) and blank[-1] - blank[0] < len(blank)
            zeros = slice(blank[0], blank[-1] + 1) if together else list(blank) or None
            program, answer, flags, *_ = self._formula
            kernel = Kernel(program, answer, flags, self._dtype, self._kernel_layouts, blank)
            found = self._kernels[blank] = kernel, zeros
        self._bound = bound = _Bound(same, np.array([numbers], self._dtype), *found)
        return bound

    def _fits(self, memory: Array | None, rows: int) -> bool:
        return memory is not None and memory.shape == (self._size, rows) and memory.dtype is self._dtype

    def _memory_for_kernel(self, bound: _Bound, rows: int, memory: Array | None) -> Array:
        """An array (numbers, rows) with 0 where the kernel does not write."""
        if memory is not None and self._fits(memory, rows):
            if bound.zeros is not None:
                memory[bound.zeros] = 0
            return memory
        # So much memory is fresh from the system, and 0.
        if rows < ZEROED_MAX_ROWS or (bound.zeros is not None and rows >= NUMBA_WAIT_MIN_ROWS):
            return np.zeros((self._size, rows), self._dtype)
        out = np.empty((self._size, rows), self._dtype)
        if bound.zeros is not None:
            out[bound.zeros] = 0
        return out

    def _spread(self, work: Callable[..., Any], rows: int, *arguments: Any) -> list[Any]:
        return threads.spread(work, rows, *arguments, rows_per_thread=self._formula.program.rows_per_thread)


def _picker(places: Sequence[int]) -> Callable[[Sequence[Part]], tuple[Any, ...]]:
    """A function from parts to a tuple of some of them."""
    if len(places) == 1:
        one = places[0]
        return lambda parts: (parts[one],)
    return itemgetter(*places) if places else lambda parts: ()


def _arrays_of_rows(parts: Sequence[Part], layouts: str) -> list[Any]:
    """The arrays among the parts, (components, rows)."""
    return [part.T if layout == "i" else part for part, layout in zip(parts, layouts, strict=True) if layout != "c"]


def checksum_of(parts: Sequence[Part], layouts: str, rows: int) -> int:
    """The checksum that `PlanOfRows.with_checksum` returns beside an answer."""
    from limbik.engines.checksums import Checksum

    return sum(threads.spread(Checksum(_arrays_of_rows(parts, layouts)).of, rows)) % 2**64


@cache
def _plan_of_groups(
    program: Program, answer: str, flags: Flags, layouts: str, dtype: np.dtype[Any], alike: bool
) -> PlanOfRows:
    return PlanOfRows(Formula(program, answer, flags, program.groups_of(answer)), layouts, dtype, alike=alike)


def run_groups(
    program: Program,
    answer: str,
    flags: Flags,
    groups: Sequence[Array],
    rows: int,
    dtype: np.dtype[Any],
    out: Array | None = None,
    *,
    alike: bool = True,
) -> Array:
    """An answer for many rows, (numbers, rows), from all groups that it reads, (components, rows) or (components, 1).

    Written into `out` where that fits. Without `alike`, the engine may show in the last bits.
    """
    parts: list[Part] = []
    layouts = ""
    for group in groups:
        if group.shape[1] == 1:
            layout, part = "c", tuple(group[:, 0].tolist())
        elif group.strides[1] == group.itemsize:
            layout, part = "r", group
        elif group.T.flags.c_contiguous:
            layout, part = "i", group.T
        else:
            layout, part = "s", group
        layouts += layout
        parts.append(part)
    return _plan_of_groups(program, answer, flags, layouts, dtype, alike).numbers(parts, rows, out)
