"""ssik: closed forms and polynomials for arms of six and seven joints, prepared for the arms that it knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.bench.peer_tasks import Task
from limbik.bench.robot_rows import ArmSolver
from limbik.bench.timing import Work

PACKAGE = "ssik"
DISTRIBUTION = "ssik"
# Its frames are those of ROS: the base is turned by half a turn about z, the tip by a quarter about x.
BASE = np.diag([-1.0, -1.0, 1.0, 1.0])
TIP = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])


def arm_solver(arm: Task) -> ArmSolver:
    """Its own UR5e, each answer once: not also with whole turns added."""
    from ssik.prebuilt import ur5e_ik  # pyright: ignore[reportMissingImports]

    def one(pose: Array) -> Work:
        given = np.ascontiguousarray(BASE @ pose @ TIP)
        return lambda: ur5e_ik.solve(given, enumerate_windings=False)

    def answers(found: Any, row: int | None) -> Array:
        return np.array([solution.q for solution in found])

    return ArmSolver(one, None, answers)
