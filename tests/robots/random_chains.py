"""Random robot limbs of each family, and their forward kinematics by SciPy: nothing of limbik's."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from limbik.robots.screws import ScrewChain

Array = np.ndarray[Any, Any]

# By name: the joints whose axes meet, and those whose axes are parallel, base first.
FAMILIES: dict[str, tuple[int, list[tuple[int, ...]], list[tuple[int, ...]]]] = {
    "three parallel, last two meet": (6, [(4, 5)], [(1, 2, 3)]),
    "three parallel, first two meet": (6, [(0, 1)], [(2, 3, 4)]),
    "spherical wrist, inner parallel": (6, [(3, 4, 5)], [(1, 2)]),
    "spherical wrist, outer parallel": (6, [(3, 4, 5)], [(0, 1)]),
    "spherical wrist, inner meeting": (6, [(3, 4, 5), (1, 2)], []),
    "spherical wrist, outer meeting": (6, [(3, 4, 5), (0, 1)], []),
    "spherical shoulder, inner parallel": (6, [(0, 1, 2)], [(3, 4)]),
    "spherical shoulder, outer parallel": (6, [(0, 1, 2)], [(4, 5)]),
    "spherical shoulder, inner meeting": (6, [(0, 1, 2), (3, 4)], []),
    "spherical shoulder, outer meeting": (6, [(0, 1, 2), (4, 5)], []),
    "two parallel": (2, [], [(0, 1)]),
    "two": (2, [], []),
    "three parallel alone": (3, [], [(0, 1, 2)]),
    "three, last two parallel": (3, [], [(1, 2)]),
    "three, first two parallel": (3, [], [(0, 1)]),
    "three, last two meeting": (3, [(1, 2)], []),
    "three, first two meeting": (3, [(0, 1)], []),
    "five, leg": (5, [(0, 1, 2)], [(3, 4)]),
    "five, wrist": (5, [(3, 4)], [(1, 2)]),
    "five, three parallel": (5, [], [(1, 2, 3)]),
    "seven, swivel": (7, [(0, 1, 2), (4, 5, 6)], []),
    "seven, shoulder and last joint": (7, [(0, 1, 2), (4, 5)], []),
    "seven, wrist and last joint": (7, [(3, 4, 5)], [(1, 2)]),
}


def random_chain(family: str, seed: int, *, squared: bool = False, limit: float = np.inf) -> ScrewChain:
    """A limb of a family; `squared` has all axes along x, y or z, as real arms have."""
    count, meeting, parallel = FAMILIES[family]
    random = np.random.default_rng(seed)
    axes = random.normal(size=(count, 3))
    points = random.uniform(-0.4, 0.4, (count, 3))
    if squared:
        axes = np.eye(3)[_alternating(count, meeting, parallel, random)] * random.choice([-1.0, 1.0], (count, 1))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    for joints in meeting:
        points[list(joints)] = points[joints[0]]
    for joints in parallel:
        axes[list(joints)] = axes[joints[0]] * random.choice([-1.0, 1.0], (len(joints), 1))
    points += axes * random.uniform(-0.3, 0.3, (count, 1))  # any point of an axis describes it
    rotation = random.normal(size=4)
    return ScrewChain(
        tuple(f"joint {k}" for k in range(count)),
        axes,
        points,
        ("hinge",) * count,
        np.full(count, -limit),
        np.full(count, limit),
        random.uniform(-0.4, 0.4, 3),
        rotation / np.linalg.norm(rotation),
    )


def _alternating(
    count: int, meeting: list[tuple[int, ...]], parallel: list[tuple[int, ...]], random: np.random.Generator
) -> list[int]:
    """Which of x, y and z each axis is along: another than the one before, except where they are to be parallel."""
    chosen: list[int] = []
    for joint in range(count):
        together = any({joint, joint - 1} <= set(joints) for joints in parallel)
        others = [k for k in range(3) if not chosen or k != chosen[-1]]
        chosen.append(chosen[-1] if together else int(random.choice(others)))
    return chosen


def forward(chain: ScrewChain, angles: Array) -> tuple[Array, Rotation]:
    """The tip's position (rows, 3) and rotation for angles (rows, n)."""
    turned = np.tile(np.eye(3), (len(angles), 1, 1))
    shift = np.zeros((len(angles), 3))
    for k in range(len(chain)):
        turn = Rotation.from_rotvec(angles[:, k, None] * chain.axes[k]).as_matrix()
        offset = chain.points[k] - turn @ chain.points[k]
        shift = shift + np.einsum("nij,nj->ni", turned, offset)
        turned = turned @ turn
    rotation = Rotation.from_matrix(turned) * Rotation.from_quat(chain.rotation)
    return shift + turned @ chain.position, rotation


def largest_miss(chain: ScrewChain, angles: Array, position: Array, rotation: Rotation) -> float:
    """How far, at most, the tip is from its targets at angles (rows, n): metres or radians."""
    there, turned = forward(chain, angles)
    return float(max(np.abs(there - position).max(), (turned * rotation.inv()).magnitude().max()))


def jacobian(chain: ScrewChain, angles: Array) -> Array:
    """The tip's velocity and angular velocity for each joint, (rows, 6, n), by central differences of `forward`."""
    columns = []
    step = 1e-5
    for k in range(len(chain)):
        ahead, behind = (forward(chain, angles + sign * step * np.eye(len(chain))[k]) for sign in (1, -1))
        velocity = (ahead[0] - behind[0]) / (2 * step)
        spin = (ahead[1] * behind[1].inv()).as_rotvec() / (2 * step)
        columns.append(np.concatenate([velocity, spin], axis=1))
    return np.stack(columns, axis=2)


def angle_gap(first: Array, second: Array) -> Array:
    """The largest difference between angles, whole turns aside, (..., n) to (...,)."""
    return np.abs((first - second + np.pi) % (2 * np.pi) - np.pi).max(axis=-1)
