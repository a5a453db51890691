"""Batches: the public call on many targets, beside a memory copy and eager NumPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.bench.cases import Case, Inputs
from limbik.bench.measured_limbs import KINDS
from limbik.bench.timing import Effort, Sample, Work, round_robin
from limbik.engines import dispatch, threads, thresholds

FRESH, REUSED = "fresh", "reused"
# More rows take long and add nothing about NumPy.
EAGER_MOST = 1_000_000
# From this size on a kernel that is already loaded is used; it is loaded before the clock starts.
KERNEL_FROM = 128


def batch_rows(case: Case, counts: Sequence[int], effort: Effort, memory: int) -> list[dict[str, Any]]:
    """Rows for one case: for each number of threads, with newly allocated memory and with reused memory.

    A case that does not fit into `memory` bytes gives a single row that says so.
    """
    if case.bytes_needed > memory:
        needed, available = case.bytes_needed / 1e9, memory / 1e9
        return [{**asdict(case), "skipped": f"needs {needed:.1f} GB of memory, {available:.1f} GB are available"}]
    if case.targets == 1:
        counts = counts[:1]  # one target is not divided among threads
    inputs = Inputs.of(case)
    solve, read = KINDS[case.limb].make().solve, case.answer
    if case.targets >= KERNEL_FROM and dispatch.have_numba():
        with dispatch.use("numba"):
            getattr(solve(*inputs.arrays), read)
    rows = _fresh(case, inputs, solve, counts, effort, case.bytes_needed_eagerly <= memory)
    if case.targets > 1:  # the answer for a single target is too small for `out=` to matter
        rows += _reused(case, inputs, solve, counts, effort)
    return rows


def _fresh(
    case: Case, inputs: Inputs, solve: Callable[..., Any], counts: Sequence[int], effort: Effort, eagerly: bool
) -> list[dict[str, Any]]:
    def call() -> Any:
        return getattr(solve(*inputs.arguments), case.answer)

    def copy() -> Any:
        return copy_fresh(inputs.memory, case.copied, case.targets)

    contenders = _by_threads("limbik", call, counts, case.targets)
    contenders |= _by_threads("copy", copy, counts, case.targets)
    if case.targets <= EAGER_MOST and eagerly:
        contenders |= _eager(case, inputs, solve)
    return _rows(case, FRESH, counts, round_robin(contenders, effort))


def _reused(
    case: Case, inputs: Inputs, solve: Callable[..., Any], counts: Sequence[int], effort: Effort
) -> list[dict[str, Any]]:
    kept = solve(*inputs.arrays)
    target = whole_memory(getattr(kept, case.answer))

    def call() -> Any:
        nonlocal kept
        kept = solve(*inputs.arrays, out=kept)
        return getattr(kept, case.answer)

    def copy() -> Any:
        # Overwrites the answer, which is not read again: a large answer leaves no room for a second block.
        copy_into(target, inputs.memory, case.copied, case.targets)

    contenders = _by_threads("limbik", call, counts, case.targets)
    contenders |= _by_threads("copy", copy, counts, case.targets)
    return _rows(case, REUSED, counts, round_robin(contenders, effort))


def _by_threads(name: str, work: Work, counts: Sequence[int], targets: int) -> dict[str, Work]:
    """The same work for each number of threads. For one target the limit would cost a microsecond, so it is not set."""
    if targets == 1:
        return {f"{name} {count}": work for count in counts}

    def limited(count: int) -> Work:
        def run() -> None:
            with threads.at_most(count):
                work()

        return run

    return {f"{name} {count}": limited(count) for count in counts}


def _eager(case: Case, inputs: Inputs, solve: Callable[..., Any]) -> dict[str, Work]:
    """Eager NumPy over whole arrays, and in blocks that fit the cache."""

    def blocks() -> None:
        with dispatch.use("numpy"):
            getattr(solve(*inputs.arrays), case.answer)

    def whole() -> None:
        with _block_of(case.targets):
            blocks()

    return {"numpy": whole, "numpy_blocks": blocks}


@contextmanager
def _block_of(rows: int) -> Iterator[None]:
    before = thresholds.NUMPY_BLOCK_ROWS
    thresholds.NUMPY_BLOCK_ROWS = rows
    try:
        yield
    finally:
        thresholds.NUMPY_BLOCK_ROWS = before


def _rows(case: Case, memory: str, counts: Sequence[int], samples: dict[str, Sample]) -> list[dict[str, Any]]:
    rows = []
    for count in counts:
        own, copy = samples[f"limbik {count}"], samples[f"copy {count}"]
        row = {
            **asdict(case),
            "threads": count,
            "memory": memory,
            "bytes_moved": case.bytes_in + case.bytes_out,
            "seconds": own.as_dict(),
            "solves_per_second": case.targets / own.best,
            "copy": copy.as_dict(),
            "of_copy": copy.best / own.best,
            "of_copy_median": copy.median / own.median,
        }
        for name in ("numpy", "numpy_blocks"):
            eager = samples.get(name)
            row[name] = eager and eager.as_dict()
            row[f"times_{name}"] = eager and eager.best / own.best
        rows.append(row)
    return rows


# --- a plain memory copy: the cost of moving the bytes without computing anything


def copy_fresh(source: Array, numbers: int, rows: int) -> Array:
    """Copies `numbers` values into newly allocated memory."""
    target = np.empty(numbers, source.dtype)
    copy_into(target, source, numbers, rows)
    return target


def copy_into(target: Array, source: Array, numbers: int, rows: int) -> None:
    """Copies `numbers` values; source and target wrap around where they are shorter.

    So a copy needs no memory beyond the inputs and one answer. It uses threads as a batch of `rows` rows does.
    """
    threads.spread(lambda start, stop: _part(target, source, start * numbers // rows, stop * numbers // rows), rows)


def _part(target: Array, source: Array, start: int, stop: int) -> None:
    while start < stop:
        there, here = start % len(target), start % len(source)
        count = min(stop - start, len(target) - there, len(source) - here)
        np.copyto(target[there : there + count], source[here : here + count])
        start += count


def whole_memory(array: Array) -> Array:
    """The block of memory that an array is a view of, flattened."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array.reshape(-1)
