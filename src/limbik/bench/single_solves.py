"""One target at a time: the public call, from Python lists, beside the peers on the same targets."""

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
from limbik.bench.timing import Patience, Sample, Work, round_robin

# A pass over all targets that takes longer than this is one over fewer of them.
LONGEST = 0.05
FEWEST = 8


@dataclass(frozen=True)
class Entrant:
    """Someone who does a task."""

    name: str
    version: str
    solver: Solver
    given: list[Any]
    miss: float

    @classmethod
    def of(cls, name: str, version: str, solver: Solver, task: Task) -> Entrant:
        """Solves every target once, to see how far the worst answer is off."""
        given = [solver.prepare(pose) for pose in task.poses]
        tips = np.array([solver.tip(solver.solve(one)) for one in given])
        miss = float(np.linalg.norm(tips - task.poses[:, :3, 3], axis=1).max())
        return cls(name, version, solver, given, miss)


def single_rows(patience: Patience, folder: Path | None) -> list[dict[str, Any]]:
    """For each task a row for limbik's joints and angles, and one for each peer: its times, or why it has none.

    folder: the adapters of the peers, or None to measure limbik alone.
    """
    return [row for task in tasks() for row in _task_rows(task, patience, folder)]


def _task_rows(task: Task, patience: Patience, folder: Path | None) -> list[dict[str, Any]]:
    entrants = [
        Entrant.of(f"limbik, {answer}", __version__, _limbik(task, answer), task) for answer in ("joints", "angles")
    ]
    absent: list[dict[str, Any]] = []
    for peer in peers(folder):
        found = _enter(peer, task)
        if isinstance(found, Entrant):
            entrants.append(found)
        else:
            absent.append({"job": task.name, "who": peer.DISTRIBUTION, "skipped": found})
    return [*_timed(task, entrants, patience), *absent]


def _enter(peer: Peer, task: Task) -> Entrant | str:
    """The peer, ready to start, or why it is not."""
    release = installed(peer)
    if release is None:
        return "not installed"
    try:
        with quiet():
            solver = peer.solver(task)
            return Entrant.of(peer.DISTRIBUTION, release, solver, task) if solver else "cannot do this job"
    except Exception as error:  # whatever goes wrong inside a peer must not end the run
        return f"failed: {type(error).__name__}: {error}"


def _timed(task: Task, entrants: list[Entrant], patience: Patience) -> list[dict[str, Any]]:
    with quiet():
        works, counts = {}, {}
        for one in entrants:
            works[one.name], counts[one.name] = _pass(one)
        samples = round_robin(works, patience)
    told = {name: sample.over(counts[name]) for name, sample in samples.items()}
    return [_row(task, one, counts[one.name], told[one.name]) for one in entrants]


def _pass(entrant: Entrant) -> tuple[Work, int]:
    """One pass over the targets, or over the first few for someone slow; and how many those are."""
    solve, given = entrant.solver.solve, entrant.given
    one = round_robin({"": lambda: solve(given[0])}, Patience(seconds=0.0, least=1))[""].best
    few = given[: max(FEWEST, min(len(given), int(LONGEST / one)))]

    def run() -> None:
        for pose in few:
            solve(pose)

    return run, len(few)


def _row(task: Task, entrant: Entrant, targets: int, sample: Sample) -> dict[str, Any]:
    told = {"job": task.name, "who": entrant.name, "version": entrant.version, "targets": targets}
    return {**told, "seconds": sample.told(), "worst_miss": entrant.miss}


def _limbik(task: Task, answer: str) -> Solver:
    """The public call on Python lists, one answer read."""
    planar = len(task.lengths) == 2
    solve = KINDS["planar" if planar else "three-link"].make().solve

    def prepare(pose: Array) -> list[list[float]]:
        return [pose[:2, 3].tolist()] if planar else [pose[:3, 3].tolist(), pose[:3, 2].tolist()]

    def tip(found: Array) -> Array:
        if answer == "angles":
            return task.tip(found)
        return np.array([*found[-1], 0.0]) if planar else found[-1]

    return Solver(prepare, lambda given: getattr(solve(*given), answer), tip)
