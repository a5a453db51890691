"""The cache of compiled kernels: found again, never stale, never in the way."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import pytest

import limbik
from limbik.engines import dispatch, kernel_cache, numba_compiler, numba_engine

# Solves on Numba; prints whether the kernel came from the cache, and whether the answer is right.
PROGRAM = """
import numpy as np, limbik
from limbik.engines import dispatch, numba_engine
with dispatch.use("numba"):
    tips = limbik.PlanarTwoLink(1, 1).solve(np.ones((300, 2))).joints[:, 2]
(kernel,) = numba_engine.kernels.values()
print("loaded" if sum(kernel.stats.cache_hits.values()) else "compiled", np.abs(tips - 1).max() < 1e-15)
"""


def in_a_process(**settings):
    env = {name: value for name, value in os.environ.items() if name not in ("LIMBIK_CACHE", "XDG_CACHE_HOME")}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM], env={**env, **settings}, stdout=pipe, stderr=pipe, text=True
    )


def outcome(run):
    out, err = run.communicate()
    assert run.returncode == 0, err[-2000:]
    assert "Traceback" not in err
    return out.split()


@pytest.fixture
def fresh(monkeypatch):
    """No kernel has been compiled yet, and those compiled meanwhile are forgotten."""
    monkeypatch.setattr(numba_engine, "kernels", {})
    monkeypatch.setattr(numba_compiler, "_failures", [])


def solved():
    with dispatch.use("numba"):
        joints = limbik.PlanarTwoLink(1, 1).solve(np.ones((300, 2))).joints
    return np.abs(joints[:, 2] - 1).max() < 1e-15


def test_a_second_process_loads_what_the_first_compiled(tmp_path):
    folder = {"LIMBIK_CACHE": str(tmp_path / "kernels")}
    assert outcome(in_a_process(**folder)) == ["compiled", "True"]
    assert outcome(in_a_process(**folder)) == ["loaded", "True"]
    assert [path.suffix for path in (tmp_path / "kernels").iterdir()] == [".kernel"]
    # A folder of Numba's own makes no difference.
    assert outcome(in_a_process(**folder, NUMBA_CACHE_DIR=str(tmp_path / "numba")))[1] == "True"


def test_several_processes_at_once(tmp_path):
    runs = [in_a_process(LIMBIK_CACHE=str(tmp_path)) for _ in range(4)]
    assert all(outcome(run)[1] == "True" for run in runs)
    assert len(list(tmp_path.iterdir())) == 1
    assert outcome(in_a_process(LIMBIK_CACHE=str(tmp_path))) == ["loaded", "True"]


@pytest.mark.parametrize("damage", ["truncated", "flipped", "foreign", "empty"])
def test_a_damaged_entry_is_made_again(damage, tmp_path, fresh, monkeypatch):
    monkeypatch.setenv("LIMBIK_CACHE", str(tmp_path))
    assert solved()
    (entry,) = tmp_path.iterdir()
    whole = entry.read_bytes()
    middle = len(whole) // 2
    broken = {
        "truncated": whole[:middle],
        "flipped": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        "foreign": b"import os; this is no kernel\n" * 100,
        "empty": b"",
    }[damage]
    entry.write_bytes(broken)
    monkeypatch.setattr(numba_engine, "kernels", {})
    kernel_cache._working_folder.cache_clear()  # as in a new process
    assert solved()
    assert len(entry.read_bytes()) > middle
    assert entry.read_bytes() != broken


def test_what_another_process_compiles_meanwhile_is_found(tmp_path, fresh, monkeypatch):
    monkeypatch.setenv("LIMBIK_CACHE", str(tmp_path))
    text = "def one(x):\n    return x + 1\n\n\ndef two(x):\n    return x + 2\n"
    files = []
    for _ in range(2):
        kernel_cache._working_folder.cache_clear()  # as in another process
        files.append(numba_compiler.kernel_file(text))
    for function in ("one", "two"):  # both in the first process
        assert numba_compiler.jit(getattr(files[0].module, function), files[0])(1.0) > 1
        files[0].publish()
    early, late = (numba_compiler.jit(getattr(files[1].module, function), files[1]) for function in ("one", "two"))
    assert early(1.0) == 2 and not early.stats.cache_hits
    files[1].refresh()
    assert late(1.0) == 3 and late.stats.cache_hits


@pytest.mark.parametrize("broken", ["read-only", "a file", "full"])
def test_without_a_place_for_the_cache(broken, tmp_path, fresh, monkeypatch):
    place = tmp_path / "cache"
    if broken == "a file":
        place.write_text("in the way")
    else:
        error = PermissionError("read-only") if broken == "read-only" else OSError(28, "No space left on device")

        def refuse(*arguments, **options):
            raise error

        monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
        if broken == "full":
            monkeypatch.setattr(pathlib.Path, "write_text", refuse)
            monkeypatch.setattr(pathlib.Path, "write_bytes", refuse)
    monkeypatch.setenv("LIMBIK_CACHE", str(place))
    assert solved()


def test_without_a_home(fresh, monkeypatch):
    def nobody():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(pathlib.Path, "home", nobody)
    for name in ("LIMBIK_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    assert kernel_cache.cache_folder() is None
    assert solved()


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the folders of the XDG specification")
def test_which_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("LIMBIK_CACHE", raising=False)
    for empty in ("", "relative/folder"):
        monkeypatch.setenv("XDG_CACHE_HOME", empty)
        assert kernel_cache.cache_folder() == tmp_path / ".cache" / "limbik"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert kernel_cache.cache_folder() == tmp_path / "xdg" / "limbik"
    monkeypatch.setenv("LIMBIK_CACHE", "~/mine")
    assert kernel_cache.cache_folder() == tmp_path / "mine"


def test_the_key_covers_all_that_is_compiled(monkeypatch):
    """Not the text alone: the intrinsics, the options, the versions, the processor, Numba's settings."""
    import llvmlite.binding
    import numba

    def key():
        return kernel_cache.KernelFile("kernel = None\n", numba_compiler.fingerprint()).key

    keys = [key(), kernel_cache.KernelFile("kernel = 1\n", numba_compiler.fingerprint()).key]
    for change in (
        lambda patch: patch.setattr(numba_compiler, "_intrinsics_source", lambda: "another"),
        lambda patch: patch.setitem(numba_compiler.OPTIONS, "fastmath", True),
        lambda patch: patch.setattr(limbik, "__version__", "0.0.1"),
        lambda patch: patch.setattr(numba, "__version__", "0.0.1"),
        lambda patch: patch.setattr(np, "__version__", "0.0.1"),
        lambda patch: patch.setattr(sys, "version", "4.0"),
        lambda patch: patch.setattr(llvmlite.binding, "get_host_cpu_name", lambda: "abacus"),
        lambda patch: patch.setenv("NUMBA_OPT", "0"),
    ):
        with monkeypatch.context() as patch:
            change(patch)
            keys.append(key())
    assert len(set(keys)) == len(keys)
    assert key() == keys[0]


def test_the_folder_stays_small(tmp_path, monkeypatch):
    """The least recently used entries go, and what earlier versions or killed processes left."""
    monkeypatch.setenv("LIMBIK_CACHE", str(tmp_path))
    monkeypatch.setattr(kernel_cache, "LARGEST", 2500)
    (tmp_path / "__pycache__").mkdir()
    for name in ("limbik_kernel_1.py", "__pycache__/limbik_kernel_1.kernel-7.py311.1.nbc", "killed.part", "new.part"):
        (tmp_path / name).write_text("left")
    for age, name in enumerate("edcba"):
        entry = tmp_path / f"{name}.kernel"
        entry.write_bytes(bytes(1000))
        os.utime(entry, (time.time() - 100 - age,) * 2)
    os.utime(tmp_path / "killed.part", (0, 0))
    kernel_cache._clean(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["d.kernel", "e.kernel", "new.part"]


@pytest.mark.parametrize("fault", ["missing", "changed"])
def test_a_numba_whose_inner_modules_differ(fault, fresh, monkeypatch):
    """Batches then run on NumPy, after one warning."""
    if fault == "missing":
        monkeypatch.setitem(sys.modules, "limbik.engines.numba_intrinsics", None)
        monkeypatch.setattr(kernel_cache, "_imported", lambda name, path: exec(path.read_text(), {}))
    else:

        def changed(*arguments, **options):
            raise TypeError("njit() has other parameters now")

        monkeypatch.setattr("numba.njit", changed)
    targets = np.ones((dispatch.LARGE, 2))
    arm = limbik.PlanarTwoLink(1, 1)
    with pytest.warns(RuntimeWarning, match="NumPy"):
        joints = arm.solve(targets).joints
    assert np.abs(joints[:, 2] - 1).max() < 1e-15
    assert not dispatch.have_numba()
    paths = np.ones((800, 130, 3)) * 0.3
    assert np.abs(limbik.TwoLink(1, 1).track(paths).joints[:, :, 2] - 0.3).max() < 1e-15


def test_skeletons_do_without_such_a_numba(fresh, monkeypatch):
    from limbik.engines import numba_forward
    from limbik.skeleton.kinematics import forward

    def unusable(*arguments):
        raise numba_compiler.NumbaUnusableError("not today")

    monkeypatch.setattr(numba_forward, "forward", unusable)
    rotations = np.zeros((dispatch.LARGE, 2, 4))
    rotations[..., 3] = 1
    offsets = np.ones((dispatch.LARGE, 2, 3))
    positions, _ = forward(np.array([-1, 0]), rotations, offsets, None)
    assert np.array_equal(positions[:, 1], np.full((dispatch.LARGE, 3), 2.0))
