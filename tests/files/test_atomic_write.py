"""A file appears whole or not at all."""

import errno
import os
import subprocess
import sys

import pytest

from limbik import samples, save
from limbik.errors import FileError
from limbik.files.atomic_write import _temporary_name, atomic_write, clear_leftovers


def test_the_file_is_there_when_the_block_ends(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("before")
    with atomic_write(path) as file:
        file.write(b"after")
        file.flush()
        assert path.read_text() == "before"
        assert len(list(tmp_path.iterdir())) == 2
    assert path.read_text() == "after"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("fault", [ValueError, KeyboardInterrupt, SystemExit, OSError])
@pytest.mark.parametrize("before", ["before", None])
def test_a_fault_leaves_what_was_there(tmp_path, fault, before):
    path = tmp_path / "a.csv"
    if before is not None:
        path.write_text(before)
    with pytest.raises(fault), atomic_write(path) as file:
        file.write(b"half")
        raise fault
    assert [one.read_text() for one in tmp_path.iterdir()] == ([] if before is None else [before])


def test_a_missing_folder_and_a_folder_in_the_way(tmp_path):
    (tmp_path / "a.csv").mkdir()
    with pytest.raises(FileError, match="does not exist"), atomic_write(tmp_path / "none" / "a.csv"):
        pass
    with pytest.raises(FileError, match="is a folder"), atomic_write(tmp_path / "a.csv"):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="links and modes are POSIX's")
def test_a_link_stays_a_link_and_the_mode_is_the_usual_one(tmp_path):
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    real.write_text("before")
    link.symlink_to(real)
    with atomic_write(link) as file:
        file.write(b"after")
    assert link.is_symlink()
    assert real.read_text() == "after"
    mask = os.umask(0)
    os.umask(mask)
    assert real.stat().st_mode & 0o777 == 0o666 & ~mask


def full(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("name", ["walk.bvh", "walk.glb", "walk.gltf"])
def test_a_full_disk_is_a_file_error_and_leaves_what_was_there(tmp_path, name, monkeypatch):
    path = tmp_path / name
    path.write_text("before")
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(FileError, match=f"{name}: cannot be written \\(No space left on device\\)"):
        save(samples.walk(3), path)
    assert path.read_text() == "before" and list(tmp_path.iterdir()) == [path]


def test_a_full_disk_within_the_block_is_a_file_error(tmp_path):
    with pytest.raises(FileError, match="No space left"), atomic_write(tmp_path / "a.csv"):
        full()
    assert not list(tmp_path.iterdir())


def test_errors_about_other_files_pass(tmp_path):
    with pytest.raises(FileNotFoundError), atomic_write(tmp_path / "a.csv"):
        (tmp_path / "b.csv").read_text()
    assert not list(tmp_path.iterdir())


def test_a_name_that_is_too_long_is_a_file_error_and_one_that_is_not_is_written(tmp_path):
    with pytest.raises(FileError, match="File name too long"):
        save(samples.walk(3), tmp_path / f"{'n' * 300}.bvh")
    assert not list(tmp_path.iterdir())
    for name in ("n" * 251 + ".bvh", "ä" * 125 + ".bvh"):  # 255 bytes at most
        save(samples.walk(3), tmp_path / name)
        assert [path.name for path in tmp_path.iterdir()] == [name]
        (tmp_path / name).unlink()


def dead():
    """The number of a process that has ended."""
    return subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True
    ).stdout


@pytest.mark.parametrize("name", ["a.csv", "a[1]*.csv", "n" * 100 + ".csv"])
def test_temporary_files_of_dead_processes_are_removed_when_they_are_old(tmp_path, name):
    path, gone = tmp_path / name, int(dead())
    old, recent, running, other = (
        tmp_path / _temporary_name(name, str(gone)),
        tmp_path / _temporary_name(name, str(gone) + "0" * 6),
        tmp_path / _temporary_name(name, str(os.getppid())),
        tmp_path / _temporary_name("b.csv", str(gone)),
    )
    for part in (old, recent, running, other):
        part.write_text("half")
        if part is not recent:
            os.utime(part, (1.0, 1.0))
    with atomic_write(path) as file:
        file.write(b"whole")
    assert set(tmp_path.iterdir()) == {path, recent, running, other}
    clear_leftovers(path)
    assert set(tmp_path.iterdir()) == {path, other}
