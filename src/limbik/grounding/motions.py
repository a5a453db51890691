"""A grounded clip and what it came from, side by side: every foot before and after, where they can be compared."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from limbik.arrays import Array
from limbik.grounding.measures import FootMotion, angular_accelerations, bone_lengths, foot_motion

if TYPE_CHECKING:
    from limbik.grounding.ground import Grounded


@dataclass(frozen=True)
class FootMotions:
    """One foot: as recorded, put on the terrain carelessly, and grounded; and where its ball and heel stand.

    ball, heel: (frames,) bool. joints: the numbers of those of its leg and toes.
    """

    name: str
    pointlike: bool
    recorded: FootMotion
    careless: FootMotion
    grounded: FootMotion
    ball: Array
    heel: Array
    joints: tuple[int, ...]


@dataclass(frozen=True)
class Motions:
    """All feet of a grounded clip, before and after, without a stray pose in front of it.

    The careless clip is the recorded one, each frame raised by the height of the ground under its root.
    skipped: how many frames the stray pose takes. rise: (frames,), by how much the careless clip is raised, metres.
    root: (frames, 3), where the root is recorded. pelvis_offset: (frames, 3), how far the grounded one is from the
    careless one, metres. accelerations: (frames − 2, joints), recorded and grounded, radians a second squared.
    bone_change: the most by which a bone's length changed, metres.
    """

    source: Grounded
    skipped: int
    feet: tuple[FootMotions, ...]
    rise: Array
    root: Array
    pelvis_offset: Array
    accelerations: tuple[Array, Array]
    bone_change: float

    @classmethod
    def of(cls, grounded: Grounded) -> Motions:
        """Everything that is measured of what `ground` gave."""
        from limbik.grounding.ground import begins_with_a_stray_pose

        skipped = int(begins_with_a_stray_pose(grounded.before))
        before, after = grounded.before[skipped:], grounded.clip[skipped:]
        old, new = before.world(), after.world()
        root = before.skeleton.roots[0]
        rise = grounded.terrain.height(old[0][:, root][:, [0, 2]])
        up = np.stack([0.0 * rise, rise, 0.0 * rise], axis=-1)
        feet = []
        for k, foot in enumerate(grounded.feet):
            recorded = foot_motion(before, foot, *old)
            careless = replace(recorded, ball=recorded.ball + up, sole=recorded.sole + up[:, None])
            stands = np.asarray(grounded.clip.contacts)[skipped:, k], grounded.heels[skipped:, k]
            joints = (*foot.limb.path(after.skeleton), *foot.limb.toes)
            grounded_foot = foot_motion(after, foot, *new)
            feet.append(FootMotions(foot.limb.name, foot.pointlike, recorded, careless, grounded_foot, *stands, joints))
        changes = np.abs(bone_lengths(after, new[0]) - bone_lengths(before, old[0]))
        return cls(
            source=grounded,
            skipped=skipped,
            feet=tuple(feet),
            rise=rise,
            root=old[0][:, root],
            pelvis_offset=new[0][:, root] - old[0][:, root] - up,
            accelerations=(angular_accelerations(before), angular_accelerations(after)),
            bone_change=float(changes.max(initial=0.0)),
        )
