"""A pool of processes on this machine that survives the death of any of them.

A pool takes tasks from a queue, to which more may be added while it runs, and yields each with its result, in the order
in which they are finished, or with None if its process died. No more tasks are under way than there are processes, so
memory does not grow with their number.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection
from typing import Any, TypeVar

from limbik.engines.threads import at_most
from limbik.errors import LimbikError
from limbik.unwinding import exit_by_signal, exit_even_from_finalizers

Task = TypeVar("Task")
Result = TypeVar("Result")
Pipe = Any  # one end of a pipe to a process; its type depends on the platform

PATIENCE = 5.0  # seconds a process is given to clean up before it is killed
MOST_FAILED_STARTS = 3  # processes that may die before they are ready


def in_this_process(work: Callable[[Task], Result], queue: deque[Task]) -> Generator[tuple[Task, Result | None]]:
    """Does one task after the other in this process."""
    while queue:
        task = queue.popleft()
        yield task, work(task)


def in_processes(
    work: Callable[[Task], Result], queue: deque[Task], count: int
) -> Generator[tuple[Task, Result | None]]:
    """Does up to `count` tasks at a time, each in one of as many processes."""
    pool = _Pool(pickle.dumps(work), count)
    try:
        while queue or pool.tasks:
            pool.assign(queue)
            yield from pool.results()
    finally:
        pool.close()


class _Pool:
    """Processes, the pipes to them, and the task that each is working on."""

    def __init__(self, work: bytes, count: int) -> None:
        self._work, self._count = work, count
        self._context = multiprocessing.get_context("spawn")  # forking a process that has threads is not safe
        self._processes: dict[Pipe, Any] = {}
        self.tasks: dict[Pipe, Any] = {}
        self._starting: set[Pipe] = set()
        self._failed_starts = 0

    def assign(self, queue: deque[Any]) -> None:
        """Gives tasks to idle processes; starts processes if necessary."""
        idle = [pipe for pipe in self._processes if pipe not in self.tasks and pipe not in self._starting]
        wanted = min(self._count - len(self._processes), len(queue) - len(idle) - len(self._starting))
        for _ in range(wanted):
            self._start()
        for pipe in idle[: len(queue)]:
            self.tasks[pipe] = task = queue.popleft()
            with suppress(OSError):  # a process that has died is noticed in `results`
                pipe.send(task)

    def results(self) -> list[tuple[Any, Any]]:
        """Waits until a task is finished, or a process is ready or has died; returns finished tasks."""
        finished = []
        ready: list[Pipe] = connection.wait(list(self._processes))
        for pipe in ready:
            try:
                result = pipe.recv()
            except (EOFError, OSError):
                finished += self._remove(pipe)
                continue
            if pipe in self._starting:
                self._starting.discard(pipe)
            else:
                finished.append((self.tasks.pop(pipe), result))
        return finished

    def close(self) -> None:
        """Ends all processes: idle ones return by themselves, others are terminated and clean up."""
        for pipe, process in self._processes.items():
            if pipe in self.tasks or pipe in self._starting:
                process.terminate()
            pipe.close()
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
        theirs.close()  # so that our end notices when the process is gone
        self._processes[ours] = process
        self._starting.add(ours)

    def _remove(self, pipe: Pipe) -> list[tuple[Any, None]]:
        """Removes a process that died; returns its task."""
        self._processes.pop(pipe).join()
        pipe.close()
        if pipe in self._starting:
            self._starting.discard(pipe)
            self._failed_starts += 1
            if self._failed_starts >= MOST_FAILED_STARTS:
                raise LimbikError(
                    "worker processes die as they start; a script that uses several must do so under "
                    "`if __name__ == '__main__':`, and there must be enough memory for all of them"
                )
        return [(self.tasks.pop(pipe), None)] if pipe in self.tasks else []


def _serve(pipe: Pipe, work: bytes) -> None:
    """The main function of a process: does the tasks it is sent until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent receives Ctrl-C and ends its processes
    signal.signal(signal.SIGTERM, exit_by_signal)  # unwinds, so that no temporary file is left
    exit_even_from_finalizers()
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    do = pickle.loads(work)
    with suppress(EOFError, ConnectionError), at_most(1):  # the other cores have processes of their own
        pipe.send(None)
        while True:
            pipe.send(do(pipe.recv()))


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delays Ctrl-C: a process that is starting would answer it with a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # starting it later would unblock signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
