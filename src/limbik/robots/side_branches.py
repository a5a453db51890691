"""Branches of a limb that are no limbs: rods, cranks and springs of linkages, gears, and what is short beside the rest.

A leg that a rod drives past its knee branches in the thigh, and is one limb all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import dist

from limbik.robots.description import LinkSpec
from limbik.robots.placements import Vector3
from limbik.skeleton.naming import tokens

# Links and joints that pass on motion. They are left out only where another branch goes on without such words.
LINKAGE_WORDS = {
    "rod",
    "pushrod",
    "crank",
    "rocker",
    "coupler",
    "linkage",
    "spring",
    "gear",
    "drive",
    "pulley",
    "piston",
}
MIN_JOINTS_ABOVE = 2  # from the body to where a limb can have a side branch: at a neck or a waist none is left out
MAX_SIDE_REACH = 1 / 3  # of the longest branch's reach: longer ones are no side branches
MIN_MAIN_REACH = 0.25  # of the length of the limb above: shorter branches are fingers, the longest of them too


class Branches:
    """The branches below each link of a robot.

    Attributes:
        main: for each link, the children that joints move, directly or below, without side branches.
    """

    def __init__(self, links: Sequence[LinkSpec], moving_children: list[list[int]], positions: list[Vector3]) -> None:
        self._links, self._moving, self._positions = links, moving_children, positions
        self._reaches = self._measure_reaches()
        self._passive, self._fixed = self._find_linkages()
        self.main = [list(children) for children in moving_children]
        joints, lengths = [0] * len(links), [0.0] * len(links)  # of the limb above each link
        for number in range(len(links)):
            if number == 0 or links[number].floating:
                pass
            elif number in self.main[links[number].parent] and len(self.main[links[number].parent]) == 1:
                joints[number] = joints[links[number].parent] + len(links[number].joints)
                lengths[number] = lengths[links[number].parent] + self._step(number)
            else:
                joints[number] = len(links[number].joints)
            if len(self.main[number]) > 1:
                self.main[number] = self._without_side_branches(number, joints[number], lengths[number])

    def reach(self, number: int) -> float:
        """The length of the longest way from a link's parent down to the last joint below, metres."""
        return self._reaches[number]

    def _step(self, number: int) -> float:
        return dist(self._positions[number], self._positions[self._links[number].parent])

    def _measure_reaches(self) -> list[float]:
        found = [0.0] * len(self._links)
        for number in range(len(self._links) - 1, 0, -1):
            found[number] = self._step(number) + max((found[child] for child in self._moving[number]), default=0.0)
        return found

    def _find_linkages(self) -> tuple[list[bool], list[bool]]:
        """For each link, whether all joints from it on are named as those of linkages, and whether there are none."""
        passive, fixed = [True] * len(self._links), [True] * len(self._links)
        for number in range(len(self._links) - 1, 0, -1):
            link, below = self._links[number], self._moving[number]
            words = {word for name in (link.name, *(joint.name for joint in link.joints)) for word in tokens(name)}
            passive[number] = bool(not link.joints or words & LINKAGE_WORDS) and all(passive[child] for child in below)
            fixed[number] = not link.joints and all(fixed[child] for child in below)
        return passive, fixed

    def _without_side_branches(self, number: int, joints: int, length: float) -> list[int]:
        children = self._moving[number]
        if any(self._links[child].floating for child in children):
            return children
        for is_side in (self._fixed, self._passive):
            children = [child for child in children if not is_side[child]] or children
        if len(children) > 1 and joints >= MIN_JOINTS_ABOVE:
            *others, longest = sorted(children, key=self.reach)
            is_long = self.reach(longest) > MIN_MAIN_REACH * length
            if is_long and self.reach(others[-1]) < MAX_SIDE_REACH * self.reach(longest):
                return [longest]
        return children
