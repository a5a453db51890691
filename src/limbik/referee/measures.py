"""Measures of a comparison: each foot and its leg in the stances that were found, and the whole figure.

Of the figure: the seam of a cycle, legs apart, the body below ground, the distance to a pose.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import ArrayLike

from limbik.arrays import Array
from limbik.referee.comparison import Comparison, FootComparison, MeasuredFoot, Turning, angles_between, level_heading
from limbik.referee.soles import BALL, HEEL, TIP
from limbik.rotations import inverse, logarithm, multiply
from limbik.skeleton.timing import intervals
from limbik.terrains.base import Terrain

RING_METRES = 1e-3 * np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 15.0, 20.0, 30.0, 50.0, 80.0, 120.0])
EDGE_METRES = 0.01  # a point this close to an edge may stand on the higher ground beside it
LOOKS_PER_FRAME = 4  # parts of the way from one frame to the next at which swings are looked at
HALF_SOLE_WIDTH_LEG_LENGTHS = 0.03  # half the width of a sole
MIN_ACCELERATION_RAD_S2 = 40.0  # 2.5° a thirtieth of a second each thirtieth: what a joint's counts as at least
MIN_JERK_RAD_S3 = 1200.0  # likewise
MIN_FLIP_RADIANS = np.radians(5.0)  # a knee that bends the wrong way by more, where it did not, has flipped
MIN_STRAIGHTENING_LEG_LENGTHS = 0.003  # a leg longer by more than ever in the original is straight where it was not
MAX_FLOOR_MARK_METRES = 1e-3  # a joint that is no higher, such as the root of many rigs, marks the floor
MAX_SEAM_LEG_LENGTHS = 0.05  # a clip whose last frame is farther from its first is no cycle
MAX_SEAM_STEPS = 2.0  # times the usual way from frame to frame that the last frame may be from the first


def heights(points: Array, terrain: Terrain) -> Array:
    """Heights (...,) of points (..., 3) above the terrain in metres; negative below it."""
    return points[..., 1] - terrain.height(points[..., [0, 2]])


def depths(points: Array, terrain: Terrain) -> Array:
    """How deep (...,) points (..., 3) are inside the ground, in metres: the way out, upwards or sideways; 0 outside.

    A toe 3 mm behind the front of a step is 3 mm deep, however high the step.
    """
    depth = np.maximum(-heights(points, terrain), 0.0)
    inside = depth > RING_METRES[0]
    if inside.any():
        some = points[inside]
        angle = np.arange(8) * (np.pi / 4.0)
        around = np.stack([np.sin(angle), np.cos(angle)], axis=-1)
        places = some[:, None, None, [0, 2]] + RING_METRES[:, None, None] * around
        outside = (terrain.height(places) <= some[:, None, None, 1]).any(axis=-1)
        sideways = np.where(outside.any(axis=-1), RING_METRES[np.argmax(outside, axis=-1)], np.inf)
        depth[inside] = np.minimum(depth[inside], sideways)
    return depth


def float_heights(points: Array, terrain: Terrain) -> Array:
    """How high (...,) points (..., 3) are above the ground, or above higher ground within a centimetre, in metres."""
    around = EDGE_METRES * np.array([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    own = heights(points, terrain)
    high = own > EDGE_METRES
    if high.any():
        some = points[high]
        own[high] = some[:, 1] - terrain.height(some[:, None, [0, 2]] + around).max(axis=-1)
    return np.maximum(own, 0.0)


def deepest_between(points: Array, terrain: Terrain) -> Array:
    """The depth (frames,) of the deepest of points (frames, n, 3) in each frame and on the way to the next."""
    way = np.diff(points, axis=0, append=points[-1:])
    parts = np.arange(LOOKS_PER_FRAME) / LOOKS_PER_FRAME
    return depths(points[:, None] + parts[:, None, None] * way[:, None], terrain).max(axis=(1, 2))


def tilts(motion: MeasuredFoot, terrain: Terrain, leg: float, frames: Sequence[int]) -> Array:
    """Angles (n,) between a sole and the ground under it in some frames, in radians.

    The ground's normal is that of the plane that fits the ground under the whole sole best, in the sense of least
    squares, or the mean of its normals under heel and ball, whichever is nearer: a foot rests on stones as on the
    first, and beside an edge as on the second.
    """
    sole, up = motion.sole[frames], motion.up[frames]
    back, tip = sole[:, 0], sole[:, 3]
    side = np.cross(up, tip - back)
    side *= HALF_SOLE_WIDTH_LEG_LENGTHS * leg / np.maximum(np.linalg.norm(side, axis=-1, keepdims=True), 1e-12)
    along, across = (part.ravel() for part in np.meshgrid(np.linspace(0.0, 1.0, 9), np.linspace(-1.0, 1.0, 5)))
    points = back[:, None] + along[:, None] * (tip - back)[:, None] + across[:, None] * side[:, None]
    ground = np.stack([points[..., 0], terrain.height(points[..., [0, 2]]), points[..., 2]], axis=-1)
    off = ground - np.mean(ground, axis=1, keepdims=True)
    xz = off[..., [0, 2]]
    slopes = np.linalg.pinv(np.swapaxes(xz, 1, 2) @ xz) @ np.swapaxes(xz, 1, 2) @ off[..., 1:2]
    plane = np.stack([-slopes[:, 0, 0], np.ones(len(sole)), -slopes[:, 1, 0]], axis=-1)
    mean = np.mean(terrain.normal(sole[:, 1:3, [0, 2]]), axis=1)
    return np.minimum(angles_between(up, plane), angles_between(up, mean))


@dataclass(frozen=True)
class Measures:
    """How well one foot, or all feet, keep to the ground: largest values; None where there is nothing to measure."""

    slide_mm: float | None  # distance of heel, ball or tip from where it was set down, within one stance, in mm
    slide_cm_s: float | None  # mean speed of balls while they stand, in cm/s
    heel_penetration_mm: float | None  # depth of heels inside the ground while they stand, in mm
    heel_float_mm: float | None  # height of the lowest of heels above the ground while they stand, in mm
    toe_penetration_mm: float | None  # depth of balls and tips inside the ground while they stand, in mm
    toe_float_mm: float | None  # height of balls above the ground while they stand, in mm
    sole_penetration_mm: float | None  # depth of any of the sole inside the ground while the foot stands, in mm
    swing_penetration_mm: float | None  # the same while it swings, between frames too
    sole_angle_deg: float | None  # between sole and ground in mid-stance, in degrees
    acceleration_rad_s2: float | None  # largest of the leg's joints over thirtieths of a second, in rad/s²
    jerk_rad_s3: float | None  # likewise, in rad/s³
    fold_deg: float  # largest flexion of the knee, in degrees
    snap_deg: float | None  # largest change of the knee's flexion in a thirtieth of a second, in degrees
    single_support_deg: float | None  # mean flexion of the knee while this foot alone stands, in degrees
    extension: float  # largest distance from hip to ankle as a fraction of the leg's length


@dataclass(frozen=True)
class Row:
    """One foot, or all feet: stances, measures before and after, and what only a comparison shows."""

    name: str
    contacts: int  # number of stances that the referee found
    found: float | None  # share of their frames in which the new clip's maker says that the foot stands
    invented: float  # share of frames in which it is said to stand although the body falls freely
    before: Measures
    after: Measures
    pops: float | None  # largest angular acceleration of a leg's joint, as a multiple of the same joint's before
    joint: str | None  # the name of that joint
    frame: int | None  # the frame
    jerks: float | None  # the same of jerks
    flips: int  # frames in which a knee bends the wrong way and did not before
    straight: int  # frames in which a leg is straighter than it ever was before
    heading_deg: float | None  # largest change of a standing foot's heading, in degrees

    def largest(self, *names: str, after: bool) -> float | None:
        """The largest of some measures, after or before; None if there is none."""
        values = [getattr(self.after if after else self.before, name) for name in names]
        return max((value for value in values if value is not None), default=None)

    @property
    def crouch_deg(self) -> float | None:
        """How much more the knee is bent while this foot alone stands, in degrees."""
        before, after = self.before.single_support_deg, self.after.single_support_deg
        return None if before is None or after is None else after - before


def foot_row(comparison: Comparison, foot: FootComparison, turning: tuple[Turning, Turning]) -> Row:
    """The row of a foot. turning: of all joints, before and after."""
    alone = foot.standing & (np.sum([other.standing for other in comparison.feet], axis=0) == 1)
    before, after = (_measures(comparison, foot, alone, k, turning[k]) for k in (0, 1))
    old, new = turning
    stands: Array = np.any(foot.stands, axis=1)
    claimed = foot.claimed
    longest = foot.before.extension.max(initial=0.0) + MIN_STRAIGHTENING_LEG_LENGTHS
    flipped = (foot.after.knee < -MIN_FLIP_RADIANS) & (foot.before.knee > -MIN_FLIP_RADIANS)
    worst, joint, frame = _largest_ratio(old.accelerations, new.accelerations, foot.joints, MIN_ACCELERATION_RAD_S2)
    step = max(round(comparison.after.fps / 30.0), 1)
    return Row(
        name=foot.name,
        contacts=len(intervals(stands)),
        found=float(np.mean(claimed[stands])) if stands.any() else None,
        invented=float(np.mean(claimed & comparison.flight & ~foot.standing)) if len(claimed) else 0.0,
        before=before,
        after=after,
        pops=worst,
        joint=None if joint is None else comparison.after.skeleton.names[joint],
        frame=None if frame is None else comparison.skipped + frame + step,
        jerks=_largest_ratio(old.jerks, new.jerks, foot.joints, MIN_JERK_RAD_S3)[0],
        flips=int(np.sum(flipped)),
        straight=int(np.sum(foot.after.extension > longest)),
        heading_deg=_heading_change(foot),
    )


def _measures(comparison: Comparison, foot: FootComparison, alone: Array, after: int, turning: Turning) -> Measures:
    motion, placed = (foot.after, foot.after) if after else (foot.before, foot.before_on_terrain)
    terrain, fps = comparison.terrain, comparison.after.fps
    sole, stands = placed.sole, foot.stands
    standing = stands.any(axis=1)
    deep = 1e3 * depths(sole, terrain)
    high = 1e3 * float_heights(sole, terrain)
    heel = np.where(foot.ball, high[:, :BALL].min(axis=1), high.min(axis=1))  # a foot may land on its ball instead
    toes = np.concatenate([deep[stands[:, BALL], BALL], deep[stands[:, TIP], TIP]])
    swings = 1e3 * deepest_between(sole[:, [0, 3]] if not foot.pointlike else sole[:, :1], terrain)
    swings = np.maximum(swings, deep.max(axis=1))[~standing]
    flat = [(first + stop - 1) // 2 for first, stop in intervals(foot.ball & foot.heel)]
    angles = np.degrees(tilts(placed, terrain, foot.leg, flat)) if flat else np.zeros(0)
    knee = np.degrees(motion.knee)
    step = max(round(fps / 30.0), 1)
    return Measures(
        slide_mm=_largest([1e3 * one for one in _drifts(motion, foot)]),
        slide_cm_s=_mean(1e2 * standing_speeds(motion.ball, foot.ball, fps)),
        heel_penetration_mm=_largest(deep[foot.heel, HEEL]),
        heel_float_mm=_largest(heel[foot.heel]),
        toe_penetration_mm=_largest(toes),
        toe_float_mm=_largest(high[foot.ball, BALL]),
        sole_penetration_mm=_largest(deep[standing]),
        swing_penetration_mm=_largest(swings),
        sole_angle_deg=_largest(angles),
        acceleration_rad_s2=_largest(turning.accelerations[:, list(foot.joints)]),
        jerk_rad_s3=_largest(turning.jerks[:, list(foot.joints)]),
        fold_deg=float(np.abs(knee).max(initial=0.0)),
        snap_deg=_largest(np.abs(knee[step:] - knee[:-step])),
        single_support_deg=_mean(np.abs(knee[alone])),
        extension=float(motion.extension.max(initial=0.0)),
    )


def _drifts(motion: MeasuredFoot, foot: FootComparison) -> list[float]:
    """The largest distance of heel, ball or tip in each of its stances from where it was set down, in metres."""
    found = []
    for point in (BALL,) if foot.pointlike else (HEEL, BALL, TIP):
        stands = foot.heel & foot.ball if point == HEEL else foot.stands[:, point]  # as it lands, a heel may roll
        for first, stop in intervals(stands):
            place = motion.sole[first:stop, point]
            found.append(float(np.linalg.norm((place - place[0])[:, [0, 2]], axis=-1).max()))
    return found


def standing_speeds(points: Array, stands: Array, fps: float) -> Array:
    """Speeds (frames,) of a point (frames, 3) since the frame before in m/s; NaN where it does not stand in both."""
    found = np.full(len(stands), np.nan)
    moves = np.linalg.norm(np.diff(points, axis=0), axis=-1) * fps
    found[1:] = np.where(stands[1:] & stands[:-1], moves, np.nan)
    return found


def _largest_ratio(
    before: Array, after: Array, joints: tuple[int, ...], calm: float
) -> tuple[float | None, int | None, int | None]:
    """The largest of the joints' maxima after over before; its joint, and its frame."""
    if not len(after):
        return None, None, None
    old, new = before[:, list(joints)].max(axis=0), after[:, list(joints)].max(axis=0)
    ratios = np.maximum(new, calm) / np.maximum(old, calm)
    worst = int(np.argmax(ratios))
    return float(ratios[worst]), joints[worst], int(np.argmax(after[:, joints[worst]]))


def _heading_change(foot: FootComparison) -> float | None:
    """The largest change in degrees of the heading of a foot while its ball stands and its sole is not steep."""
    level = foot.ball & (np.abs(foot.before.heading[:, 1]) < 0.8) & (np.abs(foot.after.heading[:, 1]) < 0.8)
    if foot.pointlike or not level.any():
        return None
    change = level_heading(foot.after.heading[level]) - level_heading(foot.before.heading[level])
    return float(np.degrees(np.abs((change + np.pi) % (2.0 * np.pi) - np.pi)).max())


def _largest(values: ArrayLike) -> float | None:
    values = np.asarray(values, float)
    return float(values.max()) if values.size else None


def _mean(values: Array) -> float | None:
    values = values[np.isfinite(values)]
    return float(values.mean()) if values.size else None


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
