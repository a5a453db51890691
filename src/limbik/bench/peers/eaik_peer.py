"""EAIK: closed forms in C++, found by decomposing the chain; gives every solution."""

from __future__ import annotations

import numpy as np

from limbik.bench.jobs import Job, Solver

PACKAGE = "eaik"
DISTRIBUTION = "eaik"


def solver(job: Job) -> Solver | None:
    """Takes the pose as a matrix; the first of its solutions is looked at."""
    from eaik.IK_HP import HPRobot  # pyright: ignore[reportMissingImports]

    robot = HPRobot(job.axes, np.vstack([np.zeros(3), job.links]))
    if not robot.hasKnownDecomposition():
        return None
    return Solver(np.asfortranarray, lambda pose: robot.IK(pose).Q, lambda found: job.tip(found[0]))
