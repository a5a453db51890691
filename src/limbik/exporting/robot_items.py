"""What goes into the functions of an exported robot limb and what comes out of them: names and records."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from limbik.exporting.items import Item, index, number, quaternion, record, vector

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

POSITION = vector("position", "of the tip, in the base link's frame, metres")
ROTATION = quaternion("rotation", "of the tip, in the base link's frame, xyzw, of any length but 0")
POSE = record("pose", "", "pose", (POSITION, ROTATION))
# The pose as plain numbers: the vectors of engines may have fewer digits.
TIP = record(
    "tip",
    "where angles bring the tip",
    "tip",
    (
        *(number(axis, "of its position, metres") for axis in "xyz"),
        *(number(f"q{axis}", "of its rotation, a quaternion") for axis in "xyzw"),
    ),
)
TOLERANCE = number("tolerance", "metres and radians by which the tip may miss its target")
STEPS = index("steps", "how many steps")
PULL = number("pull", "how strongly the joints are drawn towards near, 0 to 1")
BEYOND = number("beyond", "by how much joints may pass their limits: 0, or much where limits do not count")
SWIVEL = number("swivel", "of the arm about the line from shoulder to wrist, radians")
LAST_JOINT = number("swivel", "angle of the last joint, radians")
GUESSED = number("swivel", "guess of the outermost joint's angle, radians: the angles must turn out so")
STATUS = Item("status", "0 reached, 1 too far, 2 too near, 3 held back by a joint limit, 4 invalid input", 1, "status")
# Fields beside the joints' own.
OTHER_FIELDS = {"cost", "distance", "lack", "rotation_error", "status", "residual", "rotation_residual", "angles"}


@dataclass(frozen=True)
class RobotItems:
    """The items of one limb."""

    angles: Item
    near: Item
    target: tuple[Item, ...]  # position, and rotation where it counts
    branch: Item
    descent: Item
    answer: Item
    solution: Item
    swivel: tuple[Item, ...]  # what the closed form leaves to choose, or nothing
    number: Item


def robot_items(limb: RobotLimb) -> RobotItems:
    """The items of a limb."""
    joints, layout = joint_items(limb), limb.closed_form.layout
    angles = record("angles", "of the joints", "angles", joints)
    rests = record("rests", "", "rests", tuple(number(f"{one.name}_rest", "") for one in joints))
    missed = [number("residual", "distance from the tip to the target, metres")]
    lacks = [number("lack", "0 where the target is within reach, to within rounding")]
    if limb.uses_rotation:
        missed.append(number("rotation_residual", "angle between the tip's rotation and the target's, radians"))
    if layout.free_parameter == "virtual joint":
        lacks.append(number("rotation_error", "what the rotation lacks, about an axis through the tip, radians"))
    swivels = {"swivel": SWIVEL, "last joint": LAST_JOINT, "guess": GUESSED}
    last = max(limb.closed_form.branches - 1, 0)
    return RobotItems(
        angles,
        replace(angles, name="near", note="angles to which the answer shall be near"),
        (POSITION, ROTATION) if limb.uses_rotation else (POSITION,),
        record("found", "a branch", "branch_solution", (angles, *lacks)),
        record(
            "descent",
            "angles, and for each joint on which limit it rests: -1 lower, 1 upper, 0 none",
            "descent",
            (angles, rests),
        ),
        record(
            "answer",
            "",
            "answer",
            (
                angles,
                number("cost", "squared distance from near; from 1e6 on beyond a limit, from 1e9 on out of reach"),
                number("distance", "by which the joint that moves farthest is away from near"),
            ),
        ),
        record("solution", "", "solution", (angles, STATUS, *missed)),
        (swivels[layout.free_parameter],) if layout.free_parameter in swivels else (),
        index("number", f"of the branch, 0 to {last}"),
    )


def joint_items(limb: RobotLimb) -> tuple[Item, ...]:
    """The joints as items: their names in snake case, which differ in more than underscores."""
    found: list[Item] = []
    taken = {word.replace("_", "") for word in OTHER_FIELDS}
    for joint, (name, kind) in enumerate(zip(limb.joints, limb.chain.kinds, strict=True), 1):
        word = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
        if not word or not word[0].isalpha() or word.replace("_", "") in taken:
            word = f"joint_{joint}_{word}".rstrip("_")
        while word.replace("_", "") in taken:
            word += "_x"
        taken.add(word.replace("_", ""))
        unit = "radians" if kind == "hinge" else "metres"
        found.append(number(word, f"{_plain(name)}, {unit}"))
    return tuple(found)


def _plain(name: str) -> str:
    """A joint's name as it may stand in a comment of any language."""
    shown = "".join(letter if letter.isascii() and letter.isprintable() else "?" for letter in name)
    return shown.replace("*/", "* /").replace("\\", "/").replace("<", "(").replace(">", ")").replace("&", "+")
