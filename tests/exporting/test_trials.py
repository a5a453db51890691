"""The programs of docs/export.md, built and run exactly as they are printed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.exporting.test_shaders import page  # noqa: F401
from tests.exporting.toolchains import tool

PAGE = (Path(__file__).parents[2] / "docs" / "export.md").read_text("utf-8")
TIP = "0.300 0.200 0.500"
TOOLS = {"C": "gcc", "C++": "g++", "C#": "mcs", "JavaScript": "node", "Rust": "rustc", "GDScript": "godot"}
TOOLS |= {"GLSL": "glslangValidator", "HLSL": "glslangValidator", "A pose near another, and every branch": "gcc"}


def trial(title: str) -> tuple[list[str], str, str]:
    """The commands of a section, and the name and text of its program."""
    section = re.search(rf"^### {re.escape(title)}\n(.*?)(?=^##)", PAGE, re.M | re.S)
    assert section is not None
    commands = re.findall(r"```sh\n(.*?)\n```", section.group(1), re.S)
    name, program = re.search(r"`([\w.]+)`[^\n]*:\n```\w+\n(.*?)```", section.group(1), re.S).groups()
    return commands, name, program


def shell(command: str, folder: Path) -> str:
    path = f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("title", TOOLS)
def test_a_users_trial(title, tmp_path):
    commands, name, program = trial(title)
    if title == "GDScript":
        godot = os.environ.get("LIMBIK_GODOT") or shutil.which("godot")
        if godot is None:
            pytest.skip("Godot is not installed: its program is not run")
        commands[-1] = commands[-1].replace("godot --headless", f"{godot} --headless")
    else:
        tool(TOOLS[title])
    (tmp_path / name).write_text(program)
    printed = [shell(command, tmp_path) for command in commands]
    assert len(program.strip().splitlines()) <= 16
    if title not in ("GLSL", "HLSL"):
        assert printed[-1].strip().splitlines()[-1] == TIP


def test_the_trial_in_a_page(page, tmp_path):  # noqa: F811
    (command,), _, program = trial("WGSL")
    shell(command, tmp_path)
    source = (tmp_path / "two_link.wgsl").read_text()
    page.route("https://shaders.test/trial/two_link.wgsl", lambda route: route.fulfill(body=source))
    page.route("https://shaders.test/trial/", lambda route: route.fulfill(body="<p>", content_type="text/html"))
    page.goto("https://shaders.test/trial/")
    with page.expect_console_message() as message:
        page.add_script_tag(content=program, type="module")
    assert message.value.text == TIP


def test_every_language_of_the_exporter_has_a_row():
    from limbik.exporting.exporter import PACKAGES
    from limbik.exporting.functions import OPTIONS
    from limbik.exporting.languages import LANGUAGES

    words = re.findall(r"`([\w-]+)`", PAGE)
    assert {*LANGUAGES, *PACKAGES, *(option for options in OPTIONS.values() for option in options)} <= set(words)
