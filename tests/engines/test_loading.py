"""Kernels that come from the background: loaded when it pays, never in the way, safe at exit and across forks."""

import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import limbik
from limbik.engines import loading, numba_compiler, numba_engine, thresholds

TARGETS = np.random.default_rng(0).uniform(-0.5, 0.5, (300, 3))


@pytest.fixture
def fresh(monkeypatch):
    """No kernel is ready, and nothing has been counted."""
    monkeypatch.setattr(numba_engine, "kernels", {})
    monkeypatch.setattr(numba_compiler, "_failures", [])
    monkeypatch.setattr(loading.background, "spent", {})


def finish():
    """Waits for the background."""
    if thread := loading.background.thread:
        thread.join()


def test_batches_that_keep_coming_get_their_kernel(fresh, monkeypatch):
    gc.unfreeze()  # what conftest.py has frozen: loading leaves nothing frozen
    arm = limbik.TwoLink(0.45, 0.42)
    expected = np.array(arm.solve(TARGETS).joints)
    assert not numba_engine.kernels
    loading.background.spent.clear()
    monkeypatch.setattr(thresholds, "KERNEL_MIN_SECONDS", 0.0)
    turns = sys.getswitchinterval()
    arm.solve(TARGETS[:50]).joints
    arm.solve(TARGETS[:20], twist=0.2).joints  # another one, requested meanwhile
    finish()
    assert sys.getswitchinterval() == turns
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    assert {kernel.flags.twisted for kernel in numba_engine.kernels} == {False, True}
    monkeypatch.setattr(loading, "note", lambda *_: pytest.fail("there was a kernel"))
    assert np.array_equal(arm.solve(TARGETS).joints, expected)


def test_little_time_loads_nothing(fresh, monkeypatch):
    requested = []
    monkeypatch.setattr(loading.background, "request", requested.append)
    monkeypatch.setattr(thresholds, "KERNEL_MIN_SECONDS", np.inf)
    for _ in range(3):
        limbik.TwoLink(0.45, 0.42).solve(TARGETS).joints
    assert requested == []


def test_each_kernel_is_requested_once(fresh, monkeypatch):
    requested = []
    monkeypatch.setattr(loading.background, "request", requested.append)
    monkeypatch.setattr(thresholds, "KERNEL_MIN_SECONDS", 0.0)
    arm = limbik.TwoLink(0.45, 0.42)
    for _ in range(5):
        arm.solve(TARGETS).joints
    assert len(requested) == 1


@pytest.mark.filterwarnings("ignore:Numba cannot compile")
def test_a_kernel_that_cannot_be_made_changes_nothing(fresh, monkeypatch):
    def broken(*_):
        raise OSError("no compiler today")

    monkeypatch.setattr(numba_engine, "compiled", broken)
    monkeypatch.setattr(thresholds, "KERNEL_MIN_SECONDS", 0.0)
    arm = limbik.TwoLink(0.45, 0.42)
    joints = [np.array(arm.solve(TARGETS).joints) for _ in range(3)]
    finish()
    assert np.array_equal(joints[0], arm.solve(TARGETS).joints)
    assert not loading.busy()


def test_where_no_thread_can_start(fresh, monkeypatch):
    def refuse(self):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(loading.threading.Thread, "start", refuse)
    monkeypatch.setattr(thresholds, "KERNEL_MIN_SECONDS", 0.0)
    arm = limbik.TwoLink(0.45, 0.42)
    assert np.array_equal(arm.solve(TARGETS).joints, arm.solve(TARGETS).joints)
    assert not loading.busy()


def test_warm_up_makes_ready_what_is_called_in_it(fresh, monkeypatch):
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    with limbik.warm_up():
        one = leg.solve(TARGETS[:1], TARGETS[:1]).joints
        limbik.TwoLink(1, 1).solve(TARGETS[:5], twist=0.5).joints  # on the general path
    monkeypatch.setattr(loading, "note", lambda *_: pytest.fail("there was a kernel"))
    assert np.array_equal(leg.solve(TARGETS, TARGETS).joints[:1], one)
    limbik.TwoLink(0.3, 0.2).solve(TARGETS, twist=0.25).joints


@pytest.mark.filterwarnings("ignore:Numba cannot compile")
def test_warm_up_without_numba(fresh, monkeypatch):
    monkeypatch.setattr(numba_compiler, "installed", lambda: False)
    with limbik.warm_up():
        assert limbik.TwoLink(1, 1).solve(TARGETS).joints.shape == (300, 3, 3)


# Each calls a small batch until the background has begun to compile, and then does something else.
BEGIN = """
import os, sys, threading, warnings
warnings.simplefilter("error")
import numpy as np, limbik
from limbik.engines import loading, numba_engine, thresholds
thresholds.KERNEL_MIN_SECONDS = 0.0
targets = np.random.default_rng(0).uniform(-0.5, 0.5, (300, 3))
leg = limbik.ThreeLink(0.45, 0.42, 0.12)
expected = leg.solve(targets, targets[::-1]).joints
assert loading.busy()
"""
PROGRAMS = {
    "exit at once": "",
    "exit by an exception": "sys.exit(0)",
    "fork": """
pids = []
for _ in range(2):
    pid = os.fork()
    if pid == 0:
        limbik.TwoLink(1, 1).solve(np.ones((100_000, 3)) * 0.3).joints
        same = np.array_equal(leg.solve(targets, targets[::-1]).joints, expected)
        os._exit(0 if same else 1)
    pids.append(pid)
assert [os.waitpid(pid, 0)[1] for pid in pids] == [0, 0]
""",
    "threads": """
def work():
    for _ in range(100):
        assert np.array_equal(leg.solve(targets, targets[::-1]).joints, expected)
    limbik.TwoLink(1, 1).solve(np.ones((100_000, 3)) * 0.3).joints
threads = [threading.Thread(target=work) for _ in range(4)]
[one.start() for one in threads]
[one.join() for one in threads]
thread = loading.background.thread
if thread: thread.join()
assert len(numba_engine.kernels) == 3  # of both answers, and the checksum
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that_goes_on_while_a_kernel_is_compiled(name, tmp_path):
    if name == "fork" and not hasattr(os, "fork"):
        pytest.skip("no fork here")
    env = {**os.environ, "LIMBIK_CACHE": str(tmp_path / "kernels")}
    if name == "threads":  # a cache that cannot be written
        (tmp_path / "kernels").write_text("in the way")
    command = [sys.executable, "-c", BEGIN + PROGRAMS[name]]
    run = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_a_fork_waits_for_the_compiler_and_not_the_compiler_for_the_fork(tmp_path):
    """Numba takes the lock of `logging`, which a fork holds as well: they take both locks in the same order."""
    program = """
import os, threading
from limbik.engines import numba_compiler
import logging
held, asked = threading.Event(), threading.Event()
def work():
    with numba_compiler.compiling():
        held.set()
        asked.wait(0.5)
        logging.getLogger("numba").setLevel(logging.INFO)
thread = threading.Thread(target=work)
thread.start()
held.wait()
pid = os.fork()
if pid == 0:
    with numba_compiler.compiling():
        os._exit(0)
thread.join()
assert os.waitpid(pid, 0)[1] == 0
"""
    if not hasattr(os, "fork"):
        pytest.skip("no fork here")
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")


def test_logging_is_imported_before_the_thread_starts(tmp_path):
    """It registers its locks for forks as it is imported: a fork of the program at that moment would fail in part."""
    spy = """
import sys, threading
start = threading.Thread.start
def spied(thread):
    assert "logging" in sys.modules
    print(thread.name)
    start(thread)
threading.Thread.start = spied
"""
    env = {**os.environ, "LIMBIK_CACHE": str(tmp_path / "kernels")}
    run = subprocess.run([sys.executable, "-c", spy + BEGIN], env=env, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout.split(), run.stderr) == (0, ["limbik-kernels"], "")


NO_SWAPS = """
import sys, types
swaps = []
class Watched(types.ModuleType):
    def __setattr__(self, name, value):
        if name == "stdout":
            swaps.append(value)
        super().__setattr__(name, value)
sys.__class__ = Watched
import numpy as np, limbik
with limbik.warm_up():
    limbik.PlanarTwoLink(0.5, 0.4).solve(np.full((300, 2), 0.3)).joints
assert "numba" in sys.modules and not swaps, swaps
print("none")
"""


def test_compiling_leaves_stdout_alone(tmp_path):
    """Numba replaces it to colour messages: where a program redirects it meanwhile, the rest would be lost."""
    pytest.importorskip("colorama", reason="without colorama Numba has no colours")
    env = {**os.environ, "LIMBIK_CACHE": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", NO_SWAPS], env=env, capture_output=True, text=True, check=False)
    assert run.stdout == "none\n", run.stderr
