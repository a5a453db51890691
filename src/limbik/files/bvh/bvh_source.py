"""What a clip remembers of the BVH file that it came from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array
from limbik.files.bvh.bvh_motion import Motion
from limbik.files.bvh.hierarchy import Hierarchy
from limbik.rotations import IDENTITY
from limbik.skeleton.skeleton import Skeleton

HALF = np.sqrt(0.5)
# The rotation that takes each axis to +y.
TURNS = {"x": np.array([0.0, 0.0, HALF, HALF]), "y": IDENTITY, "z": np.array([-HALF, 0.0, 0.0, HALF])}


@dataclass(frozen=True, eq=False)
class BvhSource:
    """A file's joints and numbers, to write it again with the same channels and, where nothing was changed, numbers.

    up: the file's axis that points up.
    """

    hierarchy: Hierarchy
    motion: Motion
    up: str

    def fits(self, skeleton: Skeleton) -> bool:
        """Whether these are the joints that the file had."""
        same_parents = np.array_equal(self.hierarchy.parents, skeleton.parents)
        return self.hierarchy.names == skeleton.names and same_parents

    def frames(self, times: Array) -> Array:
        """The file's frames at times (frames,) in seconds; −1 between them and beyond."""
        at = times * self.motion.fps
        frame = np.rint(at)
        there = (np.abs(at - frame) < 1e-3) & (frame >= 0) & (frame < len(self.motion.values))
        return np.where(there, frame, -1).astype(int)
