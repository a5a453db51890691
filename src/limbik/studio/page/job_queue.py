"""What pages ask for, done one thing after another in one thread: tabs need no locks."""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition

Job = Callable[[], None]


class Jobs:
    """Things to do, in the order in which they were asked for.

    One that waits already is not put down again: a hundred moves of a mouse during one solve are one solve more.
    """

    def __init__(self) -> None:
        self._waiting: dict[Job, None] = {}
        self._asked = Condition()

    def ask(self, job: Job) -> None:
        """Puts a job down; from any thread."""
        with self._asked:
            self._waiting[job] = None
            self._asked.notify()

    def taken(self, seconds: float) -> list[Job]:
        """The jobs that wait, and the list is empty again; waits for one, but no longer than so many seconds."""
        with self._asked:
            if not self._waiting and seconds > 0.0:
                self._asked.wait(seconds)
            jobs = list(self._waiting)
            self._waiting.clear()
        return jobs
