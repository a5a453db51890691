"""Work on many things at once, on the machines of a Ray cluster; a runner as those in `workers`."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator
from typing import Any

from limbik.batch.process_pool import PATIENCE, Result, Thing
from limbik.engines.threads import at_most
from limbik.errors import LimbikError, MissingExtraError

AHEAD = 2  # things on their way for each core: one that is done, and one that waits


def on_ray(
    work: Callable[[Thing], Result], queue: deque[Thing], address: str | None, count: int | None
) -> Generator[tuple[Thing, Result | None]]:
    """At most `count` things at a time, or as many as the cluster has cores for.

    address: the cluster's; else that of the variable RAY_ADDRESS; else a cluster of this machine alone is started, and
    stopped again.
    """
    ray = _ray()
    ours = not ray.is_initialized()
    if ours:
        _connect(ray, address)
    pending: dict[Any, Thing] = {}
    try:
        # A thing whose process died comes back to whoever runs this: Ray is not to try again by itself.
        call = ray.remote(num_cpus=1, max_retries=0)(_call)
        shared = ray.put(work)
        while queue or pending:
            most = count or AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))  # machines come and go
            while queue and len(pending) < most:
                thing = queue.popleft()
                pending[call.remote(shared, thing, os.getcwd())] = thing
            for done in ray.wait(list(pending), num_returns=1)[0]:
                yield pending.pop(done), _result(ray, done)
    finally:
        # What is on its way is let finish, which does not take long: cancelling can bring all of Ray down.
        if pending:
            ray.wait(list(pending), num_returns=len(pending), timeout=PATIENCE)
        if ours:
            ray.shutdown()


def _call(work: Callable[[Any], Any], thing: Any, folder: str) -> Any:
    os.chdir(folder)  # so that paths mean what they mean to whoever asks
    with at_most(1):
        return work(thing)


def _result(ray: Any, done: Any) -> Any:
    """What came of a thing, or None where its process, or its machine, died."""
    try:
        return ray.get(done)
    except ray.exceptions.RayTaskError as error:
        raise LimbikError(f"the Ray cluster cannot do the work; is limbik there, and the same one? {error}") from None
    except ray.exceptions.RayError:
        return None


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise MissingExtraError("work on a cluster", "ray", "ray") from None
    return ray


def _connect(ray: Any, address: str | None) -> None:
    import logging

    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, include_dashboard=None)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise LimbikError(f"no Ray cluster at {address or 'this machine'}: {error}") from None
