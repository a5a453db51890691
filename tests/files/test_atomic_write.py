"""A file appears whole or not at all."""

import os
import sys

import pytest

from limbik.errors import FileError
from limbik.files.atomic_write import atomic_write


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
def test_a_fault_leaves_what_was_there(tmp_path, fault):
    path = tmp_path / "a.csv"
    path.write_text("before")
    with pytest.raises(fault), atomic_write(path) as file:
        file.write(b"half")
        raise fault
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_fault_leaves_nothing_where_nothing_was(tmp_path):
    with pytest.raises(KeyboardInterrupt), atomic_write(tmp_path / "a.csv") as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert not list(tmp_path.iterdir())


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
