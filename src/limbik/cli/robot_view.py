"""Prints what `limbik robot` tells about a robot."""

from __future__ import annotations

from collections.abc import Iterable
from math import degrees
from typing import Any

from limbik.cli.contents_view import printable
from limbik.cli.terminal_tables import pairs, terminal

DEEPEST = 30  # levels of the tree that are indented


def show_robot(found: dict[str, Any]) -> None:
    """Prints the contents of a robot's file."""
    console = terminal()
    console.print(f"{printable(found['file'])}: {printable(found['name']) or 'a robot'}", style="bold", soft_wrap=True)
    console.print(pairs(_facts(found)))
    console.print("\nLimbs", style="bold")
    if found["limbs"]:
        console.print(pairs((printable(name), _limb(limb)) for name, limb in found["limbs"].items()))
    else:
        console.print(" none found; robot.limb(tip, base) takes the names of links")
    console.print("\nLinks and joints", style="bold")
    for line in _tree(found):
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


def _limb(limb: dict[str, Any]) -> str:
    joints = ", ".join(map(printable, limb["joints"]))
    lines = [f"{printable(limb['base'])} → {printable(limb['tip'])}: {joints}"]
    if limb["family"] is None:
        lines.append(f"not solved: {printable(limb['reason'])}")
    else:
        lines.append(f"{limb['family']}; {limb['branches']} branches")
        lines.append(f"{_miss(limb)}; {limb['reached']} of {limb['poses']} random poses within limits reached")
        median, worst = (f"{limb[key]:.1g} m" for key in ("median_residual", "worst_residual"))
        lines.append(f"the tip is {median} from its target in the median, {worst} at most")
    return "\n".join(lines)


def _miss(limb: dict[str, Any]) -> str:
    length, angle = limb["miss_metres"], limb["miss_radians"]
    if length < 1e-9 and angle < 1e-9:
        return "exact geometry"
    return f"axes off by {1000 * length:.2g} mm and {degrees(angle):.2g}°, corrected by Newton steps"


def _tree(found: dict[str, Any]) -> Iterable[str]:
    """A line for each link, indented below its parent, with the joints that move it."""
    depths: dict[str, int] = {}
    joints: dict[str, list[dict[str, Any]]] = {}
    for joint in found["joints"]:
        joints.setdefault(joint["link"], []).append(joint)
    for link in found["links"]:
        depth = depths[link["name"]] = depths[link["parent"]] + 1 if link["parent"] is not None else 0
        moved = "; ".join(map(_joint, joints.get(link["name"], [])))
        yield "  " * min(depth, DEEPEST) + link["name"] + (f"  ← {moved}" if moved else "")


def _joint(joint: dict[str, Any]) -> str:
    if joint["mimic"]:
        return f"{joint['name']}, follows {joint['mimic']['joint']}"
    turns = joint["kind"] == "hinge"
    limits = [joint["lower"], joint["upper"]]
    if None in limits:
        return f"{joint['name']} ({joint['kind']}, no limits)"
    low, high = ((degrees(value) if turns else value) for value in limits)
    unit = "°" if turns else " m"
    return f"{joint['name']} ({joint['kind']}, {low:.4g} to {high:.4g}{unit})"
