"""A pose: how every joint of a skeleton stands in its parent's frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from limbik.arrays import Array
from limbik.errors import ShapeError
from limbik.rotations import multiply, rotate
from limbik.skeleton.aiming import aim
from limbik.skeleton.kinematics import forward
from limbik.skeleton.reach import reach
from limbik.skeleton.rig_limb import RigLimb
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

    def _repr_html_(self) -> str:
        """What notebooks show: the figure, to look at from all sides."""
        from limbik.pages.in_notebook import pose_html

        return pose_html(self)

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

    def reach(
        self,
        limb: RigLimb | Sequence[str | int],
        targets: Any,
        *,
        pole: Any = None,
        axis: Any = None,
        end_rotation: Any = None,
        end_direction: Any = None,
        weight: Any = 1.0,
        soften: Any = 1.0,
        limits: tuple[Any, Any] | None = None,
    ) -> Self:
        """The same with a limb's end at the targets, or as near as its bones let it; no other joint changes.

        The middle joint bends the way it bends in these poses, and no bone twists. A limb of four joints or more keeps
        the angle of its last part (from the third joint on) to the line from its root to its end.

        Args:
            limb: one of `find_limbs`, or three joints or more from root to tip, names or numbers.
            targets: (..., 3), in the world, metres.
            pole: (..., 3), a direction in the world to which the middle joint goes instead.
            axis: (..., 3), in the middle joint's frame: the hinge about which it bends instead, right-handed.
            end_rotation: (..., 4), xyzw: the end's rotation in the world; else it keeps its own relative to its parent.
            end_direction: (..., 3), in the world: where the last link of a limb of four joints points, or the end of a
                limb of three points its own bone (a foot its toe).
            weight: (...,), from 0, which changes nothing, to 1.
            soften: (...,), the fraction of the limb's length at which reaching begins to ease; 1 for not at all.
            limits: the range of the middle joint's bend, radians, 0 straight to π folded.
        """
        rotations = reach(
            self,
            limb,
            targets,
            pole=pole,
            axis=axis,
            end_rotation=end_rotation,
            end_direction=end_direction,
            weight=weight,
            soften=soften,
            limits=limits,
        )
        return self.with_(rotations=rotations)

    def aim(
        self,
        joint: str | int,
        targets: Any,
        *,
        axis: Any = (0.0, 0.0, 1.0),
        up: Any = (0.0, 1.0, 0.0),
        pole: Any = None,
        offset: Any = (0.0, 0.0, 0.0),
        limit: float = np.pi,
        weight: Any = 1.0,
    ) -> Self:
        """The same with one joint, a head or an eye, looking at the targets.

        Args:
            joint: its name or number.
            targets: (..., 3), in the world, metres.
            axis: (3,), in the joint's frame, the direction in which it looks.
            up: (3,), in the joint's frame; about it the joint turns to look straight back.
            pole: (..., 3), a direction in the world to which `up` is rolled; else the shortest turn is taken.
            offset: (3,), in the joint's frame, metres: where the line of sight begins, such as an eye.
            limit: the largest turn from the pose as it is, radians.
            weight: (...,), from 0, which changes nothing, to 1.
        """
        rotations = aim(self, joint, targets, axis=axis, up=up, pole=pole, offset=offset, limit=limit, weight=weight)
        return self.with_(rotations=rotations)


def _fitted(name: str, array: Any, shape: tuple[int, ...]) -> Array:
    try:
        return frozen(np.broadcast_to(np.asarray(array, float), shape))
    except ValueError:
        raise ShapeError(name, np.shape(array), f"{shape}, as the rotations") from None
