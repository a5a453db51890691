"""Every numbered example runs, says something, and writes what it promises."""

import re
import runpy
import subprocess
import sys

import pytest

import limbik
from limbik import samples
from tests.examples.scripts import ROOT
from tests.optional import optional
from tests.patience import PATIENCE

NEEDS = {"10_learning_with_gradients.py": "torch"}
EXAMPLES = sorted((ROOT / "examples").glob("[0-9][0-9]_*.py"))


def test_there_are_examples():
    assert len(EXAMPLES) >= 20
    assert [path.name[:2] for path in EXAMPLES] == [f"{k + 1:02d}" for k in range(len(EXAMPLES))]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path, tmp_path, monkeypatch, capsys):
    if path.name in NEEDS:
        optional(NEEDS[path.name])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path)])
    runpy.run_path(str(path), run_name="__main__")
    assert len(capsys.readouterr().out.splitlines()) >= 3
    promised = re.findall(r"^Writes (\S+\.(?:png|glb|html));", path.read_text("utf-8"), re.M)
    assert {one.name for one in tmp_path.iterdir()} == set(promised)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_short_and_explains_itself(path):
    text = path.read_text("utf-8")
    assert text.startswith('"""')
    code = [line for line in text.split('"""', 2)[2].splitlines() if line.strip()]
    assert len(code) <= 45


def test_the_example_of_a_rig_takes_a_file(tmp_path):
    path = next(path for path in EXAMPLES if path.name.startswith("06_"))
    limbik.save(samples.walk(60), tmp_path / "walk.bvh")
    words = [sys.executable, "-W", "error", str(path), "walk.bvh"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    made = limbik.load(tmp_path / "reach.glb")
    assert (len(made), made.skeleton.names) == (60, limbik.load(tmp_path / "walk.bvh").skeleton.names)
