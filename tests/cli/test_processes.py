"""The command as a process of its own: how it starts, prints, is interrupted, and what it leaves behind."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

import limbik
from limbik.files.table_files import write_table
from tests.patience import PATIENCE

from .command import ARM, LEG, on_a_terminal, spawn

REACH = "--target 0.2 -0.6 0.3 --up 0 -1 0"
SHOWS = "", " --json", " --all"
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and terminals as POSIX has them")


def finish(process):
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def test_a_solve_from_the_shell():
    status, out, err = finish(spawn(f"solve three-link {LEG} {REACH} --json"))
    assert status == 0 and not err
    assert json.loads(out)["joints"]["tip"] == pytest.approx([0.2, -0.6, 0.3])


def test_a_fault_from_the_shell():
    status, out, err = finish(spawn(f"solve three-link {LEG} --target 0.2 -0.6"))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1 and "Traceback" not in err


@pytest.mark.parametrize("line", [*(f"solve three-link {LEG} {REACH}{show}" for show in SHOWS), "info arm.glb"])
def test_a_quick_command_imports_nothing_heavy(tmp_path, line):
    """Numba takes a second to import."""
    limbik.save(limbik.samples.walk(2), tmp_path / "arm.glb")
    code = f"""
import sys
from limbik.cli import main
main({line.split()!r})
print(sorted({{"numba", "scipy", "matplotlib"}} & set(sys.modules)), file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_a_small_file_of_targets(tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n0.5,0\nbad,0\n")
    status, out, err = finish(spawn(f"solve planar {ARM} --targets t.csv --out o.csv --columns angles", cwd=tmp_path))
    assert status == 0
    assert out.startswith("o.csv: 2 rows in")
    assert err == "limbik: t.csv, line 3: x is 'bad', not a number; the row is INVALID\n"
    lines = (tmp_path / "o.csv").read_text().splitlines()
    assert lines[0] == "status,residual,first_rad,second_rad"
    assert lines[1].startswith("REACHED,")
    assert lines[2] == "INVALID,,,"


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A file of targets that takes seconds to answer."""
    path = tmp_path_factory.mktemp("large") / "targets.csv"
    with write_table(path, ["x", "y", "z"], {}) as write:
        write(np.random.default_rng(0).uniform(-0.6, 0.6, (1_500_000, 3)))
    return path


@posix
@pytest.mark.parametrize(("name", "expected"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129), ("SIGQUIT", 131)])
def test_an_interrupted_run_leaves_no_half_file(tmp_path, large, name, expected):
    (tmp_path / "o.csv").write_text("before")
    process = spawn(f"solve two-link {ARM} --targets {large} --out o.csv --overwrite", cwd=tmp_path)
    deadline = time.monotonic() + PATIENCE
    while not any(path.suffix == ".part" and path.stat().st_size for path in tmp_path.iterdir()):
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.005)
    process.send_signal(getattr(signal, name))
    status, out, err = finish(process)
    assert status == expected
    assert not out and "Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["o.csv"]
    assert (tmp_path / "o.csv").read_text() == "before"


@posix
def test_the_bar_is_for_terminals_only(tmp_path):
    with write_table(tmp_path / "t.csv", ["x", "y"], {}) as write:
        write(np.full((60_000, 2), 0.3))
    line = f"solve planar {ARM} --targets t.csv --out o.npy"
    assert finish(spawn(line, cwd=tmp_path))[2] == ""
    status, seen = on_a_terminal(f"{line} --overwrite", cwd=tmp_path)
    assert status == 0
    assert b"solving" in seen


@posix
def test_a_reader_that_leaves_early_is_no_traceback():
    process = spawn(f"solve two-link {ARM} --target 0.1 0.2 0.3")
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate(timeout=PATIENCE)
    assert err == ""
