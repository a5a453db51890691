"""Pages of docs/ that state what their first Python block prints: it runs, prints that, and writes its file."""

import pytest

from tests.examples.scripts import ROOT, stated_and_printed


@pytest.mark.parametrize("page, written", [("grounding", "stairs.glb"), ("walking", "hexapod.glb")])
def test_the_code_runs_and_prints_what_the_page_states(tmp_path, monkeypatch, page, written):
    monkeypatch.chdir(tmp_path)
    stated, printed = stated_and_printed((ROOT / "docs" / f"{page}.md").read_text("utf-8"))
    assert printed == stated
    assert (tmp_path / written).stat().st_size > 10_000


def test_the_page_of_chains_prints_what_it_states():
    stated, printed = stated_and_printed((ROOT / "docs" / "chains.md").read_text("utf-8"))
    assert printed == stated
