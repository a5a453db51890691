"""Forward kinematics of skeletons and of robots on Numba: each row from the root to the tips, rows on all cores."""

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
from limbik.formulas.chains import child_position, child_rotation, moved_frame
from limbik.formulas.operations import Quaternion, Vector

POSITION, ROTATION = 3, 4  # numbers of each


def child(turn: Quaternion, place: Vector, local: Quaternion, offset: Vector) -> tuple[Vector, Quaternion]:
    """A joint's world position and rotation, from its parent's (place and turn) and its own in its parent's frame."""
    return child_position(place, turn, offset), child_rotation(turn, local)


class ForwardKernel(NamedTuple):
    """The kernel; there is one."""

    name: str = "forward"  # kernels are told apart by their fields

    def text(self) -> str:
        """The kernel's source."""
        groups = {"turn": ROTATION, "place": POSITION, "local": ROTATION, "offset": POSITION}
        sources = {"turn": "world[i, parent, {}]", "place": "positions[i, parent, {}]"}
        sources |= {"local": "rotations[i, joint, {}]", "offset": "translations[i, joint, {}]"}
        function = RowFunction("child", record(child, groups, {}, rare=True))
        outputs = function.outputs
        body = [
            f"{component(name, k)} = {sources[name].format(k)}" for name, size in groups.items() for k in range(size)
        ]
        body += function.call
        body += [f"positions[i, joint, {k}] = {outputs[k]}" for k in range(POSITION)]
        body += [f"world[i, joint, {k}] = {outputs[POSITION + k]}" for k in range(ROTATION)]
        root = [f"positions[i, joint, {k}] = translations[i, joint, {k}]" for k in range(POSITION)]
        root += [f"world[i, joint, {k}] = rotations[i, joint, {k}]" for k in range(ROTATION)]
        lines = [
            *preamble(np.dtype(np.float64)),
            *function.definition,
            "def kernel(start, stop, parents, rotations, translations, positions, world):",
            "    for i in range(start, stop):",
            "        for joint in range(len(parents)):",
            "            parent = parents[joint]",
            "            if parent < 0:",
            *indented(root, 4),
            "            else:",
            *indented(body, 4),
        ]
        return "\n".join(lines) + "\n"

    def signature(self) -> str:
        """It takes start, stop, parents, local rotations and translations, and the outputs."""
        read, written = array_type("float64", 3, "A"), array_type("float64", 3, "C", written=True)
        return nothing_from("intp", "intp", array_type("int64", 1, "C"), read, read, written, written)


KERNEL = ForwardKernel()


def ready() -> bool:
    """Whether the kernel is loaded."""
    return KERNEL in kernels


def forward(parents: Array, rotations: Array, translations: Array) -> tuple[Array, Array]:
    """World positions (..., joints, 3) and rotations (..., joints, 4) from local ones, of the same shapes."""
    joints = len(parents)
    local, offsets = rotations.reshape(-1, joints, ROTATION), translations.reshape(-1, joints, POSITION)
    positions, world = np.empty(offsets.shape), np.empty(local.shape)
    rows_per_thread = max(1, ROWS_PER_THREAD // joints)
    work = kernels.get(KERNEL) or loaded(KERNEL)
    threads.spread(work, len(local), parents, local, offsets, positions, world, rows_per_thread=rows_per_thread)
    return positions.reshape(translations.shape), world.reshape(rotations.shape)


# Where each component {0} of the formula's groups lies.
ROBOT_SOURCES = {
    "place": (3, "positions[i, parent, {0}]"),
    "turn": (4, "rotations[i, parent, {0}]"),
    "offset": (3, "offsets[frame, {0}]"),
    "rest": (4, "rests[frame, {0}]"),
    "axis": (3, "axes[frame, {0}]"),
    "motion": (3, "motion[{0}]"),
}
ROBOT_MOTION = [
    "value = angles[i, columns[frame]]",
    "half = 0.5 * (factors[frame, 1] * value + addends[frame, 1])",
    "motion = (factors[frame, 0] * value + addends[frame, 0], cos(half), sin(half))",
]
ROBOT_GROUPS = {name: size for name, (size, _) in ROBOT_SOURCES.items()}
ROBOT_PARAMETERS = (
    "parents, offsets, rests, axes, columns, factors, addends, base, place, turn, angles, positions, rotations"
)


class RobotKernel(NamedTuple):
    """The kernel; there is one."""

    name: str = "robot"  # kernels are told apart by their fields

    def text(self) -> str:
        """The kernel's source."""
        function = RowFunction("moved_frame", record(moved_frame, ROBOT_GROUPS, {}, rare=True))
        body = [*ROBOT_MOTION]
        body += [
            f"{component(name, k)} = {place.format(k)}"
            for name, (size, place) in ROBOT_SOURCES.items()
            for k in range(size)
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
            f"def kernel(start, stop, {ROBOT_PARAMETERS}):",
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

    def signature(self) -> str:
        """It takes start, stop, the table, the base, its place and turn, the angles, and the outputs."""
        matrix, numbers = array_type("float64", 2, "C"), array_type("int64", 1, "C")
        table = numbers, matrix, matrix, matrix, numbers, matrix, matrix
        written = array_type("float64", 3, "C", written=True)
        rows = "intp", matrix, matrix, array_type("float64", 2, "A"), written, written
        return nothing_from("intp", "intp", *table, *rows)


ROBOT_KERNEL = RobotKernel()


def robot_forward(table: tuple[Array, ...], base: int, place: Array, turn: Array, angles: Array) -> tuple[Array, Array]:
    """World positions (rows, frames, 3) and rotations (rows, frames, 4) of all frames.

    Args:
        table: parents, offsets, rests, axes, columns, factors, addends.
        base: the frame whose position and rotation are given.
        place, turn: (rows, 3) and (rows, 4).
        angles: (rows, joints).
    """
    rows, frames = len(angles), len(table[0])
    positions, rotations = np.empty((rows, frames, 3)), np.empty((rows, frames, 4))
    rows_per_thread = max(1, ROWS_PER_THREAD // frames)
    work = kernels.get(ROBOT_KERNEL) or loaded(ROBOT_KERNEL)
    threads.spread(work, rows, *table, base, place, turn, angles, positions, rotations, rows_per_thread=rows_per_thread)
    return positions, rotations
