"""Counts the Python calls that a call of limbik's makes inside limbik, and the changes of package among them."""

import sys
from itertools import pairwise
from pathlib import Path

import limbik

ROOT = str(Path(limbik.__file__).parent)


def journey(function):
    """(package or module, function) of every Python call inside limbik on the way, in order."""
    calls = []

    def note(frame, event, _):
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(ROOT):
            calls.append((path[len(ROOT) + 1 :].split("/")[0], frame.f_code.co_name))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(before)
    return calls


def changes(calls):
    """How often a journey goes from one package to another."""
    return sum(here != there for (here, _), (there, _) in pairwise(calls))
