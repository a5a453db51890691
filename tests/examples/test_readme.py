"""README.md: its Python and its command lines run as they stand, its links lead somewhere."""

import re
import shlex

import numpy as np

from limbik.cli import app, main
from tests.examples.scripts import ROOT
from tests.optional import optional

README = (ROOT / "README.md").read_text("utf-8")
SHELL = "".join(re.findall(r"^```sh\n(.*?)^```$", README, re.M | re.S))
COMMANDS = re.findall(r"^limbik .*?(?=  +#|$)", SHELL, re.M)
SERVERS = {"limbik walk hexapod --terrain hills --steer", "limbik studio"}
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


def test_the_commands_run_in_order_in_an_empty_folder(tmp_path, monkeypatch, capsys):
    """All but those that serve pages until they are stopped, which only have to parse."""
    for package in ("matplotlib", "PIL"):  # of the extras that the comments name
        optional(package)
    monkeypatch.chdir(tmp_path)
    assert set(COMMANDS) >= SERVERS
    for line in COMMANDS:
        words = shlex.split(line)[1:]
        if line in SERVERS:
            app.parse_args(words, exit_on_error=False, print_error=False)
            continue
        assert main(words) == 0, line
        assert "limbik:" not in capsys.readouterr().err, line
        out = words[words.index("--out") + 1] if "--out" in words else "."
        assert (tmp_path / out).exists(), line


def test_there_are_commands_and_every_link_leads_somewhere():
    assert len(COMMANDS) >= 10
    assert [link for link in LINKS if not (ROOT / link).exists()] == []
    assert len(README.splitlines()) < 200
