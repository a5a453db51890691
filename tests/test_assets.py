"""The manifest of the public test files, and the script that checks a folder against it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.assets import CLIPS, FOLDER, RIGS, states

ROOT = Path(__file__).parents[1]


def checked(folder):
    environment = {**os.environ, "LIMBIK_ASSETS": str(folder)}
    command = [sys.executable, "-m", "tests.assets"]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_every_file_of_the_folder_is_the_published_one():
    if not FOLDER.is_dir():
        pytest.skip(f"{FOLDER} is missing; `python -m tests.assets` says where the files come from")
    assert {state for _, state in states(FOLDER)} == {"ok"}
    assert {*CLIPS, *RIGS} <= {name for name, _ in states(FOLDER)}


def test_missing_and_changed_files_are_named(tmp_path):
    (tmp_path / "gltf").mkdir()
    (tmp_path / "gltf" / "Fox.glb").write_bytes(b"not the fox")
    done = checked(tmp_path)
    assert done.returncode == 1
    assert "differs  gltf/Fox.glb" in done.stdout
    assert "missing  bvh/cmu_02_01.bvh" in done.stdout
    assert "github.com/KhronosGroup/glTF-Sample-Assets" in done.stdout
