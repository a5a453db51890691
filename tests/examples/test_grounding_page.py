"""docs/grounding.md: its table of settings is the code's, and edited footsteps are what it prints."""

import re
from contextlib import redirect_stdout
from dataclasses import fields
from io import StringIO

from limbik.grounding.settings import Settings
from tests.examples.scripts import ROOT

PAGE = (ROOT / "docs" / "grounding.md").read_text("utf-8")


def test_every_setting_is_in_the_table_with_its_default():
    rows = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", PAGE, re.M))
    assert rows == {field.name: str(field.default) for field in fields(Settings)}


def test_footsteps_are_edited_as_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (code, printed), *_ = re.findall(r"## Footsteps\n.*?```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.S)
    first = re.findall(r"```python\n(.*?)```", PAGE, re.S)[0]
    names, output = {}, StringIO()
    exec(first, names)
    with redirect_stdout(output):
        exec(code, names)
    assert output.getvalue() == printed
