"""`limbik plot`: a picture of a limb's pose for one target."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from limbik.cli.options import (
    Flag,
    LimbOptions,
    PlanarOptions,
    ThreeLinkOptions,
    TwoLinkOptions,
    branch_arguments,
    solve_arguments,
)

app = App(name="plot", help="Draw the pose of a limb for one target, its other branches, and what it can reach.")

Degrees = Annotated[Flag, Parameter(help="Angles in degrees; else in radians.")]
Out = Annotated[Path, Parameter(help="The picture: .png, .svg or .pdf.")]
PICTURE = Path("limb.png")


@app.command
def planar(*, limb: PlanarOptions, degrees: Degrees = False, out: Out = PICTURE) -> None:
    """Two links in the plane: an arm seen from the side."""
    _plot(limb, degrees, out)


@app.command
def two_link(*, limb: TwoLinkOptions, degrees: Degrees = False, out: Out = PICTURE) -> None:
    """Two links in space: an arm, with a pole that says where the elbow goes."""
    _plot(limb, degrees, out)


@app.command
def three_link(*, limb: ThreeLinkOptions, degrees: Degrees = False, out: Out = PICTURE) -> None:
    """Three links in space: a leg, with the direction of its last link."""
    _plot(limb, degrees, out)


def _plot(options: LimbOptions, degrees: bool, out: Path) -> None:
    from limbik.pictures.limb import draw

    limb = options.limb(degrees)
    solution = limb.solve(**solve_arguments(options, degrees))
    branches = limb.branches(**branch_arguments(options, degrees))
    lengths = ", ".join(f"{length:g}" for length in options.lengths)
    draw(limb, solution, branches, out, title=f"{options.kind.replace('_', '-')} limb, lengths {lengths}")
    print(f"{out}: {solution.status.words}")
