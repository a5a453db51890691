"""Every solution for a target, and which of them share their joints."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from limbik.arrays import HANDLERS, Array
from limbik.limbs.array_types import ArrayType
from limbik.limbs.solution import Solution

BLOCK = 4096  # targets whose branches are compared together


class Branches(Solution[ArrayType]):
    """Every solution for the targets, on a leading axis: as `branches` of a limb returns it."""

    @cached_property
    def same_joints_as(self) -> Array:
        """For each branch, (branches, ...), the first branch with the same joints: they differ in angles only."""
        joints: Any = HANDLERS[self._library].numpy(self.joints) if self._library else self.joints
        count, shape = len(joints), joints.shape[1:-2]
        flat = joints.reshape(count, -1, *joints.shape[-2:])
        same = np.empty(flat.shape[:2], np.intp)
        for start in range(0, flat.shape[1], BLOCK):
            part = flat[:, start : start + BLOCK]
            extent = np.abs(part - part[..., :1, :]).max(axis=(0, -1, -2))
            gaps = np.abs(part[:, None] - part[None]).max(axis=(-1, -2))
            # Near full stretch the middle joint stands off by the root of what the chord lacks.
            near = np.sqrt(64 * np.finfo(joints.dtype).eps) * extent
            same[:, start : start + BLOCK] = np.argmax(gaps <= near, axis=1)
        return same.reshape(count, *shape)

    def others(self, solution: Solution[ArrayType]) -> list[Array]:
        """The branches of a single target that look different from a solution.

        Args:
            solution: a solution for the same target.

        Returns:
            Their joints, each (joints, 2 or 3).

        Raises:
            TypeError: if the branches are those of a batch.
        """
        if self.shape != (len(self),):
            raise TypeError("others() compares the branches of a single target")
        joints: Any = self.joints
        poses = [joints[k] for k in sorted(set(self.same_joints_as.tolist()))]
        pose_joints: Any = solution.joints
        extent = float(np.abs(pose_joints - pose_joints[0]).max())
        return [pose for pose in poses if np.abs(pose - pose_joints).max() > 1e-6 * extent]

    @property
    def distinct(self) -> Array:
        """Which branches, (branches, ...), are solutions of their own: where the limb is straight, bends coincide."""
        half = len(self) // 2
        twin = self.same_joints_as[half:] < half
        return np.concatenate([np.ones_like(twin), ~twin])
