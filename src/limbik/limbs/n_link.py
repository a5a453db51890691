"""A chain of any number of links in space: a spine, a tail, a finger, a tentacle."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from limbik import arguments
from limbik.arguments import shown
from limbik.arrays import Array, library_of
from limbik.engines.programs import FEWEST_LINKS, MOST_LINKS, NLinkFlags, n_link_program
from limbik.errors import ArgumentError, ShapeError
from limbik.limbs.array_types import AnyArrayLike, ArrayLike, ArrayType
from limbik.limbs.bend_range import BendRange, bend_range
from limbik.limbs.chain import Chain
from limbik.limbs.following import TURN_RATE, track
from limbik.limbs.inputs import Group, Groups, positive, read_group, read_numbers, soften_onset, stack
from limbik.limbs.limb import Limb
from limbik.limbs.pytrees import register_pytrees
from limbik.limbs.solution import Solution
from limbik.limbs.track import Track

ORIGIN = (0.0, 0.0, 0.0)
POLE = (0.0, 0.0, 1.0)
SOFTEN = 1.0
NO_ONSET, SIGNS = (1.0,), (1.0, 1.0)


class NLink(Limb):
    """A chain of 2 to 64 links in space.

    Its joints lie on a circle through origin and tip: all bend the same way, evenly along the chain, and the tip
    reaches every target that links of these lengths can reach. With shares or limits the joints bend by those instead.

    Args:
        lengths: (..., links), numbers, or arrays for many chains.
        shares: (links − 1,), how much each joint between origin and tip bends, relative to the others. Default: by the
            circle; with limits only, by the lengths of the links beside each joint, which is nearly the same.
        limits: the range (low, high) of each joint's bend, radians, within [0, π]: 0 is straight, π folded; one for
            all joints between origin and tip, or (links − 1, 2). Default: no limits.

    Raises:
        ArgumentError: if a length is not positive and finite, shares are negative or all 0, or limits are no ranges.
        ShapeError: if there are not 2 to 64 links, or not one share or range for each joint.
    """

    _vectors = ("target", "pole", "origin", "direction")
    _options = ("onset", "signs")
    _frame = ("aim", "requested_pole")
    _frame_aliases = (("requested_pole", "pole"),)
    _origin = ORIGIN

    shares: Array | None
    """How much each joint bends, relative to the others, (links − 1,). None: by the circle."""
    limits: Array | None
    """The range of each joint's bend, radians, (links − 1, 2). None if free."""

    def __init__(
        self, lengths: AnyArrayLike, *, shares: ArrayLike[Array] | None = None, limits: ArrayLike[Array] | None = None
    ) -> None:
        checked: Any = positive("lengths", lengths)
        shape = () if isinstance(checked, float | int) else tuple(checked.shape)
        links = shape[-1] if shape else 0
        if not FEWEST_LINKS <= links <= MOST_LINKS:
            raise ShapeError("lengths", shape, f"(..., links), {FEWEST_LINKS} to {MOST_LINKS} links")
        if library_of(checked):
            self._keep_lengths(checked)
        else:
            array = np.array(checked)
            self._keep_lengths(tuple(array.tolist()) if array.ndim == 1 else array)
        self._program = n_link_program(links)
        self.shares = _read_shares(shares, links - 1)
        self.limits = _read_limits(limits, links - 1)
        self._whole, self._body = self._bend_ranges(links)
        register_pytrees()

    @property
    def nearest(self) -> Array:
        """The shortest distance from origin to tip that the chain can bend to, (...,)."""
        if self._whole is not None:
            return self._whole.span[..., 0] * self.reach
        lengths: Any = self._lengths
        longest = lengths.amax(-1) if library_of(lengths) else self.lengths.max(-1)
        return (2.0 * longest - self.reach).clip(0.0)

    @property
    def _limits(self) -> dict[str, Any]:
        given = {"shares": self.shares, "limits": self.limits}
        return {name: None if value is None else value.tolist() for name, value in given.items()}

    def solve(
        self,
        target: ArrayLike[ArrayType],
        pole: ArrayLike[ArrayType] = POLE,
        origin: ArrayLike[ArrayType] = ORIGIN,
        *,
        direction: ArrayLike[ArrayType] | None = None,
        soften: ArrayLike[ArrayType] = SOFTEN,
        out: Solution[ArrayType] | None = None,
    ) -> Solution[ArrayType]:
        """The pose that brings the tip to the target, or as near to it as the chain can, arched towards the pole.

        Args:
            target: (..., 3), where the tip goes, in the world.
            pole: (..., 3), a direction of any length: the chain lies on its side of the line from origin to target.
                Where it is parallel to that line, the chain goes upward.
            origin: (..., 3), where the chain is attached.
            direction: (..., 3), the direction of the last link, of any length, for chains of three links or more. The
                other links then bring that link's root to where it has to be; shares and limits are theirs. Default:
                the last link bends with the others.
            soften: (...,), the fraction of the chain's length at which soft reach begins, in (0, 1]; 1 turns it off.
            out: an earlier solution whose memory is reused; its own answers are then gone.

        Returns:
            The solution, with the leading axes over which the arguments broadcast.

        Raises:
            ArgumentError: for arguments that are not numbers of these shapes and ranges, or do not broadcast.
        """
        flags, options = self._read_options(direction, soften)
        return self._solve(flags, (target, pole, origin, ORIGIN if direction is None else direction), options, out)

    def track(
        self,
        target: ArrayLike[ArrayType],
        pole: ArrayLike[ArrayType] = POLE,
        origin: ArrayLike[ArrayType] = ORIGIN,
        *,
        turn_rate: float = TURN_RATE,
        previous: Solution[ArrayType] | None = None,
        direction: ArrayLike[ArrayType] | None = None,
        soften: ArrayLike[ArrayType] = SOFTEN,
    ) -> Track[ArrayType]:
        """Solves along time without pops: the bending plane of each frame continues that of the frame before.

        The tip is exact in every frame. The plane follows the pole, modulo half a turn, and turns by at most
        `turn_rate` degrees for each degree that target or pole turn; where the pole is parallel to the line from
        origin to target, the plane stays.

        Args:
            target: (frames, ..., 3), where the tip goes, time on axis 0.
            pole, origin: (..., 3), as in `solve`, with or without the time axis.
            turn_rate: degrees that the plane may turn for each degree that the target moves.
            previous: an earlier track, whose last frame is continued, or a solution of the batch: each limb continues
                its own.
            direction: (..., 3), as in `solve`, with or without the time axis.
            soften: (...,), as in `solve`, with or without the time axis.

        Returns:
            The track, (frames, ...); its angles are continuous.

        Raises:
            ArgumentError: as `solve`; also without a time axis, or if `previous` does not fit.
        """
        flags, options = self._read_options(direction, soften)
        vectors = target, pole, origin, ORIGIN if direction is None else direction
        return track(self, flags, vectors, options, "pole", turn_rate, previous)

    def forward(
        self,
        angles: ArrayLike[ArrayType],
        origin: ArrayLike[ArrayType] = ORIGIN,
        *,
        out_of_plane: ArrayLike[ArrayType] = 0.0,
    ) -> ArrayType:
        """Forward kinematics.

        Args:
            angles: (..., links + 2), radians: yaw about y, roll about z, and a hinge about x for each link.
            origin: (..., 3), where the chain is attached.
            out_of_plane: (...,), one more angle, radians: the last link's turn about its own y, as
                `Solution.out_of_plane`.

        Returns:
            Joint positions, (..., links + 1, 3).

        Raises:
            ArgumentError: for arguments that are not numbers of these shapes, or do not broadcast.
        """
        links = self._program.groups["lengths"]
        turns = stack(read_group("angles", angles, links + 2), read_numbers("out_of_plane", out_of_plane))
        return Chain(self.lengths, ("yzx", *("x",) * (links - 2), "xy")).forward(turns, origin).joints

    def _read_options(
        self, direction: AnyArrayLike | None, soften: AnyArrayLike
    ) -> tuple[NLinkFlags, tuple[Group, ...]]:
        """The formula's flags, and the inputs that the options make."""
        softened = not (type(soften) is float and soften == 1.0)
        directed = direction is not None
        if directed and self._program.groups["lengths"] < 3:
            raise ArgumentError("direction", shown(direction), "None for a chain of two links")
        onset = soften_onset(soften) if softened else NO_ONSET
        return NLinkFlags(softened, self._whole is not None, directed), (onset, SIGNS)

    def _own_inputs(self, flags: Any) -> Groups:
        return {"lengths": self._lengths, **self._rule(self._body if flags.directed else self._whole)}

    def _rule(self, bends: BendRange | None) -> Groups:
        """The groups of the rule by which joints bend; those of the circle are not read."""
        joints = self._program.groups["weights"]
        if bends is None:
            return {"weights": (0.0,) * joints, "lows": (0.0,) * joints, "highs": (0.0,) * joints, "span": (0.0,) * 4}
        return {name: _group(part, joints) for name, part in bends._asdict().items()}

    def _bend_ranges(self, links: int) -> tuple[BendRange | None, BendRange | None]:
        """The range of all links, and that of all but the last; None for the circle."""
        if self.shares is None and self.limits is None:
            return None, None
        if library_of(self._lengths):
            name, value = ("shares", self.shares) if self.limits is None else ("limits", self.limits)
            raise ArgumentError(name, shown(value), "None for links whose lengths are tensors")
        lengths = np.asarray(self.lengths, float)
        limits = np.tile([0.0, math.pi], (links - 1, 1)) if self.limits is None else self.limits
        weights = (lengths[..., 1:] + lengths[..., :-1]) / lengths.sum(-1, keepdims=True)
        if self.shares is not None:
            weights = np.broadcast_to(self.shares / self.shares.max(), weights.shape)
        whole = bend_range(lengths, weights, limits)
        body = whole if links < 3 else bend_range(lengths[..., :-1], weights[..., :-1], limits[:-1])
        return whole, body


def _group(part: Array, size: int) -> Group:
    """An array as a group; one for fewer joints than the program has is filled up, and the rest not read."""
    if part.shape[-1] == size - 1:
        part = np.concatenate([part, np.zeros_like(part[..., :1])], -1)
    return tuple(part.tolist()) if part.ndim == 1 else part


def _read_shares(shares: Any, joints: int) -> Array | None:
    if shares is None:
        return None
    found = arguments.vector("shares", shares, joints)
    if np.any(found < 0.0) or not np.any(found > 0.0):
        raise ArgumentError("shares", shown(shares), "numbers of which none is negative and not all are 0")
    found.flags.writeable = False
    return found


def _read_limits(limits: Any, joints: int) -> Array | None:
    if limits is None:
        return None
    found = arguments.numbers("limits", limits)
    if found.shape not in ((2,), (joints, 2)):
        raise ShapeError("limits", found.shape, f"(2,) or ({joints}, 2)")
    slack = 1e-12
    if np.any(found < -slack) or np.any(found > math.pi + slack) or np.any(found[..., 0] > found[..., 1]):
        raise ArgumentError("limits", shown(limits), "pairs (low, high) of radians, 0 <= low <= high <= 3.142")
    found = np.broadcast_to(np.clip(found, 0.0, math.pi), (joints, 2)).copy()
    found.flags.writeable = False
    return found
