"""Two links in the plane."""

from __future__ import annotations

from typing import Any

from limbik.engines.programs import PLANAR, PlanarFlags
from limbik.limbs.array_types import ArrayLike, ArrayType
from limbik.limbs.branches import Branches
from limbik.limbs.chain import PlanarChain
from limbik.limbs.inputs import Groups, number_type, read_group, sign
from limbik.limbs.limb import MiddleJointLimb, Range, with_signs
from limbik.limbs.solution import Solution

ORIGIN = (0.0, 0.0)
BEND = 1


class PlanarTwoLink(MiddleJointLimb):
    """Two links in the plane: an arm seen from the side.

    Args:
        first, second: the links' lengths, numbers or arrays (...,) for many arms.
        middle_limits: the range (low, high) of the elbow's bend, radians, within [0, π]: 0 is straight, π folded.
            Default: no limits.

    Raises:
        ArgumentError: if a length is not positive and finite, or the limits are not a range.
    """

    _program = PLANAR
    _vectors = ("target", "origin")
    _origin = ORIGIN

    def __init__(self, first: ArrayLike[Any], second: ArrayLike[Any], *, middle_limits: Range | None = None) -> None:
        super().__init__((first, second), middle_limits)

    def solve(
        self,
        target: ArrayLike[ArrayType],
        origin: ArrayLike[ArrayType] = ORIGIN,
        *,
        bend: ArrayLike[ArrayType] = BEND,
        out: Solution[Any] | None = None,
    ) -> Solution[ArrayType]:
        """The pose that brings the tip to the target, or as near to it as the arm can.

        Args:
            target: (..., 2), where the tip goes.
            origin: (..., 2), where the arm is attached.
            bend: (...,), +1 puts the elbow left of the ray from origin to target, −1 right of it.
            out: an earlier solution whose memory is reused; its own answers are then gone.

        Returns:
            The solution, with the leading axes over which the arguments broadcast.

        Raises:
            ArgumentError: for arguments that are not numbers of these shapes, or do not broadcast.
        """
        if bend is BEND and (quick := self._quick(out, target, origin)) is not None:
            return quick
        return Solution(PLANAR, *self._read(target, origin, bend), self)._share(out)

    def branches(self, target: ArrayLike[ArrayType], origin: ArrayLike[ArrayType] = ORIGIN) -> Branches[ArrayType]:
        """Both solutions, bend +1 and −1.

        Args:
            target: (..., 2), where the tip goes.
            origin: (..., 2), where the arm is attached.

        Returns:
            The solutions, on a leading axis of 2.

        Raises:
            ArgumentError: as `solve`.
        """
        groups, flags, dtype = self._read(target, origin)
        return Branches(PLANAR, with_signs(groups, [(1.0,), (-1.0,)]), flags, dtype, self)

    def forward(self, angles: ArrayLike[ArrayType], origin: ArrayLike[ArrayType] = ORIGIN) -> ArrayType:
        """Forward kinematics.

        Args:
            angles: (..., 2), radians: the first link's angle from +x, the second's from the first, counter-clockwise.
            origin: (..., 2), where the arm is attached.

        Returns:
            Joint positions, (..., 3, 2).

        Raises:
            ArgumentError: for arguments that are not numbers of these shapes, or do not broadcast.
        """
        return PlanarChain(self.lengths).forward(angles, origin)

    def _read(
        self, target: ArrayLike[Any], origin: ArrayLike[Any], bend: ArrayLike[Any] = BEND
    ) -> tuple[Groups, PlanarFlags, Any]:
        groups = {
            "lengths": self._lengths,
            "chord_range": self._chords,
            "target": read_group("target", target, 2),
            "origin": ORIGIN if origin is ORIGIN else read_group("origin", origin, 2),
            "signs": sign("bend", bend),
        }
        return groups, PlanarFlags(), number_type(target, origin)
