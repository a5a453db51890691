"""Two links in the plane."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.engines.programs import PLANAR, PlanarFlags
from limbik.limbs.chain import PlanarChain
from limbik.limbs.fast_path import FastPath, ScalarSolution
from limbik.limbs.inputs import Group, Numbers, floats, number_type, read_group, sign
from limbik.limbs.limb import Limb, Range
from limbik.limbs.solution import Branches, Solution

ORIGIN = (0.0, 0.0)
BEND = 1


class PlanarTwoLink(Limb):
    """Two links in the plane: an arm seen from the side.

    Args:
        first, second: the links' lengths; numbers, or arrays of one shape for many arms.
        middle_limits: the range of the elbow's bend, radians, 0 straight to π folded; None for all of it.
    """

    _length_names = ("first", "second")

    def __init__(self, first: Numbers, second: Numbers, *, middle_limits: Range | None = None) -> None:
        super().__init__((first, second), middle_limits)
        if isinstance(self._lengths, tuple):
            self._fast_path = FastPath(
                PLANAR, self._groups(ORIGIN, ORIGIN, (1.0,)), PlanarFlags(), ("target", "origin")
            )

    def solve(
        self, target: Numbers, origin: Numbers = ORIGIN, bend: Numbers = BEND, *, out: Solution | None = None
    ) -> Solution:
        """The pose that brings the tip to the target, or nearest to it.

        Args:
            target: (..., 2).
            origin: (..., 2), where the arm is attached.
            bend: +1 puts the elbow left of the ray from origin to target, −1 right; (...,).
            out: an earlier solution, whose memory this one's answers are written into; its own are gone then.
        """
        if self._fast_path is not None and bend is BEND and out is None:
            root = ORIGIN if origin is ORIGIN else floats(origin, 2)
            if root and (goal := floats(target, 2)):
                return ScalarSolution(self._fast_path, goal, root)
        groups = self._groups(target, origin, sign("bend", bend))
        return Solution(PLANAR, groups, PlanarFlags(), number_type(target, origin)).into(out)

    def branches(self, target: Numbers, origin: Numbers = ORIGIN) -> Branches:
        """Both solutions, bend +1 and −1, on a leading axis of 2."""
        groups = self._groups(target, origin, (1.0,))
        return Branches(PLANAR, with_sides(groups, [(1.0,), (-1.0,)]), PlanarFlags(), number_type(target, origin))

    def forward(self, angles: Numbers, origin: Numbers = ORIGIN) -> Array:
        """Joints (..., 3, 2) from angles (..., 2): the first from +x, the second from the first, counter-clockwise."""
        return PlanarChain(self.lengths).forward(angles, origin)

    def _groups(self, target: Numbers, origin: Numbers, sides: Group) -> dict[str, Group]:
        return {
            "lengths": self._lengths,
            "chord_range": self._span,
            "target": read_group("target", target, 2),
            "origin": read_group("origin", origin, 2),
            "signs": sides,
        }


def with_sides(groups: dict[str, Group], sides: list[tuple[float, ...]]) -> dict[str, Group]:
    """The groups with one variant of the sides for each branch, on a new leading axis."""
    depth = max((group.ndim - 1 for group in groups.values() if not isinstance(group, tuple)), default=0)
    table = np.array(sides)
    return {**groups, "signs": table.reshape(len(sides), *(1,) * depth, table.shape[-1])}
