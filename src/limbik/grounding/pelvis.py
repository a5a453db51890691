"""The pelvis follows the feet: up and down with the ground, and low enough for every leg to reach."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limbik.arrays import Array
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import envelope, smoothed
from limbik.rotations import about, normalized, rotate, shortest_arc
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import Foot

ROUNDS = 6
STEEPEST = 0.8  # radians: the largest tilt of a body
NARROW = 0.5  # fraction of the smoothing window over which the pelvis sinks to let a leg reach


def tilted(clip: Clip, feet: Sequence[Foot], positions: Array, rise: Array, settings: Settings) -> Clip:
    """The clip, tilted with the ground if the figure stands on front and hind legs; otherwise unchanged.

    positions: of all joints, (frames, joints, 3). rise: (frames, feet), how far each foot has been raised.
    """
    front = np.array([foot.limb.kind == "arm" for foot in feet])
    if front.all() or not front.any():
        return clip
    hips = positions[:, [foot.limb.joints[0] for foot in feet]]
    ahead = np.mean(hips[:, front], axis=1) - np.mean(hips[:, ~front], axis=1)
    length = np.hypot(ahead[:, 0], ahead[:, 2])
    up = np.mean(rise[:, front], axis=1) - np.mean(rise[:, ~front], axis=1)
    angle = np.clip(np.arctan2(up, np.maximum(length, 1e-9)), -STEEPEST, STEEPEST)
    angle = smoothed(angle, round(settings.pelvis_smoothing * clip.fps))
    axis = normalized(np.stack([-ahead[:, 2], 0.0 * length, ahead[:, 0]], axis=-1))
    turn, centre = about(axis, angle), np.mean(hips, axis=1)
    return clip.moved(translation=centre - rotate(turn, centre), rotation=turn)


def pelvis_shift(
    feet: Sequence[Foot], positions: Array, goals: Array, follow: Array, fps: float, settings: Settings
) -> Array:
    """The displacement (frames, 3) of the whole figure.

    positions: of all joints, (frames, joints, 3). goals: of the ankles, (frames, feet, 3). follow: (frames, 3), the
    mean displacement of the feet by their plants.
    """
    hips, bent, ankles = (positions[:, [foot.limb.joints[k] for foot in feet]] for k in (0, 2, -1))
    width = round(settings.pelvis_smoothing * fps)
    shift = smoothed(follow, width)
    shift[:, [0, 2]] = smoothed(follow[:, [0, 2]], 3 * width)
    reach = settings.extension * np.array([foot.stretch for foot in feet])
    narrow = max(round(NARROW * width), 1)
    for _ in range(ROUNDS):
        # Links beyond the second turn with the limb, as in `reach`.
        turn = shortest_arc(ankles - hips, goals - hips - shift[:, None], np.array([1.0, 0.0, 0.0]))
        lack = _lacking(hips + shift[:, None], goals - rotate(turn, ankles - bent), reach)
        if lack.max(initial=0.0) <= 1e-9:
            break
        shift[:, 1] -= envelope(lack, narrow)
    return shift


def _lacking(hips: Array, ankles: Array, reach: Array) -> Array:
    """How far (frames,) the figure must sink for legs of length `reach` (feet,) to span hips and ankles."""
    away = ankles - hips
    across = np.hypot(away[..., 0], away[..., 2])
    depth = np.sqrt(np.maximum(reach**2 - across**2, 0.0))
    return np.maximum(np.max(-away[..., 1] - depth, axis=-1), 0.0)
