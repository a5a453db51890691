"""jaik: closed forms of arms by Universal Robots, on JAX and Numba."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.bench.peer_tasks import Task
from limbik.bench.robot_rows import ArmSolver
from limbik.bench.timing import Work

PACKAGE = "jaik"
DISTRIBUTION = "jaik"


def arm_solver(arm: Task) -> ArmSolver:
    """Its own UR5e on Numba; in a batch, spread over the cores."""
    import jaik  # pyright: ignore[reportMissingImports]
    from numba import njit, prange

    _, solve, _ = jaik.make_robot("ur5e", solver="numba")

    @njit(parallel=True)
    def run(rotations: Any, positions: Any, out: Any) -> None:
        for row in prange(len(out)):
            out[row] = solve(rotations[row], positions[row])[0]

    def one(pose: Array) -> Work:
        rotation, position = np.ascontiguousarray(pose[:3, :3]), pose[:3, 3].copy()
        return lambda: solve(rotation, position)[0]

    def many(poses: Array) -> Work:
        rotations, positions = np.ascontiguousarray(poses[:, :3, :3]), poses[:, :3, 3].copy()
        out = np.empty((len(poses), 6, 8))

        def work() -> Array:
            run(rotations, positions, out)
            return out

        return work

    def answers(found: Any, row: int | None) -> Array:
        angles = (found if row is None else found[row]).T
        return angles[np.isfinite(angles).all(axis=1)]

    return ArmSolver(one, many, answers)
