"""tinyik: a general optimiser over automatic differentiation; positions only."""

from __future__ import annotations

from typing import Any

from limbik.arrays import Array
from limbik.bench.peer_tasks import Solver, Task
from limbik.bench.peers import START

PACKAGE = "tinyik"
DISTRIBUTION = "tinyik"


def solver(task: Task) -> Solver | None:
    """Takes the tip's position; a leg's last link cannot be given a direction."""
    if len(task.axes) > 2:
        return None
    from tinyik import Actuator  # pyright: ignore[reportMissingImports]

    parts: list[Any] = []
    for axis, link in zip(task.axes, task.links, strict=True):
        parts += ["xyz"[int(axis.argmax())], link.tolist()]
    actuator = Actuator(parts)

    def solve(position: Array) -> Any:
        actuator.angles = [START] * len(task.axes)
        actuator.ee = position
        return actuator.angles

    return Solver(lambda pose: pose[:3, 3], solve, task.tip)
