"""Measures of the whole figure: the seam of a cycle, legs apart, the body below ground, the distance to a pose."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np

from limbik.arrays import Array
from limbik.referee.comparison import Comparison
from limbik.referee.surface import heights
from limbik.rotations import inverse, logarithm, multiply
from limbik.skeleton.clip import Clip
from limbik.terrains.base import Terrain

MARKS = 1e-3  # metres: a joint that is no higher, such as the root of many rigs, marks the floor
CYCLE = 0.05  # leg lengths: a clip whose last frame is farther from its first is no cycle
CYCLE_STEPS = 2.0  # times the usual way from frame to frame that the last frame may be from the first


def seam(clip: Clip, terrain: Terrain | None = None) -> tuple[float, float]:
    """How far apart the first and last frame of a clip are: joints around the root in metres, rotations in radians.

    Without the travel from one to the other, over the ground and, on a terrain, with its height.
    """
    ends = clip[:: max(len(clip) - 1, 1)]
    root = clip.skeleton.roots[0]
    positions = ends.positions()
    around = _around_root(positions, root)
    if terrain is not None:
        around[..., 1] -= terrain.height(positions[:, root, [0, 2]])[:, None]
    turns = logarithm(multiply(inverse(ends.rotations[0]), ends.rotations[-1]))
    return float(np.linalg.norm(around[-1] - around[0], axis=-1).max()), float(np.linalg.norm(turns, axis=-1).max())


def is_cycle(comparison: Comparison) -> bool:
    """Whether the last frame of the original clip meets its first."""
    before = comparison.positions[0]
    if len(before) < 8 or comparison.skipped:
        return False
    around = _around_root(before, comparison.before.skeleton.roots[0])
    apart = float(np.linalg.norm(around[-1] - around[0], axis=-1).max())
    steps = np.linalg.norm(np.diff(around, axis=0), axis=-1).max(axis=-1)
    moves = float(np.ptp(around, axis=0).max())
    leg = max(foot.leg for foot in comparison.feet)
    return moves > CYCLE * leg and apart < min(CYCLE * leg, CYCLE_STEPS * float(np.median(steps)) + 1e-9)


def legs_apart(comparison: Comparison, after: bool) -> float | None:
    """The least distance in metres between the lower parts of two legs: shank and foot of each as lines."""
    positions = comparison.positions[after]
    legs = [[positions[:, joint] for joint in foot.joints[-4:][1:]] for foot in comparison.feet]
    found = [
        _between_lines(*a, *b) for one, other in combinations(legs, 2) for a in pairwise(one) for b in pairwise(other)
    ]
    return float(np.min(found)) if found and len(positions) else None


def body_below(comparison: Comparison, after: bool) -> float:
    """How deep in metres a joint of the body is below the ground; feet, and joints that begin there, do not count."""
    positions = comparison.positions[after]
    feet = {joint for foot in comparison.feet for joint in foot.joints[-2:]}
    skeleton = comparison.before.skeleton
    ends = {joint for joint in range(len(skeleton)) if skeleton.parents[joint] in feet}
    low = comparison.positions[0][..., 1].min(axis=0, initial=np.inf) < MARKS  # joints that mark the floor
    body = [joint for joint in range(len(skeleton)) if joint not in feet | ends and not low[joint]]
    if not body or not len(positions):
        return 0.0
    over = heights(positions[:, body], comparison.terrain) if after else positions[:, body, 1]
    return max(-float(over.min()), 0.0)


def pose_distance(comparison: Comparison) -> float:
    """How far joints are from where they were around the root, as a root mean square in metres."""
    root = comparison.before.skeleton.roots[0]
    before, after = (one - one[:, root : root + 1] for one in comparison.positions)
    return float(np.sqrt(np.mean(np.sum((after - before) ** 2, axis=-1)))) if len(before) else 0.0


def _around_root(positions: Array, root: int) -> Array:
    """Positions relative to the ground under the root: its height is kept."""
    return positions - positions[:, root : root + 1] * [1.0, 0.0, 1.0]


def _between_lines(a: Array, b: Array, c: Array, d: Array) -> Array:
    """Distances (frames,) between lines from a to b and from c to d, (frames, 3) each."""
    u, v, w = b - a, d - c, a - c
    uu, uv, vv = (np.sum(p * q, axis=-1) for p, q in ((u, u), (u, v), (v, v)))
    uw, vw = np.sum(u * w, axis=-1), np.sum(v * w, axis=-1)
    spread = np.maximum(uu * vv - uv * uv, 1e-12)
    s = np.clip((uv * vw - vv * uw) / spread, 0.0, 1.0)
    t = np.clip((uv * s + vw) / np.maximum(vv, 1e-12), 0.0, 1.0)
    s = np.clip((uv * t - uw) / np.maximum(uu, 1e-12), 0.0, 1.0)
    return np.linalg.norm(w + s[:, None] * u - t[:, None] * v, axis=-1)
