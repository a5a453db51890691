"""Three links in space: a leg, and the direction of its last link."""

from __future__ import annotations

import math
from itertools import product
from typing import Any, Literal

from limbik.arguments import choice
from limbik.engines.programs import THREE_LINK, Flags, ThreeLinkFlags
from limbik.errors import ArgumentError
from limbik.limbs.array_types import AnyArrayLike, ArrayLike, ArrayType
from limbik.limbs.branches import Branches
from limbik.limbs.chain import Chain
from limbik.limbs.following import TURN_RATE, track
from limbik.limbs.frames import cut, solution_of_frame
from limbik.limbs.inputs import Group, Groups, read_group, read_numbers, signs, stack
from limbik.limbs.limb import MiddleJointLimb, Range, read_range
from limbik.limbs.solution import Solution
from limbik.limbs.track import Track

ORIGIN = (0.0, 0.0, 0.0)
SIGNS = {bend: (bend, 1.0, 1.0) for bend in (1.0, -1.0)}  # the hinge axis by the rule, roll within a quarter turn
STYLES = {"natural": True, "easy": False}
PRIORITIES = {"up": False, "position": True}
Style = Literal["natural", "easy"]
Priority = Literal["up", "position"]
BEND = 1
STYLE: Style = "natural"
PRIORITY: Priority = "up"
DEFAULTS = ThreeLinkFlags(), (SIGNS[1],)
# A pose within the last joint's limits: its flags, and the inputs that the answer `limit` holds.
LIMITED_FLAGS = ThreeLinkFlags(natural=False, hinted=True, fixed_frame=True)
LIMITED = {"up": 3, "aim": 3, "hint": 3, "signs": 3, "chord_range": 2, "limited": 1}


class ThreeLink(MiddleJointLimb):
    """Three links in space: hip to knee, knee to ankle, ankle to tip.

    Args:
        first, second, last: the links' lengths, numbers or arrays (...,) for many limbs.
        middle_limits: the range (low, high) of the knee's bend, radians, within [0, π]: 0 is straight, π folded.
            Default: no limits.
        last_limits: the range (low, high) of the last joint's bend in the bending plane, radians, within [−π, π]: 0 is
            straight, positive the way the knee bends. Default: no limits.

    Raises:
        ArgumentError: if a length is not positive and finite, or limits are not a range.
    """

    _program = THREE_LINK
    _length_names = ("first", "second", "last")
    _vectors = ("target", "up", "origin", "hint")
    _options = ("signs",)
    _no_options = DEFAULTS[1]
    _frame = ("aim", "requested_target", "requested_up", "chord_range", "limited")
    _frame_aliases = (("requested_target", "target"), ("requested_up", "up"))
    _origin = ORIGIN

    last_limits: Range | None
    """The range of the last joint's bend, radians: 0 is straight, positive the way the knee bends. None if free."""

    def __init__(
        self,
        first: AnyArrayLike,
        second: AnyArrayLike,
        last: AnyArrayLike,
        *,
        middle_limits: Range | None = None,
        last_limits: Range | None = None,
    ) -> None:
        super().__init__((first, second, last), middle_limits)
        self.last_limits = read_range("last_limits", last_limits, -math.pi, math.pi)
        low, high = self.last_limits or (-math.pi, math.pi)
        self._limits_last = high - low < 2 * math.pi - 1e-9  # whether the range is less than a whole turn

    @property
    def _limits(self) -> dict[str, Any]:
        return {"middle_limits": self.middle_limits, "last_limits": self.last_limits}

    def solve(
        self,
        target: ArrayLike[ArrayType],
        up: ArrayLike[ArrayType],
        origin: ArrayLike[ArrayType] = ORIGIN,
        *,
        bend: ArrayLike[ArrayType] = BEND,
        style: Style = STYLE,
        hint: ArrayLike[ArrayType] | None = None,
        priority: Priority = PRIORITY,
        out: Solution[ArrayType] | None = None,
    ) -> Solution[ArrayType]:
        """The pose that brings the tip to the target with its last link along `up`, or as near to that as possible.

        Args:
            target: (..., 3), where the tip goes, in the world.
            up: (..., 3), the direction of the last link, from ankle to tip, of any length. A zero vector leaves it
                free.
            origin: (..., 3), where the limb is attached.
            bend: (...,), +1 puts the knee on the side of the part of `up` that is perpendicular to the line from
                origin to ankle (in the easy style: of the hint), −1 on the opposite side. A leg whose foot points
                forward bends its knee forward with +1; one whose foot points down, with −1.
            style: "natural" bends all links in one plane; "easy" bends the first two in the plane of the hint, or the
                vertical one, and turns the last link out of it.
            hint: (..., 3), a direction in which the knee should lie. The easy style bends in its plane; the natural
                one blends to it within 15° of the singularity, where `up` is parallel to the line from origin to
                ankle. Default: the natural plane right up to the singularity, and upward at it.
            priority: what to keep where the target cannot be reached with the last link along `up`: "up", the
                direction, or "position", the tip.
            out: an earlier solution whose memory is reused; its own answers are then gone.

        Returns:
            The solution, with the leading axes over which the arguments broadcast.

        Raises:
            ArgumentError: for arguments that are not numbers of these shapes, do not broadcast, or for other words.
        """
        default = bend is BEND and style is STYLE and hint is None and priority is PRIORITY
        flags, options = DEFAULTS if default else self._read_options(bend, style, hint, priority)
        vectors = target, up, origin, ORIGIN if hint is None else hint
        if not self._limits_last:
            return self._solve(flags, vectors, options, out)
        unlimited = self._solve(self._flags_of_limit(flags), vectors, options, None, in_place=False)
        solution = self._within_limits(unlimited)
        if out is not None:
            solution._take_memory(out)
        return solution

    def branches(
        self,
        target: ArrayLike[ArrayType],
        up: ArrayLike[ArrayType],
        origin: ArrayLike[ArrayType] = ORIGIN,
        *,
        style: Style = STYLE,
        hint: ArrayLike[ArrayType] | None = None,
        priority: Priority = PRIORITY,
    ) -> Branches[ArrayType]:
        """Every solution of the five-angle chain.

        Two bends, each with two opposite hinge axes (the base turned by half a turn), each with two base angles for
        that axis (roll within a quarter turn, or over the top). The four of one bend have the same joints
        (`same_joints_as`); `distinct` says where the two bends coincide. Branch 0 is that of `solve`.

        Args:
            target, up, origin: (..., 3), as in `solve`.
            hint: (..., 3), as in `solve`.
            style, priority: as in `solve`.

        Returns:
            The solutions, on a leading axis of 8.

        Raises:
            ArgumentError: as `solve`.
        """
        flags, options = self._read_options(BEND, style, hint, priority)
        vectors = target, up, origin, ORIGIN if hint is None else hint
        every = list(product((1.0, -1.0), repeat=3))
        if not self._limits_last:
            return self._branches(flags, vectors, options, every)
        return self._within_limits(self._branches(self._flags_of_limit(flags), vectors, options, every))

    def track(
        self,
        target: ArrayLike[ArrayType],
        up: ArrayLike[ArrayType],
        origin: ArrayLike[ArrayType] = ORIGIN,
        *,
        turn_rate: float = TURN_RATE,
        previous: Solution[ArrayType] | None = None,
        bend: ArrayLike[ArrayType] = BEND,
        style: Style = STYLE,
        hint: ArrayLike[ArrayType] | None = None,
        priority: Priority = PRIORITY,
    ) -> Track[ArrayType]:
        """Solves along time without pops: each frame takes the branch nearest to the frame before.

        Tip and `up` are exact in every frame that a solve reaches. The bending plane follows the natural one (or the
        hint's), modulo half a turn, and turns by at most `turn_rate` degrees for each degree that target or `up` turn;
        where it lags, the last link leaves the plane (`out_of_plane`).

        With `last_limits` the pose stays within them. Where the nearest pose within them changes sides, the joints move
        there at a rate bounded by `turn_rate`: meanwhile the status is LIMITED and the pose is not the nearest one.
        With priority "position" the last link likewise turns about the line to the target at a bounded rate.

        Args:
            target: (frames, ..., 3), where the tip goes, time on axis 0.
            up, origin: (..., 3), as in `solve`, with or without the time axis.
            turn_rate: degrees that the plane may turn for each degree that target or `up` turn.
            previous: an earlier track, whose last frame is continued, or a solution of the batch: each limb continues
                its own.
            bend: (...,), as in `solve`, for the first frame; ignored with `previous`.
            hint: (..., 3), as in `solve`, with or without the time axis.
            style, priority: as in `solve`.

        Returns:
            The track, (frames, ...), with continuous angles.

        Raises:
            ArgumentError: as `solve`; also without a time axis, or if `previous` does not fit.
        """
        flags, options = self._read_options(bend, style, hint, priority)
        if self._limits_last and flags.position_first:
            raise ArgumentError("priority", "'position'", "'up' for a track of a limb with last_limits")
        vectors = target, up, origin, ORIGIN if hint is None else hint
        return track(self, flags, vectors, options, "hint", turn_rate, previous)

    def forward(
        self,
        angles: ArrayLike[ArrayType],
        origin: ArrayLike[ArrayType] = ORIGIN,
        *,
        out_of_plane: ArrayLike[ArrayType] = 0.0,
    ) -> ArrayType:
        """Forward kinematics.

        Args:
            angles: (..., 5), radians: yaw about y, roll about z, three hinges about x.
            origin: (..., 3), where the limb is attached.
            out_of_plane: (...,), a sixth angle, radians: the last link's turn about its own y, as
                `Solution.out_of_plane`.

        Returns:
            Joint positions, (..., 4, 3).

        Raises:
            ArgumentError: for arguments that are not numbers of these shapes, or do not broadcast.
        """
        six = stack(read_group("angles", angles, 5), read_numbers("out_of_plane", out_of_plane))
        return Chain(self.lengths, ("yzx", "x", "xy")).forward(six, origin).joints

    def _read_options(
        self, bend: AnyArrayLike, style: str, hint: AnyArrayLike | None, priority: str
    ) -> tuple[ThreeLinkFlags, tuple[Group, ...]]:
        """The formula's flags, and the inputs that the options make."""
        if style is not STYLE:
            choice("style", style, STYLES)
        if priority is not PRIORITY:
            choice("priority", priority, PRIORITIES)
        flags = ThreeLinkFlags(STYLES[style], hint is not None, PRIORITIES[priority])
        return flags, (SIGNS[bend] if type(bend) is int and bend in SIGNS else signs("bend", bend, 2),)

    def _own_inputs(self, flags: Flags) -> Groups:
        ranges = (*(self.middle_limits or (0.0, math.pi)), *(self.last_limits or (-math.pi, math.pi)))
        return {**super()._own_inputs(flags), "joint_limits": ranges}

    def _flags_of_limit(self, flags: ThreeLinkFlags) -> ThreeLinkFlags:
        """The flags of the pose that is brought within the last joint's limits."""
        if flags.position_first and not flags.natural:
            raise ArgumentError("priority", "'position'", "'up', for a limb with last_limits in the easy style")
        # The hint decides at the singularity only: handing over to it would take `up` out of the plane.
        return flags._replace(hinted=flags.hinted and not flags.natural)

    def _within_limits(self, unlimited: Solution[Any]) -> Any:
        """The solution of the nearest pose within the last joint's limits: a frame, as one of a track."""
        frame = cut(unlimited, unlimited._answer("limit"), LIMITED)
        return solution_of_frame(unlimited, self._inputs[LIMITED_FLAGS], frame, type(unlimited))
