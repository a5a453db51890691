"""Forward kinematics of serial chains, with any number of links: the way back, and the measure of every solver."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from limbik.arrays import HANDLERS, Array, common_library, library_of
from limbik.engines import numpy_engine, tensor_engine
from limbik.engines.trace import Trace, record
from limbik.errors import ArgumentError, ShapeError
from limbik.formulas import chains
from limbik.limbs.inputs import Numbers, number_type, positive

IDENTITY = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Frames:
    """Where a chain's joints are and how its links are turned.

    joints: (..., links + 1, 3), in the world. rotations: (..., links, 4), world quaternions, xyzw, +z along the link.
    """

    joints: Array
    rotations: Array


class PlanarChain:
    """A serial chain in the plane. lengths: (..., links)."""

    def __init__(self, lengths: Numbers) -> None:
        self.lengths = _as_array(positive("lengths", lengths))
        if self.lengths.ndim == 0:
            raise ShapeError("lengths", (), "(..., links)")

    def forward(self, angles: Numbers, origin: Numbers = (0.0, 0.0)) -> Array:
        """Joints (..., links + 1, 2) from angles (..., links): each from the link before, counter-clockwise."""
        links = self.lengths.shape[-1]
        turns = _numbers("angles", angles, links)
        formula = _planar_formula(links)
        out = _run(formula, number_type(angles, origin), self.lengths, turns, _numbers("origin", origin, 2))
        return out.reshape(*out.shape[:-1], links + 1, 2)


class Chain:
    """A serial chain in space: each link runs along its frame's +z, after turns about that frame's own axes.

    Args:
        lengths: (..., links).
        axes: for each link the axes about which its joint turns, in order, from "x", "y", "z": ("yzx", "x", "x") is the
            three-link limb. "" is a joint that does not turn.
    """

    def __init__(self, lengths: Numbers, axes: Sequence[str]) -> None:
        self.lengths = _as_array(positive("lengths", lengths))
        self.axes = tuple(axes)
        if self.lengths.ndim == 0 or self.lengths.shape[-1] != len(self.axes):
            raise ShapeError("lengths", self.lengths.shape, f"(..., {len(self.axes)}), one length for each of the axes")
        if set("".join(self.axes)) - set("xyz"):
            raise ArgumentError("axes", repr(self.axes), "words made of x, y and z")

    def forward(self, angles: Numbers, origin: Numbers = (0.0, 0.0, 0.0)) -> Frames:
        """Frames from joint angles (..., turns), in radians, one for each letter of the axes."""
        turns = _numbers("angles", angles, sum(map(len, self.axes)))
        formula = _angle_formula(self.axes)
        return self._frames(formula, number_type(angles, origin), turns, origin)

    def place(self, rotations: Numbers, origin: Numbers = (0.0, 0.0, 0.0), local: bool = False) -> Frames:
        """Frames from rotations (..., links, 4), unit quaternions, xyzw: in the world, or local to the link before."""
        given = _as_array(rotations)
        links = len(self.axes)
        if given.shape[-2:] != (links, 4):
            raise ShapeError("rotations", given.shape, f"(..., {links}, 4), quaternions in xyzw order")
        flat = given.reshape(*given.shape[:-2], 4 * links)
        return self._frames(_rotation_formula(links, local), number_type(rotations, origin), flat, origin)

    def _frames(self, formula: Callable[..., Any], dtype: Any, turns: Array, origin: Numbers) -> Frames:
        links = len(self.axes)
        out = _run(formula, dtype, self.lengths, turns, _numbers("origin", origin, 3))
        joints, rotations = out[..., : 3 * links + 3], out[..., 3 * links + 3 :]
        shape = out.shape[:-1]
        return Frames(joints.reshape(*shape, links + 1, 3), rotations.reshape(*shape, links, 4))


def _as_array(value: Numbers) -> Any:
    return value if library_of(value) else np.asarray(value)


def _numbers(name: str, value: Numbers, size: int) -> Any:
    array = _as_array(value)
    if array.ndim == 0 or array.shape[-1] != size:
        raise ShapeError(name, tuple(array.shape), f"(..., {size})")
    return array


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
    shape = np.broadcast_shapes(*(tuple(array.shape[:-1]) for array in arrays))
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
