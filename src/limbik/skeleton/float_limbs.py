"""One pose at a time on plain floats: forward kinematics and a limb of two links, in microseconds."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache
from itertools import chain
from math import hypot
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch, loading, numba_engine, scalar_engine
from limbik.engines.generated_source import indented
from limbik.engines.numba_compiler import array_type, nothing_from
from limbik.engines.numba_engine import RowFunction, preamble
from limbik.engines.numba_forward import POSITION, ROTATION, child
from limbik.engines.trace import Trace, record
from limbik.formulas.rig_limbs import bend_axis, reached_limb

GROUPS = {"root": 3, "middle": 3, "end": 3}
ROTATIONS = dict.fromkeys(("first_rotation", "second_rotation", "first_parent", "second_parent", "end_parent"), 4)
Floats = Sequence[float]
NOTHING = (0.0, 0.0, 0.0)
NO_TURN = (0.0, 0.0, 0.0, 1.0)
BLOCK = 512  # rows


def _function(formula: Callable[..., Any], groups: tuple[tuple[str, int], ...], **flags: bool) -> Callable[..., Any]:
    """A formula as a function of floats."""
    full = scalar_engine.function(record(formula, dict(groups), flags, rare=True), None)
    return scalar_engine.function(record(formula, dict(groups), flags, rare=False), full)


@cache
def _child() -> Callable[..., Any]:
    return _function(child, (("place", POSITION), ("turn", ROTATION), ("local", ROTATION), ("offset", POSITION)))


def forward_floats(
    parents: Sequence[int], rotations: Array, translations: Array, skipped: Container[int] = ()
) -> tuple[Array, Array]:
    """World positions (joints, 3) and rotations (joints, 4) from local ones; zeros for joints that are skipped."""
    run = _child()
    placed: list[Floats] = []
    local_transforms = zip(parents, _rows(rotations), _rows(translations), strict=True)
    for joint, (parent, local, offset) in enumerate(local_transforms):
        if joint in skipped:
            placed.append((*NOTHING, *NOTHING, 0.0))
        elif parent < 0:
            placed.append((*offset, *local))
        else:
            placed.append(run(*placed[parent], *local, *offset))
    found = np.array(placed).reshape(-1, POSITION + ROTATION)
    return found[:, :POSITION], found[:, POSITION:]


def _rows(array: Array) -> Iterator[list[float]]:
    """The rows of an array as floats, a block at a time: those of all joints of a large file would fill the memory."""
    return chain.from_iterable(array[first : first + BLOCK].tolist() for first in range(0, len(array), BLOCK))


def reached_floats(
    joints: Sequence[int],
    parents: Sequence[int] | Array,
    positions: Sequence[Floats],
    rotations: Sequence[Floats],
    usual: Floats,
    target: Floats,
    pole: Floats | None,
    end_rotation: Floats | None,
) -> Sequence[float] | None:
    """The local rotations, one after the other, of a limb's joints; None where floats cannot do it.

    joints: three, from root to tip. parents: of all joints. positions, rotations: of all joints in the world. usual:
    the hinge in the first joint's frame where the limb is straight.
    """
    first, middle, end = joints
    above = [NO_TURN if (parent := parents[joint]) < 0 else rotations[parent] for joint in joints]
    places = *positions[first], *positions[middle], *positions[end]
    turned = end_rotation is not None
    if end_rotation is not None:
        size = hypot(*end_rotation) or 1.0
        end_rotation = [part / size for part in end_rotation]
    try:
        x, y, z = _bend_axis()(*places, *rotations[first])
        size = (x * x + y * y + z * z) ** 0.5
        usual = (x / size, y / size, z / size) if size > 1e-6 else usual
        turns = *rotations[first], *rotations[middle], *above[0], *above[1], *above[2]
        numbers = (*places, *turns, *usual, *target, *(pole or NOTHING), *(end_rotation or NO_TURN))
        return _local_rotations(ReachKernel(pole is not None, turned), numbers)
    except (ArithmeticError, ValueError):
        return None


class ReachKernel(NamedTuple):
    """The kernel of `reached_limb`: from the numbers of one limb to its local rotations, one after the other."""

    poled: bool
    turned: bool

    def text(self) -> str:
        """The kernel's source."""
        trace = self.trace(rare=True)
        function = RowFunction("reached", trace)
        body = [f"{name} = numbers[{k}]" for k, name in enumerate(trace.parameters)]
        body += [*function.call, *(f"found[{k}] = {output}" for k, output in enumerate(function.outputs))]
        start = [*preamble(np.dtype(float)), *function.definition, "def kernel(numbers, found):"]
        return "\n".join([*start, *indented(body)]) + "\n"

    def signature(self) -> str:
        """It takes the numbers and the array to fill."""
        return nothing_from(array_type("float64", 1, "C"), array_type("float64", 1, "C", written=True))

    def trace(self, rare: bool) -> Trace:
        """The recorded formula."""
        wanted = {"usual": 3, "target": 3, "pole": 3, "end_rotation": 4}
        return record(reached_limb, GROUPS | ROTATIONS | wanted, self._asdict(), rare=rare)


def _local_rotations(kernel: ReachKernel, numbers: Sequence[float]) -> Sequence[float]:
    """The formula's answer: on the kernel once it is loaded, on plain floats until then."""
    work = numba_engine.kernels.get(kernel)
    if work is not None and dispatch.chosen() is None:
        found = np.empty(12 if kernel.turned else 8)
        work(np.array(numbers), found)
        return found.tolist()
    started = perf_counter()
    solved = _reached_limb(kernel)(*numbers)
    loading.note(kernel, perf_counter() - started)
    return solved


@cache
def _bend_axis() -> Callable[..., Any]:
    return _function(bend_axis, (*GROUPS.items(), ("rotation", 4)))


@cache
def _reached_limb(kernel: ReachKernel) -> Callable[..., Any]:
    return scalar_engine.function(kernel.trace(rare=False), scalar_engine.function(kernel.trace(rare=True), None))
