"""Two links in space: an arm, with a pole that says where the elbow goes."""

from __future__ import annotations

import math
import sys

import numpy as np

from limbik.arrays import HANDLERS, Array, library_of
from limbik.engines.programs import TWO_LINK, TwoLinkFlags
from limbik.errors import ArgumentError
from limbik.limbs.chain import Chain
from limbik.limbs.fast_path import FastPath, ScalarSolution
from limbik.limbs.inputs import Group, Numbers, floats, number_type, read_group, read_numbers, stack
from limbik.limbs.limb import Limb, Range
from limbik.limbs.planar import with_sides
from limbik.limbs.solution import Branches, Solution
from limbik.limbs.track import TURN_RATE, track

ORIGIN = (0.0, 0.0, 0.0)
POLE = (0.0, 0.0, 1.0)
TWIST = 0.0
SOFTEN = 1.0
STRETCH = 1.0


class TwoLink(Limb):
    """Two links in space.

    Args:
        first, second: the links' lengths; numbers, or arrays of one shape for many limbs.
        middle_limits: the range of the middle joint's bend, radians, 0 straight to π folded; None for all of it.
    """

    _length_names = ("first", "second")

    def __init__(self, first: Numbers, second: Numbers, *, middle_limits: Range | None = None) -> None:
        super().__init__((first, second), middle_limits)
        if isinstance(self._lengths, tuple):
            groups, flags = self._groups(ORIGIN, POLE, ORIGIN, TWIST, SOFTEN, STRETCH)
            self._fast_path = FastPath(
                TWO_LINK, groups, flags, ("target", "pole", "origin"), (("requested_pole", "pole"),)
            )

    def solve(
        self,
        target: Numbers,
        pole: Numbers = POLE,
        origin: Numbers = ORIGIN,
        twist: Numbers = TWIST,
        soften: Numbers = SOFTEN,
        stretch: Numbers = STRETCH,
        *,
        out: Solution | None = None,
    ) -> Solution:
        """The pose that brings the tip to the target, or nearest to it, the middle joint on the pole's side.

        Args:
            target: (..., 3), in the world.
            pole: (..., 3), a direction, of any length. Where it lies along the aim, the middle joint goes upward.
            origin: (..., 3), where the limb is attached.
            twist: turns the middle joint about the aim, radians, right-handed from origin to target; (...,).
            soften: the fraction of the limb's length at which reaching begins to ease, 1 for not at all; (...,).
            stretch: the greatest factor by which the links may lengthen to reach, 1 for not at all; (...,).
            out: an earlier solution, whose memory this one's answers are written into; its own are gone then.
        """
        if self._fast_path is not None and twist is TWIST and soften is SOFTEN and stretch is STRETCH and out is None:
            root = ORIGIN if origin is ORIGIN else floats(origin, 3)
            if root and (goal := floats(target, 3)) and (side := floats(pole, 3)):
                return ScalarSolution(self._fast_path, goal, side, root)
        groups, flags = self._groups(target, pole, origin, twist, soften, stretch)
        return Solution(TWO_LINK, groups, flags, number_type(target, pole, origin)).into(out)

    def branches(
        self,
        target: Numbers,
        pole: Numbers = POLE,
        origin: Numbers = ORIGIN,
        twist: Numbers = TWIST,
        soften: Numbers = SOFTEN,
        stretch: Numbers = STRETCH,
    ) -> Branches:
        """Both solutions in the pole's plane, on a leading axis of 2: middle joint towards the pole, and away."""
        groups, flags = self._groups(target, pole, origin, twist, soften, stretch)
        groups = with_sides(groups, [(1.0, 1.0), (-1.0, 1.0)])
        return Branches(TWO_LINK, groups, flags, number_type(target, pole, origin))

    def track(
        self,
        targets: Numbers,
        pole: Numbers = POLE,
        origin: Numbers = ORIGIN,
        twist: Numbers = TWIST,
        soften: Numbers = SOFTEN,
        stretch: Numbers = STRETCH,
        *,
        turn_rate: float = TURN_RATE,
        previous: Solution | None = None,
    ) -> Solution:
        """Solves along time, axis 0 of the targets, without pops: each frame on the branch nearest to the one before.

        The tip is exact in every frame. The bending plane follows the pole, modulo half a turn, and turns by at most
        `turn_rate` degrees for each degree that target or pole turn; where the pole lies along the aim it stays.

        Args:
            targets: (frames, ..., 3); the other arguments as in `solve`, with or without the time axis.
            turn_rate: degrees that the plane may turn for each degree that the target moves.
            previous: an earlier track or solution of the same batch, to go on from (its last frame).
        """
        groups, flags = self._groups(targets, pole, origin, twist, soften, stretch)
        dtype = number_type(targets, pole, origin)
        return track(TWO_LINK, groups, flags, dtype, "pole", turn_rate, previous)

    def forward(self, angles: Numbers, origin: Numbers = ORIGIN) -> Array:
        """Joints (..., 3, 3) from angles (..., 4): yaw about y, roll about z, two hinges about x."""
        return Chain(self.lengths, ("yzx", "x")).forward(angles, origin).joints

    def _groups(
        self, target: Numbers, pole: Numbers, origin: Numbers, twist: Numbers, soften: Numbers, stretch: Numbers
    ) -> tuple[dict[str, Group], TwoLinkFlags]:
        softened = not (type(soften) is type(stretch) is float and soften == stretch == 1.0)
        twisted = not (type(twist) is float and twist == 0.0)
        asked = read_group("pole", pole, 3)
        groups = {
            "lengths": self._lengths,
            "chord_range": self._span,
            "target": read_group("target", target, 3),
            "pole": asked,
            "origin": read_group("origin", origin, 3),
            "twist": _cosine_and_sine(twist) if twisted else (1.0, 0.0),
            "extension": _ease(soften, stretch) if softened else (1.0, 1.0),
            "signs": (1.0, 1.0),
            "aim": ORIGIN,
            "requested_pole": asked,
        }
        return groups, TwoLinkFlags(softened, twisted)


def _cosine_and_sine(twist: Numbers) -> Group:
    angle = read_numbers("twist", twist)
    if isinstance(angle, tuple):
        return (math.cos(angle[0]), math.sin(angle[0])) if math.isfinite(angle[0]) else (math.nan, math.nan)
    if library := library_of(angle):
        return HANDLERS[library].cosine_and_sine(angle)
    with np.errstate(invalid="ignore"):
        return np.concatenate([np.cos(angle), np.sin(angle)], -1)


def _ease(soften: Numbers, stretch: Numbers) -> Group:
    onset = read_numbers("soften", soften)
    most = read_numbers("stretch", stretch)
    if not _all_within(onset, sys.float_info.min, 1.0):
        raise ArgumentError("soften", soften, "a fraction of the limb's length, in (0, 1]; 1 for no softening")
    if not _all_within(most, 1.0, sys.float_info.max):
        raise ArgumentError("stretch", stretch, "a factor of at least 1; 1 for no stretching")
    return stack(onset, most)


def _all_within(group: Group, low: float, high: float) -> bool:
    """Whether every number is within [low, high]; tensors are taken at their word."""
    if library_of(group):
        return True
    if isinstance(group, tuple):
        return all(low <= number <= high for number in group)
    return bool(np.all((group >= low) & (group <= high)))
