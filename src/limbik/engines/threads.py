"""Spreading the rows of a batch over the machine's cores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

# Fewer rows than this for each thread are not worth waking it.
WORTH = 32_768

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
    return ThreadPoolExecutor(max(1, cores() - 1), thread_name_prefix="limbik")


def spread(work: Callable[[int, int], None], rows: int, worth: int = WORTH) -> None:
    """Calls `work(start, stop)` for parts that cover all rows, at the same time; work must release the GIL.

    `worth` is how many rows are worth a thread.
    """
    count = max(1, min(_limit.get() or cores(), rows // worth))
    # Whole pages to each thread: the ends of parts are multiples of 512 rows.
    ends = [rows * k // count // 512 * 512 for k in range(count)] + [rows]
    parts = [(ends[k], ends[k + 1]) for k in range(count)]
    waiting = [_pool(os.getpid()).submit(work, *part) for part in parts[1:]]
    work(*parts[0])
    for part in waiting:
        part.result()
