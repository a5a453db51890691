"""A solution for people: tables in the terminal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from limbik.cli.answers import AXES, link_names
from limbik.cli.options import limb_title
from limbik.cli.terminal_tables import pairs, table, terminal
from limbik.limbs.status import Status

if TYPE_CHECKING:
    from limbik.limbs.branches import Branches
    from limbik.limbs.limb import Limb
    from limbik.limbs.solution import Solution

DIGITS = 6  # of a coordinate, beside the size of the limb, and of an angle in radians
LEAN = 1e-9  # radians out of the plane that are rounding
SIDES = {
    "planar": ("bend 1", "bend -1"),
    "two_link": ("towards the pole", "away from the pole"),
    "three_link": ("bend 1", "bend -1"),
}


def print_solution(kind: str, limb: Limb, solution: Solution, degrees: bool) -> None:
    """Prints one solution."""
    console = terminal()
    console.print(limb_title(kind, limb), style="bold")
    _show_report(console, kind, solution, degrees)
    _show_joints(console, limb, solution, "Joints")
    angles = [_angle(angle, degrees) for angle in solution.angles]
    _show(console, f"Angles, {_unit(degrees)}", table(solution.angle_names, [angles]))
    if kind != "planar":
        rows = [
            [name, *(_decimal(part, DIGITS) for part in rotation)]
            for name, rotation in zip(link_names(kind), solution.rotations, strict=True)
        ]
        _show(console, "Rotations of the links in the world, quaternions", table(("", *"xyzw"), rows))


def print_branches(kind: str, limb: Limb, branches: Branches, degrees: bool) -> None:
    """Prints every solution: a line of angles for each, then the joints once for all that share them."""
    console = terminal()
    console.print(limb_title(kind, limb), style="bold")
    same, distinct = branches.same_joints_as.tolist(), branches.distinct.tolist()
    rows = [
        [
            str(k),
            *(_angle(angle, degrees) for angle in branch.angles),
            f"{same[k]}{'' if distinct[k] else ', not distinct'}",
        ]
        for k, branch in enumerate(branches)
    ]
    columns = ("", *branches[0].angle_names, "joints of")
    _show(console, f"Branches: angles, {_unit(degrees)}", table(columns, rows, left=("", "joints of")))
    for k in sorted(set(same)):
        sharing = [branch for branch, first in enumerate(same) if first == k]
        _show_joints(console, limb, branches[k], _branch_title(kind, sharing, len(same)))
        _show_report(console, kind, branches[k], degrees)


def _show_report(console: Console, kind: str, solution: Solution, degrees: bool) -> None:
    """Prints status, residual and what else tells how good the answer is."""
    rows: list[tuple[str, RenderableType]] = [
        ("status", Text(Status(solution.status).words, style="green" if solution.reached else "yellow"))
    ]
    if solution.singular:
        free = "aim" if kind == "planar" else "bending plane"
        rows.append(("singular", f"the {free} was free; a default was used"))
    rows.append(("residual", f"{solution.residual:.3g} from tip to target"))
    if kind == "three_link":
        rows.append(("up error", f"{_angle(float(solution.up_error), degrees)} {_unit(degrees)}"))
        if abs(solution.out_of_plane) > LEAN:
            lean = f"{_angle(float(solution.out_of_plane), degrees)} {_unit(degrees)}"
            rows.append(("out of plane", f"{lean}: rotations are the whole answer, angles are not"))
    if kind == "two_link" and solution.stretch != 1:
        rows.append(("stretch", f"the links are {solution.stretch:.6g} times as long as at rest"))
    console.print(Padding(pairs(rows), (0, 0, 0, 1), expand=False))


def _show_joints(console: Console, limb: Limb, solution: Solution, title: str) -> None:
    size = max(float(limb.reach), float(abs(solution.joints).max()))
    decimals = min(15, max(0, DIGITS - math.ceil(math.log10(size))))
    rows = [
        [name, *(_decimal(part, decimals) for part in joint)]
        for name, joint in zip(solution.joint_names, solution.joints, strict=True)
    ]
    _show(console, title, table(("", *AXES[: len(rows[0]) - 1]), rows))


def _show(console: Console, title: str, shown: Table) -> None:
    console.print()
    console.print(title, style="bold")
    console.print(Padding(shown, (0, 0, 0, 2), expand=False))


def _branch_title(kind: str, sharing: list[int], count: int) -> str:
    """Which branches share these joints, and on which side they bend, unless bends coincide."""
    title = f"Joints of branch{'es' * (len(sharing) > 1)} {', '.join(map(str, sharing))}"
    halves = {branch >= count // 2 for branch in sharing}
    return title if len(halves) == 2 else f"{title}: {SIDES[kind][halves.pop()]}"


def _angle(radians: float, degrees: bool) -> str:
    return _decimal(math.degrees(radians), DIGITS - 2) if degrees else _decimal(radians, DIGITS)


def _decimal(value: float, decimals: int) -> str:
    return f"{round(float(value), decimals) + 0.0:.{decimals}f}"  # + 0.0: never −0


def _unit(degrees: bool) -> str:
    return "degrees" if degrees else "radians"
