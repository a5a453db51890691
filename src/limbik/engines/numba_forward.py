"""Forward kinematics of skeletons on Numba: each frame from the roots to the leaves, frames on all cores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.engines import numba_engine, threads
from limbik.engines.generated_source import indented
from limbik.engines.numba_compiler import array_type, nothing_from
from limbik.engines.numba_engine import RowFunction, preamble
from limbik.engines.thresholds import ROWS_PER_THREAD
from limbik.engines.trace import component, record
from limbik.formulas.chains import child_position, child_rotation
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
    return KERNEL in numba_engine.kernels


def forward(parents: Array, rotations: Array, translations: Array) -> tuple[Array, Array]:
    """World positions (..., joints, 3) and rotations (..., joints, 4) from local ones, of the same shapes."""
    joints = len(parents)
    local, offsets = rotations.reshape(-1, joints, ROTATION), translations.reshape(-1, joints, POSITION)
    positions, world = np.empty(offsets.shape), np.empty(local.shape)
    worth = max(1, ROWS_PER_THREAD // joints)
    work = numba_engine.kernels.get(KERNEL) or numba_engine.loaded(KERNEL)
    threads.spread(work, len(local), parents, local, offsets, positions, world, worth=worth)
    return positions.reshape(translations.shape), world.reshape(rotations.shape)
