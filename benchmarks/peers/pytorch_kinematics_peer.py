"""pytorch-kinematics: damped least squares on torch tensors; made for batches, here with one pose."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.bench.peer_tasks import Solver, Task
from limbik.bench.peers import START

PACKAGE = "pytorch_kinematics"
DISTRIBUTION = "pytorch-kinematics"


def solver(task: Task) -> Solver:
    """Takes the pose as a Transform3d; one start, its own tolerances (1 mm, 0.01 rad)."""
    import pytorch_kinematics as kinematics  # pyright: ignore[reportMissingImports]
    import torch  # pyright: ignore[reportMissingImports]

    chain = kinematics.build_serial_chain_from_urdf(_urdf(task), "tip").to(dtype=torch.float64)
    start = torch.full((1, len(task.axes)), START, dtype=torch.float64)
    weights: dict[str, Any] = {"orientation_weight": 0.0, "rot_tolerance": 10.0} if len(task.axes) == 2 else {}
    solver = kinematics.PseudoInverseIK(chain, retry_configs=start, enforce_joint_limits=False, **weights)

    def prepare(pose: Array) -> Any:
        return kinematics.Transform3d(matrix=torch.from_numpy(pose)[None], dtype=torch.float64)

    return Solver(prepare, solver.solve, lambda found: task.tip(found.solutions[0, 0].tolist()))


def _urdf(task: Task) -> str:
    """The chain in the language that robots are described in."""

    def joint(k: int, kind: str, offset: Array, axis: Array) -> str:
        where, about = (" ".join(map(str, vector)) for vector in (offset, axis))
        child = f"link_{k + 1}" if kind == "continuous" else "tip"
        return (
            f'<link name="{child}"/><joint name="joint_{k}" type="{kind}"><parent link="link_{k}"/>'
            f'<child link="{child}"/><origin xyz="{where}" rpy="0 0 0"/><axis xyz="{about}"/></joint>'
        )

    before = np.vstack([np.zeros(3), task.links[:-1]])
    hinges = [joint(k, "continuous", *both) for k, both in enumerate(zip(before, task.axes, strict=True))]
    tip = joint(len(hinges), "fixed", task.links[-1], task.axes[-1])
    return f'<robot name="limb"><link name="link_0"/>{"".join(hinges)}{tip}</robot>'
