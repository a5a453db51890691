"""docs/walking.md: its creature walks, and its tables are the code's."""

import re

import numpy as np

import limbik
from limbik.gait.creature import creature, preset_names
from tests.examples.creature_fields_table import TABLES, rows
from tests.examples.scripts import ROOT, load
from tests.thoroughness import some

PAGE = (ROOT / "docs" / "walking.md").read_text("utf-8")


def test_every_creature_and_gait_is_in_the_table():
    found = re.findall(r"^\| ([\w, ]+) \| ([^|]*) \|$", PAGE, re.M)
    told = {name: gaits for row, gaits in found for name in row.split(", ")}
    for name in preset_names():
        assert all(gait.name in told[name] for gait in creature(name).gaits)


def test_the_ant_of_the_page_walks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ant.toml").write_text(re.search(r"```toml\n(.*?)```", PAGE, re.S)[1])
    clip = limbik.walk("ant.toml", "hills:height=0.05", seconds=3.0)
    assert len(clip.feet) == 6 and clip.name == "ant" and np.isfinite(clip.positions()).all()
    assert clip.translations[-1, 0, 2] > 0.6  # its own speed is 0.3 m/s


def test_every_field_has_a_picture_of_two_creatures_that_differ():
    script = load("docs/creature_fields.py")
    for sheet, kind in zip(script.SHEETS, TABLES.values(), strict=True):
        assert f"(pictures/fields_{sheet}.webp)" in PAGE
        described = {row.split("`")[1] for row in rows(kind)} - {"name"}
        assert {pair.field for pair in script.SHEETS[sheet]} == described
        for pair in some(script.SHEETS[sheet], 4):
            first, second = (script.creature_with(pair, value) for value in pair.values)
            assert first != second


def test_every_field_of_a_creature_is_in_the_reference_with_its_range_and_default():
    for kind in TABLES.values():
        for row in rows(kind):
            assert row in PAGE
