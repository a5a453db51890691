"""Forward kinematics of serial chains with any number of links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic

import numpy as np

from limbik.arguments import flag, shown
from limbik.arrays import HANDLERS, Array, common_library, library_of
from limbik.engines import numpy_engine, tensor_engine
from limbik.engines.trace import Trace, record
from limbik.errors import ArgumentError, ShapeError
from limbik.formulas import chains
from limbik.limbs.array_types import ArrayLike, ArrayType
from limbik.limbs.inputs import batch_shape, number_type, positive, read_array, read_group

IDENTITY = (0.0, 0.0, 0.0, 1.0)


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

    def __init__(self, lengths: ArrayLike[Any]) -> None:
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
        turns = _numbers("angles", angles, links)
        formula = _planar_formula(links)
        out = _run(formula, number_type(angles, origin), self.lengths, turns, _numbers("origin", origin, 2))
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

    def __init__(self, lengths: ArrayLike[Any], axes: Sequence[str]) -> None:
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
        turns = _numbers("angles", angles, sum(map(len, self.axes)))
        formula = _angle_formula(self.axes)
        return self._frames(formula, number_type(angles, origin), turns, origin)

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
        return self._frames(
            _rotation_formula(links, flag("local", local)), number_type(rotations, origin), flat, origin
        )

    def _frames(self, formula: Callable[..., Any], dtype: Any, turns: Array, origin: ArrayLike[Any]) -> Frames[Any]:
        links = len(self.axes)
        out = _run(formula, dtype, self.lengths, turns, _numbers("origin", origin, 3))
        joints, rotations = out[..., : 3 * links + 3], out[..., 3 * links + 3 :]
        shape = out.shape[:-1]
        return Frames(joints.reshape(*shape, links + 1, 3), rotations.reshape(*shape, links, 4))


def _own(value: Any) -> Any:
    """Lengths that the caller cannot change."""
    if library_of(value):
        return value
    array = np.array(value)
    array.flags.writeable = False
    return array


def _numbers(name: str, value: ArrayLike[Any], size: int) -> Any:
    group = read_group(name, value, size)
    return np.asarray(group) if isinstance(group, tuple) else group


@cache
def _planar_formula(links: int) -> Callable[..., Any]:
    def formula(lengths: Any, turns: Any, origin: Any) -> Any:
        joints = [origin]
        angle = 0.0
        for length, turn in zip(lengths, turns, strict=True):
            angle = turn + angle
            joints.append(chains.next_planar_joint(joints[-1], length, angle))
        return tuple(joints)

    return formula


@cache
def _angle_formula(axes: tuple[str, ...]) -> Callable[..., Any]:
    def formula(lengths: Any, turns: Any, origin: Any) -> Any:
        waiting = iter(turns)
        rotation: Any = IDENTITY
        rotations = []
        for word in axes:
            for axis in word:
                rotation = chains.turn_about(rotation, axis, next(waiting))
            rotations.append(rotation)
        return _joints(lengths, rotations, origin), tuple(rotations)

    return formula


@cache
def _rotation_formula(links: int, local: bool) -> Callable[..., Any]:
    def formula(lengths: Any, turns: Any, origin: Any) -> Any:
        rotations = [turns[4 * k : 4 * k + 4] for k in range(links)]
        if local:
            for k in range(1, links):
                rotations[k] = chains.child_rotation(rotations[k - 1], rotations[k])
        return _joints(lengths, rotations, origin), tuple(rotations)

    return formula


def _joints(lengths: Any, rotations: Any, origin: Any) -> Any:
    joints = [origin]
    for length, rotation in zip(lengths, rotations, strict=True):
        joints.append(chains.next_joint(joints[-1], length, rotation))
    return tuple(joints)


@cache
def _line(formula: Callable[..., Any], sizes: tuple[int, ...]) -> Trace:
    groups: dict[str, int] = dict(zip(("lengths", "turns", "origin"), sizes, strict=True))
    return record(formula, groups, {}, rare=True)


@cache
def _compiled(formula: Callable[..., Any], sizes: tuple[int, ...], dtype: np.dtype[Any]) -> Callable[..., Any]:
    return numpy_engine.function(_line(formula, sizes), dtype, None)


def _run_tensors(
    library: str, formula: Callable[..., Any], dtype: Any, arrays: Any, shape: tuple[int, ...], sizes: tuple[int, ...]
) -> Any:
    handler = HANDLERS[library]
    like = next(array for array in arrays if library_of(array) == library)
    working = handler.working(dtype)
    typed = [handler.convert(array, like, working) for array in arrays]
    run = tensor_engine.function(library, _line(formula, sizes), working)
    numbers = run(*(array[..., k] for array in typed for k in range(array.shape[-1])))
    return handler.stack(numbers, shape, like, working, dtype)


def _run(formula: Callable[..., Any], dtype: Any, *arrays: Any) -> Any:
    """The formula over arrays (..., components) that broadcast, as (..., numbers)."""
    shape = batch_shape(dict(zip(("lengths", "angles", "origin"), arrays, strict=True)))
    sizes = tuple(array.shape[-1] for array in arrays)
    if library := common_library(arrays):
        return _run_tensors(library, formula, dtype, arrays, shape, sizes)
    typed = [array.astype(dtype, copy=False) for array in arrays]
    run = _compiled(formula, sizes, dtype)
    with np.errstate(invalid="ignore"):
        numbers = run(*(array[..., k] for array in typed for k in range(array.shape[-1])))
    out = np.empty((len(numbers), *shape), dtype)
    for k, number in enumerate(numbers):
        out[k] = number
    return np.moveaxis(out, 0, -1)
