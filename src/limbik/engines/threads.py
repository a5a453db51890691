"""Spreading the rows of a batch over the machine's cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# Fewer rows than this for each thread are not worth waking it.
WORTH = 32_768
# Parts for each thread: whoever is done first takes the next, so that a busy core holds nobody up.
PARTS = 4

_limit: ContextVar[int | None] = ContextVar("limbik_threads", default=None)


@cache
def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def at_most(count: int) -> Iterator[None]:
    """Within it, batches are spread over at most this many threads."""
    token = _limit.set(count)
    try:
        yield
    finally:
        _limit.reset(token)


@cache
def _pool(process: int) -> ThreadPoolExecutor:
    """The threads beside the caller's own; a forked process needs its own."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(max(1, cores() - 1), thread_name_prefix="limbik")


def spread(work: Callable[[int, int], None], rows: int, worth: int = WORTH) -> None:
    """Calls `work(start, stop)` for parts that cover all rows, at the same time; work must release the GIL.

    `worth` is how many rows are worth a thread.
    """
    count = max(1, min(_limit.get() or cores(), rows // worth))
    if count == 1:
        work(0, rows)
        return
    # Whole pages to each part: their ends are multiples of 512 rows.
    ends = [rows * k // (PARTS * count) // 512 * 512 for k in range(PARTS * count)] + [rows]
    left = [(start, stop) for start, stop in pairwise(ends) if start < stop][::-1]

    def take() -> None:
        while left:
            try:
                part = left.pop()
            except IndexError:  # another thread was faster
                return
            work(*part)

    others = [_pool(os.getpid()).submit(take) for _ in range(count - 1)]
    try:
        take()
    finally:
        for other in others:
            other.result()
