"""A pool of the machines of a Ray cluster, with the interface of `process_pool`."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator
from typing import Any

from limbik.batch.process_pool import PATIENCE, Result, Task
from limbik.engines.threads import at_most
from limbik.errors import LimbikError, MissingExtraError

AHEAD = 2  # tasks under way for each core: one that runs and one that waits


def on_ray(
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
            most = count or AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))  # machines come and go
            while queue and len(pending) < most:
                task = queue.popleft()
                pending[call.remote(shared, task, os.getcwd())] = task
            for done in ray.wait(list(pending), num_returns=1)[0]:
                yield pending.pop(done), _result(ray, done)
    finally:
        # Tasks under way may finish, which takes little time: cancelling them can bring all of Ray down.
        if pending:
            ray.wait(list(pending), num_returns=len(pending), timeout=PATIENCE)
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
