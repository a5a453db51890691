"""The command line: one module a verb."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from cyclopts import App, Parameter

from limbik import __version__
from limbik.cli import bench, convert, ground, info, plot, render, solve, studio, walk
from limbik.cli.faults import told

app = App(
    name="limbik",
    version=__version__,
    help="Closed-form inverse kinematics for limbs, and the figures and motions that have them.",
    default_parameter=Parameter(negative=()),
)
app.command(walk.app)
app.command(solve.app)
app.command(plot.app)
app.command(info.app)
app.command(convert.app)
app.command(ground.app)
app.command(render.app)
app.command(studio.app)
app.command(bench.app)


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command line on `words`, or on those of the process, and returns the exit status."""
    with told() as outcome:
        given = sys.argv[1:] if words is None else list(words)
        verb, bound, *_ = app.parse_args(given, exit_on_error=False, print_error=False, verbose=False)
        outcome.status = verb(*bound.args, **bound.kwargs) or 0  # a verb that can fail in part says so
    return outcome.status
