"""Pools of processes that survive the death of any of them: on this machine, or on those of a Ray cluster.

A pool takes tasks from a queue, to which more may be added while it runs, and yields each with its result, in the order
in which they are finished, or with None if its process died. No more tasks are under way than there are processes, so
memory does not grow with their number.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

from limbik.engines.threads import at_most
from limbik.errors import LimbikError, MissingExtraError
from limbik.unwinding import exit_by_signal, exit_even_from_finalizers

Task = TypeVar("Task")
Result = TypeVar("Result")

CLEANUP_SECONDS = 5.0  # given to a process before it is killed
MAX_FAILED_STARTS = 3  # processes that may die before they are ready
TASKS_PER_CORE = 2  # tasks under way for each core: one that runs and one that waits


def run_in_this_process(work: Callable[[Task], Result], queue: deque[Task]) -> Generator[tuple[Task, Result | None]]:
    """Does one task after the other in this process."""
    while queue:
        task = queue.popleft()
        yield task, work(task)


def run_in_processes(
    work: Callable[[Task], Result], queue: deque[Task], count: int
) -> Generator[tuple[Task, Result | None]]:
    """Does up to `count` tasks at a time, each in one of as many processes."""
    pool = _Pool[Task, Result](pickle.dumps(work), count)
    try:
        while queue or pool.tasks:
            pool.assign(queue)
            yield from pool.results()
    finally:
        pool.close()


class _Pool(Generic[Task, Result]):
    """Processes, the pipes to them, and the task that each is working on."""

    def __init__(self, work: bytes, count: int) -> None:
        self._work, self._count = work, count
        self._context = multiprocessing.get_context("spawn")  # forking a process that has threads is not safe
        self._processes: dict[Connection, BaseProcess] = {}
        self.tasks: dict[Connection, Task] = {}
        self._starting: set[Connection] = set()
        self._failed_starts = 0

    def assign(self, queue: deque[Task]) -> None:
        """Gives tasks to idle processes; starts processes if necessary."""
        idle = [pipe for pipe in self._processes if pipe not in self.tasks and pipe not in self._starting]
        wanted = min(self._count - len(self._processes), len(queue) - len(idle) - len(self._starting))
        for _ in range(wanted):
            self._start()
        for pipe in idle[: len(queue)]:
            self.tasks[pipe] = task = queue.popleft()
            with suppress(OSError):  # a process that has died is noticed in `results`
                pipe.send(task)

    def results(self) -> list[tuple[Task, Result | None]]:
        """Waits until a task is finished, or a process is ready or has died; returns finished tasks."""
        finished: list[tuple[Task, Result | None]] = []
        ready: list[Any] = wait(list(self._processes))
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
            process.join(CLEANUP_SECONDS)
            if process.is_alive():
                process.kill()
                process.join()

    def _start(self) -> None:
        pipe: tuple[Any, Any] = self._context.Pipe()  # their type depends on the platform
        ours, theirs = pipe
        process = self._context.Process(target=_serve, args=(theirs, self._work), daemon=True)
        with _delay_interrupts():
            process.start()
        theirs.close()  # so that our end notices when the process is gone
        self._processes[ours] = process
        self._starting.add(ours)

    def _remove(self, pipe: Connection) -> list[tuple[Task, None]]:
        """Removes a process that died; returns its task."""
        self._processes.pop(pipe).join()
        pipe.close()
        if pipe in self._starting:
            self._starting.discard(pipe)
            self._failed_starts += 1
            if self._failed_starts >= MAX_FAILED_STARTS:
                raise LimbikError(
                    "worker processes die as they start; a script that uses several must do so under "
                    "`if __name__ == '__main__':`, and there must be enough memory for all of them"
                )
        return [(self.tasks.pop(pipe), None)] if pipe in self.tasks else []


def _serve(pipe: Connection, work: bytes) -> None:
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
def _delay_interrupts() -> Iterator[None]:
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


def run_on_ray(
    work: Callable[[Task], Result], queue: deque[Task], address: str | None, count: int | None
) -> Generator[tuple[Task, Result | None]]:
    """Does up to `count` tasks at a time (default: as many as the cluster has cores for).

    address: the cluster's address. Default: the variable RAY_ADDRESS, or else a cluster on this machine alone, which is
    started and stopped again.
    """
    try:
        import ray
    except ImportError:
        raise MissingExtraError("running on a cluster", "ray", "ray") from None
    ours = not ray.is_initialized()
    if ours:
        _connect(ray, address)
    pending: dict[Any, Task] = {}
    try:
        # The caller decides what happens to a task whose process died: Ray must not retry by itself.
        call = ray.remote(num_cpus=1, max_retries=0)(_call)
        shared = ray.put(work)
        while queue or pending:
            most = count or TASKS_PER_CORE * max(1, int(ray.cluster_resources().get("CPU", 1)))  # machines come and go
            while queue and len(pending) < most:
                task = queue.popleft()
                pending[call.remote(shared, task, os.getcwd())] = task
            for done in ray.wait(list(pending), num_returns=1)[0]:
                yield pending.pop(done), _result(ray, done)
    finally:
        # Tasks under way may finish, which takes little time: cancelling them can bring all of Ray down.
        if pending:
            ray.wait(list(pending), num_returns=len(pending), timeout=CLEANUP_SECONDS)
        if ours:
            ray.shutdown()


def _call(work: Callable[[Any], Any], task: Any, folder: str) -> Any:
    os.chdir(folder)  # so that relative paths mean the same as for the caller
    with at_most(1):
        return work(task)


def _result(ray: Any, done: Any) -> Any:
    """The result of a task, or None if its process or machine died."""
    try:
        return ray.get(done)
    except ray.exceptions.RayTaskError as error:
        raise LimbikError(
            f"the Ray cluster cannot run the task; is the same version of limbik installed there? {error}"
        ) from None
    except ray.exceptions.RayError:
        return None


def _connect(ray: Any, address: str | None) -> None:
    import logging

    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, include_dashboard=None)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise LimbikError(f"no Ray cluster at {address or 'this machine'}: {error}") from None
