"""Frames of the input that stay on a level floor, because grounding would make them worse: the referee decides."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.grounding.smoothing import smooth, window_maximum
from limbik.referee.comparison import Comparison, FootComparison, MeasuredFoot
from limbik.skeleton.clip import Clip
from limbik.skeleton.clip_editing import blend_frames
from limbik.skeleton.timing import intervals

MAX_WORSE_LEG_LENGTHS = 0.03  # by which a standing foot may be farther from a level floor than in the input
BLEND_SECONDS = 0.12  # to either side, over which the input takes over
MAX_KEPT_SHARE = 0.45  # of the frames: if more are the input's, all are


def input_share(comparison: Comparison, asked: Array) -> Array:
    """How far each frame is to be the input's, (frames,) from 0 to 1: wholly where a standing foot would be worse.

    asked: (frames,) bool, where feet go as footsteps ask for: these frames are not the input's.

    Its floor is y = 0. Worse is a stance in which the sole is farther above the floor, or deeper in it, than ever in
    the stance of the input.
    """
    worse = np.zeros(len(comparison.before), bool)
    for foot in comparison.feet:
        old, new = (_floats_and_sinks(foot, one) for one in (foot.before, foot.after))
        for first, stop in intervals(foot.standing):
            more = new[first:stop].max(axis=0) - old[first:stop].max(axis=0)
            if more.max() > MAX_WORSE_LEG_LENGTHS * foot.leg:
                worse[comparison.skipped + first : comparison.skipped + stop] = True
    worse &= ~asked
    if not worse.any():
        return np.zeros(len(worse))
    width = max(round(BLEND_SECONDS * comparison.before.fps), 1)
    share = smooth(window_maximum(worse.astype(float), width), width) * ~asked
    if np.mean(share > 0.0) > MAX_KEPT_SHARE:
        return 1.0 - smooth(window_maximum(asked.astype(float), width), width)
    return share


def _floats_and_sinks(foot: FootComparison, motion: MeasuredFoot) -> Array:
    """How far (frames, 2) the highest point of a sole that stands is above the floor, and the lowest below it, metres.

    Where a foot has to stand although no point of it does, its lowest point counts.
    """
    heights = motion.sole[..., 1]
    stands = np.where(
        foot.stands.any(axis=1, keepdims=True), foot.stands, heights == heights.min(axis=1, keepdims=True)
    )
    high, low = np.where(stands, heights, -np.inf).max(axis=1), np.where(stands, heights, np.inf).min(axis=1)
    return np.maximum(np.stack([high, -low], axis=-1), 0.0)


def keep_input(before: Clip, after: Clip, share: Array) -> Clip:
    """The clip `after` with as much of `before` in each frame as a share (frames,) from 0 to 1 says."""
    frames = slice(None)
    contacts = None if after.contacts is None else after.contacts & (share == 0.0)[:, None]
    return after.with_(**blend_frames(after, frames, before, frames, share), contacts=contacts)
