"""README.md: its Python runs as it stands, its command lines parse, its links lead somewhere."""

import re
import shlex

import numpy as np
import pytest

from limbik.cli import app
from tests.examples.scripts import ROOT

README = (ROOT / "README.md").read_text("utf-8")
SHELL = "".join(re.findall(r"^```sh\n(.*?)^```$", README, re.M | re.S))
COMMANDS = re.findall(r"^limbik .*?(?=  +#|$)", SHELL, re.M)
LINKS = re.findall(r"\]\(([^)#:]+)\)", README)


def test_the_python_runs_and_the_knee_bends_forward(tmp_path, monkeypatch, capsys):
    (code,) = re.findall(r"```python\n(.*?)```", README, re.S)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(code, names)
    assert capsys.readouterr().out.startswith("REACHED")
    hip, knee, ankle, tip = names["s"].joints
    middle = hip + (ankle - hip) * (np.dot(knee - hip, ankle - hip) / np.dot(ankle - hip, ankle - hip))
    assert (knee - middle)[2] > 0.05 and np.allclose(tip, [0.1, -0.8, 0.25], atol=1e-12)
    assert names["steps"].reached.all()
    assert {path.name for path in tmp_path.iterdir()} == {"slope.glb", "slope.html"}


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_line_is_understood(line):
    app.parse_args(shlex.split(line)[1:], exit_on_error=False, print_error=False)


def test_there_are_commands_and_every_link_leads_somewhere():
    assert len(COMMANDS) >= 10
    assert [link for link in LINKS if not (ROOT / link).exists()] == []
    assert len(README.splitlines()) < 200
