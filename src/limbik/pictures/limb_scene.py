"""What a picture shows of a limb, in the plane or in space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array


@dataclass(frozen=True)
class Scene:
    """A pose, what was asked of it, and the ring around its origin that the first two links can reach."""

    joints: Array  # (joints, 2 or 3)
    names: tuple[str, ...]
    target: Array
    near: float
    far: float
    ghosts: Sequence[Array] = ()  # joints of other poses
    up: Array | None = None  # the last link's direction as asked; in a flat view, its part in the plane
    pole: Array | None = None  # the middle joint's, likewise
    last: float = 0.0  # length of the last link; 0 to measure it

    def __post_init__(self) -> None:
        if not self.last:
            object.__setattr__(self, "last", float(np.linalg.norm(self.joints[-1] - self.joints[-2])))

    @property
    def origin(self) -> Array:
        """Where the limb is attached."""
        return self.joints[0]
