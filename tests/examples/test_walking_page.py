"""docs/walking.md: its code runs and prints what it says, and its creatures are the code's."""

import re
from contextlib import redirect_stdout
from io import StringIO

from limbik.gait.creature import creature, names
from tests.examples.scripts import ROOT

PAGE = (ROOT / "docs" / "walking.md").read_text("utf-8")


def test_the_code_runs_and_prints_what_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, wanted = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", PAGE, re.S).groups()
    printed = StringIO()
    with redirect_stdout(printed):
        exec(code, {})
    assert printed.getvalue() == wanted
    assert (tmp_path / "hexapod.glb").stat().st_size > 10_000


def test_every_creature_and_gait_is_in_the_table():
    rows = re.findall(r"^\| ([\w, ]+) \| (.*) \|$", PAGE, re.M)
    told = {name: gaits for row, gaits in rows for name in row.split(", ")}
    for name in names():
        assert all(gait.name in told[name] for gait in creature(name).gaits)
