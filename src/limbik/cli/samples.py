"""`limbik samples`: files to try limbik with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

app = App(name="samples")


@app.default
def samples(
    folder: Annotated[Path, Parameter(help="Output folder, created if needed.")] = Path("samples"),
) -> None:
    """Write files to try limbik with: a walk, a character with a skin, a creature, a robot arm, targets and grounds.

    Example: limbik samples && limbik ground samples/walk.bvh --terrain samples/hills.obj --out grounded --html
    """
    from limbik.samples import write

    print(*write(folder), sep="\n")
