"""One solve beside the peers: those that are not there, or fail, are named; answers of the others are looked at."""

from pathlib import Path

import numpy as np
import pytest

from limbik.bench import single_solves as single
from limbik.bench.peer_tasks import Solver, leg_task, planar_task, tasks
from limbik.bench.peers import installed, peers
from limbik.bench.timing import QUICK

PEERS = Path(__file__).parents[2] / "benchmarks" / "peers"


class Someone:
    """A peer of the tests' own."""

    PACKAGE = "json"
    DISTRIBUTION = "numpy"  # whose version is told

    def __init__(self, solver):
        self.solver = solver


def exact(task):
    """A solver that knows the answers' tips."""
    return Solver(lambda pose: pose[:3, 3], lambda tip: tip, lambda tip: tip + [0, 0, 1e-3])


def rows_with(monkeypatch, *contenders):
    monkeypatch.setattr(single, "peers", lambda folder: list(contenders))
    return single.single_rows(QUICK, PEERS)


def test_limbik_alone():
    rows = single.single_rows(QUICK, None)
    assert [(row["job"], row["who"]) for row in rows] == [
        (task, f"limbik, {answer}") for task in ("planar 2R", "leg 5R") for answer in ("joints", "angles")
    ]
    assert all(row["seconds"]["median"] > 0 and row["worst_miss"] < 1e-14 for row in rows)


def test_a_peer_is_timed_and_its_miss_told(monkeypatch):
    rows = [row for row in rows_with(monkeypatch, Someone(exact)) if row["who"] == "numpy"]
    assert [row["job"] for row in rows] == ["planar 2R", "leg 5R"]
    assert all(row["seconds"]["median"] > 0 and row["version"] == np.__version__ for row in rows)
    assert all(abs(row["worst_miss"] - 1e-3) < 1e-12 for row in rows)


def test_a_missing_peer_is_named(monkeypatch):
    nobody = Someone(exact)
    nobody.PACKAGE = "a_package_that_nobody_has"
    rows = rows_with(monkeypatch, nobody)
    assert [row["skipped"] for row in rows if row["who"] == "numpy"] == ["not installed"] * 2


def test_a_failing_peer_does_not_end_the_run(monkeypatch, capsys):
    def broken(task):
        print("chatter")
        raise RuntimeError("out of order")

    rows = rows_with(monkeypatch, Someone(broken), Someone(lambda task: None))
    told = [row["skipped"] for row in rows if row["who"] == "numpy"]
    assert told == ["failed: RuntimeError: out of order", "cannot do this job"] * 2
    assert not capsys.readouterr().out


@pytest.mark.parametrize("task", tasks(), ids=lambda task: task.name)
@pytest.mark.parametrize("peer", peers(PEERS), ids=lambda peer: peer.DISTRIBUTION)
def test_installed_peers_reach_the_targets(peer, task):
    if not installed(peer):
        pytest.skip("not installed")
    contender = single._enter(peer, task)
    if contender == "cannot do this job":
        pytest.skip("cannot do this job")
    assert isinstance(contender, single.Contender), contender
    assert contender.miss < 0.01


def test_jobs_are_the_limbs_of_limbik():
    import limbik

    rng = np.random.default_rng(5)
    for task, limb in ((planar_task(), limbik.PlanarTwoLink), (leg_task(), limbik.ThreeLink)):
        angles = rng.normal(size=len(task.axes))
        tip = limb(*task.lengths).forward(angles)[-1]
        assert np.allclose(task.tip(angles)[: len(tip)], tip, atol=1e-14)
