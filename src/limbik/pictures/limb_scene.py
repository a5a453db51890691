"""What a plot shows of a limb, in the plane or in space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array


@dataclass(frozen=True, eq=False)
class LimbScene:
    """A pose, its inputs, and the annulus around its origin that the first two links reach."""

    joints: Array  # (joints, 2 or 3)
    names: tuple[str, ...]
    target: Array
    near: float
    far: float
    ghosts: Sequence[Array] = ()  # joints of other poses
    up: Array | None = None  # requested direction of the last link; in a planar view, its part in the plane
    pole: Array | None = None  # that of the middle joint
    last: float = 0.0  # length of the last link; 0 to measure it

    def __post_init__(self) -> None:
        if not self.last:
            object.__setattr__(self, "last", float(np.linalg.norm(self.joints[-1] - self.joints[-2])))

    @property
    def origin(self) -> Array:
        """Where the limb is attached."""
        return self.joints[0]
