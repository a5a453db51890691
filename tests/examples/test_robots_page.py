"""docs/robots.md: its code runs in order and prints what the page says; what it says of the code is so."""

import doctest
import re
import shlex
from contextlib import redirect_stdout
from io import StringIO

import numpy as np

from limbik.cli import main
from limbik.robots import urdf, xml_elements
from tests.examples.scripts import ROOT

PAGE = (ROOT / "docs" / "robots.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.M | re.S)


def test_the_code_runs_and_prints_what_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    names, checked = {}, 0
    for (language, code), (after, wanted) in zip(BLOCKS, [*BLOCKS[1:], ("", "")], strict=True):
        if language == "text":
            continue
        printed = StringIO()
        with redirect_stdout(printed):
            if language == "python":
                exec(code, names)
            else:
                assert [main(shlex.split(line)[1:]) for line in code.splitlines()] == [0]
        if after == "text":
            flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
            assert doctest.OutputChecker().check_output(wanted, printed.getvalue(), flags), printed.getvalue()
            checked += 1
    assert checked >= 6
    assert np.load("trajectory.npy").shape == (200, 6)


def test_the_formats_and_limits_are_those_of_the_code():
    for word in (*urdf.KINDS, "floating", "planar"):
        assert word in PAGE
    assert f"{xml_elements.MAX_ELEMENTS:,} elements and {xml_elements.MAX_DEPTH} levels" in PAGE
    assert xml_elements.MAX_BYTES == 64 << 20 and "64 MB" in PAGE
    assert xml_elements.MAX_NUMBER == 1e6 and "1,000 km" in PAGE
