"""The cache of compiled kernels: found again, never stale, never in the way."""

import os
import pathlib
import subprocess
import sys
import time
import types

import numpy as np
import pytest

import limbik
from limbik.engines import dispatch, kernel_cache, loading, numba_compiler, thresholds
from limbik.engines.loading import kernels

# Solves on Numba; prints whether the kernel came from the cache, and whether the answer is right.
PROGRAM = """
import numpy as np, limbik
from limbik.engines import dispatch, loading
def solve():
    with dispatch.use("numba"):
        return limbik.PlanarTwoLink(1, 1).solve(np.ones((300, 2))).joints[:, 2]
tips = solve()
print("compiled" if loading.requests._compiler else "loaded", np.abs(tips - 1).max() < 1e-15)
"""


def in_a_process(program=PROGRAM, **settings):
    env = {name: value for name, value in os.environ.items() if name not in ("LIMBIK_CACHE", "XDG_CACHE_HOME")}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", program], env={**env, **settings}, stdout=pipe, stderr=pipe, text=True
    )


def outcome(run):
    out, err = run.communicate()
    assert run.returncode == 0, err[-2000:]
    assert "Traceback" not in err
    return out.split()


@pytest.fixture
def fresh(monkeypatch):
    """No kernel has been loaded yet, and those loaded meanwhile are forgotten."""
    before = dict(kernels)
    kernels.clear()
    monkeypatch.setattr(numba_compiler, "_failures", [])
    yield
    kernels.clear()
    kernels.update(before)


def entries(folder):
    return list(folder.glob("*.kernel"))


def solved():
    with dispatch.use("numba"):
        joints = limbik.PlanarTwoLink(1, 1).solve(np.ones((300, 2))).joints
    return np.abs(joints[:, 2] - 1).max() < 1e-15


def test_a_second_process_loads_what_the_first_compiled(tmp_path):
    folder = {"LIMBIK_CACHE": str(tmp_path / "kernels")}
    assert outcome(in_a_process(**folder)) == ["compiled", "True"]
    assert outcome(in_a_process(**folder)) == ["loaded", "True"]
    (entry,) = entries(tmp_path / "kernels")
    assert entry.read_bytes()[32:36] == b"\x7fELF" or sys.platform != "linux"


def test_several_processes_at_once(tmp_path):
    runs = [in_a_process(LIMBIK_CACHE=str(tmp_path)) for _ in range(4)]
    assert all(outcome(run)[1] == "True" for run in runs)
    assert len(entries(tmp_path)) == 1
    assert outcome(in_a_process(LIMBIK_CACHE=str(tmp_path))) == ["loaded", "True"]


@pytest.mark.parametrize("damage", ["truncated", "flipped", "foreign", "empty"])
def test_a_damaged_entry_is_made_again(damage, tmp_path, fresh, monkeypatch):
    monkeypatch.setenv("LIMBIK_CACHE", str(tmp_path))
    assert solved()
    (entry,) = entries(tmp_path)
    whole = entry.read_bytes()
    middle = len(whole) // 2
    broken = {
        "truncated": whole[:middle],
        "flipped": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        "foreign": b"import os; this is no kernel\n" * 100,
        "empty": b"",
    }[damage]
    entry.write_bytes(broken)
    kernels.clear()  # as in a new process
    assert solved()
    assert len(entry.read_bytes()) > middle
    assert entry.read_bytes() != broken


# Uses a kernel of every kind; returns what they answer.
EVERY_KIND = """
import numpy as np, limbik
from limbik.engines import dispatch, loading, numba_banded, numba_forward
from limbik.engines.row_formulas import RowFormula
from limbik.skeleton.reach_kernel import ReachKernel
from tests.rendering.drawn import filled, mesh_of
def answers():
    random = np.random.default_rng(0)
    targets = random.uniform(-0.5, 0.5, (300, 3))
    arm = limbik.PlanarTwoLink(0.45, 0.42)
    with dispatch.use("numba"):
        yield arm.solve(targets[:, :2]).angles
    joints = random.normal(size=(5, 3, 4)), random.normal(size=(5, 3, 3))
    yield from numba_forward.forward(np.arange(-1, 2), *joints)
    formula = RowFormula(lambda a, b: a * b + a, a=1, b=1)
    loading.loaded(formula._few)
    yield formula(targets[:4, 0], targets[:1, 1])
    yield loading.loaded(ReachKernel(True, True))(random.uniform(0.1, 1.0, 60), found := np.zeros(12))
    yield found
    yield loading.loaded(numba_banded.KERNEL)(*(bands := np.vstack([np.full(9, 4.0), np.ones((5, 9))])))
    yield bands
    yield from filled(mesh_of(random.uniform(-0.5, 0.5, (4, 3, 3)) - [0.0, 0.0, 2.0]), (24, 32))
def digest():
    import hashlib
    arrays = [np.ascontiguousarray(answer).tobytes() for answer in answers() if answer is not None]
    return hashlib.sha256(b"".join(arrays)).hexdigest()
"""


def test_every_kind_of_kernel_works_in_another_process():
    scope = {}
    exec(EVERY_KIND, scope)
    expected = scope["digest"]()
    program = f"import sys{EVERY_KIND}print(digest(), 'numba' in sys.modules)"
    assert outcome(in_a_process(program, LIMBIK_CACHE=os.environ["LIMBIK_CACHE"])) == [expected, "False"]


@pytest.fixture
def planted(tmp_path, fresh, monkeypatch):
    """A folder with an entry that is intact, but no kernel's: whoever uses it fails."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("LIMBIK_CACHE", str(folder))
    kernel_cache.write("key", b"planted")
    assert kernel_cache.read("key") == b"planted"
    return folder


def refuses(folder):
    before = [(path.name, path.read_bytes()) for path in folder.iterdir()]
    kernel_cache.write("key", b"another")
    unchanged = before == [(path.name, path.read_bytes()) for path in folder.iterdir()]
    return unchanged and kernel_cache.read("key") is None and solved()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners and modes are POSIX's")
@pytest.mark.parametrize("fault", ["group", "others", "owner", "foreign link"])
def test_a_folder_to_which_others_can_write_is_not_used(fault, planted, monkeypatch):
    if fault == "owner":
        monkeypatch.setattr(os, "geteuid", lambda: planted.stat().st_uid + 1)
    elif fault == "foreign link":
        planted.rename(planted.with_name("real"))
        planted.symlink_to(planted.with_name("real"))
        assert kernel_cache.read("key") == b"planted"  # a link of the user's own is
        lstat = pathlib.Path.lstat
        foreign = types.SimpleNamespace(st_uid=os.geteuid() + 1)
        monkeypatch.setattr(pathlib.Path, "lstat", lambda path: foreign if path == planted else lstat(path))
    else:
        planted.chmod(0o770 if fault == "group" else 0o707)
    assert refuses(planted)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners and modes are POSIX's")
def test_an_entry_that_others_can_write_is_not_read(planted):
    (entry,) = planted.iterdir()
    entry.chmod(0o606)
    assert kernel_cache.read("key") is None
    kernel_cache.write("key", b"mine")
    assert kernel_cache.read("key") == b"mine"
    assert entry.stat().st_mode & 0o077 == 0


# Processes that solve and end in every way but the regular one.
ENDS = """
import multiprocessing, os
for end in (lambda: os._exit(0), lambda: os.kill(os.getpid(), 15), lambda: os.kill(os.getpid(), 9)):
    if not os.fork():
        solve()
        end()
    os.wait()
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert np.array_equal(pool.starmap(solve, [()])[0], tips)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_nothing_is_left_in_the_temporary_folder(tmp_path):
    folders = {"LIMBIK_CACHE": str(tmp_path / "kernels"), "TMPDIR": str(tmp_path / "temporary")}
    (tmp_path / "temporary").mkdir()
    outcome(in_a_process(PROGRAM + ENDS, **folders))
    assert list((tmp_path / "temporary").iterdir()) == []
    assert len(entries(tmp_path / "kernels")) == 1


@pytest.mark.parametrize("broken", ["read-only", "a file"])
def test_without_a_place_for_the_cache(broken, tmp_path, fresh, monkeypatch):
    place = tmp_path / "cache"
    if broken == "a file":
        place.write_text("in the way")
    else:
        monkeypatch.setattr(os, "access", lambda *_: False)
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
    """Not the text alone: how it is compiled, the versions, the processor, Numba's settings."""
    import llvmlite
    import llvmlite.binding

    def key(text="kernel = None\n", signature="void(float64)"):
        return loading._request(types.SimpleNamespace(text=lambda: text, signature=lambda: signature)).key

    keys = [key(), key("kernel = 1\n"), key(signature="void(float32)")]
    for change in (
        lambda patch: patch.setattr(numba_compiler, "_sources", lambda: "another"),
        lambda patch: patch.setattr(numba_compiler, "_numba_version", lambda: "0.0.1"),
        lambda patch: patch.setattr(limbik, "__version__", "0.0.1"),
        lambda patch: patch.setattr(llvmlite, "__version__", "0.0.1"),
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
    """The least recently used entries go, and what killed processes left."""
    monkeypatch.setenv("LIMBIK_CACHE", str(tmp_path))
    monkeypatch.setattr(kernel_cache, "MAX_BYTES", 2500)
    for name in ("killed.part", "new.part"):
        (tmp_path / name).write_text("left")
    for age, name in enumerate("edcba"):
        entry = tmp_path / f"{name}.kernel"
        entry.write_bytes(bytes(1000))
        os.utime(entry, (time.time() - 100 - age,) * 2)
    os.utime(tmp_path / "killed.part", (0, 0))
    kernel_cache._clean(tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["d.kernel", "e.kernel", "new.part"]


@pytest.mark.parametrize("fault", ["missing", "changed"])
def test_a_numba_whose_inner_modules_differ(fault, tmp_path, fresh, monkeypatch):
    """Batches then run on NumPy, after one warning."""
    monkeypatch.setenv("LIMBIK_CACHE", str(tmp_path))
    monkeypatch.setenv("LIMBIK_COMPILE", "0")  # in this process
    if fault == "missing":
        monkeypatch.setitem(sys.modules, "limbik.engines.numba_intrinsics", None)
    else:

        def changed(*arguments, **options):
            raise TypeError("compile_extra() has other parameters now")

        monkeypatch.setattr("numba.core.compiler.compile_extra", changed)
    targets = np.ones((thresholds.NUMBA_WAIT_MIN_ROWS, 2))
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
    rotations = np.zeros((thresholds.NUMBA_WAIT_MIN_ROWS, 2, 4))
    rotations[..., 3] = 1
    offsets = np.ones((thresholds.NUMBA_WAIT_MIN_ROWS, 2, 3))
    positions, _ = forward(np.array([-1, 0]), rotations, offsets, None)
    assert np.array_equal(positions[:, 1], np.full((thresholds.NUMBA_WAIT_MIN_ROWS, 3), 2.0))
