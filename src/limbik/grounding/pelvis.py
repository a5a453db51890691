"""The pelvis follows the feet: up and down with the ground, and low enough that every leg reaches."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import envelope, smoothed
from limbik.rotations import about, normalized, rotate, shortest_arc
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import Foot

ROUNDS = 6
STEEPEST = 0.8  # radians by which a body tilts at the most
SHARE = 0.5  # of the smoothing window: the width over which the pelvis sinks to let a leg reach


def tilted(clip: Clip, feet: list[Foot], hips: Array, rise: Array, settings: Settings) -> Clip:
    """The clip with a body that stands on front and hind legs tilted as the ground is; any other as it was.

    hips: (frames, feet, 3). rise: (frames, feet), by how much each foot has been raised.
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
    """By how much the whole figure moves, (frames, 3).

    limbs: (3, frames, feet, 3), where each limb begins, where its links that bend end, and where it ends. goals:
    (frames, feet, 3), where it must end. follow: (frames, 3), how the feet were carried along by their plants.
    """
    width = round(settings.pelvis_smoothing * fps)
    shift = smoothed(follow, width)
    shift[:, [0, 2]] = smoothed(follow[:, [0, 2]], 3 * width)
    reach = settings.extension * np.array([foot.stretch for foot in feet])
    narrow = max(round(SHARE * width), 1)
    for _ in range(ROUNDS):
        lack = lacking(limbs[0] + shift[:, None], _bent_ends(limbs, shift, goals), reach)
        if lack.max(initial=0.0) <= 1e-9:
            break
        shift[:, 1] -= envelope(lack, narrow)
    return shift


def _bent_ends(limbs: Array, shift: Array, goals: Array) -> Array:
    """Where the links that bend end, (frames, feet, 3): what a limb has beyond them turns with it, as `reach` does."""
    root, bent, end = limbs
    turn = shortest_arc(end - root, goals - root - shift[:, None], np.array([1.0, 0.0, 0.0]))
    return goals - rotate(turn, end - bent)


def lacking(hips: Array, ankles: Array, reach: Array) -> Array:
    """How far, (frames,), the figure must sink so that hips reach (feet,) their ankles, both (frames, feet, 3)."""
    away = ankles - hips
    across = np.hypot(away[..., 0], away[..., 2])
    depth = np.sqrt(np.maximum(reach**2 - across**2, 0.0))
    return np.maximum(np.max(-away[..., 1] - depth, axis=-1), 0.0)
