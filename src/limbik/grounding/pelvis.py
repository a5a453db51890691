"""The pelvis follows the feet: up and down with the ground, and low enough for every leg to reach."""

from __future__ import annotations

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


def tilted(clip: Clip, feet: list[Foot], hips: Array, rise: Array, settings: Settings) -> Clip:
    """The clip, tilted with the ground if the figure stands on front and hind legs; otherwise unchanged.

    hips: (frames, feet, 3). rise: (frames, feet), how far each foot has been raised.
    """
    front = np.array([foot.limb.kind == "arm" for foot in feet])
    if front.all() or not front.any():
        return clip
    ahead = np.mean(hips[:, front], axis=1) - np.mean(hips[:, ~front], axis=1)
    length = np.hypot(ahead[:, 0], ahead[:, 2])
    up = np.mean(rise[:, front], axis=1) - np.mean(rise[:, ~front], axis=1)
    angle = np.clip(np.arctan2(up, np.maximum(length, 1e-9)), -STEEPEST, STEEPEST)
    angle = smoothed(angle, round(settings.pelvis_smoothing * clip.fps))
    axis = normalized(np.stack([-ahead[:, 2], 0.0 * length, ahead[:, 0]], axis=-1))
    turn, centre = about(axis, angle), np.mean(hips, axis=1)
    return clip.moved(translation=centre - rotate(turn, centre), rotation=turn)


def pelvis_shift(feet: list[Foot], limbs: Array, goals: Array, follow: Array, fps: float, settings: Settings) -> Array:
    """The displacement (frames, 3) of the whole figure.

    limbs: (3, frames, feet, 3), the root of each limb, the end of the links that bend, and its end. goals: (frames,
    feet, 3), where it must end. follow: (frames, 3), the mean displacement of the feet by their plants.
    """
    width = round(settings.pelvis_smoothing * fps)
    shift = smoothed(follow, width)
    shift[:, [0, 2]] = smoothed(follow[:, [0, 2]], 3 * width)
    reach = settings.extension * np.array([foot.stretch for foot in feet])
    narrow = max(round(NARROW * width), 1)
    for _ in range(ROUNDS):
        lack = lacking(limbs[0] + shift[:, None], _bent_ends(limbs, shift, goals), reach)
        if lack.max(initial=0.0) <= 1e-9:
            break
        shift[:, 1] -= envelope(lack, narrow)
    return shift


def _bent_ends(limbs: Array, shift: Array, goals: Array) -> Array:
    """The ends (frames, feet, 3) of the links that bend; further links turn with the limb, as in `reach`."""
    root, bent, end = limbs
    turn = shortest_arc(end - root, goals - root - shift[:, None], np.array([1.0, 0.0, 0.0]))
    return goals - rotate(turn, end - bent)


def lacking(hips: Array, ankles: Array, reach: Array) -> Array:
    """How far (frames,) the figure must sink for legs of length `reach` (feet,) to span hips and ankles."""
    away = ankles - hips
    across = np.hypot(away[..., 0], away[..., 2])
    depth = np.sqrt(np.maximum(reach**2 - across**2, 0.0))
    return np.maximum(np.max(-away[..., 1] - depth, axis=-1), 0.0)
