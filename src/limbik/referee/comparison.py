"""Two versions of a clip side by side: every foot before and after it was put on a terrain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from limbik.arrays import Array
from limbik.referee.foot_motion import FootMotion, angular_accelerations, bone_lengths, foot_motion
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import Foot
from limbik.skeleton.stray_pose import begins_with_stray_pose
from limbik.terrains.base import Terrain


@dataclass(frozen=True, eq=False)
class FootComparison:
    """One foot before, before on the terrain, and after; and the frames in which its ball and heel stand.

    Attributes:
        name: Name of the limb, such as "left_leg".
        pointlike: Whether the foot is a point, without a heel.
        before: The foot in the original clip.
        before_on_terrain: The same, each frame raised by the terrain's height under the root.
        after: The foot in the new clip.
        ball: (frames,) bool; where the ball stands.
        heel: (frames,) bool; where the heel stands.
        joints: Indices of the joints of its leg and toes.
    """

    name: str
    pointlike: bool
    before: FootMotion
    before_on_terrain: FootMotion
    after: FootMotion
    ball: Array
    heel: Array
    joints: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Comparison:
    """All feet of two versions of a clip. Arrays leave out a stray pose in front of the motion.

    Attributes:
        before: The original clip.
        after: The new clip, of the same frames and joints.
        terrain: The terrain that the new clip moves on.
        feet: One comparison for each foot.
        skipped: Number of frames left out in front (0 or 1).
        rise: (frames,) height of the terrain under the original root, in metres.
        pelvis_offset: (frames, 3) from the original root, raised by `rise`, to the new one, in metres.
        accelerations: Angular accelerations before and after, (frames − 2, joints) each, in rad/s².
        bone_change: Largest change of a bone's length in metres.
        extension: Fraction of the leg's length beyond which a leg counts as out of reach.
        tilt_limit: Slope in radians beyond which a sole need not follow the ground.
    """

    before: Clip
    after: Clip
    terrain: Terrain
    feet: tuple[FootComparison, ...]
    skipped: int
    rise: Array
    pelvis_offset: Array
    accelerations: tuple[Array, Array]
    bone_change: float
    extension: float
    tilt_limit: float


def raised_to(terrain: Terrain, root: Array) -> Array:
    """Translations (frames, 3) that raise each frame by the terrain's height under its root (frames, 3)."""
    rise = terrain.height(root[:, [0, 2]])
    return np.stack([0.0 * rise, rise, 0.0 * rise], axis=-1)


def compare(
    before: Clip,
    after: Clip,
    terrain: Terrain,
    feet: Sequence[Foot],
    balls: Array,
    heels: Array,
    *,
    extension: float,
    tilt_limit: float,
) -> Comparison:
    """Compares two versions of a clip on a terrain.

    Args:
        before: The original clip, made for flat ground.
        after: The new clip, of the same frames and joints.
        terrain: The terrain that the new clip moves on.
        feet: The feet to compare.
        balls: (frames, feet) bool; where balls stand.
        heels: (frames, feet) bool; where heels stand.
        extension: Fraction of the leg's length beyond which a leg counts as out of reach.
        tilt_limit: Slope in radians beyond which a sole need not follow the ground.

    Returns:
        The comparison, without a stray pose in front of the motion.
    """
    skipped = int(begins_with_stray_pose(before))
    old_clip, new_clip = before[skipped:], after[skipped:]
    old, new = old_clip.world(), new_clip.world()
    root = before.skeleton.roots[0]
    up = raised_to(terrain, old[0][:, root])
    compared = []
    for k, foot in enumerate(feet):
        recorded = foot_motion(old_clip, foot, *old)
        raised = replace(recorded, ball=recorded.ball + up, sole=recorded.sole + up[:, None])
        stands = np.asarray(balls)[skipped:, k], np.asarray(heels)[skipped:, k]
        joints = (*foot.limb.path(after.skeleton), *foot.limb.toes)
        moved = foot_motion(new_clip, foot, *new)
        compared.append(FootComparison(foot.limb.name, foot.pointlike, recorded, raised, moved, *stands, joints))
    changes = np.abs(bone_lengths(new_clip, new[0]) - bone_lengths(old_clip, old[0]))
    return Comparison(
        before=before,
        after=after,
        terrain=terrain,
        feet=tuple(compared),
        skipped=skipped,
        rise=up[:, 1],
        pelvis_offset=new[0][:, root] - old[0][:, root] - up,
        accelerations=(angular_accelerations(old_clip), angular_accelerations(new_clip)),
        bone_change=float(changes.max(initial=0.0)),
        extension=extension,
        tilt_limit=tilt_limit,
    )
