"""Knees: how far a leg is bent, by the distance that it spans.

Near a straight leg a millimetre at the ankle is degrees at the knee. What is to move like the clip's own knee is
therefore planned as an angle, and turned into a distance from hip to ankle at the end.
"""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.engines.numba_banded import solve_banded
from limbik.grounding.plants import quantile
from limbik.grounding.smoothing import second_difference_system
from limbik.skeleton.foot import Foot

NEARLY_STRAIGHT_RADIANS = 0.36  # flexion of a knee that bends quickly as soon as the leg spans less
MAX_FLEXION_RADIANS = 2.5  # the largest flexion of a knee that is not folded further in the clip
KNEE_SMOOTHING_SECONDS = 0.07  # what a swinging knee does more quickly, and does not do in the clip, is smoothed
MIN_LIVELINESS_RAD_S2 = 40.0  # rad/s²: knees that accelerate less in a clip may accelerate as much
KNEE_RETURN_SECONDS = 0.1  # seconds over which a knee goes back to its motion in the clip, once its heel may rise
KNOWN_FLEXION_WEIGHT = 100.0  # weight of frames in which a knee's flexion is known
CALMING_ROUNDS, LOW_WEIGHT_FACTOR = 4, 30.0  # how often what is too low is held, and how firmly


def flexion(foot: Foot, span: Array) -> Array:
    """The flexion (...,) of the knee of a leg that spans (...,) metres, in radians; 0 is straight."""
    thigh, shank = foot.links
    cosine = (np.square(span) - thigh**2 - shank**2) / (2.0 * thigh * shank)
    return np.arccos(np.clip(cosine, -1.0, 1.0))


def span(foot: Foot, bent: Array) -> Array:
    """The distance (...,) from hip to ankle of a leg whose knee is bent by (...,) radians."""
    thigh, shank = foot.links
    return np.sqrt(np.maximum(thigh**2 + shank**2 + 2.0 * thigh * shank * np.cos(bent), 0.0))


def liveliness(foot: Foot, spans: Array, fps: float) -> float:
    """How quickly a knee accelerates over thirtieths of a second in a clip, in rad/s²: as much as it hardly ever does.

    spans: (frames,), the distance from hip to ankle.
    """
    step = max(round(fps / 30.0), 1)
    bent = flexion(foot, spans)
    faster = np.abs(bent[2 * step :] - 2.0 * bent[step:-step] + bent[: -2 * step]) * (fps / step) ** 2
    return max(quantile(faster, 0.99) if len(faster) else 0.0, MIN_LIVELINESS_RAD_S2)


def plan_flexion(foot: Foot, ankles: Array, hips: Array, spans: Array, known: Array, fps: float) -> Array:
    """The flexion (frames,) that a knee is to have: that of frames that are known, and from there smoothly the clip's.

    ankles, hips: (frames, 3). spans: (frames,), the distance from hip to ankle in the clip. known: (frames,) bool.
    """
    own = flexion(foot, spans)
    if len(own) < 3:
        return own
    more = np.where(known, flexion(foot, np.linalg.norm(ankles - hips, axis=-1)) - own, 0.0)
    system = second_difference_system(np.full(len(own) - 2, (KNEE_RETURN_SECONDS * fps) ** 4))
    firm = np.where(known, KNOWN_FLEXION_WEIGHT, 1.0)
    system[0] += firm
    return own + solve_banded(system, firm * more)


def calm_knee(foot: Foot, goals: Array, clear: Array, hips: Array, spans: Array, stands: Array, fps: float) -> Array:
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
    more = _calm(more, least, stands, KNEE_SMOOTHING_SECONDS * fps)
    bent = np.clip(own + more, 0.0, max(MAX_FLEXION_RADIANS, float(own.max())))
    wanted = np.where(stands, reach, np.minimum(span(foot, bent), foot.reach))
    return hips + (wanted / np.maximum(reach, 1e-9))[:, None] * away


def _calm(values: Array, least: Array, kept: Array, frames: float) -> Array:
    """Values (n,) without what changes within fewer `frames`; those that are `kept` (n,) stay. least: (n,), of each."""
    if len(values) < 3:
        return values
    rough = second_difference_system(np.full(len(values) - 2, frames**4))
    weight, wanted, found = np.where(kept, 1e6, 1.0), values, values
    for _ in range(CALMING_ROUNDS):
        system = rough.copy()
        system[0] += weight
        found = solve_banded(system, weight * wanted)
        low = (found < least - 1e-3) & ~kept
        if not low.any():
            break
        weight, wanted = np.where(low, weight * LOW_WEIGHT_FACTOR, weight), np.where(low, least, wanted)
    return found
