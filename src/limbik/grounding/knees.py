"""Knees: how far a leg is bent, by the distance that it spans.

Near a straight leg a millimetre at the ankle is degrees at the knee. What is to move like the clip's own knee is
therefore planned as an angle, and turned into a distance from hip to ankle at the end.
"""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.skeleton.foot import Foot
from limbik.skeleton.intervals import intervals

NEARLY_STRAIGHT = 0.36  # radians: flexion of a knee that bends quickly as soon as the leg spans less
CALM = 0.07  # seconds: what a swinging knee does more quickly, and does not do in the clip, is smoothed
HELD = 2  # frames of a stance beside a swing, whose flexion and its slope are kept
ROUNDS, HOLD = 4, 30.0  # how often what is too low is held, and how firmly
LONGEST = 240  # frames of a swing that is smoothed as a whole; of longer ones the ends are


def flexion(foot: Foot, span: Array) -> Array:
    """The flexion (...,) of the knee of a leg that spans (...,) metres, in radians; 0 is straight."""
    thigh, shank = foot.links
    cosine = (np.square(span) - thigh**2 - shank**2) / (2.0 * thigh * shank)
    return np.arccos(np.clip(cosine, -1.0, 1.0))


def span(foot: Foot, bent: Array) -> Array:
    """The distance (...,) from hip to ankle of a leg whose knee is bent by (...,) radians."""
    thigh, shank = foot.links
    return np.sqrt(np.maximum(thigh**2 + shank**2 + 2.0 * thigh * shank * np.cos(bent), 0.0))


def with_calm_knees(
    foot: Foot, goals: Array, clear: Array, hips: Array, spans: Array, stands: Array, fps: float
) -> Array:
    """Goals (frames, 3) of an ankle, moved to or from the hip in swings so that the knee moves as in the clip.

    clear: (frames,), how far the foot may be lowered. hips: (frames, 3). spans: (frames,), the distance from hip to
    ankle in the clip. How much more the knee is bent than there then changes smoothly, from one stance to the next.
    """
    away = goals - hips
    reach = np.linalg.norm(away, axis=-1)
    if len(foot.limb.joints) != 3 or stands.all() or not stands.any():
        return goals
    own = flexion(foot, spans)
    more = flexion(foot, reach) - own
    least = np.minimum(flexion(foot, np.minimum(reach + clear, foot.reach)) - own, more)
    for first, stop in _swings(stands):
        before, after = max(first - HELD, 0), min(stop + HELD, len(more))
        part = slice(before, after)
        more[part] = _calmed(more[part], least[part], stands[part], CALM * fps)
    wanted = np.where(stands, reach, np.minimum(span(foot, np.maximum(own + more, 0.0)), foot.reach))
    return hips + (wanted / np.maximum(reach, 1e-9))[:, None] * away


def _swings(stands: Array) -> list[tuple[int, int]]:
    """The intervals between stances (frames,), or the ends of those that are long."""
    half = LONGEST // 2
    return [
        part
        for first, stop in intervals(~stands)
        for part in ([(first, stop)] if stop - first <= LONGEST else [(first, first + half), (stop - half, stop)])
    ]


def _calmed(values: Array, least: Array, kept: Array, frames: float) -> Array:
    """Values (n,) without what changes within fewer `frames`; those that are `kept` (n,) stay. least: (n,), of each."""
    count = len(values)
    if count < 3:
        return values
    bends = np.zeros((count - 2, count))
    rows = np.arange(count - 2)
    bends[rows, rows], bends[rows, rows + 1], bends[rows, rows + 2] = 1.0, -2.0, 1.0
    rough = frames**4 * (bends.T @ bends)
    weight, wanted, found = np.where(kept, 1e6, 1.0), values, values
    for _ in range(ROUNDS):
        found = np.linalg.solve(np.diag(weight) + rough, weight * wanted)
        low = (found < least - 1e-3) & ~kept
        if not low.any():
            break
        weight, wanted = np.where(low, weight * HOLD, weight), np.where(low, least, wanted)
    return found
