"""Spreads the rows of a batch over the processor's cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TYPE_CHECKING, Any

from limbik.engines.thresholds import PARTS_PER_THREAD, ROWS_PER_THREAD

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

_limit: ContextVar[int | None] = ContextVar("limbik_threads", default=None)


@cache
def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def at_most(count: int) -> Iterator[None]:
    """Limits batches to this many threads within a `with` block."""
    token = _limit.set(count)
    try:
        yield
    finally:
        _limit.reset(token)


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """The threads besides the caller's own; a forked process needs new ones."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(max(1, cores() - 1), thread_name_prefix="limbik")


def spread(work: Callable[..., Any], rows: int, *arguments: Any, rows_per_thread: int = ROWS_PER_THREAD) -> list[Any]:
    """Calls `work(start, stop, *arguments)` for parts that cover all rows, in parallel; work must release the GIL.

    `rows_per_thread` pay for waking one. Returns what the calls returned, in no particular order.
    """
    count = max(1, min(_limit.get() or cores(), rows // rows_per_thread))
    if count == 1:
        return [work(0, rows, *arguments)]
    # Each part is whole pages of memory: its ends are multiples of 512 rows.
    step = -(-rows // (PARTS_PER_THREAD * count * 512)) * 512
    left = list(range(0, rows, step))[::-1]
    results: list[Any] = []

    def take() -> None:
        while left:
            try:
                start = left.pop()
            except IndexError:  # another thread was faster
                return
            results.append(work(start, min(start + step, rows), *arguments))

    others = [_pool(os.getpid()).submit(take) for _ in range(count - 1)]
    try:
        take()
    finally:
        for other in others:
            other.result()
    return results
