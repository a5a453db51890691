"""docs/grounding.md: its code runs and prints what it says, and its table of settings is the code's."""

import re
from dataclasses import fields

from limbik.grounding.settings import Settings
from tests.examples.scripts import ROOT, told_and_printed

PAGE = (ROOT / "docs" / "grounding.md").read_text("utf-8")


def test_the_code_runs_and_prints_what_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told, printed = told_and_printed(PAGE)
    assert printed == told
    assert (tmp_path / "stairs.glb").stat().st_size > 10_000


def test_every_setting_is_in_the_table_with_its_default():
    rows = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", PAGE, re.M))
    assert rows == {field.name: str(field.default) for field in fields(Settings)}
