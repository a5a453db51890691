"""One target at a time: the public call on Python lists, beside the peers on the same targets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from limbik import __version__
from limbik.arrays import Array
from limbik.bench.measured_limbs import KINDS
from limbik.bench.peer_tasks import Solver, Task, tasks
from limbik.bench.peers import Peer, installed, peers, quiet
from limbik.bench.timing import Effort, Work, round_robin

# Seconds; slow contenders solve fewer targets per pass, so that a pass takes about this long.
LONGEST = 0.05
FEWEST = 8


@dataclass(frozen=True)
class Contender:
    """A package with its solver for a task, and its largest error."""

    name: str
    version: str
    solver: Solver
    inputs: list[Any]
    miss: float

    @classmethod
    def of(cls, name: str, version: str, solver: Solver, task: Task) -> Contender:
        """Solves every target once to find the largest distance between tip and target."""
        inputs = [solver.prepare(pose) for pose in task.poses]
        tips = np.array([solver.tip(solver.solve(one)) for one in inputs])
        miss = float(np.linalg.norm(tips - task.poses[:, :3, 3], axis=1).max())
        return cls(name, version, solver, inputs, miss)


def single_rows(effort: Effort, folder: Path | None) -> list[dict[str, Any]]:
    """For each task a row for limbik's joints and angles, and one for each peer: its times, or why it has none.

    folder: the adapters of the peers, or None to measure limbik alone.
    """
    return [row for task in tasks() for row in _task_rows(task, effort, folder)]


def _task_rows(task: Task, effort: Effort, folder: Path | None) -> list[dict[str, Any]]:
    contenders = [
        Contender.of(f"limbik, {answer}", __version__, _limbik(task, answer), task) for answer in ("joints", "angles")
    ]
    absent: list[dict[str, Any]] = []
    for peer in peers(folder):
        found = _enter(peer, task)
        if isinstance(found, Contender):
            contenders.append(found)
        else:
            absent.append({"job": task.name, "who": peer.DISTRIBUTION, "skipped": found})
    return [*_timed(task, contenders, effort), *absent]


def _enter(peer: Peer, task: Task) -> Contender | str:
    """The peer as a contender, or the reason why it cannot take part."""
    release = installed(peer)
    if release is None:
        return "not installed"
    try:
        with quiet():
            solver = peer.solver(task)
            return Contender.of(peer.DISTRIBUTION, release, solver, task) if solver else "cannot do this job"
    except Exception as error:  # a failing peer must not end the run
        return f"failed: {type(error).__name__}: {error}"


def _timed(task: Task, contenders: list[Contender], effort: Effort) -> list[dict[str, Any]]:
    with quiet():
        passes = {one.name: _pass(one) for one in contenders}
        samples = round_robin({name: run for name, (run, _) in passes.items()}, effort)
    rows = []
    for one in contenders:
        targets = passes[one.name][1]
        head = {"job": task.name, "who": one.name, "version": one.version, "targets": targets}
        rows.append({**head, "seconds": samples[one.name].over(targets).as_dict(), "worst_miss": one.miss})
    return rows


def _pass(contender: Contender) -> tuple[Work, int]:
    """One pass over the targets, or over the first few for a slow contender, and their number."""
    solve, inputs = contender.solver.solve, contender.inputs
    one = round_robin({"": lambda: solve(inputs[0])}, Effort(seconds=0.0, least=1))[""].best
    few = inputs[: max(FEWEST, min(len(inputs), int(LONGEST / one)))]

    def run() -> None:
        for pose in few:
            solve(pose)

    return run, len(few)


def _limbik(task: Task, answer: str) -> Solver:
    """The public call on Python lists, reading one answer."""
    planar = len(task.lengths) == 2
    solve = KINDS["planar" if planar else "three-link"].make().solve

    def prepare(pose: Array) -> list[list[float]]:
        return [pose[:2, 3].tolist()] if planar else [pose[:3, 3].tolist(), pose[:3, 2].tolist()]

    def tip(found: Array) -> Array:
        if answer == "angles":
            return task.tip(found)
        return np.array([*found[-1], 0.0]) if planar else found[-1]

    return Solver(prepare, lambda vectors: getattr(solve(*vectors), answer), tip)
