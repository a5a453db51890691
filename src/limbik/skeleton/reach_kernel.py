"""A limb of two links in one pose, by a kernel or on plain floats: in microseconds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import hypot
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch, loading, scalar_engine
from limbik.engines.generated_source import indented
from limbik.engines.numba_compiler import array_type, nothing_from
from limbik.engines.numba_engine import RowFunction, preamble
from limbik.engines.trace import Trace, record
from limbik.formulas.rig_joints import bend_axis, reached_limb
from limbik.skeleton.kinematics import float_function

JOINT_SIZES = {"root": 3, "middle": 3, "end": 3}
ROTATION_SIZES = dict.fromkeys(("first_rotation", "second_rotation", "first_parent", "second_parent", "end_parent"), 4)
Floats = Sequence[float]
ZERO = (0.0, 0.0, 0.0)
NO_ROTATION = (0.0, 0.0, 0.0, 1.0)


def reach_on_floats(
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
    above = [NO_ROTATION if (parent := parents[joint]) < 0 else rotations[parent] for joint in joints]
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
        numbers = (*places, *turns, *usual, *target, *(pole or ZERO), *(end_rotation or NO_ROTATION))
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
        return record(reached_limb, JOINT_SIZES | ROTATION_SIZES | wanted, self._asdict(), rare=rare)


def _local_rotations(kernel: ReachKernel, numbers: Sequence[float]) -> Sequence[float]:
    """The formula's answer: on the kernel once it is loaded, on plain floats until then."""
    work = loading.kernels.get(kernel)
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
    return float_function(bend_axis, (*JOINT_SIZES.items(), ("rotation", 4)))


@cache
def _reached_limb(kernel: ReachKernel) -> Callable[..., Any]:
    return scalar_engine.function(kernel.trace(rare=False), scalar_engine.function(kernel.trace(rare=True), None))
