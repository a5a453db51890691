"""A robot arm beside the peers: each answer is looked at; those that are not there, or fail, are named."""

from pathlib import Path

import numpy as np
import pytest

from limbik.bench import robot_rows as robots
from limbik.bench.peer_tasks import arm_task
from limbik.bench.peers import arm_peers, installed
from limbik.bench.robot_rows import ArmSolver, robot_rows, worst_miss
from limbik.bench.timing import QUICK
from tests.thoroughness import THOROUGH

PEERS = Path(__file__).parents[2] / "benchmarks" / "peers"
BATCH = 200


def test_limbik_alone():
    rows = robot_rows(QUICK, None, BATCH)
    assert [row["job"] for row in rows] == ["UR5e 6R, one pose", "UR5e 6R, a pose in batches of 200"]
    assert all(row["seconds"]["median"] > 0 and row["core_seconds"] > 0 and row["worst_miss"] < 1e-14 for row in rows)


@pytest.mark.parametrize("peer", arm_peers(PEERS), ids=lambda peer: peer.DISTRIBUTION)
def test_installed_peers_reach_the_targets(peer):
    if not installed(peer):
        pytest.skip("not installed")
    if peer.PACKAGE == "jaik" and not THOROUGH:
        pytest.skip("compiles for many seconds")
    arm = arm_task()
    solver = peer.arm_solver(arm)
    assert len(solver.answers(solver.one(arm.poses[0])(), None)) >= 2
    assert worst_miss(arm, solver) < 1e-7


def test_wrong_and_missing_answers_are_told():
    arm = arm_task()
    wrong = ArmSolver(lambda pose: lambda: np.zeros((1, 6)), None, lambda found, row: found)
    assert worst_miss(arm, wrong) > 0.1
    nothing = ArmSolver(lambda pose: lambda: np.zeros((0, 6)), None, lambda found, row: found)
    assert worst_miss(arm, nothing) == float("inf")


def test_absent_and_failing_peers_are_named(monkeypatch):
    class Someone:
        PACKAGE, DISTRIBUTION = "json", "numpy"  # whose version is told

        def arm_solver(self, arm):
            raise RuntimeError("out of order")

    class Nobody(Someone):
        PACKAGE = "a_package_that_nobody_has"

    monkeypatch.setattr(robots, "arm_peers", lambda folder: [Someone(), Nobody()])
    rows = robot_rows(QUICK, PEERS, BATCH)
    told = [row["skipped"] for row in rows if "skipped" in row]
    assert told == ["failed: RuntimeError: out of order", "not installed"]
