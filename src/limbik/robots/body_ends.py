"""The ends of a whole robot that can be sent to targets: feet, hands, chest, pelvis, and any link by its name."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.errors import ArgumentError, did_you_mean, shown
from limbik.robots.robot_limb import RobotLimb

if TYPE_CHECKING:
    from limbik.robots.robot import Robot

END_OF = {"arm": "hand", "leg": "foot"}
BASE_ROLE, CHEST_ROLE = "pelvis", "chest"
# By which ends are met first where not all can be, and how much the others then count in the compromise.
FOOT, HAND, LINK, BASE = range(4)
WEIGHTS = (1.0, 0.2, 0.1, 0.05)


class BodyEnd(NamedTuple):
    """An end of a whole robot.

    Attributes:
        name: as the caller has it.
        link: the link or site.
        rank: FOOT, HAND, LINK or BASE.
        chain: the joints from the robot's base to the link; None for the base.
        columns: their numbers among the robot's joints.
        limb: the arm or leg that ends there, where there is one.
        limb_columns: the numbers of its joints.
    """

    name: str
    link: str
    rank: int
    chain: RobotLimb | None
    columns: Array
    limb: RobotLimb | None
    limb_columns: Array


class BodyEnds:
    """The ends of a robot by their names; an end is made when it is first asked for."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self._found: dict[str, BodyEnd] = {}

    @cached_property
    def limbs(self) -> dict[str, RobotLimb]:
        """The arms and legs by the names of their ends: "left_hand", "right_foot"; or the limb's own name."""
        return {
            re.sub("(^|_)(arm|leg)$", lambda kind: kind[1] + END_OF[kind[2]], name): limb
            for name, limb in self.robot.limbs().items()
        }

    @cached_property
    def roles(self) -> dict[str, str]:
        """The links and sites by what they are: the ends of limbs, the limbs' names, the chest and the pelvis."""
        found = {BASE_ROLE: self.robot.base}
        carriers = {limb.base for name, limb in self.limbs.items() if name.endswith("hand")}
        if len(carriers) == 1 and self.robot.base not in carriers:
            found[CHEST_ROLE] = carriers.pop()
        found |= {name: ends.tip for name, ends in self.robot.limb_ends().items()}
        return found | {name: limb.tip for name, limb in self.limbs.items()}

    @property
    def names(self) -> list[str]:
        """The names of ends, without those of links."""
        return list(dict.fromkeys([*self.limbs, *self.roles]))

    def find(self, name: object) -> BodyEnd:
        """The end of this name; raises ArgumentError where there is none."""
        if isinstance(name, str) and name in self._found:
            return self._found[name]
        known = [*self.roles, *self.robot.links, *self.robot.sites]
        if not isinstance(name, str) or name not in known:
            ends = ", ".join(map(repr, self.names))
            raise ArgumentError("targets", shown(name), f"ends{did_you_mean(name, known)}: {ends}, or a link or site")
        return self._found.setdefault(name, self._make(name, self.roles.get(name, name)))

    def _make(self, name: str, link: str) -> BodyEnd:
        if link == self.robot.base:
            return BodyEnd(name, link, BASE, None, np.empty(0, int), None, np.empty(0, int))
        chain = self.robot.limb(link, self.robot.base)
        last = chain.joints[-1]
        role, limb = next(((role, one) for role, one in self.limbs.items() if one.joints[-1] == last), ("", None))
        rank = LINK if limb is None else FOOT if role.endswith("foot") else HAND
        if limb is not None and limb.tip != link:
            limb = self.robot.limb(link, limb.base)
        own = self._columns(limb.joints) if limb is not None else np.empty(0, int)
        return BodyEnd(name, link, rank, chain, self._columns(chain.joints), limb, own)

    def _columns(self, joints: tuple[str, ...]) -> Array:
        names = [joint.name for joint in self.robot.joints]
        return np.array([names.index(name) for name in joints], int)
