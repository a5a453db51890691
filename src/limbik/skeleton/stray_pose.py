"""A pose in front of a motion that is not part of it, such as the T-pose that many recordings begin with."""

from __future__ import annotations

import numpy as np

from limbik.skeleton.clip import Clip

STRAY = 5.0  # the first frame is a stray pose where joints turn this many times as far after it as after other frames


def begins_with_stray_pose(clip: Clip) -> bool:
    """Whether the first frame is a pose that was put in front of the motion."""
    if len(clip) < 4:
        return False
    q = clip.rotations
    turns = np.mean(2.0 * np.arccos(np.clip(np.abs(np.sum(q[1:] * q[:-1], axis=-1)), 0.0, 1.0)), axis=-1)
    return bool(turns[0] > STRAY * np.percentile(turns[1:], 95) and turns[0] > np.radians(3.0))
