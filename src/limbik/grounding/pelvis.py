"""The height of the pelvis: up and down with the feet, and low enough for every leg to reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from limbik.arrays import Array
from limbik.grounding.footholds import Stance
from limbik.grounding.knees import NEARLY_STRAIGHT, flexion, span
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import envelope, smoothed
from limbik.rotations import rotate, shortest_arc
from limbik.skeleton.easing import ease
from limbik.skeleton.foot import Foot
from limbik.skeleton.intervals import intervals

ROUNDS = 6
LIFTED = 0.6  # weight of a foot on its ball, relative to one that stands flat, in the height of the pelvis
STEEP_CHANGE = 0.15  # leg lengths: how far a leg's own length may change the height of the pelvis over its foot
FLYING = 0.3  # weight of each foot where none stands: between far plants the figure rises with its feet, not late
SHARED = 1.0  # by how much a foot's weight falls where others stand as well
LONG_BODY = 1.8  # times the window of a biped: the height of a body on four legs is that of its middle
FOLDED = 0.32  # leg lengths from hip to ankle of a leg whose knee is folded by about 143°
LEAVING = 0.04  # of a swing, at its beginning, over which an ankle is drawn towards the hip
FADE = 0.08  # the same at its end
STEP = 0.5  # seconds of a step of a common walk
STEPS = 1.0, 1.6  # the least and most of a step relative to that: the pelvis sinks more slowly in slow walks
TIP_FAR = 0.003  # leg lengths by which a leg may not reach before toes on their tip let go
TIP_STRAIGHTER = 0.2  # radians by which a knee may be straighter than in the clip before they do
TIP_EARLY = 0.04  # seconds by which they do, at most
NARROW = 0.25  # fraction of the smoothing window over which the pelvis sinks to let a leg reach


def followed(
    feet: Sequence[Foot],
    hips: Array,
    ankles: Array,
    spans: Array,
    stances: Sequence[Stance],
    fps: float,
    settings: Settings,
) -> Array:
    """The displacement (frames, 3) with which the figure follows its feet.

    hips: (frames, feet, 3). ankles: (frames, feet, 2, 3), where they are in the clip and where they go. spans: (frames,
    feet), the distances from hip to ankle in the clip.

    Over a foot that stands flat alone, it is as high as its leg is long in the clip; between, it goes smoothly from one
    to the next.
    """
    width = round((1.0 if len(feet) < 3 else LONG_BODY) * settings.pelvis_smoothing * fps)
    offsets = ankles[..., 1, :] - ankles[..., 0, :]
    shift = smoothed(np.mean(offsets, axis=1), 3 * width)
    there = ankles[..., 1, :] - hips - shift[:, None] * [1.0, 0.0, 1.0]
    across = np.hypot(there[..., 0], there[..., 2])
    fits = there[..., 1] + np.sqrt(np.maximum(spans**2 - across**2, 0.0))
    stands = np.stack([stance.stands for stance in stances], axis=1)
    below = ankles[..., 0, 1] < hips[..., 1]  # in the clip: feet of a figure that climbs pass its own hips there
    upright = stands & (spans > 1.2 * across) & below
    most = STEEP_CHANGE * np.array([foot.leg for foot in feet])
    heights = offsets[..., 1] + np.where(upright, np.clip(fits - offsets[..., 1], -most, most), 0.0)
    flat = np.stack([stance.heel | foot.pointlike for stance, foot in zip(stances, feet, strict=True)], axis=1)
    weights = np.where(stands & flat, 1.0, np.where(stands, LIFTED, 1e-3))
    weights = np.where(stands.any(axis=1, keepdims=True), weights, FLYING)
    others = np.sum(weights, axis=1, keepdims=True) - weights
    weights = weights / (1.0 + SHARED * others)  # two feet at different heights carry the figure at neither's
    total = smoothed(np.sum(weights, axis=1), width)
    shift[:, 1] = smoothed(np.sum(weights * heights, axis=1), width) / total
    return shift


def sunk(
    feet: Sequence[Foot],
    positions: Array,
    goals: Array,
    shift: Array,
    fps: float,
    settings: Settings,
    counts: Array,
    spans: Array,
) -> Array:
    """The displacement (frames, 3) of the figure, lowered where a leg would not reach its ankle's goal.

    positions: of all joints, (frames, joints, 3). goals: of the ankles, (frames, feet, 3). shift: (frames, 3). counts:
    (frames, feet) bool, the legs that have to reach. spans: (frames, feet), their distances from hip to ankle before.
    """
    hips, bent, ankles = (positions[:, [foot.limb.joints[k] for foot in feet]] for k in (0, 2, -1))
    reach = np.stack([_reaches(foot, spans[:, k]) for k, foot in enumerate(feet)], axis=1)
    calm = LONG_BODY if len(feet) > 2 else _slowness(counts, fps)
    narrow = max(round(NARROW * calm * settings.pelvis_smoothing * fps), 1)
    shift = shift.copy()
    for _ in range(ROUNDS):
        # Links beyond the second turn with the limb, as in `reach`.
        turn = shortest_arc(ankles - hips, goals - hips - shift[:, None], np.array([1.0, 0.0, 0.0]))
        lack = _lacking(hips + shift[:, None], goals - rotate(turn, ankles - bent), reach, counts)
        if lack.max(initial=0.0) <= 1e-9:
            break
        shift[:, 1] -= envelope(lack, narrow)
    return shift


def _slowness(stands: Array, fps: float) -> float:
    """How slowly a figure steps, relative to a common walk. stands: (frames, feet) bool."""
    lands = np.sort(np.concatenate([np.flatnonzero(np.diff(one.astype(int)) > 0) for one in stands.T]))
    return float(np.clip(np.median(np.diff(lands)) / (STEP * fps), *STEPS)) if len(lands) > 2 else 1.0


def released_early(foot: Foot, stance: Stance, hips: Array, spans: Array, fps: float) -> Stance:
    """The stance without its end, where toes stand on their tip and the leg does not reach them any more.

    They are let go by no more than a few hundredths of a second too early; the figure sinks for the rest.

    hips: (frames, 3). spans: (frames,), the distance from hip to ankle in the clip.
    """
    away = np.linalg.norm(stance.ankle - hips, axis=-1)
    bent = np.maximum(flexion(foot, spans) - TIP_STRAIGHTER, NEARLY_STRAIGHT)
    far = away > np.minimum(_reaches(foot, spans), span(foot, bent)) + TIP_FAR * foot.leg
    stands = stance.stands.copy()
    for first, stop in intervals(stands & ~stance.ball & ~stance.heel):
        if first and stance.ball[first - 1] and far[first:stop].any():
            stands[max(first + int(np.argmax(far[first:stop])), stop - int(TIP_EARLY * fps)) : stop] = False
    return replace(stance, stands=stands)


def _reaches(foot: Foot, spans: Array) -> Array:
    """The distances (frames,) that a leg may span: a nearly straight leg only where it is as straight in the clip.

    From there a knee would bend at once, as quickly as the body sinks. A foot that hangs from elsewhere in the rig may
    be farther away than the leg is long.
    """
    if len(foot.limb.joints) != 3:
        return np.full(len(spans), foot.reach)
    reach = np.minimum(np.maximum(spans, span(foot, np.array(NEARLY_STRAIGHT))), foot.reach)
    return np.where(foot.overstretched(spans), spans, reach)


def _lacking(hips: Array, ankles: Array, reach: Array, counts: Array) -> Array:
    """How far (frames,) the figure must sink for legs of length `reach` (frames, feet) to span hips and ankles."""
    away = ankles - hips
    across = np.hypot(away[..., 0], away[..., 2])
    depth = np.sqrt(np.maximum(reach**2 - across**2, 0.0))
    lack = -away[..., 1] - depth
    return np.maximum(np.max(np.where(counts, lack, 0.0), axis=-1), 0.0)


def with_bent_swings(foot: Foot, goals: Array, hips: Array, spans: Array, stands: Array, fps: float) -> Array:
    """Goals (frames, 3) of an ankle, drawn towards the hip in swings in which the leg would be straighter than it was.

    hips: (frames, 3). spans: (frames,), the distance from hip to ankle in the clip. A leg may be as straight as it is
    in the clip, or as at the ends of the swing. Where it would be folded further than knees are, its ankle is moved
    away from the hip.
    """
    away = goals - hips
    reach = np.linalg.norm(away, axis=-1)
    drawn = np.zeros(len(goals))
    least = min(FOLDED * foot.leg, float(spans.min(initial=np.inf))) if len(foot.limb.joints) == 3 else 0.0
    for first, stop in intervals(~stands):
        before, after = max(first - 1, 0), min(stop, len(goals) - 1)
        ends = np.linspace(reach[before], reach[after], after - before + 1)[first - before : stop - before]
        excess = np.maximum(reach[first:stop] - np.maximum(ends, spans[first:stop]), 0.0)
        lack = np.maximum(least - reach[first:stop], 0.0)
        if excess.any() or lack.any():
            t = np.arange(1, stop - first + 1) / (stop - first + 1)
            fade = ease(t / LEAVING if first else 1.0 + t) * ease((1.0 - t) / FADE if stop < len(goals) else 1.0 + t)
            width = max(round(0.03 * fps), 1)
            drawn[first:stop] = fade * (envelope(excess, width) - envelope(lack, width))
    return goals - (drawn / np.maximum(reach, 1e-9))[:, None] * away
