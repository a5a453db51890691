"""Where the pelvis goes and how the spine bends, pose by pose: compiled by Numba where it is there, else by Python.

The text of `shell_projection.py`, of `leaning.py` and of `rows` below is what Numba compiles.
"""

from __future__ import annotations

import inspect
import re
from time import perf_counter
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines import dispatch, loading, threads
from limbik.engines.numba_compiler import array_type, nothing_from
from limbik.skeleton import leaning, shell_projection
from limbik.skeleton.leaning import least_movement, place_roots, share_of_turn, turn_by_share
from limbik.skeleton.shell_projection import lies_inside, nearest_in_order

SLACK = 1e-11  # of the longest limb: what counts as rounding
# What only the kernel calls needs no wrappers.
CALLEE_OPTIONS = {"error_model": "numpy", "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
PYTHON_POSE_SECONDS = 0.002  # that one pose takes without a kernel, about


class TorsoInput(NamedTuple):
    """What the pelvis and the spine have to allow, pose by pose. An end at a joint of the torso has radii of 0.

    Arrays of float64, contiguous, `poses` first: wanted (poses, 3) is where the pelvis would like to go, as a shift;
    spine (poses, joints, 3), the joints that bend; roots and targets (poses, ends, 3); outer and inner (poses, ends),
    how far a root may be, and must be, from its target. carrier, ranks (int64) and weights: (ends,), by ascending rank;
    the carrier of a root is 0, the pelvis, or the number of a spine joint, from 1.
    """

    wanted: Array
    spine: Array
    roots: Array
    targets: Array
    outer: Array
    inner: Array
    carrier: Array
    ranks: Array
    weights: Array
    share: float


class TorsoMotion(NamedTuple):
    """How the torso moves: shift (poses, 3) of the pelvis, and lean (poses, 3) of the chest, a rotation vector.

    turns: (poses, spine joints, 4), how far each joint of the spine turns in the world, quaternions xyzw. goals:
    (poses, ends, 3), the targets, brought back to where they would be if the torso had not moved.
    """

    shift: Array
    lean: Array
    turns: Array
    goals: Array


def rows(
    start: int,
    stop: int,
    wanted: Array,
    spine: Array,
    roots: Array,
    targets: Array,
    outer: Array,
    inner: Array,
    carrier: Array,
    ranks: Array,
    weights: Array,
    share: float,
    shift: Array,
    lean: Array,
    turns: Array,
    goals: Array,
) -> None:
    """Fills the fields of `TorsoMotion` from those of `TorsoInput`."""
    count = outer.shape[1]
    placed, centres, found, still = np.empty((count, 4, 3)), np.empty((count, 3)), np.empty(4), np.zeros(3)
    part = np.empty((4, 3))
    carried = 0
    for j in range(count):
        carried = max(carried, carrier[j])
    bends = share > 0.0 and spine.shape[1] > 0 and carried > 0
    for i in range(start, stop):
        size = 0.0
        for j in range(count):
            for axis in range(3):
                centres[j, axis] = targets[i, j, axis] - roots[i, j, axis]
                size = max(size, abs(centres[j, axis]), outer[i, j])
        slack = SLACK * size
        if bends and not lies_inside(wanted[i, 0], wanted[i, 1], wanted[i, 2], centres, outer[i], inner[i], slack):
            least_movement(
                wanted[i], spine[i], roots[i], carrier, targets[i], outer[i], inner[i], ranks, weights, share, lean[i]
            )
            place_roots(still, lean[i], spine[i], roots[i], carrier, placed)
            for j in range(count):
                for axis in range(3):
                    centres[j, axis] = targets[i, j, axis] - placed[j, 0, axis]
        nearest_in_order(wanted[i], centres, outer[i], inner[i], ranks, weights, slack, found)
        for axis in range(3):
            shift[i, axis] = found[axis]
        for k in range(spine.shape[1]):
            share_of_turn((k + 1.0) / spine.shape[1], lean[i], turns[i, k])
        for j in range(count):
            # From its root, which the torso has moved, back to where the root was.
            x, y, z = centres[j, 0] - found[0], centres[j, 1] - found[1], centres[j, 2] - found[2]
            if carrier[j] > 0:
                turn_by_share(-carrier[j] / spine.shape[1], lean[i], x, y, z, part)
                x, y, z = part[0, 0], part[0, 1], part[0, 2]
            goals[i, j, 0], goals[i, j, 1], goals[i, j, 2] = roots[i, j, 0] + x, roots[i, j, 1] + y, roots[i, j, 2] + z


class TorsoKernel(NamedTuple):
    """The kernel; there is one."""

    def text(self) -> str:
        """The kernel's source."""
        bodies = [inspect.getsource(shell_projection), inspect.getsource(leaning), inspect.getsource(rows)]
        head = ["from numba import njit", f"SLACK = {SLACK!r}"]
        return "\n".join(head) + "\n" + _compiled_functions("\n\n".join(bodies)).replace("def rows(", "def kernel(")

    def signature(self) -> str:
        """It takes start, stop, the fields of the input and the arrays to fill."""

        def array(axes: int, number: str = "float64") -> str:
            return array_type(number, axes, "C", written=True)

        ends = [array(1, "int64"), array(1, "int64"), array(1), "float64"]
        poses = [array(2), array(3), array(3), array(3), array(2), array(2)]
        return nothing_from("intp", "intp", *poses, *ends, array(2), array(2), array(3), array(3))


def _compiled_functions(text: str) -> str:
    """The text with every function but `rows` marked for Numba."""
    options = ", ".join(f"{name}={value!r}" for name, value in CALLEE_OPTIONS.items())
    return re.sub(r"^def (?!rows\b)", f"@njit({options})\ndef ", text, flags=re.MULTILINE)


def solve_torso(given: TorsoInput) -> TorsoMotion:
    """How the torso moves for the ends to reach, by their ranks."""
    poses = len(given.wanted)
    turns = np.empty((*given.spine.shape[:2], 4))
    motion = TorsoMotion(np.zeros((poses, 3)), np.zeros((poses, 3)), turns, np.empty(given.roots.shape))
    kernel = TorsoKernel()
    ready = kernel in loading.kernels
    forced = dispatch.chosen()
    if dispatch.have_numba() and forced != "numpy" and (ready or forced or poses * PYTHON_POSE_SECONDS > 2.0):
        work = dispatch.try_numba(lambda: loading.loaded(kernel))
        if work is not None:
            threads.spread(work, poses, *given, *motion, rows_per_thread=64)
            return motion
    started = perf_counter()
    with np.errstate(all="ignore"):
        rows(0, poses, *given, *motion)
    loading.note(kernel, perf_counter() - started)
    return motion
