"""Two links in space: an arm, and a pole that says where the elbow goes."""

from __future__ import annotations

import math
import sys
from functools import lru_cache

import numpy as np

from limbik.arguments import shown
from limbik.arrays import HANDLERS, library_of
from limbik.engines.programs import TWO_LINK, TwoLinkFlags
from limbik.errors import ArgumentError
from limbik.limbs.array_types import AnyArrayLike, ArrayLike, ArrayType
from limbik.limbs.branches import Branches
from limbik.limbs.chain import Chain
from limbik.limbs.following import TURN_RATE, track
from limbik.limbs.inputs import Group, all_within, read_numbers, soften_onset, stack
from limbik.limbs.limb import MiddleJointLimb, Range
from limbik.limbs.solution import Solution
from limbik.limbs.track import Track

ORIGIN = (0.0, 0.0, 0.0)
POLE = (0.0, 0.0, 1.0)
TWIST = 0.0
SOFTEN = 1.0
STRETCH = 1.0
NO_TWIST, NO_EXTENSION, SIGNS = (1.0, 0.0), (1.0, 1.0), (1.0, 1.0)
MAX_TWIST = 2 * math.pi
DEFAULTS = TwoLinkFlags(), (NO_TWIST, NO_EXTENSION, SIGNS)


class TwoLink(MiddleJointLimb):
    """Two links in space.

    Args:
        first, second: the links' lengths, numbers or arrays (...,) for many limbs.
        middle_limits: the range (low, high) of the middle joint's bend, radians, within [0, π]: 0 is straight, π
            folded. Default: no limits.

    Raises:
        ArgumentError: if a length is not positive and finite, or the limits are not a range.
    """

    _program = TWO_LINK
    _vectors = ("target", "pole", "origin")
    _options = ("twist", "extension", "signs")
    _no_options = DEFAULTS[1]
    _frame = ("aim", "requested_pole")
    _frame_aliases = (("requested_pole", "pole"),)
    _origin = ORIGIN

    def __init__(self, first: AnyArrayLike, second: AnyArrayLike, *, middle_limits: Range | None = None) -> None:
        super().__init__((first, second), middle_limits)

    def solve(
        self,
        target: ArrayLike[ArrayType],
        pole: ArrayLike[ArrayType] = POLE,
        origin: ArrayLike[ArrayType] = ORIGIN,
        *,
        twist: ArrayLike[ArrayType] = TWIST,
        soften: ArrayLike[ArrayType] = SOFTEN,
        stretch: ArrayLike[ArrayType] = STRETCH,
        out: Solution[ArrayType] | None = None,
    ) -> Solution[ArrayType]:
        """The pose that brings the tip to the target, or as near to it as the limb can, bent towards the pole.

        Args:
            target: (..., 3), where the tip goes, in the world.
            pole: (..., 3), a direction of any length: the middle joint lies on its side of the line from origin to
                target. Where it is parallel to that line, the middle joint goes upward.
            origin: (..., 3), where the limb is attached.
            twist: (...,), turns the middle joint about the line from origin to target, right-handed, radians.
            soften: (...,), the fraction of the limb's length at which soft reach begins, in (0, 1]; 1 turns it off.
            stretch: (...,), the largest factor by which the links may lengthen, 1 or more; 1 turns it off.
            out: an earlier solution whose memory is reused; its own answers are then gone.

        Returns:
            The solution, with the leading axes over which the arguments broadcast.

        Raises:
            ArgumentError: for arguments that are not numbers of these shapes and ranges, or do not broadcast.
        """
        default = twist is TWIST and soften is SOFTEN and stretch is STRETCH
        flags, options = DEFAULTS if default else self._read_options(twist, soften, stretch)
        return self._solve(flags, (target, pole, origin), options, out)

    def branches(
        self,
        target: ArrayLike[ArrayType],
        pole: ArrayLike[ArrayType] = POLE,
        origin: ArrayLike[ArrayType] = ORIGIN,
        *,
        twist: ArrayLike[ArrayType] = TWIST,
        soften: ArrayLike[ArrayType] = SOFTEN,
        stretch: ArrayLike[ArrayType] = STRETCH,
    ) -> Branches[ArrayType]:
        """Both solutions in the pole's plane: the middle joint towards the pole, and away from it.

        Args:
            target, pole, origin: (..., 3), as in `solve`.
            twist, soften, stretch: (...,), as in `solve`.

        Returns:
            The solutions, on a leading axis of 2.

        Raises:
            ArgumentError: as `solve`.
        """
        flags, options = self._read_options(twist, soften, stretch)
        return self._branches(flags, (target, pole, origin), options, [(1.0, 1.0), (-1.0, 1.0)])

    def track(
        self,
        target: ArrayLike[ArrayType],
        pole: ArrayLike[ArrayType] = POLE,
        origin: ArrayLike[ArrayType] = ORIGIN,
        *,
        turn_rate: float = TURN_RATE,
        previous: Solution[ArrayType] | None = None,
        twist: ArrayLike[ArrayType] = TWIST,
        soften: ArrayLike[ArrayType] = SOFTEN,
        stretch: ArrayLike[ArrayType] = STRETCH,
    ) -> Track[ArrayType]:
        """Solves along time without pops: each frame takes the branch nearest to the frame before.

        The tip is exact in every frame. The bending plane follows the pole, modulo half a turn, and turns by at most
        `turn_rate` degrees for each degree that target or pole turn; where the pole is parallel to the line from
        origin to target, the plane stays.

        Args:
            target: (frames, ..., 3), where the tip goes, time on axis 0.
            pole, origin: (..., 3), as in `solve`, with or without the time axis.
            turn_rate: degrees that the plane may turn for each degree that the target moves.
            previous: an earlier track, whose last frame is continued, or a solution of the batch: each limb continues
                its own.
            twist, soften, stretch: (...,), as in `solve`, with or without the time axis.

        Returns:
            The track, (frames, ...); its angles are continuous.

        Raises:
            ArgumentError: as `solve`; also without a time axis, or if `previous` does not fit.
        """
        flags, options = self._read_options(twist, soften, stretch)
        return track(self, flags, (target, pole, origin), options, "pole", turn_rate, previous)

    def forward(self, angles: ArrayLike[ArrayType], origin: ArrayLike[ArrayType] = ORIGIN) -> ArrayType:
        """Forward kinematics.

        Args:
            angles: (..., 4), radians: yaw about y, roll about z, two hinges about x.
            origin: (..., 3), where the limb is attached.

        Returns:
            Joint positions, (..., 3, 3).

        Raises:
            ArgumentError: for arguments that are not numbers of these shapes, or do not broadcast.
        """
        return Chain(self.lengths, ("yzx", "x")).forward(angles, origin).joints

    def _read_options(
        self, twist: AnyArrayLike, soften: AnyArrayLike, stretch: AnyArrayLike
    ) -> tuple[TwoLinkFlags, tuple[Group, ...]]:
        """The formula's flags, and the inputs that the options make."""
        softened = not (type(soften) is type(stretch) is float and soften == stretch == 1.0)
        twisted = not (type(twist) is float and twist == 0.0)
        extension = _extension(soften, stretch) if softened else NO_EXTENSION
        return TwoLinkFlags(softened, twisted), (_cosine_and_sine(twist) if twisted else NO_TWIST, extension, SIGNS)


def _cosine_and_sine(twist: AnyArrayLike) -> Group:
    if type(twist) is float and abs(twist) <= MAX_TWIST:
        return _cosine_and_sine_of(twist)
    angle = read_numbers("twist", twist)
    if library := library_of(angle):
        return HANDLERS[library].cosine_and_sine(angle)
    far = np.abs(angle) > MAX_TWIST
    if np.any(far) and np.any(far & np.isfinite(angle)):
        raise ArgumentError("twist", shown(twist), "radians, from -2π to 2π; np.radians converts degrees")
    exact = np.array(angle, float)
    both = np.empty((2, *exact.shape[:-1]))
    with np.errstate(invalid="ignore"):
        np.cos(exact[..., 0], out=both[0, ...])
        np.sin(exact[..., 0], out=both[1, ...])
    return tuple(both.tolist()) if isinstance(angle, tuple) else np.moveaxis(both, 0, -1)


@lru_cache(maxsize=1)  # mostly the twist of the call before, whose kernel keeps these very numbers
def _cosine_and_sine_of(twist: float) -> Group:
    return float(np.cos(twist)), float(np.sin(twist))


def _extension(soften: AnyArrayLike, stretch: AnyArrayLike) -> Group:
    if type(soften) is float and type(stretch) is float and 0.0 < soften <= 1.0 <= stretch <= sys.float_info.max:
        return soften, stretch
    onset = soften_onset(soften)
    most = read_numbers("stretch", stretch)
    if not all_within(most, 1.0, sys.float_info.max):
        raise ArgumentError("stretch", shown(stretch), "a factor of at least 1; 1 turns stretching off")
    return stack(onset, most)
