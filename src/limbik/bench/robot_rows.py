"""A robot arm: one pose at a time and every branch of a batch, beside the packages that have a closed form for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from limbik import __version__
from limbik.arrays import Array
from limbik.bench.peer_tasks import Task, arm_task
from limbik.bench.peers import ArmPeer, arm_peers, installed, quiet
from limbik.bench.timing import LEAST, Effort, Work, round_robin
from limbik.engines import loading
from limbik.robots.robot_limb import RobotLimb
from limbik.robots.screws import ScrewChain
from limbik.rotations import from_matrices

BATCH = 50_000
JUDGED = 64  # poses whose every answer is looked at


@dataclass(frozen=True)
class ArmSolver:
    """A package's way to every answer for an arm.

    one, many: take a pose (4, 4), or poses (rows, 4, 4), and return what is timed: a function that solves them. `many`
        is None for packages without batches.
    answers: the angles (answers, joints) in what that function returned, of one pose or of a row of a batch.
    """

    one: Callable[[Array], Work]
    many: Callable[[Array], Work] | None
    answers: Callable[[Any, int | None], Array]


def robot_rows(effort: Effort, folder: Path | None, batch: int = BATCH) -> list[dict[str, Any]]:
    """Rows for limbik and each peer, of one pose and of a batch; `folder` has the adapters, None: limbik alone."""
    arm = arm_task()
    solvers, versions = {"limbik": _limbik(arm)}, {"limbik": __version__}
    absent: list[dict[str, Any]] = []
    for peer in arm_peers(folder):
        found = _enter(peer, arm)
        if isinstance(found, str):
            absent.append({"job": arm.name, "who": peer.DISTRIBUTION, "skipped": found})
        else:
            solvers[peer.DISTRIBUTION], versions[peer.DISTRIBUTION] = found, installed(peer) or ""
    many = np.resize(arm.poses, (batch, 4, 4))
    works = {who: solver.one(arm.poses[0]) for who, solver in solvers.items()}
    batches = {who: solver.many(many) for who, solver in solvers.items() if solver.many}
    rows = _timed(f"{arm.name}, one pose", works, 1, effort)
    rows += _timed(f"{arm.name}, a pose in batches of {batch:,}", batches, batch, effort)
    misses = {who: worst_miss(arm, solver) for who, solver in solvers.items()}
    return [*({**row, "version": versions[row["who"]], "worst_miss": misses[row["who"]]} for row in rows), *absent]


def worst_miss(arm: Task, solver: ArmSolver) -> float:
    """The largest distance of a tip from its target over all answers, one pose at a time and in a batch, metres."""
    poses, worst = arm.poses[:JUDGED], 0.0
    together = solver.many(poses)() if solver.many else None
    for row, pose in enumerate(poses):
        found = [solver.answers(solver.one(pose)(), None)]
        found += [] if together is None else [solver.answers(together, row)]
        for angles in found:
            if not len(angles):
                return float("inf")
            tips = np.array([arm.tip(one) for one in angles])
            worst = max(worst, float(np.linalg.norm(tips - pose[:3, 3], axis=1).max()))
    return worst


def _enter(peer: ArmPeer, arm: Task) -> ArmSolver | str:
    """The peer's solver, tried once, or the reason why it cannot take part."""
    if installed(peer) is None:
        return "not installed"
    try:
        with quiet():
            solver = peer.arm_solver(arm)
            solver.answers(solver.one(arm.poses[0])(), None)
            return solver
    except Exception as error:  # a failing peer must not end the run
        return f"failed: {type(error).__name__}: {error}"


def _timed(job: str, works: dict[str, Work], poses: int, effort: Effort) -> list[dict[str, Any]]:
    with quiet(), loading.warm_up():
        samples = round_robin(works, effort)
        rows = []
        for who, sample in samples.items():
            calls = max(1, round(LEAST / sample.best))
            core = min(_core_seconds(works[who], calls) for _ in range(effort.least)) / poses
            rows.append({"job": job, "who": who, "seconds": sample.over(poses).as_dict(), "core_seconds": core})
    return rows


def _core_seconds(work: Work, calls: int) -> float:
    """Processor seconds of one call, all cores together: other programs on the machine change them little."""
    start = process_time()
    for _ in range(calls):
        work()
    return (process_time() - start) / calls


def _limbik(arm: Task) -> ArmSolver:
    limit = np.full(len(arm.axes), 2 * np.pi)
    points = np.vstack([np.zeros(3), np.cumsum(arm.links, axis=0)])
    names, kinds = tuple(f"joint {k}" for k in range(len(limit))), ("hinge",) * len(limit)
    home = np.array([0.0, 0.0, 0.0, 1.0])
    limb = RobotLimb(ScrewChain(names, arm.axes, points[:-1], kinds, -limit, limit, points[-1], home))

    def work(poses: Array) -> Work:
        position, rotation = poses[..., :3, 3].copy(), from_matrices(poses[..., :3, :3])
        return lambda: limb.branches(position, rotation)

    def answers(found: Any, row: int | None) -> Array:
        angles, reached = found.angles, found.reached
        return angles[reached] if row is None else angles[:, row][reached[:, row]]

    return ArmSolver(work, work, answers)
