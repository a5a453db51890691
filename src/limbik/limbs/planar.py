"""Two links in the plane."""

from __future__ import annotations

from limbik.engines.programs import PLANAR, PlanarFlags
from limbik.limbs.array_types import AnyArrayLike, ArrayLike, ArrayType
from limbik.limbs.branches import Branches
from limbik.limbs.chain import PlanarChain
from limbik.limbs.inputs import signs
from limbik.limbs.limb import MiddleJointLimb, Range
from limbik.limbs.solution import Solution

ORIGIN = (0.0, 0.0)
BEND = 1
LEFT = (1.0,)  # the sign of that bend
DEFAULTS = (LEFT,)
FLAGS = PlanarFlags()


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
    _options = ("signs",)
    _no_options = DEFAULTS
    _frame = ()
    _origin = ORIGIN
    _width = 2

    def __init__(self, first: AnyArrayLike, second: AnyArrayLike, *, middle_limits: Range | None = None) -> None:
        super().__init__((first, second), middle_limits)

    def solve(
        self,
        target: ArrayLike[ArrayType],
        origin: ArrayLike[ArrayType] = ORIGIN,
        *,
        bend: ArrayLike[ArrayType] = BEND,
        out: Solution[ArrayType] | None = None,
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
        options = DEFAULTS if bend is BEND else (signs("bend", bend),)
        return self._solve(FLAGS, (target, origin), options, out)

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
        return self._branches(FLAGS, (target, origin), (LEFT,), [(1.0,), (-1.0,)])

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
