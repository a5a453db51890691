"""The tasks for limbik and its peers: chains of hinges and the poses their tips are to reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.bench.measured_limbs import LEG_LENGTHS, PLANAR_LENGTHS

TARGETS = 64


@dataclass(frozen=True, eq=False)
class Task:
    """A chain of hinges and the poses that its tip is to reach.

    axes: (hinges, 3), at rest. links: (hinges, 3), the offset after each hinge. poses: (targets, 4, 4), all reachable.
    """

    name: str
    lengths: tuple[float, ...]
    axes: Array
    links: Array
    poses: Array

    def pose(self, angles: Any) -> Array:
        """The pose of the tip, (4, 4), for joint angles; rotation matrices, independent of limbik and the peers."""
        pose = np.eye(4)
        for axis, link, angle in zip(self.axes, self.links, angles, strict=True):
            pose[:3, :3] = pose[:3, :3] @ _rotation(axis, float(angle))
            pose[:3, 3] += pose[:3, :3] @ link
        return pose

    def tip(self, angles: Any) -> Array:
        """The position of the tip, (3,)."""
        return self.pose(angles)[:3, 3]


@dataclass(frozen=True)
class Solver:
    """A package's way to do a task: `prepare` a pose (untimed), `solve` it (timed), `tip` of the result."""

    prepare: Callable[[Array], Any]
    solve: Callable[[Any], Any]
    tip: Callable[[Any], Array]


def _rotation(axis: Array, angle: float) -> Array:
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


@cache
def planar_task() -> Task:
    """A planar arm of two links."""
    first, second = PLANAR_LENGTHS
    axes = np.array([[0.0, 0, 1], [0, 0, 1]])
    return _task("planar 2R", PLANAR_LENGTHS, axes, np.array([[first, 0, 0], [second, 0, 0]]))


@cache
def leg_task() -> Task:
    """A leg: three intersecting hinges at the hip, knee and ankle."""
    axes = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0], [1, 0, 0], [1, 0, 0]])
    links = np.zeros((5, 3))
    links[2:, 2] = LEG_LENGTHS
    return _task("leg 5R", LEG_LENGTHS, axes, links)


def tasks() -> list[Task]:
    """Every task."""
    return [planar_task(), leg_task()]


@cache
def arm_task() -> Task:
    """A UR5e in the frames of its Denavit–Hartenberg parameters, except that its tip is not turned at zero."""
    axes = np.array([[0.0, 0, 1], [0, -1, 0], [0, -1, 0], [0, -1, 0], [0, 0, -1], [0, -1, 0]])
    links = [[0, 0, 0.1625], [-0.425, 0, 0], [-0.3922, 0, 0], [0, -0.1333, 0], [0, 0, -0.0997], [0, -0.0996, 0]]
    return _task("UR5e 6R", (0.425, 0.3922), axes, np.array(links), (2, 4))


def _task(
    name: str, lengths: tuple[float, ...], axes: Array, links: Array, bent: tuple[int, ...] | None = None
) -> Task:
    """A task whose poses come from random angles, away from the straight limb; `bent` are the joints that decide."""
    rng = np.random.default_rng(1)
    chain = Task(name, lengths, axes, links, np.empty((0, 4, 4)))
    angles = rng.uniform(-1.2, 1.2, (TARGETS, len(axes)))
    for joint in bent or (len(axes) - 2 if len(axes) > 2 else 1,):  # the knee, the elbow
        angles[:, joint] = rng.uniform(0.3, 2.2, TARGETS) * rng.choice([-1, 1], TARGETS)
    return Task(name, lengths, axes, links, np.array([chain.pose(one) for one in angles]))
