"""What `limbik robot` tells about a robot, as a dictionary for JSON."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from limbik.errors import LimbikError
from limbik.robots.description import RobotJoint
from limbik.robots.robot import Robot
from limbik.robots.robot_limb import RobotLimb

POSES = 1000  # random poses by which a limb is measured


def robot_contents(path: Path, robot: Robot) -> dict[str, Any]:
    """Links, joints and limbs of a robot; limits that do not exist are null."""
    ends = robot.limb_ends()
    return {
        "file": str(path),
        "name": robot.name,
        "base": robot.base,
        "floating": robot.floating,
        "held": list(robot.held),
        "sites": list(robot.sites),
        "links": [
            {"name": name, "parent": robot.links[parent] if parent >= 0 else None}
            for name, parent in zip(robot.links, robot.parents, strict=True)
        ],
        "joints": [_joint(joint) for joint in (*robot.joints, *robot.mimics)],
        "limbs": {
            name: {"base": ends[name].base, "tip": ends[name].tip, "joints": list(limb.joints), **_solving(limb)}
            for name, limb in robot.limbs().items()
        },
    }


def _joint(joint: RobotJoint) -> dict[str, Any]:
    mimic = joint.mimic and {
        "joint": joint.mimic.joint,
        "multiplier": joint.mimic.multiplier,
        "offset": joint.mimic.offset,
    }
    return {
        "name": joint.name,
        "link": joint.link,
        "kind": joint.kind,
        "axis": list(joint.axis),
        "lower": joint.lower if isfinite(joint.lower) else None,
        "upper": joint.upper if isfinite(joint.upper) else None,
        "mimic": mimic,
    }


def _solving(limb: RobotLimb) -> dict[str, Any]:
    """The family of a limb, by how much its axes miss it, and what the answers leave; or why there is none."""
    try:
        family, (metres, radians) = limb.family, limb.miss
    except LimbikError as error:
        return {"family": None, "reason": str(error)}
    lower, upper = np.maximum(limb.lower, -np.pi), np.minimum(limb.upper, np.pi)
    angles = np.random.default_rng(0).uniform(lower, upper, (POSES, len(limb.joints)))
    solved = limb.solve(*limb.forward(angles))
    return {
        "family": family,
        "branches": limb.branch_count,
        "miss_metres": metres,
        "miss_radians": radians,
        "poses": POSES,
        "reached": int(np.sum(solved.reached)),
        "median_residual": float(np.median(solved.residual)),
        "worst_residual": float(np.max(solved.residual)),
    }
