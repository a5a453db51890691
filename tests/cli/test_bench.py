"""`limbik bench`: one run, tables for people, every number as JSON."""

import json

import pytest

from tests.patience import PATIENCE
from tests.thoroughness import THOROUGH

from .command import run, spawn


@pytest.mark.skipif(not THOROUGH, reason="measures for 20 seconds; CI does, and ./check runs the parts")
def test_a_quick_run_from_the_shell(tmp_path):
    page = tmp_path / "page.md"
    line = f"bench --quick --sizes 1 1e3 --limbs three-link --no-peers --out {tmp_path}/bench.json --markdown {page}"
    child = spawn(line)
    out, err = child.communicate(timeout=PATIENCE)
    assert child.returncode == 0, err
    assert not err
    for words in (
        "Solves a second, 1,000 targets",
        "three-link",
        "One solve at a time",
        "import limbik",
        "beyond",
        "reach with an arm",
        "load walk.bvh",
    ):
        assert words in out
    report = json.loads((tmp_path / "bench.json").read_text())
    assert {row["targets"] for row in report["batches"]} == {1, 1000}
    assert all(row["solves_per_second"] > 0 for row in report["batches"])
    assert "| limb | answer |" in page.read_text()


@pytest.fixture
def seen(monkeypatch):
    """The settings of runs that only pretend to measure."""
    found = []

    def pretend(settings, advance):
        found.append(settings)
        return {"batches": [], "machine": {}, "run": len(found)}

    monkeypatch.setattr("limbik.bench.run.run", pretend)
    monkeypatch.setattr("limbik.cli.bench._show", lambda report: None)
    return found


def test_powers_of_ten(seen, capsys, tmp_path):
    words = f"--limbs planar two-link --dtypes float32 --threads 1 3 --no-peers --out {tmp_path}/b.json"
    assert run(capsys, f"bench --largest 2e4 {words}").status == 0
    (settings,) = seen
    assert settings.sizes == (1, 10, 100, 1000, 10_000)
    assert settings.limbs == ("planar", "two-link")
    assert settings.dtypes == ("float32",)
    assert settings.threads == (1, 3)
    assert not settings.peers and not settings.quick


def test_a_file_of_the_default_name_is_replaced_and_a_named_one_needs_overwrite(seen, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        assert run(capsys, "bench --no-peers").status == 0
        assert json.loads((tmp_path / "bench.json").read_text())["run"] == number
    drawn = []
    monkeypatch.setattr("limbik.bench.picture.draw_curve", lambda report, path: drawn.append(path.name))
    for name, option in (("bench.json", "--out"), ("curve.png", "--picture")):
        (tmp_path / name).write_text("before")
        refused = run(capsys, f"bench --no-peers {option} {name}")
        assert (refused.status, len(seen)) == (2, 2), "it is refused before anything is measured"
        assert refused.err == f"limbik: {name} already exists; use --overwrite to replace it\n"
        assert (tmp_path / name).read_text() == "before"
    assert run(capsys, "bench --no-peers --out bench.json --picture curve.png --overwrite").status == 0
    assert json.loads((tmp_path / "bench.json").read_text())["run"] == 3
    assert drawn == ["curve.png"]


BAD = {  # arguments, and what the error mentions
    "--sizes 0": "--sizes",
    "--sizes 1.5": "whole numbers",
    "--threads 0": "--threads",
    "--sizes 10 --largest 100": "one of the two",
    "--limbs tail": "tail",
    "--limbs planar --answers rotations": "rotations",
    "--picture curve.gif": "ends in",
    "--markdown {folder}/page.md": "has no lines",
    "--gpu": "--gpu",
    "--assets {folder}": "--assets",
}


@pytest.mark.parametrize(("words", "told"), BAD.items())
def test_bad_arguments(capsys, tmp_path, words, told):
    (tmp_path / "page.md").write_text("no markers")
    words = words.format(folder=tmp_path)
    answer = run(capsys, f"bench {words} --out {tmp_path}/bench.json")
    assert answer.status == 2
    assert told in answer.err and answer.err.count("\n") == 1
    assert not (tmp_path / "bench.json").exists()
