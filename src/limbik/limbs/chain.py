"""Forward kinematics of serial chains with any number of links."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Generic

import numpy as np

from limbik.arguments import flag, shown
from limbik.arrays import HANDLERS, common_library, library_of
from limbik.engines import numpy_engine, tensor_engine
from limbik.engines.trace import Trace, record
from limbik.errors import ArgumentError, ShapeError
from limbik.formulas import chains
from limbik.limbs.array_types import AnyArrayLike, ArrayLike, ArrayType
from limbik.limbs.inputs import batch_shape, number_type, positive, read_array, read_group

IDENTITY = (0.0, 0.0, 0.0, 1.0)
Kind = str | tuple[str, ...]  # what turns a chain: "planar" angles, "local" or "world" rotations, angles about axes


@dataclass(frozen=True, eq=False)
class Frames(Generic[ArrayType]):
    """Where a chain's joints are and how its links are oriented.

    Attributes:
        joints: (..., links + 1, 3), positions in the world, root to tip.
        rotations: (..., links, 4), world quaternions, xyzw; +z runs along the link.
    """

    joints: ArrayType
    rotations: ArrayType


class PlanarChain:
    """A serial chain in the plane.

    Args:
        lengths: (..., links).

    Raises:
        ArgumentError: if a length is not positive and finite.
        ShapeError: if there is no axis of links.
    """

    def __init__(self, lengths: AnyArrayLike) -> None:
        self.lengths = _own(positive("lengths", lengths))
        if self.lengths.ndim == 0:
            raise ShapeError("lengths", (), "(..., links)")

    def forward(self, angles: ArrayLike[ArrayType], origin: ArrayLike[ArrayType] = (0.0, 0.0)) -> ArrayType:
        """Forward kinematics.

        Args:
            angles: (..., links), radians: the first from +x, each other from the link before, counter-clockwise.
            origin: (..., 2), where the chain is attached.

        Returns:
            Joint positions, (..., links + 1, 2).

        Raises:
            ArgumentError: for arguments that are not numbers of these shapes, or do not broadcast.
        """
        links = self.lengths.shape[-1]
        turns = read_group("angles", angles, links)
        out = _run("planar", number_type(angles, origin), self.lengths, turns, read_group("origin", origin, 2))
        return out.reshape(*out.shape[:-1], links + 1, 2)


class Chain:
    """A serial chain in space: each link runs along its frame's +z, after rotations about that frame's own axes.

    Args:
        lengths: (..., links).
        axes: for each link the axes about which its joint turns, in order, from "x", "y", "z": ("yzx", "x", "x") is the
            three-link limb. "" is a joint that does not turn.

    Raises:
        ArgumentError: if a length is not positive and finite, or `axes` has other letters.
        ShapeError: if there is not one length for each of the axes.
    """

    def __init__(self, lengths: AnyArrayLike, axes: Sequence[str]) -> None:
        self.lengths = _own(positive("lengths", lengths))
        if isinstance(axes, str) or not all(isinstance(word, str) and not set(word) - set("xyz") for word in axes):
            raise ArgumentError("axes", shown(axes), "words made of x, y and z, one for each link")
        self.axes = tuple(axes)
        if self.lengths.ndim == 0 or self.lengths.shape[-1] != len(self.axes):
            raise ShapeError("lengths", self.lengths.shape, f"(..., {len(self.axes)}), one length for each of the axes")

    def forward(
        self, angles: ArrayLike[ArrayType], origin: ArrayLike[ArrayType] = (0.0, 0.0, 0.0)
    ) -> Frames[ArrayType]:
        """Forward kinematics from joint angles.

        Args:
            angles: (..., turns), radians, one for each letter of the axes.
            origin: (..., 3), where the chain is attached.

        Returns:
            Positions and rotations in the world.

        Raises:
            ArgumentError: for arguments that are not numbers of these shapes, or do not broadcast.
        """
        turns = read_group("angles", angles, sum(map(len, self.axes)))
        return self._frames(self.axes, number_type(angles, origin), turns, origin)

    def place(
        self,
        rotations: ArrayLike[ArrayType],
        origin: ArrayLike[ArrayType] = (0.0, 0.0, 0.0),
        *,
        local: bool = False,
    ) -> Frames[ArrayType]:
        """Forward kinematics from the links' rotations.

        Args:
            rotations: (..., links, 4), unit quaternions, xyzw.
            origin: (..., 3), where the chain is attached.
            local: whether each rotation is relative to the link before; default: to the world.

        Returns:
            Positions and rotations in the world.

        Raises:
            ArgumentError: for arguments that are not numbers of these shapes, or do not broadcast.
        """
        links = len(self.axes)
        quaternions = read_array("rotations", rotations)
        if quaternions.shape[-2:] != (links, 4):
            raise ShapeError("rotations", tuple(quaternions.shape), f"(..., {links}, 4), quaternions in xyzw order")
        flat = quaternions.reshape(*quaternions.shape[:-2], 4 * links)
        kind = "local" if flag("local", local) else "world"
        return self._frames(kind, number_type(rotations, origin), flat, origin)

    def _frames(self, kind: Kind, dtype: Any, turns: Any, origin: AnyArrayLike) -> Frames[Any]:
        out = _run(kind, dtype, self.lengths, turns, read_group("origin", origin, 3))
        shape, links = out.shape[:-1], len(self.axes)
        joints, rotations = out[..., : 3 * links + 3], out[..., 3 * links + 3 :]
        return Frames(joints.reshape(*shape, links + 1, 3), rotations.reshape(*shape, links, 4))


def _own(value: Any) -> Any:
    """Lengths that the caller cannot change."""
    if library_of(value):
        return value
    array = np.array(value)
    array.flags.writeable = False
    return array


def _planar_formula(lengths: Any, turns: Any, origin: Any) -> Any:
    joints = [origin]
    angle = 0.0
    for length, turn in zip(lengths, turns, strict=True):
        angle = turn + angle
        joints.append(chains.next_planar_joint(joints[-1], length, angle))
    return tuple(joints)


def _spatial_formula(lengths: Any, turns: Any, origin: Any, kind: Kind) -> Any:
    rotations = _turned(turns, kind) if isinstance(kind, tuple) else [turns[k : k + 4] for k in range(0, len(turns), 4)]
    if kind == "local":
        for k in range(1, len(rotations)):
            rotations[k] = chains.child_rotation(rotations[k - 1], rotations[k])
    joints = [origin]
    for length, rotation in zip(lengths, rotations, strict=True):
        joints.append(chains.next_joint(joints[-1], length, rotation))
    return tuple(joints), tuple(rotations)


def _turned(turns: Any, axes: tuple[str, ...]) -> list[Any]:
    waiting = iter(turns)
    rotation: Any = IDENTITY
    rotations = []
    for word in axes:
        for axis in word:
            rotation = chains.turn_about(rotation, axis, next(waiting))
        rotations.append(rotation)
    return rotations


@cache
def _trace(kind: Kind, sizes: tuple[int, ...]) -> Trace:
    groups: dict[str, int] = dict(zip(("lengths", "turns", "origin"), sizes, strict=True))
    formula = _planar_formula if kind == "planar" else partial(_spatial_formula, kind=kind)
    return record(formula, groups, {}, rare=True, name="chain")


@cache
def _compiled(kind: Kind, sizes: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    return numpy_engine.function(_trace(kind, sizes), dtype, None)


def _run(kind: Kind, dtype: Any, lengths: Any, turns: Any, origin: Any) -> Any:
    """Forward kinematics of groups that broadcast, as (..., numbers)."""
    groups = {"lengths": lengths, "angles": turns, "origin": origin}
    shape = batch_shape(groups)
    sizes = tuple(len(group) if isinstance(group, tuple) else group.shape[-1] for group in groups.values())
    if library := common_library(groups.values()):
        handler = HANDLERS[library]
        like = next(group for group in groups.values() if library_of(group))
        working = handler.working(dtype)
        run = tensor_engine.function(library, _trace(kind, sizes), working)
        numbers = run(*_components(handler.convert(group, like, working) for group in groups.values()))
        return handler.stack(numbers, shape, like, working, dtype)
    with np.errstate(invalid="ignore"):
        numbers = _compiled(kind, sizes, dtype)(*_components(np.asarray(group, dtype) for group in groups.values()))
    out = np.empty((len(numbers), *shape), dtype)
    for k, number in enumerate(numbers):
        out[k] = number
    return np.moveaxis(out, 0, -1)


def _components(arrays: Iterable[Any]) -> list[Any]:
    return [array[..., k] for array in arrays for k in range(array.shape[-1])]
