"""A pose: the transform of every joint of a skeleton in its parent's frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self, overload

import numpy as np

from limbik.arguments import broadcast, instance
from limbik.arrays import Array
from limbik.errors import ArgumentError, ShapeError
from limbik.rotations import multiply, rotate
from limbik.skeleton.aim import aim
from limbik.skeleton.kinematics import forward, world_matrices
from limbik.skeleton.reach import Request, reach_limb
from limbik.skeleton.skeleton import RigLimb, Skeleton, as_frozen_array, freeze

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from limbik.skeleton.ends import EndName, Goal


@dataclass(frozen=True, eq=False)
class Pose:
    """A posed skeleton, or many poses of it on leading axes. Lengths are metres, +y is up. Immutable.

    Each array is local: in the frame of the joint's parent. Arrays that others could still change are copied. Poses
    compare by identity; `with_` makes a changed copy.

    Args:
        skeleton: The joints.
        rotations: (..., joints, 4) quaternions xyzw.
        translations: (..., joints, 3) metres (default: the skeleton's at rest).
        scales: (..., joints, 3), or None where nothing is scaled (default).

    Raises:
        ArgumentError: The skeleton is not a Skeleton, or a value is not a number.
        ShapeError: An array does not fit the skeleton's joints.
    """

    skeleton: Skeleton
    rotations: Array
    translations: Array = None  # pyright: ignore[reportAssignmentType]
    scales: Array | None = None

    def __post_init__(self) -> None:
        instance("skeleton", self.skeleton, Skeleton, "a limbik.Skeleton")
        joints = len(self.skeleton)
        rotations = as_frozen_array("rotations", self.rotations)
        if rotations.ndim < 2 or rotations.shape[-2:] != (joints, 4):
            raise ShapeError("rotations", rotations.shape, f"(..., {joints}, 4), a quaternion xyzw for each joint")
        translations = self.skeleton.translations if self.translations is None else self.translations
        self._keep("rotations", rotations)
        for name, value in (("translations", translations), ("scales", self.scales)):
            if value is not None:
                array, shape = as_frozen_array(name, value), (*rotations.shape[:-1], 3)
                self._keep(name, array if array.shape == shape else broadcast(name, array, shape, ", as the rotations"))

    def _keep(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _repr_html_(self) -> str:
        """HTML for notebooks: the figure, to be viewed from all sides."""
        from limbik.pages.in_notebook import pose_html

        return pose_html(self)

    @classmethod
    def rest(cls, skeleton: Skeleton) -> Pose:
        """The rest pose.

        Args:
            skeleton: The joints.

        Returns:
            One pose, without leading axes.

        Raises:
            ArgumentError: The skeleton is not a Skeleton.
        """
        instance("skeleton", skeleton, Skeleton, "a limbik.Skeleton")
        scaled = not np.all(skeleton.scales == 1.0)
        return Pose(skeleton, skeleton.rotations, skeleton.translations, skeleton.scales if scaled else None)

    def with_(self, **changes: object) -> Self:
        """A copy with some fields replaced.

        Args:
            **changes: New values by the names of the fields.

        Returns:
            The changed copy.

        Raises:
            ArgumentError: There is no such field, or a value does not fit.
        """
        unknown = changes.keys() - self.__dataclass_fields__
        if unknown:
            raise ArgumentError("with_", min(unknown), "fields: " + ", ".join(self.__dataclass_fields__))
        return replace(self, **self._complete_changes(changes))

    def _complete_changes(self, changes: dict[str, object]) -> dict[str, object]:
        """Changes with those that they entail."""
        return changes

    def world(self) -> tuple[Array, Array]:
        """The joints in the world.

        Returns:
            Positions (..., joints, 3), metres, and rotations (..., joints, 4), quaternions xyzw.
        """
        return forward(self.skeleton.parents, self.rotations, self.translations, self.scales)

    def positions(self) -> Array:
        """The positions of the joints in the world.

        Returns:
            (..., joints, 3), metres.
        """
        return self.world()[0]

    def world_matrices(self) -> Array:
        """The affine transforms from each joint's frame to the world, scales included.

        Returns:
            (..., joints, 3, 4): the joint's axes, then its position, as columns.
        """
        return world_matrices(self.skeleton.parents, self.rotations, self.translations, self.scales)

    def moved(self, translation: ArrayLike = (0.0, 0.0, 0.0), rotation: ArrayLike = (0.0, 0.0, 0.0, 1.0)) -> Self:
        """The whole figure, rotated about the world's origin, then translated.

        Args:
            translation: (..., 3), metres.
            rotation: (..., 4), unit quaternions xyzw.

        Returns:
            The moved pose or clip.

        Raises:
            ShapeError: An argument does not broadcast with the poses.
        """
        batch = self.rotations.shape[:-2]
        turn, shift = (
            broadcast(name, value, (*batch, width))[..., None, :]
            for name, value, width in (("rotation", rotation, 4), ("translation", translation, 3))
        )
        roots = list(self.skeleton.roots)
        rotations, translations = self.rotations.copy(), self.translations.copy()
        rotations[..., roots, :] = multiply(turn, rotations[..., roots, :])
        translations[..., roots, :] = rotate(turn, translations[..., roots, :]) + shift
        return self.with_(rotations=freeze(rotations), translations=freeze(translations))

    @overload
    def reach(
        self,
        limb: RigLimb | str | Sequence[str | int],
        targets: ArrayLike,
        *,
        pole: ArrayLike | None = None,
        axis: ArrayLike | None = None,
        end_rotation: ArrayLike | None = None,
        end_direction: ArrayLike | None = None,
        weight: ArrayLike = 1.0,
        soften: ArrayLike = 1.0,
        middle_limits: tuple[float, float] | None = None,
    ) -> Self: ...
    @overload
    def reach(
        self,
        limb: Mapping[EndName, ArrayLike | Goal],
        *,
        hold: Sequence[EndName] | None = None,
        order: Sequence[EndName] = (),
        chest_share: float = 0.5,
        weight: ArrayLike = 1.0,
    ) -> Self: ...
    def reach(
        self,
        limb: RigLimb | str | Sequence[str | int] | Mapping[EndName, ArrayLike | Goal],
        targets: ArrayLike | None = None,
        *,
        pole: ArrayLike | None = None,
        axis: ArrayLike | None = None,
        end_rotation: ArrayLike | None = None,
        end_direction: ArrayLike | None = None,
        weight: ArrayLike = 1.0,
        soften: ArrayLike = 1.0,
        middle_limits: tuple[float, float] | None = None,
        hold: Sequence[EndName] | None = None,
        order: Sequence[EndName] = (),
        chest_share: float = 0.5,
    ) -> Self:
        """Brings the end of a limb to targets, or several ends of the figure at once: `reach({"left_hand": …})`.

        **One limb**: no other joint changes. The middle joint bends the way it bends in these poses, and no bone
        twists. In a limb of four joints the last link keeps its angle to the line from the limb's root to its end. Of
        five joints or more (a spine, a tail, a finger) all but the end bend, along an arc on top of their shape.

        **Several ends**: pelvis and spine follow as little as needed, and feet that are not named stay where they are:
        `limbik.reach_ends` describes it, and tells what each end has reached.

        A frame that holds NaN or infinity, in the joints concerned or in an argument, gets NaN for these joints; other
        frames are not affected.

        Args:
            limb: The name of a limb ("left_arm"), a limb of `find_limbs`, or three joints or more from root to tip, by
                name or number. Or a dict of ends and their targets (..., 3).
            targets: (..., 3), world positions, metres; one for each frame, or one for all. Not with a dict.
            pole: (..., 3), a world direction in which the middle joint points (default: as in these poses).
            axis: (..., 3), the hinge of the middle joint in its own frame, right-handed (default: as in these poses).
            end_rotation: (..., 4), quaternions xyzw: the world rotation of the end (default: as it was, relative to
                its parent).
            end_direction: (..., 3), a world direction: of the last link in a limb of four joints or more (what
                `ThreeLink.solve` calls up); in a limb of three joints, of the bone beyond its end (a foot's toe).
            weight: (...,), from 0 (no change) to 1 (default).
            soften: (...,), the fraction of the limb's length from which on reaching eases (default: 1, never).
            middle_limits: The smallest and largest bend of the middle joint, or of each one of five joints or more,
                radians, 0 straight to π folded.
            hold: With a dict, and only with it, as `order` and `chest_share`; of the options above, `weight` alone goes
                with a dict. Ends that stay where they are unless they have a target (default: feet that stand).
            order: Ends to meet before all others, the most important first.
            chest_share: The chest's share in the movement of the torso, from 0 to 1.

        Returns:
            The new pose or clip.

        Raises:
            ArgumentError: There is no such limb, end or joint, or an argument is out of range.
            ShapeError: An argument does not broadcast with the poses.
        """
        request = Request(targets, pole, axis, end_rotation, end_direction, soften, middle_limits)
        if isinstance(limb, Mapping):
            from limbik.skeleton.reach_ends import reach_ends

            if request.asks:
                wanted = "limbik.Goal(position, rotation=…, direction=…, pole=…) for each end"
                raise ArgumentError("reach", "options of one limb with a dict of ends", wanted)
            posed = reach_ends(self, limb, hold=hold, order=order, chest_share=chest_share, weight=weight).pose
            return posed  # pyright: ignore[reportReturnType]  # of the kind of `self`
        if targets is None or hold is not None or order or chest_share != 0.5:
            given = "no targets" if targets is None else "hold, order or chest_share with one limb"
            raise ArgumentError("reach", given, 'a limb and its targets, or a dict of ends: {"left_hand": targets}')
        return reach_limb(self, limb, request, weight)

    def aim(
        self,
        joint: str | int,
        targets: ArrayLike,
        *,
        axis: ArrayLike = (0.0, 0.0, 1.0),
        up_axis: ArrayLike = (0.0, 1.0, 0.0),
        pole: ArrayLike | None = None,
        offset: ArrayLike = (0.0, 0.0, 0.0),
        max_angle: float = np.pi,
        weight: ArrayLike = 1.0,
    ) -> Self:
        """Turns one joint, such as a head or an eye, to look at targets.

        Args:
            joint: Its name, in any case where that is unambiguous, or its number.
            targets: (..., 3), world positions, metres; one for each frame, or one for all.
            axis: (3,), the direction in which the joint looks, in its own frame.
            up_axis: (3,), the joint's up direction in its own frame; to look straight back the joint turns about it.
            pole: (..., 3), a world direction to which `up_axis` is rolled (default: the shortest turn, no roll).
            offset: (3,), where the line of sight begins, such as an eye, in the joint's frame, metres.
            max_angle: The largest turn from the pose as it is, radians (default: π, unlimited).
            weight: (...,), from 0 (no change) to 1 (default).

        Returns:
            The new pose or clip.

        Raises:
            ArgumentError: There is no such joint, or an argument is out of range.
            ShapeError: An argument does not broadcast with the poses.
        """
        rotations = aim(self, joint, targets, axis, up_axis, pole, offset, max_angle, weight)
        return self.with_(rotations=freeze(rotations))
