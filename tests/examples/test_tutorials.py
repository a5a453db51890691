"""The tutorials: a reader who follows one from start to finish gets what it says, and the files that it names."""

import doctest
import re
import shlex
from contextlib import redirect_stdout
from io import StringIO

import pytest

from limbik.cli import main
from tests.examples.scripts import ROOT, steps
from tests.optional import optional

FOLDER = ROOT / "docs" / "tutorials"
WRITTEN = {
    "limb": set(),
    "rig": {"character.glb", "rail.glb", "rail.html"},
    "ground": {"stairs.glb", "stairs.html", "recordings", "grounded", "report.html"},
    "creature": {"beetle.toml", "stretched.toml", "beetle.glb", "beetle.html", "stairs.glb", "stairs.html"},
    "game_loop": {"quadruped.glb"},
    "training": set(),
    "robot": {"arm.urdf"},
}
NEEDS = {"training": "torch"}
FILE = re.compile(r"(?:# |<!-- )(\w+\.\w+)(, continued)?")  # first line of a file that the reader saves
FLAGS = doctest.NORMALIZE_WHITESPACE


def test_every_tutorial_is_tested_and_in_the_navigation():
    assert {path.stem for path in FOLDER.glob("*.md")} == set(WRITTEN)
    site = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert all(f"tutorials/{name}.md" in site for name in WRITTEN)


@pytest.mark.parametrize("name", WRITTEN)
def test_whoever_follows_a_tutorial_gets_what_it_says(name, tmp_path, monkeypatch):
    if name in NEEDS:
        optional(NEEDS[name])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    names, stated = {}, 0
    for language, code, wanted in steps((FOLDER / f"{name}.md").read_text("utf-8")):
        printed = StringIO()
        with redirect_stdout(printed):
            if language == "python":
                exec(code, names)
            elif language == "sh":
                assert {main(shlex.split(line)[1:]) for line in code.splitlines()} == {0}
            else:
                file, continued = FILE.match(code).groups()
                with (tmp_path / file).open("a" if continued else "w", encoding="utf-8") as saved:
                    saved.write(code)
        assert language != "python" or wanted or not printed.getvalue()  # what it prints is on the page
        if wanted:
            stated += 1
            assert doctest.OutputChecker().check_output(wanted, printed.getvalue(), FLAGS), printed.getvalue()
    assert stated >= 4
    assert {path.name for path in tmp_path.iterdir()} == WRITTEN[name]


@pytest.mark.parametrize("name", WRITTEN)
def test_links_and_pictures_of_a_tutorial_exist(name):
    text = (FOLDER / f"{name}.md").read_text("utf-8")
    links = re.findall(r"\]\(([^)#:]+)", text)
    assert [link for link in links if not (FOLDER / link).exists()] == []
    assert re.search(r"!\[[^\]]+\]\(\.\./pictures/", text)
    assert text.startswith("# ") and "\n## What you have now\n" in text
