"""Work on many things at once, in processes of this machine. Whoever dies loses one thing, and says which.

A runner takes things from a queue, to which more may be added while it runs, and gives each with what came of it, in
the order in which they get done, or with None where its process died. No more things are on their way than there are
processes, so memory does not grow with their number.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection
from typing import Any, TypeVar

from limbik.engines.threads import at_most
from limbik.errors import LimbikError

Thing = TypeVar("Thing")
Result = TypeVar("Result")
Line = Any  # a connection to a process; platforms have different types of them

PATIENCE = 5.0  # seconds that a process is given to put away what it was doing
STILLBORN = 3  # processes that may die before they ever get to work


def in_this_process(work: Callable[[Thing], Result], queue: deque[Thing]) -> Generator[tuple[Thing, Result | None]]:
    """One thing after the other, here."""
    while queue:
        thing = queue.popleft()
        yield thing, work(thing)


def in_processes(
    work: Callable[[Thing], Result], queue: deque[Thing], count: int
) -> Generator[tuple[Thing, Result | None]]:
    """At most `count` things at a time, each in a process of its own that then takes the next."""
    crew = _Crew(pickle.dumps(work), count)
    try:
        while queue or crew.busy:
            crew.employ(queue)
            yield from crew.done()
    finally:
        crew.dismiss()


class _Crew:
    """Processes, what each of them is doing, and the lines to them."""

    def __init__(self, work: bytes, count: int) -> None:
        self._work, self._count = work, count
        self._context = multiprocessing.get_context("spawn")  # a copy of a process with threads would not be sound
        self._processes: dict[Line, Any] = {}
        self._doing: dict[Line, Any] = {}
        self._starting: set[Line] = set()
        self._stillborn = 0

    @property
    def busy(self) -> bool:
        """Whether anything is being done."""
        return bool(self._doing)

    def employ(self, queue: deque[Any]) -> None:
        """Gives whoever is idle something to do; starts processes if need be."""
        idle = [line for line in self._processes if line not in self._doing and line not in self._starting]
        wanted = min(self._count - len(self._processes), len(queue) - len(idle) - len(self._starting))
        for _ in range(wanted):
            self._start()
        for line in idle[: len(queue)]:
            thing = queue.popleft()
            self._doing[line] = thing
            with suppress(OSError):  # where it has died, `done` is told so by the same line
                line.send(thing)

    def done(self) -> list[tuple[Any, Any]]:
        """Waits until something is done, or somebody has started, or died."""
        finished = []
        ready: list[Line] = connection.wait(list(self._processes))
        for line in ready:
            try:
                result = line.recv()
            except (EOFError, OSError):
                finished += self._bury(line)
                continue
            if line in self._starting:
                self._starting.discard(line)
            else:
                finished.append((self._doing.pop(line), result))
        return finished

    def dismiss(self) -> None:
        """Ends all processes: those that are idle leave by themselves, the others put away what they were doing."""
        for line, process in self._processes.items():
            if line in self._doing or line in self._starting:
                process.terminate()
            line.close()
        for process in self._processes.values():
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()
                process.join()

    def _start(self) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs, self._work), daemon=True)
        with _uninterrupted():
            process.start()
        theirs.close()  # so that our end tells when theirs is gone
        self._processes[ours] = process
        self._starting.add(ours)

    def _bury(self, line: Line) -> list[tuple[Any, None]]:
        """Takes leave of a process that died; returns what it was doing."""
        self._processes.pop(line).join()
        line.close()
        if line in self._starting:
            self._starting.discard(line)
            self._stillborn += 1
            if self._stillborn >= STILLBORN:
                raise LimbikError(
                    "processes die as they start; a script that runs several must do so under "
                    "`if __name__ == '__main__':`, and memory must do for all of them"
                )
        return [(self._doing.pop(line), None)] if line in self._doing else []


def _serve(line: Line, work: bytes) -> None:
    """The life of a process: it does what it is sent until the line is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever runs the crew is told, and tells us
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # unwinds, so that no half file is left
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    do = pickle.loads(work)
    with suppress(EOFError, ConnectionError), at_most(1):  # the other cores have processes of their own
        line.send(None)
        while True:
            line.send(do(line.recv()))


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Within it, Ctrl-C waits: a process that is starting could only answer with a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # which would let signals through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
