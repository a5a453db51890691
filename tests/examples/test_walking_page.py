"""docs/walking.md: its code runs and prints what it says, and its creatures are the code's."""

import re

from limbik.gait.creature import creature, names
from tests.examples.scripts import ROOT, told_and_printed

PAGE = (ROOT / "docs" / "walking.md").read_text("utf-8")


def test_the_code_runs_and_prints_what_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told, printed = told_and_printed(PAGE)
    assert printed == told
    assert (tmp_path / "hexapod.glb").stat().st_size > 10_000


def test_every_creature_and_gait_is_in_the_table():
    rows = re.findall(r"^\| ([\w, ]+) \| (.*) \|$", PAGE, re.M)
    told = {name: gaits for row, gaits in rows for name in row.split(", ")}
    for name in names():
        assert all(gait.name in told[name] for gait in creature(name).gaits)
