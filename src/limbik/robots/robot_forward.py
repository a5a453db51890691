"""Forward kinematics of whole robots: the frames of a tree, a generation at a time, on every engine."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any, Generic, NamedTuple

import numpy as np

from limbik.arrays import HANDLERS, Array, common_library, library_of
from limbik.engines import dispatch, numba_forward, numpy_engine, scalar_engine, tensor_engine
from limbik.engines.numba_forward import ROBOT_GROUPS
from limbik.engines.trace import Trace, record
from limbik.formulas import quaternions
from limbik.formulas.chains import moved_frame
from limbik.limbs.array_types import ArrayLike, ArrayType
from limbik.limbs.inputs import batch_shape, read_group
from limbik.robots.robot_tree import RobotTree

Inputs = dict[str, Any]  # angles, position, rotation: tuples of floats, or arrays (..., components)
INPUT_NAMES = ("angles", "position", "rotation")
MAX_FLOAT_ROWS = 8  # rows that take less time one by one on floats than together on NumPy
TO_Y_UP = (-0.5, -0.5, -0.5, 0.5)  # takes x to z, y to x, z to y: from a robot's world to limbik's
TO_Z_UP = (0.5, 0.5, 0.5, 0.5)


class LinkFrames(NamedTuple, Generic[ArrayType]):
    """Where a robot's links are.

    Attributes:
        positions: (..., links, 3), metres, in the world.
        rotations: (..., links, 4), unit quaternions, xyzw, in the world.
    """

    positions: ArrayType
    rotations: ArrayType


def forward(tree: RobotTree, inputs: Inputs, dtype: Any) -> tuple[Any, Any]:
    """World positions (..., links, 3) and rotations (..., links, 4) of the links.

    Args:
        tree: the robot's frames.
        inputs: "angles" (..., joints), and "position" (..., 3) and "rotation" (..., 4) of the base.
        dtype: the dtype of the answer.
    """
    shape = batch_shape(inputs)
    if library := common_library(inputs.values()):
        return _on_tensors(library, tree, inputs, shape, dtype)
    angles, place, turn = (_rows(np, np.asarray(inputs[name], float), shape) for name in INPUT_NAMES)
    with np.errstate(invalid="ignore"):  # an infinite angle gives NaN
        found = _on_arrays(tree, place, turn, angles)
    return tuple(  # type: ignore[return-value]
        np.ascontiguousarray(one.reshape(*shape, *one.shape[1:]), dtype) for one in found
    )


def _on_tensors(library: str, tree: RobotTree, inputs: Inputs, shape: tuple[int, ...], dtype: Any) -> Any:
    handler = HANDLERS[library]
    like = next(group for group in inputs.values() if library_of(group))
    working = handler.working(dtype)

    def convert(value: Any) -> Any:
        return handler.convert(value, like, working)

    module = handler.module()
    angles, place, turn = (_rows(module, convert(inputs[name]), shape) for name in INPUT_NAMES)
    if library == "jax":
        found = _jax_function(tree, working)(place, turn, angles)
    else:
        run = tensor_engine.function(library, _trace(), working)
        found = _by_levels(module, run, convert, tree, (place, turn, angles))
    return tuple(handler.cast(one.reshape(*shape, *one.shape[1:]), dtype) for one in found)


def _jax_function(tree: RobotTree, working: str) -> Callable[..., tuple[Any, Any]]:
    """The whole of it as one compiled function for JAX: its levels one by one would take far longer to compile."""
    if working not in tree.compiled:
        import jax

        run = tensor_engine.function("jax", _trace(), working).__wrapped__  # type: ignore[attr-defined]

        def run_levels(*given: Any) -> tuple[Any, Any]:
            return _by_levels(jax.numpy, run, lambda value: jax.numpy.asarray(value, working), tree, given)

        tree.compiled[working] = jax.jit(run_levels)
    return tree.compiled[working]


def _on_arrays(tree: RobotTree, place: Array, turn: Array, angles: Array) -> tuple[Array, Array]:
    if angles.shape[1] and dispatch.uses_numba(len(tree.table.parents), len(angles)):
        frames = dispatch.try_numba(lambda: _on_numba(tree, place, turn, angles))
        if frames is not None:
            return frames
    if len(angles) <= MAX_FLOAT_ROWS and dispatch.chosen() != "numpy":
        return _on_floats(tree, place, turn, angles)
    return _by_levels(np, _numpy_function(), np.asarray, tree, (place, turn, angles))


def _rows(module: Any, group: Any, shape: tuple[int, ...]) -> Any:
    """A group as (rows, components)."""
    size = group.shape[-1]
    return module.broadcast_to(group, (*shape, size)).reshape(prod(shape), size)


@cache
def _trace() -> Trace:
    return record(moved_frame, ROBOT_GROUPS, {}, rare=True)


@cache
def _numpy_function() -> Callable[..., Any]:
    return numpy_engine.function(_trace(), np.dtype(float), None)


def _on_numba(tree: RobotTree, place: Array, turn: Array, angles: Array) -> tuple[Array, Array]:
    place, turn = np.ascontiguousarray(place), np.ascontiguousarray(turn)
    frames = numba_forward.robot_forward(tree.table, int(tree.links[tree.base]), place, turn, angles)
    every = len(tree.links) == len(tree.table.parents)
    return frames if every else tuple(one[:, tree.links] for one in frames)  # type: ignore[return-value]


@cache
def _float_function() -> Callable[..., tuple[float, ...]]:
    return scalar_engine.function(_trace(), None)


def _on_floats(tree: RobotTree, place: Array, turn: Array, angles: Array) -> tuple[Array, Array]:
    run, constants, base = _float_function(), tree.constants, tree.links[tree.base]
    motions = np.moveaxis(np.stack(_motion(np, np.asarray, tree, angles.T)), 0, -1)  # (frames, rows, 3)
    found = np.empty((len(angles), len(tree.links), 7))
    for row in range(len(angles)):
        frames: list[tuple[float, ...]] = []
        for frame, ((parent, rest), motion) in enumerate(zip(constants, motions[:, row].tolist(), strict=True)):
            if frame == base:
                frames.append((*place[row].tolist(), *turn[row].tolist()))
            else:
                frames.append(rest[:7] if parent < 0 else run(*frames[parent], *rest, *motion))
        found[row] = [frames[link] for link in tree.links.tolist()]
    return found[..., :3], found[..., 3:]


def _motion(xp: Any, convert: Any, tree: RobotTree, angles: Any) -> list[Any]:
    """For every frame and row the slide, and cosine and sine of half the angle; (frames, rows) each."""
    table = tree.table
    values = angles[table.columns] if len(angles) else convert(np.zeros((len(table.parents), angles.shape[1])))
    parts = [convert(np.ascontiguousarray(part.T)[..., None]) for part in (table.factors, table.addends)]
    slide, angle = (parts[0][k] * values + parts[1][k] for k in range(2))
    return [slide, xp.cos(0.5 * angle), xp.sin(0.5 * angle)]


def _by_levels(
    xp: Any, run: Callable[..., Any], convert: Any, tree: RobotTree, given: tuple[Any, ...]
) -> tuple[Any, Any]:
    """Positions (rows, links, 3) and rotations (rows, links, 4); within, components and frames come first."""
    table, base = tree.table, tree.links[tree.base]
    place, turn, angles = (one.T for one in given)
    rows = place.shape[-1]
    motion = _motion(xp, convert, tree, angles)
    placed = xp.concatenate([place, turn])[:, None, :]
    levels = [np.array([0]), *tree.levels]
    done = []
    for number, frames in enumerate(levels):
        constants = (table.offsets, table.rests, table.axes)
        rest = [convert(np.ascontiguousarray(part[frames].T)[..., None]) for part in constants]
        if number == 0:
            state = xp.broadcast_to(xp.concatenate(rest[:2]), (7, 1, rows))
        else:
            above = done[-1][:, np.searchsorted(levels[number - 1], table.parents[frames])]
            numbers = run(*above, *rest[0], *rest[1], *rest[2], *(one[frames] for one in motion))
            state = xp.stack([xp.broadcast_to(one, (len(frames), rows)) for one in numbers])
        if base in frames:
            state = xp.where(convert(frames == base)[:, None] > 0, placed, state)
        done.append(state)
    order = np.argsort(np.concatenate(levels))
    frames = xp.swapaxes(xp.concatenate(done, 1)[:, order[tree.links]], 0, 2)
    return frames[..., :3], frames[..., 3:]


# --- between the robots' world (x forward, y left, z up: ROS, MuJoCo) and limbik's (x left, y up, z forward: glTF)


def to_y_up(positions: ArrayLike[ArrayType], rotations: ArrayLike[ArrayType]) -> LinkFrames[ArrayType]:
    """Poses in a robot's world, which has z up and x forward, as poses in limbik's world, with y up and z forward.

    Links keep their own axes: a rotation still takes vectors in a link's frame to vectors in the world.

    Args:
        positions: (..., 3), metres.
        rotations: (..., 4), unit quaternions, xyzw.

    Returns:
        Positions and rotations in limbik's world.

    Raises:
        ArgumentError: Values that are not numbers of these shapes.
    """
    x, y, z = _components("positions", positions, 3)
    turned: Any = quaternions.multiply(TO_Y_UP, _components("rotations", rotations, 4))  # type: ignore[arg-type]
    return LinkFrames(_join((y, z, x)), _join(turned))


def to_z_up(positions: ArrayLike[ArrayType], rotations: ArrayLike[ArrayType]) -> LinkFrames[ArrayType]:
    """Poses in limbik's world, which has y up and z forward, as poses in a robot's world, with z up and x forward.

    Args:
        positions: (..., 3), metres.
        rotations: (..., 4), unit quaternions, xyzw.

    Returns:
        Positions and rotations in the robot's world.

    Raises:
        ArgumentError: Values that are not numbers of these shapes.
    """
    x, y, z = _components("positions", positions, 3)
    turned: Any = quaternions.multiply(TO_Z_UP, _components("rotations", rotations, 4))  # type: ignore[arg-type]
    return LinkFrames(_join((z, x, y)), _join(turned))


def _components(name: str, value: Any, size: int) -> tuple[Any, ...]:
    group = read_group(name, value, size)
    return (
        tuple(np.asarray(part) for part in group)
        if isinstance(group, tuple)
        else tuple(group[..., k] for k in range(size))
    )


def _join(parts: tuple[Any, ...]) -> Any:
    library = library_of(parts[0])
    return HANDLERS[library].module().stack(parts, -1) if library else np.stack(parts, -1)
