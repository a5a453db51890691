"""A queue of jobs that one thread runs in order, so that tabs need no locks."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition

Job = Callable[[], None]


class JobQueue:
    """Jobs in the order in which they were submitted.

    A job that is already waiting is not queued again: a hundred mouse moves during one solve cause one more solve.
    """

    def __init__(self) -> None:
        self._waiting: dict[Job, None] = {}
        self._submitted = Condition()

    def submit(self, job: Job) -> None:
        """Queues a job. May be called from any thread."""
        with self._submitted:
            self._waiting[job] = None
            self._submitted.notify()

    def take(self, timeout: float) -> list[Job]:
        """Removes and returns all waiting jobs; waits up to `timeout` seconds for the first one."""
        with self._submitted:
            if not self._waiting and timeout > 0.0:
                self._submitted.wait(timeout)
            jobs = list(self._waiting)
            self._waiting.clear()
        return jobs
