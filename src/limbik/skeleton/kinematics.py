"""Forward kinematics: from each joint's transform in its parent's frame to its transform in the world."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache
from itertools import chain
from math import prod
from time import perf_counter
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch, loading, numba_forward, scalar_engine
from limbik.engines.numba_forward import POSITION, ROTATION, child
from limbik.engines.thresholds import NUMBA_STEPS_MIN_ROWS
from limbik.engines.trace import record
from limbik.formulas import chains
from limbik.rotations import from_matrices, to_matrices

ZERO = (0.0, 0.0, 0.0)
BLOCK_ROWS = 512  # of arrays that become lists


def forward(
    parents: Array, rotations: Array, translations: Array, scales: Array | None, skipped: Container[int] = ()
) -> tuple[Array, Array]:
    """World positions (..., joints, 3) and rotations (..., joints, 4) from local ones; of those skipped, any numbers.

    A joint's scale applies to its descendants, as in glTF: below a joint of uneven scale they are sheared. World
    rotations leave scales out.
    """
    joints, batch = len(parents), rotations.shape[:-2]
    if translations.shape != (*batch, joints, 3):
        translations = np.broadcast_to(translations, (*batch, joints, 3))
    one, ready = prod(batch) == 1, numba_forward.ready()
    if scales is None and (
        dispatch.uses_numba(joints, prod(batch), ready) or (one and ready and dispatch.chosen() is None)
    ):
        placed = dispatch.try_numba(lambda: numba_forward.forward(parents, rotations, translations))
        if placed is not None:
            return placed
    started = perf_counter()
    if scales is None and one:
        positions, world = forward_on_floats(
            parents.tolist(), rotations.reshape(joints, 4), translations.reshape(joints, 3), skipped
        )
        loading.note(numba_forward.KERNEL, perf_counter() - started)
        return positions.reshape(*batch, joints, 3), world.reshape(*batch, joints, 4)
    # Components first, so that each is one contiguous row of numbers for every joint; then a generation at a time.
    world, positions = _rows(rotations), _rows(translations)
    for level in generations(parents):
        above = parents[level]
        turn = _parts(world[:, above])
        positions[:, level] = chains.child_position(_parts(positions[:, above]), turn, _parts(positions[:, level]))
        world[:, level] = chains.child_rotation(turn, _parts(world[:, level]))
    if scales is not None:
        return world_matrices(parents, rotations, translations, scales)[..., 3], _columns(world)
    if prod(batch) >= NUMBA_STEPS_MIN_ROWS and dispatch.chosen() is None:
        loading.note(numba_forward.KERNEL, perf_counter() - started)
    return _columns(positions), _columns(world)


def world_matrices(parents: Array, rotations: Array, translations: Array, scales: Array | None) -> Array:
    """Affine transforms to the world, (..., joints, 3, 4), scales included: the joint's axes, then its position."""
    axes = to_matrices(rotations)
    axes = axes if scales is None else axes * scales[..., None, :]
    positions = np.broadcast_to(translations, (*axes.shape[:-2], 3))
    matrices = np.concatenate([axes, positions[..., None]], axis=-1)
    for level in generations(parents):
        above = matrices[..., parents[level], :, :]
        found = above[..., :3] @ matrices[..., level, :, :]
        found[..., 3] += above[..., 3]
        matrices[..., level, :, :] = found
    return matrices


def is_uneven(scales: Array | None) -> bool:
    """Whether some of these scales (..., 3) shear or mirror what is below them: turning it changes its shape."""
    return scales is not None and bool(np.any(scales != np.abs(scales[..., :1])))


def turning_frames(parents: Array, rotations: Array, translations: Array, scales: Array | None) -> Array:
    """World rotations (..., joints, 4) that carry turns, below joints of uneven scale too.

    A small turn of a joint about an axis in its own frame turns all below it about that axis rotated by these; below
    mirroring scales they are not the products of the local rotations.
    """
    axes = world_matrices(parents, rotations, translations, scales)[..., :3]
    left, _, right = np.linalg.svd(np.where(np.isfinite(axes).all(axis=(-2, -1), keepdims=True), axes, np.eye(3)))
    axes = left @ right
    return from_matrices(axes * np.linalg.det(axes)[..., None, None])


def generations(parents: Array) -> list[Array]:
    """The joints that have a parent, grouped by their depth in the tree, shallow ones first."""
    depths = np.zeros(len(parents), int)
    for joint, parent in enumerate(parents.tolist()):
        if parent >= 0:
            depths[joint] = depths[parent] + 1
    order = np.argsort(depths, kind="stable")
    return np.split(order, np.cumsum(np.bincount(depths)))[1:-1] if len(depths) else []


def _rows(array: Array) -> Array:
    """(..., joints, components) as a new array (components, joints, ...)."""
    return np.array(np.moveaxis(array, (-1, -2), (0, 1)), order="C")


def _columns(array: Array) -> Array:
    return np.ascontiguousarray(np.moveaxis(array, (0, 1), (-1, -2)))


def _parts(array: Array) -> Any:
    return tuple(array)


# --- one pose on plain floats, in microseconds


def float_function(
    formula: Callable[..., Any], sizes: tuple[tuple[str, int], ...], **flags: bool
) -> Callable[..., Any]:
    """A formula as a function of floats."""
    full = scalar_engine.function(record(formula, dict(sizes), flags, rare=True), None)
    return scalar_engine.function(record(formula, dict(sizes), flags, rare=False), full)


@cache
def _child() -> Callable[..., Any]:
    return float_function(child, (("place", POSITION), ("turn", ROTATION), ("local", ROTATION), ("offset", POSITION)))


def forward_on_floats(
    parents: Sequence[int], rotations: Array, translations: Array, skipped: Container[int] = ()
) -> tuple[Array, Array]:
    """World positions (joints, 3) and rotations (joints, 4) from local ones; zeros for joints that are skipped."""
    run = _child()
    placed: list[Sequence[float]] = []
    local_transforms = zip(parents, _float_rows(rotations), _float_rows(translations), strict=True)
    for joint, (parent, local, offset) in enumerate(local_transforms):
        if joint in skipped:
            placed.append((*ZERO, *ZERO, 0.0))
        elif parent < 0:
            placed.append((*offset, *local))
        else:
            placed.append(run(*placed[parent], *local, *offset))
    found = np.array(placed).reshape(-1, POSITION + ROTATION)
    return found[:, :POSITION], found[:, POSITION:]


def _float_rows(array: Array) -> Iterator[list[float]]:
    """The rows of an array as floats, a block at a time: those of all joints of a large file would fill the memory."""
    return chain.from_iterable(array[first : first + BLOCK_ROWS].tolist() for first in range(0, len(array), BLOCK_ROWS))
