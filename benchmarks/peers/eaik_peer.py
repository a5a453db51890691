"""EAIK: closed forms in C++, found by decomposing the chain; gives every solution."""

from __future__ import annotations

import numpy as np

from limbik.bench.peer_tasks import Solver, Task

PACKAGE = "eaik"
DISTRIBUTION = "eaik"


def solver(task: Task) -> Solver | None:
    """Takes the pose as a matrix; the first of its solutions is looked at."""
    from eaik.IK_HP import HPRobot  # pyright: ignore[reportMissingImports]

    robot = HPRobot(task.axes, np.vstack([np.zeros(3), task.links]))
    if not robot.hasKnownDecomposition():
        return None
    return Solver(np.asfortranarray, lambda pose: robot.IK(pose).Q, lambda found: task.tip(found[0]))
