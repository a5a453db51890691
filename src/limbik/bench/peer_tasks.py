"""What the peers are asked: one target after the other, the same poses for everyone."""

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
    """A chain of hinges and the poses that its tip is to take.

    `axes` (hinges, 3) are the hinges' axes at rest, `links` (hinges, 3) what follows each hinge; all poses (targets, 4,
    4) can be reached exactly.
    """

    name: str
    lengths: tuple[float, ...]
    axes: Array
    links: Array
    poses: Array

    def pose(self, angles: Any) -> Array:
        """The tip's pose, (4, 4), for some angles: by rotation matrices, and by no one's code but this."""
        pose = np.eye(4)
        for axis, link, angle in zip(self.axes, self.links, angles, strict=True):
            pose[:3, :3] = pose[:3, :3] @ _rotation(axis, float(angle))
            pose[:3, 3] += pose[:3, :3] @ link
        return pose

    def tip(self, angles: Any) -> Array:
        """Where the tip is."""
        return self.pose(angles)[:3, 3]


@dataclass(frozen=True)
class Solver:
    """How someone does a task: `prepare` a pose as they want it (not timed), `solve` it (timed), tell the tip."""

    prepare: Callable[[Array], Any]
    solve: Callable[[Any], Any]
    tip: Callable[[Any], Array]


def _rotation(axis: Array, angle: float) -> Array:
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


@cache
def planar_task() -> Task:
    """Two links in the plane."""
    first, second = PLANAR_LENGTHS
    axes = np.array([[0.0, 0, 1], [0, 0, 1]])
    return _task("planar 2R", PLANAR_LENGTHS, axes, np.array([[first, 0, 0], [second, 0, 0]]))


@cache
def leg_task() -> Task:
    """A leg: three hinges that meet in the hip, knee, ankle."""
    axes = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0], [1, 0, 0], [1, 0, 0]])
    links = np.zeros((5, 3))
    links[2:, 2] = LEG_LENGTHS
    return _task("leg 5R", LEG_LENGTHS, axes, links)


def tasks() -> list[Task]:
    """All of them."""
    return [planar_task(), leg_task()]


def _task(name: str, lengths: tuple[float, ...], axes: Array, links: Array) -> Task:
    """The poses are those of random angles, a good way from the straight limb."""
    rng = np.random.default_rng(1)
    chain = Task(name, lengths, axes, links, np.empty((0, 4, 4)))
    angles = rng.uniform(-1.2, 1.2, (TARGETS, len(axes)))
    bent = len(axes) - 2 if len(axes) > 2 else 1  # the knee, the elbow
    angles[:, bent] = rng.uniform(0.3, 2.2, TARGETS) * rng.choice([-1, 1], TARGETS)
    return Task(name, lengths, axes, links, np.array([chain.pose(one) for one in angles]))
