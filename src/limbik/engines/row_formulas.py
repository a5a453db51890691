"""Formulas over rows of numbers that are no limbs, such as the legs of creatures: one call for all operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch, loading, plans, scalar_engine
from limbik.engines.generated_source import indented
from limbik.engines.numba_compiler import array_type, nothing_from
from limbik.engines.numba_engine import Kernel, RowFunction, preamble
from limbik.engines.programs import Answer, Program
from limbik.engines.robot_flags import NoFlags
from limbik.engines.thresholds import FLOATS_MAX_FORMULA_ROWS, NUMBA_WAIT_MIN_ROWS, SMALL_KERNEL_MAX_ROWS
from limbik.engines.trace import Trace, answer_trace, component, record

MAX_KEPT_CALLS = 64  # sizes of groups for which a formula keeps what it needs
GROUP = "rows"  # of kernels that are needed together: those of all formulas
FLAGS = NoFlags()
FLOAT64 = np.dtype(np.float64)
NONE = np.empty((1, 0))


class FewRowsKernel:
    """The kernel of a formula for a few rows, called with as little around it as possible; told apart by identity.

    A kernel of `numba_engine` takes arrays (components, rows), so that its loop becomes SIMD code. For a few rows,
    making these arrays takes several times as long as the kernel itself. This one takes groups as they lie in memory,
    and goes through each by an index of its own.

    Args:
        trace: returns the operations of one row, without conditions.
        groups: the number of components of each group.
        booleans: the groups that are arrays of bool.
    """

    def __init__(self, trace: Callable[[], Trace], groups: Mapping[str, int], booleans: frozenset[str]) -> None:
        self._trace, self._groups, self._booleans = trace, groups, booleans

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
        groups = [array_type("boolean" if name in self._booleans else "float64", 1, "C") for name in self._groups]
        return nothing_from("intp", array_type("float64", 2, "C", written=True), *groups)


class _Call(NamedTuple):
    """What calls with groups of the same sizes have in common."""

    rows: int
    kernel: Kernel
    varying: list[tuple[int, int]]  # number and components of each group that is not the same for all rows
    repeated: list[tuple[int, int]]  # places among them of those with a part of the rows, and how often it repeats
    same: list[int]  # numbers of the other groups


class RowFormula:
    """A formula of groups of components, computed for many rows at once by the engine that suits their number.

    It must not contain transcendental functions, which engines round differently: pass their values.

    Args:
        formula: takes a tuple of symbols for each group, or a symbol for a group of one; returns nested tuples.
        groups: the number of components of each group, in the order of the formula's parameters; `bool` for booleans,
            which the formula sees as the numbers 1 and 0.
    """

    def __init__(self, formula: Callable[..., Any], **groups: int | type[bool]) -> None:
        self._formula = formula
        named = {f"group_{name}": size for name, size in groups.items()}  # unlike any name in a kernel
        self._groups = {name: 1 if size is bool else int(size) for name, size in named.items()}
        self._sizes = tuple(self._groups.values())
        self._first = self._sizes[0]
        booleans = frozenset(name for name, size in named.items() if size is bool)
        self._booleans = [k for k, name in enumerate(named) if name in booleans]
        self._few = FewRowsKernel(self._trace, self._groups, booleans)
        self._calls: dict[tuple[int, ...], _Call] = {}  # by the sizes of the groups

    def __call__(self, *groups: Array) -> Array:
        """The numbers of the formula, (numbers, rows).

        A group is an array (components, ...) of float64 whose trailing axes are the rows, (...) for a group of one or
        of bool. The first has all rows; the others may have one row for all, or a part of the rows, which then repeats.
        """
        rows = groups[0].size // self._first
        if rows <= SMALL_KERNEL_MAX_ROWS and (work := loading.kernels.get(self._few)) and not dispatch.chosen():
            found = np.empty((self._count, rows))
            work(rows, found, *[group.ravel() for group in groups])
            return found
        if not rows:
            return np.empty((self._count, 0))
        return self._run(rows, groups)

    def _run(self, rows: int, groups: Sequence[Array]) -> Array:
        """The numbers of many rows, or without a kernel for a few, which is loaded when it pays."""
        if self._booleans:
            groups = [group.astype(float) if k in self._booleans else group for k, group in enumerate(groups)]
        started = perf_counter()
        if rows == 1 and not dispatch.chosen():
            found = self._one([group.ravel().tolist() for group in groups])
            loading.note(self._few, perf_counter() - started, GROUP)
            return found
        sizes = tuple([group.size for group in groups])
        call = self._calls.get(sizes) or self._call(sizes)
        if rows <= SMALL_KERNEL_MAX_ROWS or dispatch.chosen() or rows >= NUMBA_WAIT_MIN_ROWS:
            return self._run_without(call, groups)
        work = loading.kernels.get(call.kernel)
        if work is None:
            return self._run_without(call, groups)
        found = np.empty((self._count, rows))
        varying = [_contiguous(groups[k]).reshape(size, -1) for k, size in call.varying]
        for k, tiles in call.repeated:
            varying[k] = np.tile(varying[k], tiles)
        same = [groups[k].ravel() for k in call.same]
        work(0, rows, np.concatenate(same).reshape(1, -1) if same else NONE, *varying, found)
        return found

    def _run_without(self, call: _Call, groups: Sequence[Array]) -> Array:
        """The numbers without a kernel that is ready; where there will be many rows, Numba makes one."""
        rows = call.rows
        flat = [group.reshape(size, -1) for group, size in zip(groups, self._sizes, strict=True)]
        for k, tiles in call.repeated:
            place = call.varying[k][0]
            flat[place] = np.tile(flat[place], tiles)
        if rows >= NUMBA_WAIT_MIN_ROWS or dispatch.chosen():
            return plans.run_groups(self._program, "rows", FLAGS, flat, rows, FLOAT64)
        started = perf_counter()
        if rows <= FLOATS_MAX_FORMULA_ROWS:
            columns = [row * rows if len(row) == 1 else row for group in flat for row in group.tolist()]
            found = np.array(list(zip(*(self._floats(*row) for row in zip(*columns, strict=True)), strict=True)))
        else:
            found = np.empty((self._count, rows))
            dispatch.run_on_numpy(self._program, "rows", FLAGS, flat, FLOAT64, found)
        loading.note(self._few if rows <= SMALL_KERNEL_MAX_ROWS else call.kernel, perf_counter() - started, GROUP)
        return found

    def _call(self, sizes: tuple[int, ...]) -> _Call:
        widths = [size // one for size, one in zip(sizes, self._sizes, strict=True)]
        rows = widths[0]
        layouts = tuple("constant" if width == 1 else "rows" for width in widths)
        kernel = Kernel(self._program, "rows", FLAGS, FLOAT64, layouts, ())
        varying = [k for k, width in enumerate(widths) if width > 1]
        repeated = [(place, rows // widths[k]) for place, k in enumerate(varying) if widths[k] != rows]
        same = [k for k, width in enumerate(widths) if width == 1]
        if len(self._calls) >= MAX_KEPT_CALLS:
            self._calls.clear()
        self._calls[sizes] = call = _Call(rows, kernel, [(k, self._sizes[k]) for k in varying], repeated, same)
        return call

    def _trace(self) -> Any:
        return answer_trace(self._program, "rows", FLAGS, rare=True)

    @cached_property
    def _one(self) -> Callable[..., Array]:
        return scalar_engine.binder(self._program, "rows", FLAGS, tuple(self._groups))({})

    @cached_property
    def _floats(self) -> Callable[..., tuple[float, ...]]:
        return scalar_engine.compiled(self._program, "rows", FLAGS)

    @cached_property
    def _count(self) -> int:
        return self._program.answers["rows"].size

    @cached_property
    def _program(self) -> Program:
        formula, sizes, name = self._formula, self._groups, self._formula.__name__.strip("_")

        def pose(*groups: Any) -> Any:
            return formula(*(one[0] if size == 1 else one for one, size in zip(groups, sizes.values(), strict=True)))

        count = len(record(lambda **groups: pose(*groups.values()), sizes, {}, rare=True).outputs)
        answers = {"rows": Answer(lambda found: found, (count, 1))}
        return Program(name=name, pose=pose, groups=sizes, flags=NoFlags, answers=answers, report=())


def _contiguous(group: Array) -> Array:
    return group if group.flags.c_contiguous else np.ascontiguousarray(group)
