"""The functions of an exported robot limb: its geometry is part of the code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limbik.errors import ArgumentError
from limbik.exporting.functions import Function, record_function
from limbik.exporting.items import Item, number, quaternion, record, vector
from limbik.formulas.operations import Quaternion, Real, Vector, atan2, cos, sin
from limbik.formulas.robots.screw_chain import chain_pose

if TYPE_CHECKING:
    from limbik.robots.robot_limb import RobotLimb

POSITION = vector("position", "of the tip, in the base link's frame, metres")
ROTATION = quaternion("rotation", "of the tip, in the base link's frame, xyzw")


def robot_functions(limb: RobotLimb) -> list[Function]:
    """Inverse kinematics of one branch, and forward kinematics.

    Raises:
        ArgumentError: for a limb whose answers need Newton steps, or a guess.
    """
    family = limb.closed_form
    if family.newton_steps or family.layout.free_parameter in ("guess", "virtual joint"):
        raise ArgumentError("limb", limb.family, f"a limb that has a closed form exactly: {family.words}")
    angles = _angles(limb)
    signs = tuple(
        number(f"branch_{k}", "+1 or -1: selects one of two solutions")
        for k in range(1, family.layout.program.extra_groups["signs"] + 1)
    )
    swivel = (number("swivel", "radians: what is left to choose"),) if family.layout.free_parameter else ()
    lack = number("lack", "0 where the target is within reach, to within rounding")
    solution = record("solution", "", "solution", (*angles, lack))
    pose = record("pose", "", "pose", (POSITION, ROTATION))
    summary = "The joint angles of one branch; those of the nearest subproblems where the target is out of reach."
    return [
        record_function("solve", summary, (POSITION, ROTATION, *swivel, *signs), solution, _Solve(limb)),
        record_function("forward", "Where joint angles bring the tip.", angles, pose, _Forward(limb)),
    ]


class _Solve:
    __name__ = "solve"

    def __init__(self, limb: RobotLimb) -> None:
        self._family = limb.closed_form

    def __call__(
        self, position: Vector, rotation: Quaternion, swivel: tuple[Real] | None = None, **signs: tuple[Real]
    ) -> tuple[Real, ...]:
        program, flags = self._family.layout.program, self._family.layout.flags
        given = {**self._family.inputs, "position": position, "rotation": rotation, **flags._asdict()}
        if swivel is not None:
            given["swivel"] = cos(swivel[0]), sin(swivel[0])
        pose = program.pose(*(given[name] for name in (*program.groups, *flags._fields)))
        turns, lacks = pose.family([sign[0] for sign in signs.values()])
        total: Real = pose.flaw
        for lack in lacks:
            total = total + lack * lack
        return *(atan2(s, c) + pose.flaw for c, s in turns), total


class _Forward:
    __name__ = "forward"

    def __init__(self, limb: RobotLimb) -> None:
        self._chain = limb.chain

    def __call__(self, **angles: tuple[Real]) -> tuple[Vector, Quaternion]:
        chain = self._chain
        tip = (*chain.position.tolist(), *chain.rotation.tolist())
        axes, points = chain.axes.ravel().tolist(), chain.points.ravel().tolist()
        pose = chain_pose(chain.letters, axes, points, tip, [angle[0] for angle in angles.values()])
        return pose.position, pose.rotation


def _angles(limb: RobotLimb) -> tuple[Item, ...]:
    """The joints' angles as items: their names in snake case."""
    taken: dict[str, Item] = {}
    for joint, name in enumerate(limb.joints, 1):
        word = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
        if not word or not word[0].isalpha() or word in taken or word in ("position", "rotation", "swivel", "lack"):
            word = f"joint_{joint}_{word}".rstrip("_")
        taken[word] = number(word, f"angle of {name}, radians")
    return tuple(taken.values())
