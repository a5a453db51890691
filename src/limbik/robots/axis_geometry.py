"""How the axes of joints lie to one another: where they meet, whether they are parallel, and by how much they miss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array

DISTINCT_LENGTH = 1e-6  # metres: points nearer than this coincide
DISTINCT_ANGLE = 1e-3  # radians: axes that enclose less than this are parallel


@dataclass(frozen=True)
class Axes:
    """Lines in space.

    Attributes:
        directions: (n, 3), unit vectors.
        points: (n, 3), a point on each.
    """

    directions: Array
    points: Array

    def parallel(self, first: int, second: int) -> bool:
        """Whether two axes are parallel, to within a small angle."""
        return bool(np.linalg.norm(np.cross(self.directions[first], self.directions[second])) < DISTINCT_ANGLE)

    def distance_from(self, axis: int, point: Array) -> float:
        """The distance of a point from an axis."""
        direction, gap = self.directions[axis], point - self.points[axis]
        return float(np.linalg.norm(gap - direction * (direction @ gap)))

    def meeting(self, joints: Sequence[int]) -> tuple[Array, float] | None:
        """The point nearest to axes, and the largest distance of one from it; None where they are all parallel."""
        if all(self.parallel(joints[0], joint) for joint in joints[1:]):
            return None
        total, right = np.zeros((3, 3)), np.zeros(3)
        for joint in joints:
            across = np.eye(3) - np.outer(self.directions[joint], self.directions[joint])
            total += across
            right += across @ self.points[joint]
        point = np.linalg.solve(total, right)
        return point, max(self.distance_from(joint, point) for joint in joints)

    def common_direction(self, joints: Sequence[int]) -> tuple[Array, float]:
        """The mean direction of axes, along the first one, and the largest angle of one with it, radians."""
        chosen = self.directions[list(joints)]
        signs = np.where(chosen @ chosen[0] < 0, -1.0, 1.0)
        mean = (chosen * signs[:, None]).sum(axis=0)
        mean /= np.linalg.norm(mean)
        sines = np.linalg.norm(np.cross(chosen, mean), axis=1)
        return mean, float(np.arctan2(sines, np.abs(chosen @ mean)).max())
