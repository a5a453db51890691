"""`limbik robot`: shows a robot's links, joints and limbs, for people and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from math import degrees, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from cyclopts import App, Parameter

from limbik.cli.options import Flag
from limbik.cli.running import printable

if TYPE_CHECKING:
    from limbik.robots.description import RobotJoint
    from limbik.robots.robot import Robot
    from limbik.robots.robot_limb import RobotLimb

app = App(name="robot")

MEASURED_POSES = 1000  # random, for each limb
MAX_INDENTED_LEVELS = 30  # of the tree


@app.default
def robot(
    file: Annotated[Path, Parameter(help="A robot: URDF or MJCF.")],
    *,
    as_json: Annotated[Flag, Parameter(name="--json", help="Print one JSON object.")] = False,
) -> None:
    """Show a robot: its limbs, how each is solved and how exactly, and the tree of its links and joints.

    A limb's exactness is measured: it is solved for 1000 random poses that angles within its limits give.
    """
    from limbik.robots.robot import Robot

    found = _robot_contents(file, Robot.load(file))
    if as_json:
        print(json.dumps(found))
    else:
        _print_robot(found)


def _robot_contents(path: Path, robot: Robot) -> dict[str, Any]:
    """Links, joints and limbs of a robot; limits that do not exist are null."""
    ends = robot.limb_ends()
    return {
        "file": str(path),
        "name": robot.name,
        "base": robot.base,
        "floating": robot.floating,
        "held": list(robot.held),
        "sites": list(robot.sites),
        "links": [
            {"name": name, "parent": robot.links[parent] if parent >= 0 else None}
            for name, parent in zip(robot.links, robot.parents, strict=True)
        ],
        "joints": [_joint_content(joint) for joint in (*robot.joints, *robot.mimics)],
        "limbs": {
            name: {
                "base": ends[name].base,
                "tip": ends[name].tip,
                "joints": list(limb.joints),
                **_solving_content(limb),
            }
            for name, limb in robot.limbs().items()
        },
    }


def _joint_content(joint: RobotJoint) -> dict[str, Any]:
    mimic = joint.mimic and {
        "joint": joint.mimic.joint,
        "multiplier": joint.mimic.multiplier,
        "offset": joint.mimic.offset,
    }
    return {
        "name": joint.name,
        "link": joint.link,
        "kind": joint.kind,
        "axis": list(joint.axis),
        "lower": joint.lower if isfinite(joint.lower) else None,
        "upper": joint.upper if isfinite(joint.upper) else None,
        "mimic": mimic,
    }


def _solving_content(limb: RobotLimb) -> dict[str, Any]:
    """The family of a limb, by how much its axes miss it, and what the answers leave."""
    metres, radians = limb.miss
    lower, upper = np.maximum(limb.lower, -np.pi), np.minimum(limb.upper, np.pi)
    angles = np.random.default_rng(0).uniform(lower, upper, (MEASURED_POSES, len(limb.joints)))
    solved = limb.solve(*limb.forward(angles))
    return {
        "family": limb.family,
        "branches": limb.branch_count,
        "finds_every_branch": limb.finds_every_branch,
        "closed_form": bool(limb.closed_form.branches),
        "miss_metres": metres,
        "miss_radians": radians,
        "poses": MEASURED_POSES,
        "reached": int(np.sum(solved.reached)),
        "median_residual": float(np.median(solved.residual)),
        "worst_residual": float(np.max(solved.residual)),
    }


def _print_robot(found: dict[str, Any]) -> None:
    """Prints the contents of a robot's file."""
    from limbik.cli.terminal_tables import pairs, terminal

    console = terminal()
    console.print(f"{printable(found['file'])}: {printable(found['name']) or 'a robot'}", style="bold", soft_wrap=True)
    console.print(pairs(_facts(found)))
    console.print("\nLimbs", style="bold")
    if found["limbs"]:
        console.print(pairs((printable(name), _limb_lines(limb)) for name, limb in found["limbs"].items()))
    else:
        console.print(" none found; robot.limb(tip, base) takes the names of links")
    console.print("\nLinks and joints", style="bold")
    for line in _tree_lines(found):
        console.print(" " + printable(line), soft_wrap=True)


def _facts(found: dict[str, Any]) -> Iterable[tuple[str, str]]:
    follow = sum(joint["mimic"] is not None for joint in found["joints"])
    yield "links", str(len(found["links"]))
    yield "joints", f"{len(found['joints']) - follow}{f', and {follow} that follow others' if follow else ''}"
    yield "base", printable(found["base"]) + (", floating" if found["floating"] else "")
    if found["held"]:
        yield "held", printable(", ".join(found["held"])) + ": ball joints, which limbik does not turn"
    if found["sites"]:
        yield "sites", printable(", ".join(found["sites"]))


def _limb_lines(limb: dict[str, Any]) -> str:
    joints = ", ".join(map(printable, limb["joints"]))
    lines = [f"{printable(limb['base'])} → {printable(limb['tip'])}: {joints}"]
    answers = f"{limb['branches']} branches" if limb["closed_form"] else f"up to {limb['branches']} answers"
    lines.append(f"{limb['family']}; {answers}")
    lines.append(f"{_exactness(limb)}; {limb['reached']} of {limb['poses']} random poses within limits reached")
    median, worst = (f"{limb[key]:.1g} m" for key in ("median_residual", "worst_residual"))
    lines.append(f"the tip is {median} from its target in the median, {worst} at most")
    return "\n".join(lines)


def _exactness(limb: dict[str, Any]) -> str:
    if not limb["closed_form"]:
        return "descents from several starts"
    length, angle = limb["miss_metres"], limb["miss_radians"]
    if length < 1e-9 and angle < 1e-9:
        return "exact geometry"
    return f"axes off by {1000 * length:.2g} mm and {degrees(angle):.2g}°, corrected by Newton steps"


def _tree_lines(found: dict[str, Any]) -> Iterable[str]:
    """A line for each link, indented below its parent, with the joints that move it."""
    depths: dict[str, int] = {}
    joints: dict[str, list[dict[str, Any]]] = {}
    for joint in found["joints"]:
        joints.setdefault(joint["link"], []).append(joint)
    for link in found["links"]:
        depth = depths[link["name"]] = depths[link["parent"]] + 1 if link["parent"] is not None else 0
        moved = "; ".join(map(_joint_text, joints.get(link["name"], [])))
        yield "  " * min(depth, MAX_INDENTED_LEVELS) + link["name"] + (f"  ← {moved}" if moved else "")


def _joint_text(joint: dict[str, Any]) -> str:
    if joint["mimic"]:
        return f"{joint['name']}, follows {joint['mimic']['joint']}"
    turns = joint["kind"] == "hinge"
    limits = [joint["lower"], joint["upper"]]
    if None in limits:
        return f"{joint['name']} ({joint['kind']}, no limits)"
    low, high = ((degrees(value) if turns else value) for value in limits)
    unit = "°" if turns else " m"
    return f"{joint['name']} ({joint['kind']}, {low:.4g} to {high:.4g}{unit})"
