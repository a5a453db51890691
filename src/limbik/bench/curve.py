"""The curve: the time of a call from one target to the largest batch, for every kind of input, on one thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from limbik.bench.batches import copy_fresh
from limbik.bench.cases import ROWS, Case, Inputs
from limbik.bench.children import output_of
from limbik.bench.measured_limbs import KINDS
from limbik.bench.peer_tasks import leg_task
from limbik.bench.peers import installed, peers, quiet
from limbik.bench.timing import Effort, Work, round_robin
from limbik.engines import threads
from limbik.engines.loading import warm_up
from limbik.errors import LimbikError

LIMB, ANSWER = "three-link", "joints"
LISTS, ARRAY, REUSED, NEW = "lists", "array", "array, out=", "array, new process"
TORCH, CUDA, PEER, COPY = "torch, CPU", "torch, CUDA", "EAIK, one by one", "memory copy"
WHO = (LISTS, ARRAY, REUSED, NEW, TORCH, CUDA, PEER, COPY)
# Nobody passes longer lists, or solves more targets one by one.
LONGEST_LIST = 10_000
ONE_BY_ONE = 1_000
# A larger batch waits for its kernel: it takes the same time in every process.
NEW_MOST = 30_000
# Runs in a new process: a second of calls, then the times of the following ones.
NEW_PROCESS = """
import json, time
from limbik.bench.cases import Case, Inputs
from limbik.bench.measured_limbs import KINDS
from limbik.bench.timing import QUICK, round_robin
from limbik.engines import threads
inputs = Inputs.of(Case({limb!r}, {answer!r}, {dtype!r}, "row-major", {targets}))
solve = KINDS[{limb!r}].make().solve
def call():
    return solve(*inputs.arrays).{answer}
with threads.at_most(1):
    first, start = [], time.perf_counter()
    while time.perf_counter() - start < 1.0:
        before = time.perf_counter()
        call()
        first.append(time.perf_counter() - before)
    seconds = round_robin({{"": call}}, QUICK)[""].as_dict()
print(json.dumps({{"seconds": seconds, "longest": max(first[1:1000], default=first[0]), "first": first[0]}}))
"""


def curve_sizes(most: int) -> tuple[int, ...]:
    """1, 3, 10, 30 … up to a number of targets."""
    steps = [factor * 10**power for power in range(len(str(most))) for factor in (1, 3)]
    return tuple(size for size in steps if size <= most)


def curve_rows(targets: int, dtype: str, effort: Effort, folder: Path | None, memory: int) -> list[dict[str, Any]]:
    """A row for each kind of input that can be measured here: seconds of one call of so many targets.

    folder: the adapters of the peers, or None for limbik alone. A size that does not fit into `memory` bytes gives one
    row that says so.
    """
    case = Case(LIMB, ANSWER, dtype, ROWS, targets)
    # The inputs as tensors, and an earlier solution beside the answer.
    if case.bytes_needed + case.bytes_out > memory:
        needed = (case.bytes_needed + case.bytes_out) / 1e9
        return [{**asdict(case), "who": "the curve", "skipped": f"needs {needed:.1f} GB of memory"}]
    with _one_thread():
        samples = round_robin(dict(_contenders(case, folder)), effort)
    rows = [{**asdict(case), "who": who, "seconds": sample.as_dict()} for who, sample in samples.items()]
    if targets <= NEW_MOST:
        found = output_of(NEW_PROCESS.format(limb=LIMB, answer=ANSWER, dtype=dtype, targets=targets))
        rows.append({**asdict(case), "who": NEW, **found})
    return rows


def _one_thread() -> Any:
    if find_spec("torch") is not None:
        import torch  # pyright: ignore[reportMissingImports]

        torch.set_num_threads(1)
    return threads.at_most(1)


def _contenders(case: Case, folder: Path | None) -> Iterator[tuple[str, Work]]:
    inputs = Inputs.of(case)
    solve = KINDS[LIMB].make().solve
    arrays = inputs.arrays
    with warm_up():
        kept = [solve(*arrays)]
        kept[0].joints  # noqa: B018

    def reused() -> Any:
        kept[0] = solve(*arrays, out=kept[0])
        return kept[0].joints

    yield ARRAY, lambda: solve(*arrays).joints
    yield REUSED, reused
    yield COPY, lambda: copy_fresh(inputs.memory, case.copied, case.targets)
    if case.dtype == "float64" and case.targets <= LONGEST_LIST:
        lists = [array[0].tolist() if case.targets == 1 else array.tolist() for array in arrays]
        yield LISTS, lambda: solve(*lists).joints
    if case.dtype == "float64" and case.targets <= ONE_BY_ONE and (one := _peer(folder)):
        yield PEER, lambda: one(case.targets)
    yield from _torch_contenders(solve, arrays)


def _torch_contenders(solve: Callable[..., Any], arrays: list[Any]) -> Iterator[tuple[str, Work]]:
    if find_spec("torch") is None:
        return
    import torch  # pyright: ignore[reportMissingImports]

    tensors = [torch.from_numpy(array) for array in arrays]
    with warm_up():
        solve(*tensors).joints  # noqa: B018
    yield TORCH, lambda: solve(*tensors).joints
    if torch.cuda.is_available():
        on_device = [tensor.cuda() for tensor in tensors]

        def call() -> None:
            solve(*on_device).joints  # noqa: B018
            torch.cuda.synchronize()

        yield CUDA, call


@cache
def _peer(folder: Path | None) -> Callable[[int], None] | None:
    """EAIK on the poses of a leg, so many of them one after the other; None where it is not installed."""
    found = [peer for peer in peers(folder) if peer.DISTRIBUTION == "eaik" and installed(peer)]
    if not found:
        return None
    task = leg_task()
    try:
        with quiet():
            solver = found[0].solver(task)
            poses = [solver.prepare(pose) for pose in task.poses] if solver else []
    except Exception as error:  # a failing peer must not end the run
        raise LimbikError(f"EAIK failed: {error}") from error
    if solver is None:
        return None
    solve = solver.solve

    def run(count: int) -> None:
        for k in range(count):
            solve(poses[k % len(poses)])

    return run
