"""Robotics Toolbox for Python: Levenberg-Marquardt in C++."""

from __future__ import annotations

import numpy as np

from limbik.bench.peer_tasks import Solver, Task
from limbik.bench.peers import START

PACKAGE = "roboticstoolbox"
DISTRIBUTION = "roboticstoolbox-python"
# Weights of the error in x, y, z and the rotations about them.
MASKS = {"planar 2R": [1, 1, 0, 0, 0, 0], "leg 5R": [1, 1, 1, 1, 1, 1]}


def solver(task: Task) -> Solver:
    """Takes the pose as a matrix."""
    from roboticstoolbox import ET, ETS  # pyright: ignore[reportMissingImports]

    turns = (ET.Rx, ET.Ry, ET.Rz)
    moves = (ET.tx, ET.ty, ET.tz)
    parts = []
    for axis, link in zip(task.axes, task.links, strict=True):
        parts.append(turns[int(axis.argmax())]())
        parts += [move(float(part)) for move, part in zip(moves, link, strict=True) if part]
    chain = ETS(parts)
    start, mask = np.full(len(task.axes), START), np.array(MASKS[task.name], float)
    return Solver(
        np.ascontiguousarray,
        lambda pose: chain.ik_LM(pose, q0=start, mask=mask),
        lambda found: task.tip(found[0]),
    )
