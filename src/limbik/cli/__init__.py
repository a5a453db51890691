"""The command line: one module per command."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cyclopts import App, Parameter

from limbik import __version__
from limbik.cli import bench, convert, export, ground, info, plot, render, solve, studio, walk
from limbik.cli.faults import reported

app = App(
    name="limbik",
    version=__version__,
    help="Inverse kinematics for arms and legs, feet on the ground, and creatures that walk.\n\n"
    "To begin, run limbik walk (a spider walks over hills) and open walk.html.",
    default_parameter=Parameter(negative=()),
)
for verb in (walk, solve, plot, info, convert, ground, render, export, studio, bench):
    app.command(verb.app)


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command line on `words` (default: the arguments of the process) and returns the exit status."""
    with reported() as outcome:
        given = sys.argv[1:] if words is None else list(words)
        verb, bound, *_ = app.parse_args(given, exit_on_error=False, print_error=False, verbose=False)
        outcome.status = verb(*bound.args, **bound.kwargs) or 0  # a command that can fail in part returns a status
    return outcome.status
