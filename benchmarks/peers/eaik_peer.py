"""EAIK: closed forms in C++, found by decomposing the chain; gives every solution."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.bench.peer_tasks import Solver, Task
from limbik.bench.robot_rows import ArmSolver
from limbik.bench.timing import Work

PACKAGE = "eaik"
DISTRIBUTION = "eaik"


def solver(task: Task) -> Solver | None:
    """Takes the pose as a matrix; the first of its solutions is looked at."""
    from eaik.IK_HP import HPRobot  # pyright: ignore[reportMissingImports]

    robot = HPRobot(task.axes, np.vstack([np.zeros(3), task.links]))
    if not robot.hasKnownDecomposition():
        return None
    return Solver(np.asfortranarray, lambda pose: robot.IK(pose).Q, lambda found: task.tip(found[0]))


def arm_solver(arm: Task) -> ArmSolver:
    """One pose by `IK`, a batch by `IK_batched`."""
    from eaik.IK_HP import HPRobot  # pyright: ignore[reportMissingImports]

    robot = HPRobot(arm.axes, np.vstack([np.zeros(3), arm.links]))

    def one(pose: Array) -> Work:
        given = np.asfortranarray(pose)
        return lambda: robot.IK(given)

    def answers(found: Any, row: int | None) -> Array:
        solution = found if row is None else found[row]
        return np.array(solution.Q)[~np.array(solution.is_LS, bool)]  # without those that are only near

    return ArmSolver(one, lambda poses: lambda: robot.IK_batched(poses), answers)
