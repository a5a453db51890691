"""Three links in space: a leg, with the direction of its last link."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines.programs import THREE_LINK, ThreeLinkFlags
from limbik.errors import ArgumentError, ChoiceError
from limbik.limbs.chain import Chain
from limbik.limbs.fast_path import FastPath, ScalarSolution
from limbik.limbs.inputs import Group, Numbers, floats, number_type, read_group, read_numbers, sign, stack
from limbik.limbs.limb import Limb, Range, read_range
from limbik.limbs.planar import with_sides
from limbik.limbs.solution import Branches, Solution
from limbik.limbs.track import TURN_RATE, track

ORIGIN = (0.0, 0.0, 0.0)
SIDES = {bend: (bend, 1.0, 1.0) for bend in (1.0, -1.0)}  # the hinge axis by the rule, roll within a quarter turn
STYLES = {"natural": True, "easy": False}
PRIORITIES = {"up": False, "position": True}
BEND, STYLE, PRIORITY = 1, "natural", "up"


class ThreeLink(Limb):
    """Three links in space: hip to knee, knee to ankle, ankle to tip.

    Args:
        first, second, last: the links' lengths; numbers, or arrays of one shape for many limbs.
        middle_limits: the range of the knee's bend, radians, 0 straight to π folded; None for all of it.
        last_limits: the range of the last joint's bend, radians, 0 straight, positive the way the knee bends, in
            [−π, π]; None for all of it. Measured in the bending plane.
    """

    _length_names = ("first", "second", "last")

    def __init__(
        self,
        first: Numbers,
        second: Numbers,
        last: Numbers,
        *,
        middle_limits: Range | None = None,
        last_limits: Range | None = None,
    ) -> None:
        super().__init__((first, second, last), middle_limits)
        self.last_limits = read_range("last_limits", last_limits, -math.pi, math.pi)
        if isinstance(self._lengths, tuple):
            groups, flags = self._groups(ORIGIN, ORIGIN, ORIGIN, BEND, STYLE, None, PRIORITY)
            copies = ("requested_target", "target"), ("requested_up", "up")
            self._fast_path = FastPath(THREE_LINK, groups, flags, ("target", "up", "origin"), copies)

    def solve(
        self,
        target: Numbers,
        up: Numbers,
        origin: Numbers = ORIGIN,
        bend: Numbers = BEND,
        style: str = STYLE,
        hint: Numbers | None = None,
        priority: str = PRIORITY,
        *,
        out: Solution | None = None,
    ) -> Solution:
        """The pose that brings the tip to the target with its last link along `up`, or nearest to that.

        Args:
            target: (..., 3), where the tip goes, in the world.
            up: (..., 3), the direction of the last link, ankle to tip, of any length. A zero vector asks for none.
            origin: (..., 3), where the limb is attached.
            bend: +1 puts the knee on the side of `up`'s part perpendicular to origin → ankle (in the easy style: of the
                hint's), −1 on the other; (...,).
            style: "natural" bends all links in one plane; "easy" takes the plane of the hint, or the vertical one, and
                lets the last joint alone turn its link to `up`.
            hint: (..., 3), a direction towards which the knee may lie. The easy style bends in its plane; the natural
                one hands over to it within 15° of the singularity, where `up` lies along origin → ankle. Without one
                the natural plane is kept to the last, and upward is taken at the singularity itself.
            priority: where both cannot be had, "up" keeps the last link's direction, and "position" gives it up as far
                as that brings the tip to the target.
            out: an earlier solution, whose memory this one's answers are written into; its own are gone then.
        """
        options = bend is BEND and style is STYLE and hint is None and priority is PRIORITY
        if options and self._fast_path is not None and not self._limits_last and out is None:
            root = ORIGIN if origin is ORIGIN else floats(origin, 3)
            if root and (goal := floats(target, 3)) and (goal_up := floats(up, 3)):
                return ScalarSolution(self._fast_path, goal, goal_up, root)
        groups, flags = self._groups(target, up, origin, bend, style, hint, priority)
        dtype = number_type(target, up, origin, hint)
        if self._limits_last:
            groups, flags = self._limit(groups, flags, dtype)
        return Solution(THREE_LINK, groups, flags, dtype).into(out)

    def branches(
        self,
        target: Numbers,
        up: Numbers,
        origin: Numbers = ORIGIN,
        style: str = STYLE,
        hint: Numbers | None = None,
        priority: str = PRIORITY,
    ) -> Branches:
        """Every solution of the five-angle chain, on a leading axis of 8.

        Two bends, each with two hinge axes (opposite ones: the base half a turn about), each with two ways for the base
        to hold that axis (roll within a quarter turn, or over the top). The four of one bend have the same joints:
        `same_joints_as` says so, and `distinct` says where the bends coincide. Branch 0 is `solve`'s own.
        """
        groups, flags = self._groups(target, up, origin, 1, style, hint, priority)
        sides = list(product((1.0, -1.0), repeat=3))
        dtype = number_type(target, up, origin, hint)
        groups = with_sides(groups, sides)
        if self._limits_last:
            groups, flags = self._limit(groups, flags, dtype)
        return Branches(THREE_LINK, groups, flags, dtype)

    def track(
        self,
        targets: Numbers,
        ups: Numbers,
        origin: Numbers = ORIGIN,
        bend: Numbers = BEND,
        style: str = STYLE,
        hint: Numbers | None = None,
        priority: str = PRIORITY,
        *,
        turn_rate: float = TURN_RATE,
        previous: Solution | None = None,
    ) -> Solution:
        """Solves along time, axis 0 of the targets, without pops: each frame on the branch nearest to the one before.

        Tip and up are exact in every frame. The bending plane follows the natural one (or the hint's), modulo half a
        turn, and turns by at most `turn_rate` degrees for each degree that target or `up` turn; where it lags, the last
        joint takes up the difference (`out_of_plane`).

        Args:
            targets: (frames, ..., 3); the other arguments as in `solve`, with or without the time axis. `bend` is that
                of the first frame, and not looked at with `previous`.
            turn_rate: degrees that the plane may turn for each degree that the target moves.
            previous: an earlier track or solution of the same batch, to go on from (its last frame).
        """
        groups, flags = self._groups(targets, ups, origin, bend, style, hint, priority)
        dtype = number_type(targets, ups, origin, hint)
        if not self._limits_last:
            return track(THREE_LINK, groups, flags, dtype, "hint", turn_rate, previous)
        if priority == "position":
            raise ArgumentError("priority", "'position'", "'up' for a track of a limb with last_limits")
        groups["joint_limits"] = self._joint_limits
        return track(THREE_LINK, groups, flags, dtype, "hint", turn_rate, previous, self._limit)

    def forward(self, angles: Numbers, origin: Numbers = ORIGIN, out_of_plane: Numbers = 0.0) -> Array:
        """Joints (..., 4, 3) from angles (..., 5): yaw about y, roll about z, three hinges about x.

        `out_of_plane`, (...,), is a sixth turn, of the last link about its own y: see `Solution.out_of_plane`.
        """
        six = stack(read_group("angles", angles, 5), read_numbers("out_of_plane", out_of_plane))
        return Chain(self.lengths, ("yzx", "x", "xy")).forward(six, origin).joints

    def _groups(
        self,
        target: Numbers,
        up: Numbers,
        origin: Numbers,
        bend: Numbers,
        style: str,
        hint: Numbers | None,
        priority: str,
    ) -> tuple[dict[str, Group], ThreeLinkFlags]:
        if style not in STYLES:
            raise ChoiceError("style", style, STYLES)
        if priority not in PRIORITIES:
            raise ChoiceError("priority", priority, PRIORITIES)
        goal = read_group("target", target, 3)
        goal_up = read_group("up", up, 3)
        groups = {
            "lengths": self._lengths,
            "chord_range": self._span,
            "target": goal,
            "up": goal_up,
            "origin": ORIGIN if origin is ORIGIN else read_group("origin", origin, 3),
            "hint": ORIGIN if hint is None else read_group("hint", hint, 3),
            "signs": SIDES[bend] if type(bend) is int and bend in SIDES else stack(sign("bend", bend), (1.0, 1.0)),
            "aim": ORIGIN,
            "requested_target": goal,
            "requested_up": goal_up,
            "limited": (0.0,),
        }
        return groups, ThreeLinkFlags(STYLES[style], hint is not None, PRIORITIES[priority])

    @property
    def _limits_last(self) -> bool:
        """Whether the last joint has a range that is less than a whole turn."""
        return self.last_limits is not None and self.last_limits[1] - self.last_limits[0] < 2 * math.pi - 1e-9

    @property
    def _joint_limits(self) -> tuple[float, float, float, float]:
        """The ranges of the middle and the last joint, radians."""
        return (*(self.middle_limits or (0.0, math.pi)), *(self.last_limits or (-math.pi, math.pi)))

    def _limit(
        self, groups: dict[str, Group], flags: ThreeLinkFlags, dtype: Any
    ) -> tuple[dict[str, Group], ThreeLinkFlags]:
        """The groups of the nearest pose within the last joint's range, as a frame that is given."""
        if flags.position_first and not flags.natural:
            raise ArgumentError("priority", "'position'", "'up', for a limb with last_limits in the easy style")
        # The hint decides at the singularity only: handing over to it would take `up` out of the plane.
        plain = flags._replace(hinted=flags.hinted and not flags.natural)
        asked = Solution(THREE_LINK, {**groups, "joint_limits": self._joint_limits}, plain, dtype)
        numbers = asked._answer("limit")
        parts = {"up": slice(0, 3), "aim": slice(3, 6), "hint": slice(6, 9), "signs": slice(9, 12)}
        parts |= {"chord_range": slice(12, 14), "limited": slice(14, 15)}
        held: dict[str, Group] = {name: numbers[..., part] for name, part in parts.items()}
        if asked._guard is None and asked._library is None:
            held = {name: tuple(np.asarray(part, float).tolist()) for name, part in held.items()}
        return {**groups, **held}, ThreeLinkFlags(natural=False, hinted=True, fixed_frame=True)
