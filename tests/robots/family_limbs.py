"""One limb of each family of robot limbs, with limits, for tests of what all families have in common."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from limbik.robots.robot_limb import RobotLimb
from limbik.robots.screws import ScrewChain
from tests.robots.random_chains import Array, random_chain

LIMIT = 2.5  # radians, of hinges
CLOSED = {
    "2R": "two parallel",
    "3R": "three, last two parallel",
    "3R, planar": "three parallel alone",
    "5R": "five, wrist",
    "6R, three parallel": "three parallel, last two meet",
    "6R, wrist": "spherical wrist, inner parallel",
    "6R, shoulder": "spherical shoulder, outer meeting",
    "7R, swivel": "seven, swivel",
    "7R, last joint": "seven, wrist and last joint",
}
ITERATIVE = {"3, slide": (3, 1), "4, iterative": (4, None), "6, iterative": (6, 2), "8, iterative": (8, 3)}
FAMILY_LIMBS = [*CLOSED, "6R, rounded", "6R, guess", "7R, nearly", *ITERATIVE]


@cache
def family_limb(name: str) -> RobotLimb:
    """The limb of a family, one of FAMILY_LIMBS."""
    if name in CLOSED:
        return RobotLimb(random_chain(CLOSED[name], 2, squared=True, limit=LIMIT))
    if name in ITERATIVE:
        return RobotLimb(_iterative(*ITERATIVE[name]))
    chain = random_chain("seven, swivel" if "7R" in name else CLOSED["6R, wrist"], 2, squared=True, limit=LIMIT)
    shift = np.zeros((len(chain), 3))
    if name == "6R, guess":  # the last axis passes the point where the two before it meet
        shift[5] = 0.03 * np.cross(chain.axes[4], chain.axes[5])
    else:
        shift = np.random.default_rng(0).normal(size=shift.shape) * (1e-5 if "rounded" in name else 0.06)
    return RobotLimb(replace(chain, points=chain.points + shift))


def _iterative(joints: int, slide: int | None) -> ScrewChain:
    """Joints in general position, one of them perhaps a slide."""
    random = np.random.default_rng(joints)
    axes = random.normal(size=(joints, 3))
    kinds, limits = ["hinge"] * joints, np.full(joints, LIMIT)
    if slide is not None:
        kinds[slide], limits[slide] = "slide", 0.3
    return ScrewChain(
        tuple(f"joint {k}" for k in range(joints)),
        axes / np.linalg.norm(axes, axis=1, keepdims=True),
        random.uniform(-0.4, 0.4, (joints, 3)),
        tuple(kinds),
        -limits,
        limits,
        random.uniform(-0.4, 0.4, 3),
        np.array([0.0, 0.0, 0.0, 1.0]),
    )


def reachable_poses(limb: RobotLimb, rows: int, seed: int = 5) -> tuple[Array, Array, Array]:
    """Angles well within limits, and the poses of the tip there: (rows, n), (rows, 3) and (rows, 4)."""
    lower, upper = limb.range_of_starts
    share = np.random.default_rng(seed).uniform(0.15, 0.85, (rows, len(limb.joints)))
    angles = lower + share * (upper - lower)
    return angles, *limb.forward(angles)
