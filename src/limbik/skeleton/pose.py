"""A pose: how every joint of a skeleton stands in its parent's frame."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from limbik.errors import ShapeError
from limbik.skeleton.kinematics import forward
from limbik.skeleton.rotations import Array, multiply, rotate
from limbik.skeleton.skeleton import Skeleton, frozen


@dataclass(frozen=True, eq=False)
class Pose:
    """A skeleton posed, or many poses of it, on leading axes. Lengths are metres, +y is up.

    rotations: (..., joints, 4), xyzw; translations: (..., joints, 3); scales: (..., joints, 3), or None where nothing
    is scaled. Each is local: in the frame of the joint's parent. Arrays cannot be written to; `with_` makes a new pose.
    """

    skeleton: Skeleton
    rotations: Array
    translations: Array = None  # pyright: ignore[reportAssignmentType]
    scales: Array | None = None

    def __post_init__(self) -> None:
        joints = len(self.skeleton)
        rotations = frozen(self.rotations)
        if rotations.ndim < 2 or rotations.shape[-2:] != (joints, 4):
            raise ShapeError("rotations", rotations.shape, f"(..., {joints}, 4), a quaternion xyzw for each joint")
        batch = rotations.shape[:-2]
        translations = self.skeleton.translations if self.translations is None else self.translations
        self._keep("rotations", rotations)
        self._keep("translations", _fitted("translations", translations, (*batch, joints, 3)))
        if self.scales is not None:
            self._keep("scales", _fitted("scales", self.scales, (*batch, joints, 3)))

    def _keep(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    @classmethod
    def rest(cls, skeleton: Skeleton) -> Pose:
        """The skeleton as it rests."""
        scaled = not np.all(skeleton.scales == 1.0)
        return Pose(skeleton, skeleton.rotations, skeleton.translations, skeleton.scales if scaled else None)

    def with_(self, **changes: Any) -> Self:
        """The same with some fields replaced."""
        return replace(self, **changes)

    def world(self) -> tuple[Array, Array]:
        """World positions (..., joints, 3) and world rotations (..., joints, 4)."""
        return forward(self.skeleton.parents, self.rotations, self.translations, self.scales)

    def positions(self) -> Array:
        """World positions of the joints, (..., joints, 3), in metres."""
        return self.world()[0]

    def moved(self, translation: Any = (0.0, 0.0, 0.0), rotation: Any = (0.0, 0.0, 0.0, 1.0)) -> Self:
        """The whole figure turned about the world's origin by a rotation (..., 4), then shifted by (..., 3)."""
        turn, shift = np.asarray(rotation, float)[..., None, :], np.asarray(translation, float)[..., None, :]
        roots = list(self.skeleton.roots)
        rotations, translations = self.rotations.copy(), self.translations.copy()
        rotations[..., roots, :] = multiply(turn, rotations[..., roots, :])
        translations[..., roots, :] = rotate(turn, translations[..., roots, :]) + shift
        return self.with_(rotations=rotations, translations=translations)


def _fitted(name: str, array: Any, shape: tuple[int, ...]) -> Array:
    try:
        return frozen(np.broadcast_to(np.asarray(array, float), shape))
    except ValueError:
        raise ShapeError(name, np.shape(array), f"{shape}, as the rotations") from None
