"""`limbik bench`: one run, tables for people, every number as JSON."""

import json

import pytest

from tests.patience import PATIENCE

from .command import run, spawn


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


def test_powers_of_ten(monkeypatch, capsys, tmp_path):
    seen = []

    def pretend(settings, advance):
        seen.append(settings)
        return {"batches": [], "machine": {}}

    monkeypatch.setattr("limbik.bench.run.run", pretend)
    monkeypatch.setattr("limbik.cli.bench._show", lambda report: None)
    words = f"--limbs planar two-link --dtypes float32 --threads 1 3 --no-peers --out {tmp_path}/b.json"
    assert run(capsys, f"bench --largest 2e4 {words}").status == 0
    (settings,) = seen
    assert settings.sizes == (1, 10, 100, 1000, 10_000)
    assert settings.limbs == ("planar", "two-link")
    assert settings.dtypes == ("float32",)
    assert settings.threads == (1, 3)
    assert not settings.peers and not settings.quick


@pytest.mark.parametrize(
    "words, told",
    [
        ("--sizes 0", "--sizes"),
        ("--sizes 1.5", "whole numbers"),
        ("--threads 0", "--threads"),
        ("--sizes 10 --largest 100", "one of the two"),
        ("--limbs tail", "tail"),
        ("--limbs planar --answers rotations", "rotations"),
        ("--picture growth.gif", "ends in"),
        ("--markdown {folder}/page.md", "has no lines"),
        ("--gpu", "--gpu"),
        ("--assets {folder}", "--assets"),
    ],
)
def test_bad_arguments(capsys, tmp_path, words, told):
    (tmp_path / "page.md").write_text("no markers")
    words = words.format(folder=tmp_path)
    answer = run(capsys, f"bench {words} --out {tmp_path}/bench.json")
    assert answer.status == 2
    assert told in answer.err and answer.err.count("\n") == 1
    assert not (tmp_path / "bench.json").exists()
