"""docs/adding.md: its code runs, in order, and prints what the page says."""

import re
from contextlib import redirect_stdout
from io import StringIO

from tests.examples.scripts import ROOT

PAGE = (ROOT / "docs" / "adding.md").read_text("utf-8")


def test_the_code_runs_and_prints_what_the_page_says():
    printed = StringIO()
    with redirect_stdout(printed):
        exec("\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.S)), {"__name__": "adding"})
    (told,) = re.findall(r"```text\n(.*?)```", PAGE, re.S)
    assert printed.getvalue() == told


def test_the_commands_print_a_kernel(capsys):
    from limbik.engines.__main__ import main

    commands = re.findall(r"^python -m limbik\.engines (.*)$", PAGE, re.M)
    assert len(commands) == 2
    for command in commands:
        assert main(command.split()) == 0
        assert "def " in capsys.readouterr().out
