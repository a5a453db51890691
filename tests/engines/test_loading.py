"""Kernels that another process makes: asked for when it pays, never in the way, nothing left behind."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import limbik
from limbik.engines import kernel_cache, loading, machine_code, numba_compiler, numba_engine, thresholds
from limbik.engines.loading import kernels

TARGETS = np.random.default_rng(0).uniform(-0.5, 0.5, (300, 3))
DEADLINE = 120.0  # seconds after which a test gives up
posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork and no signals here")


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    """No kernel is ready or on disk, and nothing has been counted."""
    before = dict(kernels)
    kernels.clear()
    monkeypatch.setattr(numba_compiler, "_failures", [])
    monkeypatch.setattr(loading, "requests", loading.Requests())
    monkeypatch.setattr(thresholds, "KERNEL_MIN_SECONDS", 0.0)
    monkeypatch.setenv("LIMBIK_CACHE", str(tmp_path / "kernels"))
    yield loading.requests
    if loading.requests._compiler:
        loading.requests._compiler.close()
    kernels.clear()
    kernels.update(before)


class Example:
    """A kernel that doubles numbers, or whatever its body does."""

    def __init__(self, body="numbers[0] *= 2.0"):
        self.body = body

    def text(self):
        return f"def kernel(numbers):\n    {self.body}\n"

    def signature(self):
        return "void(Array(float64, 1, 'C'))"


def doubles(kernel):
    numbers = np.ones(3)
    kernel(numbers)
    return numbers.tolist() == [2.0, 1.0, 1.0]


def goes_on(work, condition):
    """Works until a condition holds."""
    last = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < last
        work()


def test_batches_that_keep_coming_get_their_kernels(fresh):
    arm = limbik.TwoLink(0.45, 0.42)
    expected = np.array(arm.solve(TARGETS).joints)
    before = sys.getswitchinterval(), gc.isenabled(), gc.get_freeze_count(), threading.enumerate()

    def work():
        assert np.array_equal(arm.solve(TARGETS).joints, expected)
        arm.solve(TARGETS, twist=0.2).joints  # another one, asked for meanwhile
        assert before == (sys.getswitchinterval(), gc.isenabled(), gc.get_freeze_count(), threading.enumerate())

    goes_on(work, lambda: len(kernels) == 2)
    assert not fresh.look()
    assert {kernel.flags.twisted for kernel in kernels} == {False, True}
    work()


def test_a_kernel_is_asked_for_once_and_only_when_that_pays(fresh, monkeypatch):
    asked = []
    monkeypatch.setattr(fresh, "_ask", lambda kernel, request: asked.append(kernel))
    monkeypatch.setattr(thresholds, "KERNEL_MIN_SECONDS", np.inf)
    arm = limbik.TwoLink(0.45, 0.42)
    arm.solve(TARGETS).joints
    assert asked == []
    monkeypatch.setattr(thresholds, "KERNEL_MIN_SECONDS", 0.0)
    for _ in range(5):
        arm.solve(TARGETS).joints
    assert len(asked) == 1


def test_a_kernel_that_cannot_be_compiled_changes_nothing(fresh, monkeypatch):
    monkeypatch.setattr(numba_engine.Kernel, "text", lambda kernel: "raise OSError('no compiler today')\n")
    arm = limbik.TwoLink(0.45, 0.42)
    expected = np.array(arm.solve(TARGETS).joints)
    with pytest.warns(RuntimeWarning, match="no compiler today") as told:
        goes_on(lambda: arm.solve(TARGETS).joints, lambda: not numba_compiler.usable())
    assert len(told) == 1
    assert not fresh.look()
    assert np.array_equal(arm.solve(TARGETS).joints, expected)


@pytest.mark.parametrize("place", ["no Python", "another program", "frozen", "forbidden", "no cache", "no process"])
def test_where_no_other_process_can_compile(place, fresh, monkeypatch):
    """Batches stay on NumPy; who waits for a kernel has it compiled in this process."""
    if place == "no Python":
        monkeypatch.setattr(sys, "executable", "")
    elif place == "another program":
        monkeypatch.setattr(sys, "executable", "/usr/bin/blender")
    elif place == "frozen":
        monkeypatch.setattr(sys, "frozen", True, raising=False)
    elif place == "forbidden":
        monkeypatch.setenv("LIMBIK_COMPILE", "0")
    elif place == "no cache":
        monkeypatch.setattr(kernel_cache, "cache_folder", lambda: None)
    else:
        monkeypatch.setattr(sys, "executable", "/nowhere/python3")
    kernel = Example()
    loading.note(kernel, 1.0)
    assert not fresh.look()
    assert kernel not in kernels
    assert doubles(loading.loaded(kernel))


@posix
def test_a_child_that_is_killed(fresh):
    waited, noted = Example(), Example("numbers[1] = 1.0")
    loading.note(noted, 1.0)
    os.kill(fresh._compiler._process.pid, signal.SIGKILL)
    assert doubles(loading.loaded(waited))
    goes_on(lambda: loading.note(noted, 1.0), lambda: not fresh.look())
    assert numba_compiler.usable()


def test_a_child_that_ended_for_want_of_requests_is_started_again(fresh):
    kernel = Example()
    loading.note(kernel, 1.0)
    fresh._compiler._process.stdin.close()  # it ends, and leaves what was asked for
    fresh._compiler._unsent = b""
    goes_on(lambda: time.sleep(0.01), lambda: not fresh.look())
    assert doubles(kernels[kernel])


def test_arguments_of_other_types_are_refused():
    kernel = machine_code.load(machine_code.compiled(*(Example().text(), "void(Array(float64, 1, 'C'))")))
    numbers = np.ones(3)
    fixed = np.ones(3)
    fixed.flags.writeable = False
    for wrong in (
        (),
        (numbers, numbers),
        (1.0,),
        (numbers[None],),
        (numbers.astype("f"),),
        (fixed,),
        (np.ones(6)[::2],),
    ):
        with pytest.raises((TypeError, ValueError)):
            kernel(*wrong)
    assert doubles(kernel)
    counts = [sys.getrefcount(one) for one in (numbers, None)]
    for _ in range(1000):
        kernel(numbers)
    assert np.abs(np.subtract([sys.getrefcount(one) for one in (numbers, None)], counts)).max() < 100


def test_compiled_code_that_needs_more_than_it_may_is_refused():
    with pytest.raises(NotImplementedError, match="machine code that needs"):
        machine_code.compiled(Example("numbers[:] = numbers * 2.0").text(), Example().signature())


def test_warm_up_makes_ready_what_is_called_in_it(fresh, monkeypatch):
    leg = limbik.ThreeLink(0.45, 0.42, 0.12)
    with limbik.warm_up():
        one = leg.solve(TARGETS[:1], TARGETS[:1]).joints
        limbik.TwoLink(1, 1).solve(TARGETS[:5], twist=0.5).joints  # on the general path
    monkeypatch.setattr(loading, "note", lambda *_: pytest.fail("there was a kernel"))
    assert np.array_equal(leg.solve(TARGETS, TARGETS).joints[:1], one)
    limbik.TwoLink(0.3, 0.2).solve(TARGETS, twist=0.25).joints


def test_warm_up_without_numba(fresh, monkeypatch):
    monkeypatch.setattr(numba_compiler, "installed", lambda: False)
    with limbik.warm_up():
        assert limbik.TwoLink(1, 1).solve(TARGETS).joints.shape == (300, 3, 3)


# Each calls a small batch until a kernel is being compiled, and then does something else. Prints the child's id.
BEGIN = """
import os, random, signal, sys, threading, time, warnings
import numpy as np, limbik
from limbik.engines import loading, thresholds
thresholds.KERNEL_MIN_SECONDS = 0.0
targets = np.random.default_rng(0).uniform(-0.5, 0.5, (300, 3))
leg = limbik.ThreeLink(0.45, 0.42, 0.12)
expected = leg.solve(targets, targets[::-1]).joints
print(loading.requests._compiler._process.pid, flush=True)
"""
PROGRAMS = {
    "exit at once": "",
    "exit later": "time.sleep(random.uniform(0.0, 2.0))",
    "exit by an exception": "sys.exit(0)",
    "end without cleaning up": "os._exit(0)",
    "interrupt": """
signal.signal(signal.SIGALRM, signal.default_int_handler)
signal.setitimer(signal.ITIMER_REAL, 0.05)
try:
    leg.solve(targets[:1].repeat(100_000, 0), targets[0]).angles
except KeyboardInterrupt:
    pass
""",
    "fork": """
pids = []
for _ in range(2):
    pid = os.fork()
    if pid == 0:
        assert not loading.requests.look()
        limbik.TwoLink(1, 1).solve(np.ones((100_000, 3)) * 0.3).joints
        same = np.array_equal(leg.solve(targets, targets[::-1]).joints, expected)
        os._exit(0 if same else 1)
    pids.append(pid)
assert [os.waitpid(pid, 0)[1] for pid in pids] == [0, 0]
""",
    "a forked process that lives on": """
if not os.fork():
    os.close(1), os.close(2)
    time.sleep(20)
    os._exit(0)
""",
    "threads": """
def work():
    for _ in range(100):
        assert np.array_equal(leg.solve(targets, targets[::-1]).joints, expected)
    limbik.TwoLink(1, 1).solve(np.ones((100_000, 3)) * 0.3).joints
threads = [threading.Thread(target=work) for _ in range(4)]
[one.start() for one in threads]
[one.join() for one in threads]
""",
}


def runs(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@posix
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_that_ends_while_a_kernel_is_compiled(name, tmp_path):
    env = {**os.environ, "LIMBIK_CACHE": str(tmp_path / "kernels"), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", BEGIN + PROGRAMS[name]]
    run = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    child = int(run.stdout)
    goes_on(lambda: time.sleep(0.01), lambda: not runs(child))
    assert [path for path in tmp_path.rglob("*") if path.suffix not in (".kernel", "") or path.parent == tmp_path] == [
        tmp_path / "kernels"
    ]


@pytest.mark.parametrize(
    "executable", ["/opt/blender-5.0/blender", "/Applications/Blender.app/Contents/MacOS/Blender", "", None]
)
def test_no_child_is_started_of_a_program_that_embeds_python(executable, monkeypatch, tmp_path):
    """The child is started from sys.executable, which would be a second Blender there."""
    from limbik.engines.kernel_compiler import KernelCompiler

    monkeypatch.setattr(sys, "executable", executable)
    assert not KernelCompiler.available()
    assert not KernelCompiler().request(tmp_path, "key", "text", "signature")
