"""A clip that was made on uneven ground, such as a creature's walk, brought to a level floor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limbik.arrays import Array
from limbik.grounding.smoothing import smooth
from limbik.skeleton.clip import Clip
from limbik.skeleton.skeleton import RigLimb, Skeleton
from limbik.terrains.planes import Plane

BODY_SECONDS = 0.25  # half the width of the window over which the heights below the feet are smooth for the body


def level_own_ground(clip: Clip, limbs: Sequence[RigLimb]) -> tuple[Clip, list[str]]:
    """The clip on a level floor at y = 0, and a note where that cannot be had; other clips as they are.

    Each foot is lowered by the height of the clip's own terrain where it stands, evenly from stance to stance, and the
    body by their mean.
    """
    if clip.terrain is None or isinstance(clip.terrain, Plane):
        return clip, []
    heights = _heights_below(clip, limbs)
    if heights is None:
        return clip, [
            f"The clip was made on {clip.terrain!r}, but does not say when its feet stand there, and its floor is taken"
            " to be level: feet may hang above the ground or be in it. Ground a clip that was made on level ground"
            " instead."
        ]
    body = smooth(heights.mean(axis=1, keepdims=True), round(BODY_SECONDS * clip.fps))
    level = clip.moved(-body * [0.0, 1.0, 0.0])
    positions = clip.positions()
    for limb, height in zip(limbs, heights.T, strict=True):
        level = level.reach(limb, positions[:, limb.joints[-1]] - height[:, None] * [0.0, 1.0, 0.0])
    return level.with_(terrain=None), []


def _heights_below(clip: Clip, limbs: Sequence[RigLimb]) -> Array | None:
    """(frames, limbs): how high the clip's terrain is below each foot; None where it is not known when one stands."""
    if clip.contacts is None or clip.terrain is None:
        return None
    positions, frames, found = clip.positions(), np.arange(len(clip)), []
    for limb in limbs:
        columns = [k for k, foot in enumerate(clip.feet) if _is_below(clip.skeleton, foot, limb.joints[-1])]
        stands = clip.contacts[:, columns[:1]].any(axis=1)
        if not stands.any():
            return None
        height = clip.terrain.height(positions[stands, clip.feet[columns[0]]][:, [0, 2]])
        if not np.isfinite(height).all():
            return None
        found.append(np.interp(frames, frames[stands], height))
    return np.stack(found, axis=-1)


def _is_below(skeleton: Skeleton, joint: int, ancestor: int) -> bool:
    """Whether a joint is another one, or hangs from it."""
    while joint > ancestor:
        joint = int(skeleton.parents[joint])
    return joint == ancestor
