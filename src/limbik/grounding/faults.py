"""Faults of recordings: single frames in which the body jumps away and back, as where markers were mistaken."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limbik.arrays import Array
from limbik.skeleton.clip import Clip
from limbik.skeleton.clip_editing import blend_frames
from limbik.skeleton.skeleton import RigLimb

MAX_FAULT_SECONDS = 0.02  # of a jump there and back that is no motion
MIN_FAULT_LEG_LENGTHS = 0.015  # by which a hip jumps


def repair_faults(clip: Clip, limbs: Sequence[RigLimb]) -> tuple[Clip, Array]:
    """The clip with poses in between instead of those in which its hips jump away for a frame or two.

    Returns the clip, and those frames, (frames,) bool.
    """
    width = int(MAX_FAULT_SECONDS * clip.fps)
    if not width or len(clip) < 2 * width + 1:
        return clip, np.zeros(len(clip), bool)
    positions = clip.positions()
    links = [np.linalg.norm(np.diff(positions[0, list(limb.joints)], axis=0), axis=-1).sum() for limb in limbs]
    hips = positions[:, [limb.joints[0] for limb in limbs]]
    least = MIN_FAULT_LEG_LENGTHS * float(np.mean(links))
    if np.abs(np.diff(hips, 2, axis=0)).max() < least / np.sqrt(3.0):  # whatever jumps, leaves at once: this is quick
        return clip, np.zeros(len(clip), bool)
    sound = np.linalg.norm(_away_from_usual(hips, width), axis=-1).max(axis=-1) <= least
    if sound.all() or not sound.any():
        return clip, np.zeros(len(clip), bool)
    frames, kept = np.arange(len(clip)), np.flatnonzero(sound)
    before = kept[np.maximum(np.searchsorted(kept, frames, side="right") - 1, 0)]
    after = kept[np.minimum(np.searchsorted(kept, frames), len(kept) - 1)]
    part = np.clip((frames - before) / np.maximum(after - before, 1), 0.0, 1.0)
    return clip.with_(**blend_frames(clip, before, clip, after, part)), ~sound


def _away_from_usual(points: Array, width: int) -> Array:
    """How far (frames, n, 3) points (frames, n, 3) are from where they usually are within `width` frames of each.

    They move on at their usual velocity: without that, a jump would show in the frames beside it as well.
    """
    padded = np.pad(points, ((width, width), (0, 0), (0, 0)), "reflect", reflect_type="odd")
    around = np.lib.stride_tricks.sliding_window_view(padded, 2 * width + 1, axis=0)
    velocity = np.median(np.diff(around, axis=-1), axis=-1)
    away = around - points[..., None] - velocity[..., None] * np.arange(-width, width + 1)
    return np.median(away, axis=-1)
