"""A solution for people: tables in the terminal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from limbik.cli.answers import AXES, link_names
from limbik.cli.options import limb_title

if TYPE_CHECKING:
    from limbik.limbs.branches import Branches
    from limbik.limbs.limb import Limb
    from limbik.limbs.solution import Solution

DIGITS = 6  # of a coordinate, beside the size of the limb, and of an angle in radians
LEAN = 1e-9  # radians out of the plane that are rounding
NARROWEST = 80  # a terminal that is narrower wraps lines, which is better than cutting numbers off
SIDES = {
    "planar": ("bend 1", "bend -1"),
    "two_link": ("towards the pole", "away from the pole"),
    "three_link": ("bend 1", "bend -1"),
}


def show_solution(kind: str, limb: Limb, solution: Solution, degrees: bool) -> None:
    """Prints one solution."""
    heading = Text(limb_title(kind, limb), style="bold")
    parts = [heading, _report(kind, solution, degrees), *_joints(kind, limb, solution, "Joints")]
    angles = [_angle(angle, degrees) for angle in solution.angles]
    parts += _titled(f"Angles, {_unit(degrees)}", _table(solution.angle_names, [angles]))
    if kind != "planar":
        rows = [
            [name, *(_fixed(part, DIGITS) for part in rotation)]
            for name, rotation in zip(link_names(kind), solution.rotations, strict=True)
        ]
        parts += _titled("Rotations of the links in the world, quaternions", _table(("", *"xyzw"), rows))
    _print(parts)


def show_branches(kind: str, limb: Limb, branches: Branches, degrees: bool) -> None:
    """Prints every solution: a line of angles for each, then the joints once for all that share them."""
    same, distinct = branches.same_joints_as.tolist(), branches.distinct.tolist()
    rows = [
        [
            str(k),
            *(_angle(angle, degrees) for angle in branch.angles),
            f"{same[k]}{'' if distinct[k] else ', not distinct'}",
        ]
        for k, branch in enumerate(branches)
    ]
    table = _table(("", *branches[0].angle_names, "joints of"), rows)
    parts = [Text(limb_title(kind, limb), style="bold"), *_titled(f"Branches: angles, {_unit(degrees)}", table)]
    for k in sorted(set(same)):
        sharing = [branch for branch, first in enumerate(same) if first == k]
        parts += _joints(kind, limb, branches[k], _branch_title(kind, sharing, len(same)))
        parts.append(_report(kind, branches[k], degrees))
    _print(parts)


def _report(kind: str, solution: Solution, degrees: bool) -> RenderableType:
    """Status, residual and what else tells how good the answer is."""
    table = Table(box=None, show_header=False, pad_edge=False)
    words = Text(solution.status.words, style="green" if solution.reached else "yellow")
    table.add_row("status", words)
    if solution.singular:
        table.add_row("singular", f"the {'aim' if kind == 'planar' else 'bending plane'} was free; a default chose it")
    table.add_row("residual", f"{solution.residual:.3g} from tip to target")
    if kind == "three_link":
        table.add_row("up error", f"{_angle(solution.up_error, degrees)} {_unit(degrees)}")
        if abs(solution.out_of_plane) > LEAN:
            lean = f"{_angle(solution.out_of_plane, degrees)} {_unit(degrees)}"
            table.add_row("out of plane", f"{lean}: rotations are the whole answer, angles are not")
    if kind == "two_link" and solution.stretch != 1:
        table.add_row("stretch", f"the links are {solution.stretch:.6g} times as long as at rest")
    return _indented(table)


def _joints(kind: str, limb: Limb, solution: Solution, title: str) -> list[RenderableType]:
    size = max(float(limb.reach), float(abs(solution.joints).max()))
    decimals = min(15, max(0, DIGITS - math.ceil(math.log10(size))))
    rows = [
        [name, *(_fixed(part, decimals) for part in joint)]
        for name, joint in zip(solution.joint_names, solution.joints, strict=True)
    ]
    return _titled(title, _table(("", *AXES[: len(rows[0]) - 1]), rows))


def _table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in columns:
        table.add_column(name, justify="left" if name in ("", "joints of") else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def _titled(title: str, table: Table) -> list[RenderableType]:
    return ["", Text(title, style="bold"), _indented(table)]


def _indented(table: Table) -> Padding:
    return Padding(table, (0, 0, 0, 2), expand=False)


def _branch_title(kind: str, sharing: list[int], count: int) -> str:
    """Which branches share these joints, and on which side they bend, unless bends coincide."""
    title = f"Joints of branch{'es' * (len(sharing) > 1)} {', '.join(map(str, sharing))}"
    halves = {branch >= count // 2 for branch in sharing}
    return title if len(halves) == 2 else f"{title}: {SIDES[kind][halves.pop()]}"


def _angle(radians: float, degrees: bool) -> str:
    return _fixed(math.degrees(radians), DIGITS - 2) if degrees else _fixed(radians, DIGITS)


def _fixed(value: float, decimals: int) -> str:
    return f"{round(float(value), decimals) + 0.0:.{decimals}f}"  # + 0.0: never −0


def _unit(degrees: bool) -> str:
    return "degrees" if degrees else "radians"


def _print(parts: Iterable[RenderableType]) -> None:
    console = Console(highlight=False)
    console.width = max(NARROWEST, console.width)
    for part in parts:
        console.print(part)
