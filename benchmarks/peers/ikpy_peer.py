"""IKPy: least squares by SciPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.bench.peer_tasks import Solver, Task
from limbik.bench.peers import START

PACKAGE = "ikpy"
DISTRIBUTION = "ikpy"


def solver(task: Task) -> Solver:
    """Takes a position, and for the leg the direction of the last link, its frame's z."""
    from ikpy.chain import Chain  # pyright: ignore[reportMissingImports]
    from ikpy.link import OriginLink, URDFLink  # pyright: ignore[reportMissingImports]

    before = np.vstack([np.zeros(3), task.links[:-1]])  # URDF: what lies before each hinge
    hinges = [
        URDFLink(f"hinge_{k}", origin_translation=offset, origin_orientation=np.zeros(3), rotation=axis)
        for k, (offset, axis) in enumerate(zip(before, task.axes, strict=True))
    ]
    tip = URDFLink("tip", origin_translation=task.links[-1], origin_orientation=np.zeros(3), joint_type="fixed")
    active = [False] + [True] * len(hinges) + [False]
    chain = Chain([OriginLink(), *hinges, tip], active_links_mask=active)
    start = np.array([0.0, *[START] * len(hinges), 0.0])
    directed = len(hinges) > 2

    def prepare(pose: Array) -> dict[str, Any]:
        wanted: dict[str, Any] = {"target_position": pose[:3, 3]}
        return {**wanted, "target_orientation": pose[:3, 2], "orientation_mode": "Z"} if directed else wanted

    return Solver(
        prepare,
        lambda wanted: chain.inverse_kinematics(**wanted, initial_position=start),
        lambda found: task.tip(found[1:-1]),
    )
