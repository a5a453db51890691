"""Pages and tutorials: a reader who follows one gets what it prints, and the files that it names."""

import doctest
import re
import shlex
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import limbik
from limbik.cli import main
from tests.examples.scripts import ROOT, steps
from tests.optional import optional

TUTORIALS = ROOT / "docs" / "tutorials"
WRITTEN = {  # the files that are there afterwards
    "rigs": {"walk.bvh", "rail.glb", "part.bvh", "slow.glb"},
    "robots": {"samples", "trajectory.yaml", "path.csv", "motion.yaml"},
    "adding": set(),
    "grounding": {"stairs.glb"},
    "retargeting": {"stairs.glb"},
    "walking": {"hexapod.glb"},
    "chains": set(),
    "tutorials/limb": set(),
    "tutorials/rig": {"character.glb", "rail.glb", "rail.html"},
    "tutorials/ground": {"stairs.glb", "stairs.html", "recordings", "grounded", "report.html"},
    "tutorials/creature": {"beetle.toml", "stretched.toml", "beetle.glb", "beetle.html", "stairs.glb", "stairs.html"},
    "tutorials/game_loop": {"quadruped.glb"},
    "tutorials/training": set(),
    "tutorials/robot": {"arm.urdf"},
}
FIRST_BLOCK = {"grounding", "retargeting", "walking", "chains"}  # the others go on from files of the reader
ONE_OUTPUT = {"adding"}  # of all its Python together
FILE = re.compile(r"(?:# |<!-- )(\w+\.\w+)(, continued)?")  # first line of a file that the reader saves
SIZE = re.compile(r"[\d.]+ kB")  # how large files are is not the page's business
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def printed_by(language, code, names):
    """What one block prints; a block that is a file is saved."""
    printed = StringIO()
    with redirect_stdout(printed):
        if language == "python":
            exec(code, names)
        elif language == "sh":
            assert {main(shlex.split(line)[1:]) for line in code.splitlines()} == {0}
        else:
            file, continued = FILE.match(code).groups()
            with open(file, "a" if continued else "w", encoding="utf-8") as saved:
                saved.write(code)
    return printed.getvalue()


@pytest.mark.parametrize("page", WRITTEN)
def test_whoever_follows_a_page_gets_what_it_says(page, tmp_path, monkeypatch):
    if page == "tutorials/training":
        optional("torch")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    blocks = list(steps((ROOT / "docs" / f"{page}.md").read_text("utf-8")))
    if page in FIRST_BLOCK:
        blocks = [block for block in blocks if block[0] == "python"][:1]
    if page in ONE_OUTPUT:
        python = [block for block in blocks if block[0] == "python"]
        blocks = [("python", "\n".join(code for _, code, _ in python), python[-1][2])]
    names, stated = {"__name__": page}, 0
    for language, code, wanted in blocks:
        printed = printed_by(language, code, names)
        assert wanted or language != "python" or not printed or "/" not in page  # tutorials show all that they print
        if wanted:
            stated += 1
            told, found = (SIZE.sub("some kB", text) for text in (wanted, printed))
            assert doctest.OutputChecker().check_output(told, found, FLAGS), printed
    assert stated >= (1 if page in FIRST_BLOCK | ONE_OUTPUT else 4)
    assert {path.name for path in Path().iterdir()} == WRITTEN[page]
    if page == "robots":
        assert limbik.robots.Trajectory.load("trajectory.yaml").angles.shape == (200, 6)
    if page == "rigs":
        watching, rail = names["watching"], names["rail"]
        at, turned = (part[:, watching.skeleton.index("Head")] for part in watching.world())
        line = (rail - at) / np.linalg.norm(rail - at, axis=-1, keepdims=True)
        assert np.abs(Rotation.from_quat(turned).apply([0.0, 0.0, 1.0]) - line).max() < 1e-9


def test_the_commands_for_those_who_add_a_formula_print_a_kernel(capsys):
    from limbik.engines.__main__ import main

    commands = re.findall(r"^python -m limbik\.engines (.*)$", (ROOT / "docs" / "adding.md").read_text("utf-8"), re.M)
    assert len(commands) == 2
    for command in commands:
        assert main(command.split()) == 0
        assert "def " in capsys.readouterr().out


def test_every_tutorial_is_tested_and_its_links_and_pictures_exist():
    assert {f"tutorials/{path.stem}" for path in TUTORIALS.glob("*.md")} <= set(WRITTEN)
    for path in TUTORIALS.glob("*.md"):
        text = path.read_text("utf-8")
        links = re.findall(r"\]\(([^)#:]+)", text)
        assert [link for link in links if not (TUTORIALS / link).exists()] == []
        assert re.search(r"!\[[^\]]+\]\(\.\./pictures/", text)
        assert text.startswith("# ") and "\n## What you have now\n" in text
