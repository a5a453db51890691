"""Measures of the whole figure: the seam of a cycle, legs apart, the body below ground, the distance to a pose."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np

from limbik.arrays import Array
from limbik.referee.comparison import Comparison
from limbik.referee.foot_measures import heights
from limbik.rotations import inverse, logarithm, multiply

MAX_FLOOR_MARK_METRES = 1e-3  # a joint that is no higher, such as the root of many rigs, marks the floor
MAX_SEAM_LEG_LENGTHS = 0.05  # a clip whose last frame is farther from its first is no cycle
MAX_SEAM_STEPS = 2.0  # times the usual way from frame to frame that the last frame may be from the first


def seam(comparison: Comparison, after: bool) -> tuple[float, float]:
    """How far apart the first and last frame of a clip are: joints around the hips in metres, rotations in radians.

    Without the travel from one to the other, over the ground and, on the terrain, with its height.
    """
    clip, middles = (comparison.after if after else comparison.before), comparison.middles[after]
    around = _over_ground(comparison.positions[after][:, comparison.body], middles)[[0, -1]]
    if after:
        around[..., 1] -= comparison.terrain.height(middles[[0, -1]][:, [0, 2]])[:, None]
    ends = clip.rotations[comparison.skipped :][[0, -1]][:, comparison.body]
    turns = logarithm(multiply(inverse(ends[0]), ends[-1]))
    return float(np.linalg.norm(around[-1] - around[0], axis=-1).max()), float(np.linalg.norm(turns, axis=-1).max())


def is_cycle(comparison: Comparison) -> bool:
    """Whether the last frame of the original clip meets its first."""
    before = comparison.positions[0]
    if len(before) < 8 or comparison.skipped:
        return False
    around = _over_ground(before[:, comparison.body], comparison.middles[0])
    apart = float(np.linalg.norm(around[-1] - around[0], axis=-1).max())
    steps = np.linalg.norm(np.diff(around, axis=0), axis=-1).max(axis=-1)
    moves = float(np.ptp(around, axis=0).max())
    leg = max(foot.leg for foot in comparison.feet)
    near = MAX_SEAM_LEG_LENGTHS * leg
    return moves > near and apart < min(near, MAX_SEAM_STEPS * float(np.median(steps)) + 1e-9)


def legs_apart(comparison: Comparison, after: bool) -> float | None:
    """The least distance in metres between the lower parts of two legs: shank and foot of each as lines."""
    positions = comparison.positions[after]
    legs = [[positions[:, joint] for joint in foot.joints[-4:][1:]] for foot in comparison.feet]
    found = [
        _line_distances(*a, *b) for one, other in combinations(legs, 2) for a in pairwise(one) for b in pairwise(other)
    ]
    return float(np.min(found)) if found and len(positions) else None


def body_below(comparison: Comparison, after: bool) -> float:
    """How deep in metres a joint of the body is below the ground; feet, and joints that begin there, do not count."""
    positions = comparison.positions[after]
    feet = {joint for foot in comparison.feet for joint in foot.joints[-2:]}
    skeleton = comparison.before.skeleton
    ends = {joint for joint in range(len(skeleton)) if skeleton.parents[joint] in feet}
    marks_floor = comparison.positions[0][..., 1].min(axis=0, initial=np.inf) < MAX_FLOOR_MARK_METRES
    body = [joint for joint in range(len(skeleton)) if joint not in feet | ends and not marks_floor[joint]]
    if not body or not len(positions):
        return 0.0
    over = heights(positions[:, body], comparison.terrain) if after else positions[:, body, 1]
    return max(-float(over.min()), 0.0)


def pose_distance(comparison: Comparison) -> float:
    """How far joints are from where they were around the hips, as a root mean square in metres."""
    before, after = _from_hips(comparison)
    return float(np.sqrt(np.mean(np.sum((after - before) ** 2, axis=-1)))) if len(before) else 0.0


def sway(comparison: Comparison) -> float:
    """How far the highest joint moves to and fro over the hips, in metres, beyond its motion in the original clip.

    A constant lean does not count.
    """
    before, after = _from_hips(comparison)
    if not len(before):
        return 0.0
    top = int(np.argmax(np.median(before[..., 1], axis=0)))
    moved = (after - before)[:, top][:, [0, 2]]
    return float(np.linalg.norm(moved - np.median(moved, axis=0), axis=-1).max())


def _from_hips(comparison: Comparison) -> tuple[Array, Array]:
    """Positions (frames, joints, 3) of the body relative to the middle of the hips, before and after."""
    (before, old), (after, new) = zip(comparison.positions, comparison.middles, strict=True)
    return before[:, comparison.body] - old[:, None], after[:, comparison.body] - new[:, None]


def _over_ground(positions: Array, middles: Array) -> Array:
    """Positions relative to the ground under the middle of the hips (frames, 3): their height is kept."""
    return positions - middles[:, None] * [1.0, 0.0, 1.0]


def _line_distances(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Distances (frames,) between lines from a to b and from c to d, (frames, 3) each."""
    u, v, w = b - a, d - c, a - c
    uu, uv, vv = (np.sum(p * q, axis=-1) for p, q in ((u, u), (u, v), (v, v)))
    uw, vw = np.sum(u * w, axis=-1), np.sum(v * w, axis=-1)
    spread = np.maximum(uu * vv - uv * uv, 1e-12)
    s = np.clip((uv * vw - vv * uw) / spread, 0.0, 1.0)
    t = np.clip((uv * s + vw) / np.maximum(vv, 1e-12), 0.0, 1.0)
    s = np.clip((uv * t - uw) / np.maximum(uu, 1e-12), 0.0, 1.0)
    return np.linalg.norm(w + s[:, None] * u - t[:, None] * v, axis=-1)
