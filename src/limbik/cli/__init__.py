"""The command line: one module for each command that does more than to call a function."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

from cyclopts import App, CycloptsError, Parameter

from limbik import __version__
from limbik.cli import convert, export, ground, info, plot, render, retarget, robot, solve, studio, walk
from limbik.cli.running import BAD_INPUT, FAILED, INTERRUPTED, in_our_words, reason, status_of, tell, unwind_on_signals
from limbik.errors import LimbikError

app = App(
    name="limbik",
    version=__version__,
    help="Inverse kinematics for arms and legs, feet on the ground, and creatures that walk.\n\n"
    "To begin, run limbik walk (a spider walks over hills) and open walk.html.",
    default_parameter=Parameter(negative=()),
)
for verb in (walk, solve, robot, plot, info, convert, ground, retarget, render, export, studio):
    app.command(verb.app)


@app.command
def samples(
    folder: Annotated[Path, Parameter(help="Output folder, created if needed.")] = Path("samples"),
) -> None:
    """Write files to try limbik with: a walk, a character with a skin, a creature, a robot arm, targets and grounds.

    Example: limbik samples && limbik ground samples/walk.bvh --terrain samples/hills.obj --out grounded --html
    """
    from limbik.samples import write

    print(*write(folder), sep="\n")


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command line on `words` (default: the arguments of the process) and returns the exit status.

    Expected errors become one line on stderr and a status; other exceptions are bugs and propagate.
    """
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")  # as stderr: file names need not be what it can encode
    try:
        with unwind_on_signals():
            given = sys.argv[1:] if words is None else list(words)
            verb, bound, *_ = app.parse_args(given, exit_on_error=False, print_error=False, verbose=False)
            status = verb(*bound.args, **bound.kwargs) or 0  # a command that can fail in part returns a status
            sys.stdout.flush()
    except CycloptsError as error:
        tell(in_our_words(error))
        return BAD_INPUT
    except BrokenPipeError:
        # The reader closed the pipe. Without this Python reports an error when it flushes stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (LimbikError, OSError) as error:
        tell(reason(error))
        return status_of(error)
    except KeyboardInterrupt:
        tell("interrupted; no partial files were left")
        return INTERRUPTED
    return status
