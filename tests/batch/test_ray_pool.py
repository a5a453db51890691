"""Many clips on a Ray cluster of two nodes: byte for byte the same as on this machine, whichever process is killed."""

import os
import sys
from pathlib import Path

import pytest

from limbik.batch.planning import plan
from limbik.batch.runner import ground_files, run_jobs
from limbik.errors import LimbikError
from limbik.grounding.settings import Settings
from limbik.pages.clip_page import write_grounded_page
from limbik.terrains.specs import terrain
from tests.cli.command import run
from tests.optional import optional

from .dying import DyingPage, DyingWork
from .folders import contents, fill

ray = optional("ray")
pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="processes are killed as POSIX has it"),
    # Ray forks; where other tests of this process have used JAX, it warns of threads, which do not matter here.
    pytest.mark.filterwarnings("ignore:os.fork:RuntimeWarning"),
]
HILLS = "hills:height=0.3,seed=3"


@pytest.fixture(scope="module")
def cluster():
    """The address of a cluster of two nodes, whose processes can import the tests."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[2]), prepend=os.pathsep)
        nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        try:
            nodes.add_node(num_cpus=1)
            nodes.wait_for_nodes()
            yield nodes.address
        finally:
            ray.shutdown()
            nodes.shutdown()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return fill(tmp_path_factory.mktemp("clips"), 8)


@pytest.fixture(scope="module")
def expected(folder, tmp_path_factory):
    """The files of a run in two processes of this machine."""
    out = tmp_path_factory.mktemp("pool")
    assert not any(one.error for one in ground_files([folder], HILLS, out, jobs=2))
    return contents(out)


def test_a_killed_worker_loses_nothing(cluster, folder, expected, tmp_path):
    (tmp_path / "deaths").mkdir()
    out = tmp_path / "out"
    work = DyingWork(terrain(HILLS), Settings(), victim="walk4.bvh", folder=str(tmp_path / "deaths"))
    outcomes = list(run_jobs(plan([folder], out), work, out, ray=cluster))
    assert len(os.listdir(tmp_path / "deaths")) == 1
    assert len(outcomes) == 8 and all(one.fresh and not one.error for one in outcomes)
    assert contents(out) == expected
    assert not any(one.fresh for one in ground_files([folder], HILLS, out, ray=cluster))


def test_a_clip_that_kills_every_worker_is_given_up(cluster, folder, expected, tmp_path):
    (tmp_path / "deaths").mkdir()
    out = tmp_path / "out"
    work = DyingWork(terrain(HILLS), Settings(), victim="walk4.bvh", times=99, folder=str(tmp_path / "deaths"))
    faults = {one.job.source.name: one.error for one in run_jobs(plan([folder], out), work, out, ray=cluster)}
    assert faults.pop("walk4.bvh") == f"{folder / 'walk4.bvh'}: the process working on it died 2 times"
    assert set(faults.values()) == {None}
    left = {place for place in expected if not place.startswith("walk4")}
    assert set(contents(out)) == left


def test_a_worker_that_is_killed_at_a_page_loses_nothing(cluster, folder, tmp_path):
    (tmp_path / "deaths").mkdir()
    expected = tmp_path / "expected"
    assert not any(one.error for one in ground_files([folder], HILLS, expected, jobs=1, page=write_grounded_page))
    out, page = tmp_path / "out", DyingPage(str(tmp_path / "deaths"))
    outcomes = list(ground_files([folder], HILLS, out, ray=cluster, page=page))
    assert os.listdir(tmp_path / "deaths") and len(outcomes) == 8 and not any(one.error for one in outcomes)
    assert contents(out) == contents(expected)


def test_from_the_command_line_paths_mean_what_they_mean_here(capsys, cluster, folder, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(folder)
    out = os.path.relpath(tmp_path)
    answer = run(capsys, f"ground walk0.bvh none.bvh --terrain {HILLS} --out {out} --ray {cluster}")
    assert answer.status == 2
    assert answer.out.splitlines()[-1] == f"{out}: 1 clip grounded"
    assert answer.err == "limbik: none.bvh: No such file or directory\n"
    assert contents(tmp_path)["walk0.bvh"] == expected["walk0.bvh"]


def test_a_cluster_that_does_not_exist(folder, tmp_path):
    with pytest.raises(LimbikError, match="no Ray cluster at"):
        list(ground_files([folder], HILLS, tmp_path, ray="not an address"))
