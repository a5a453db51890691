"""Plans: what a limb's calls for one answer have in common, kept, so that a small batch starts its work at once."""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch, loading, numba_engine, scalar_engine, threads
from limbik.engines.constants import Constants, is_blank, same_bits
from limbik.engines.numba_engine import Kernel
from limbik.engines.programs import Flags, Program
from limbik.engines.splitting import split
from limbik.engines.thresholds import FLOATS_MAX_ROWS, ROWS_PER_THREAD
from limbik.engines.trace import Aliases


class Formula(NamedTuple):
    """An answer of a limb, as a function of the vectors that each call passes."""

    program: Program
    answer: str
    flags: Flags
    vectors: tuple[str, ...]  # names of groups
    aliases: Aliases  # groups that equal one of the vectors
    fixed: dict[str, tuple[float, ...]]  # the other groups


class _Bound(NamedTuple):
    """What the vectors that are the same for all rows determine."""

    same: Constants  # those vectors
    constants: Array  # the kernel's
    kernel: Kernel
    blank: slice | list[int] | None  # outputs that are 0 in every row, which the kernel does not write


class Plan:
    """How an answer is computed from vectors of one number type and memory layout, for one row to some ten thousand.

    Args:
        formula: the answer.
        layouts: how each vector lies in memory: "constant", "interleaved" or "rows".
        dtype: the number type.
    """

    def __init__(self, formula: Formula, layouts: tuple[str, ...], dtype: np.dtype[Any]) -> None:
        program, answer, flags, vectors, aliases, _ = formula
        self.shape = program.answers[answer].shape
        self._split = split(program, answer, flags)
        if self._split:
            formula = formula._replace(program=self._split.program, answer=self._split.answer)
        self._formula = formula
        self._dtype = dtype
        self._size = formula.program.answers[formula.answer].size
        same = dict(aliases)
        names = [same.get(name, name) for name in program.groups_of(answer)]
        self._sources = [vectors.index(name) if name in vectors else None for name in names]  # of each group
        self._layouts = tuple("constant" if k is None else layouts[k] for k in self._sources)
        self._constant = [k for k, layout in enumerate(layouts) if layout == "constant"]
        self._arrays = [k for k, layout in enumerate(layouts) if layout != "constant"]
        # Of each array that the kernel takes: which one it is, and whether to transpose it.
        varying = [k for k in self._sources if k is not None and layouts[k] != "constant"]
        self._varying = [(self._arrays.index(k), layouts[k] == "rows") for k in varying]
        self._in_order = self._varying == [(k, False) for k in range(len(self._arrays))]
        self._bound: _Bound | None = None
        self._write: Any = None  # one row, on plain floats

    def run(self, arrays: Sequence[Array], same: Constants, rows: int, out: Array | None = None) -> Array:
        """The answer, (numbers, rows), in the memory of `out` if that is an array of the right size.

        Args:
            arrays: the vectors that vary, (rows, components), contiguous, in the plan's layouts.
            same: the vectors that are the same for all rows.
            rows: how many there are.
            out: an array that may be overwritten.
        """
        bound = self._bound
        # Mostly the same objects: then there is no need for another call.
        if bound is None or not (all(map(is_, bound.same, same)) or same_bits(bound.same, same)):
            bound = self._bound = self._bind(same)
        kept = out is not None and out.shape == (self._size, rows) and out.dtype is self._dtype
        # For few rows it takes less time to clear all memory than only what is to be 0.
        memory = out if kept else (np.zeros if rows < 100 else np.empty)((self._size, rows), self._dtype)
        assert memory is not None
        work = numba_engine.kernels.get(bound.kernel) if self._split else None
        if work is None:
            self._run_without(bound, arrays, rows, memory)
        else:
            if bound.blank is not None and (kept or rows >= 100):
                memory[bound.blank] = 0
            if not self._in_order:
                arrays = [arrays[k].T if transposed else arrays[k] for k, transposed in self._varying]
            if rows < 2 * ROWS_PER_THREAD:
                work(0, rows, bound.constants, *arrays, memory)
            else:
                threads.spread(work, rows, bound.constants, *arrays, memory)
        if self._split is None or not self._split.angles:
            return memory
        return self._split.finish(memory)

    def _bind(self, same: Constants) -> _Bound:
        program, answer, flags, *_, fixed = self._formula
        vectors = dict(zip(self._constant, same, strict=True))
        constants: list[float] = []
        starts = []
        for name, k, layout in zip(program.groups_of(answer), self._sources, self._layouts, strict=True):
            starts.append(len(constants))
            if layout == "constant":
                constants += fixed[name] if k is None else vectors[k]
        blank = [
            output
            for output, number, k in numba_engine.copied_inputs(program, answer, flags)
            if self._layouts[number] == "constant" and is_blank(constants[starts[number] + k])
        ]
        kernel = Kernel(program, answer, flags, self._dtype, self._layouts, tuple(blank))
        together = bool(blank) and blank[-1] - blank[0] < len(blank)
        zeros = slice(blank[0], blank[-1] + 1) if together else blank or None
        return _Bound(same, np.array([constants], self._dtype), kernel, zeros)

    def _run_without(self, bound: _Bound, arrays: Sequence[Array], rows: int, out: Array) -> None:
        """The same without the kernel: row by row on plain floats, or on NumPy."""
        started = perf_counter()
        program, answer, flags, names, aliases, fixed = self._formula
        vectors: dict[int, Any] = {**dict(zip(self._constant, bound.same, strict=True))}
        if rows <= FLOATS_MAX_ROWS and self._dtype == np.float64 and self._split:
            if self._write is None:
                self._write = scalar_engine.binder(program, answer, flags, names, aliases, into=True)(fixed)
            vectors = {k: [vector] * rows for k, vector in vectors.items()}
            for k, array in zip(self._arrays, arrays, strict=True):
                vectors[k] = array.tolist()
            numbers = np.empty((rows, self._size))
            place, step = 0, 8 * self._size  # bytes
            for row in zip(*(vectors[k] for k in range(len(names))), strict=True):
                self._write(numbers, place, *row)
                place += step
            out[:] = numbers.T
        else:
            columns = {k: np.array(vector, self._dtype).reshape(-1, 1) for k, vector in vectors.items()}
            columns |= {k: array.T for k, array in zip(self._arrays, arrays, strict=True)}
            groups = [
                np.array(fixed[name], self._dtype).reshape(-1, 1) if k is None else columns[k]
                for name, k in zip(program.groups_of(answer), self._sources, strict=True)
            ]
            dispatch.run_on_numpy(program, answer, flags, groups, self._dtype, out)
        if self._split and program.kernels:
            loading.note(bound.kernel, perf_counter() - started)
