"""Forward kinematics of whole robots on Numba: each row from the root to the tips, rows on all cores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines import threads
from limbik.engines.generated_source import indented
from limbik.engines.loading import kernels, loaded
from limbik.engines.numba_compiler import array_type, nothing_from
from limbik.engines.numba_engine import RowFunction, preamble
from limbik.engines.thresholds import ROWS_PER_THREAD
from limbik.engines.trace import component, record
from limbik.formulas.chains import moved_frame

# Where each component {0} of the formula's groups lies.
SOURCES = {
    "place": (3, "positions[i, parent, {0}]"),
    "turn": (4, "rotations[i, parent, {0}]"),
    "offset": (3, "offsets[frame, {0}]"),
    "rest": (4, "rests[frame, {0}]"),
    "axis": (3, "axes[frame, {0}]"),
    "motion": (3, "motion[{0}]"),
}
MOTION = [
    "value = angles[i, columns[frame]]",
    "half = 0.5 * (factors[frame, 1] * value + addends[frame, 1])",
    "motion = (factors[frame, 0] * value + addends[frame, 0], cos(half), sin(half))",
]
GROUPS = {name: size for name, (size, _) in SOURCES.items()}
PARAMETERS = "parents, offsets, rests, axes, columns, factors, addends, base, place, turn, angles, positions, rotations"


def _text() -> str:
    """The kernel's source."""
    function = RowFunction("moved_frame", record(moved_frame, GROUPS, {}, rare=True))
    body = [*MOTION]
    body += [
        f"{component(name, k)} = {place.format(k)}" for name, (size, place) in SOURCES.items() for k in range(size)
    ]
    body += function.call
    targets = [f"positions[i, frame, {k}]" for k in range(3)] + [f"rotations[i, frame, {k}]" for k in range(4)]
    body += [f"{target} = {output}" for target, output in zip(targets, function.outputs, strict=True)]
    given = [f"place[i, {k}]" for k in range(3)] + [f"turn[i, {k}]" for k in range(4)]
    rest = [f"offsets[frame, {k}]" for k in range(3)] + [f"rests[frame, {k}]" for k in range(4)]
    lines = [
        "from math import cos, sin",
        *preamble(np.dtype(np.float64)),
        *function.definition,
        f"def kernel(start, stop, {PARAMETERS}):",
        "    for i in range(start, stop):",
        "        for frame in range(len(parents)):",
        "            parent = parents[frame]",
        "            if frame == base:",
        *indented([f"{target} = {source}" for target, source in zip(targets, given, strict=True)], 4),
        "            elif parent < 0:",
        *indented([f"{target} = {source}" for target, source in zip(targets, rest, strict=True)], 4),
        "            else:",
        *indented(body, 4),
    ]
    return "\n".join(lines) + "\n"


class RobotKernel(NamedTuple):
    """The kernel; there is one."""

    name: str = "robot"  # kernels are told apart by their fields

    def text(self) -> str:
        """The kernel's source."""
        return _text()

    def signature(self) -> str:
        """It takes start, stop, the table, the base, its place and turn, the angles, and the outputs."""
        matrix, numbers = array_type("float64", 2, "C"), array_type("int64", 1, "C")
        table = numbers, matrix, matrix, matrix, numbers, matrix, matrix
        written = array_type("float64", 3, "C", written=True)
        rows = "intp", matrix, matrix, array_type("float64", 2, "A"), written, written
        return nothing_from("intp", "intp", *table, *rows)


KERNEL = RobotKernel()


def forward(table: tuple[Array, ...], base: int, place: Array, turn: Array, angles: Array) -> tuple[Array, Array]:
    """World positions (rows, frames, 3) and rotations (rows, frames, 4) of all frames.

    Args:
        table: parents, offsets, rests, axes, columns, factors, addends.
        base: the frame whose position and rotation are given.
        place, turn: (rows, 3) and (rows, 4).
        angles: (rows, joints).
    """
    rows, frames = len(angles), len(table[0])
    positions, rotations = np.empty((rows, frames, 3)), np.empty((rows, frames, 4))
    worth = max(1, ROWS_PER_THREAD // frames)
    work = kernels.get(KERNEL) or loaded(KERNEL)
    threads.spread(work, rows, *table, base, place, turn, angles, positions, rotations, worth=worth)
    return positions, rotations
