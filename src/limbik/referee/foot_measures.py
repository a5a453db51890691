"""Measures of one foot and its leg, in the stances that the referee found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.referee.comparison import Comparison, FootComparison, FootMotion, level_heading
from limbik.referee.soles import BALL, HEEL, TIP
from limbik.referee.surface import deepest_between, depths, floats, tilts
from limbik.skeleton.timing import intervals

CALM = 40.0  # rad/s²: 2.5° a thirtieth of a second each thirtieth; a joint's acceleration below counts as this
CALM_JERK = 1200.0  # rad/s³, likewise
BACKWARD = np.radians(5.0)  # a knee that bends the wrong way by more, where it did not, has flipped
STRAIGHT = 0.003  # leg lengths: a leg longer by more than ever in the original clip is straight where it was not


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


def foot_row(comparison: Comparison, foot: FootComparison, turning: tuple[Array, ...]) -> Row:
    """The row of a foot. turning: accelerations before and after, then jerks, of all joints, (frames, joints)."""
    alone = foot.standing & (np.sum([other.standing for other in comparison.feet], axis=0) == 1)
    before, after = (_measures(comparison, foot, alone, k, (turning[k], turning[2 + k])) for k in (0, 1))
    stands: Array = np.any(foot.stands, axis=1)
    held = foot.held
    longest = foot.before.extension.max(initial=0.0) + STRAIGHT
    flipped = (foot.after.knee < -BACKWARD) & (foot.before.knee > -BACKWARD)
    worst, joint, frame = _ratio(turning[0], turning[1], foot.joints, CALM)
    step = max(round(comparison.after.fps / 30.0), 1)
    return Row(
        name=foot.name,
        contacts=len(intervals(stands)),
        found=float(np.mean(held[stands])) if stands.any() else None,
        invented=float(np.mean(held & comparison.flight & ~foot.standing)) if len(held) else 0.0,
        before=before,
        after=after,
        pops=worst,
        joint=None if joint is None else comparison.after.skeleton.names[joint],
        frame=None if frame is None else comparison.skipped + frame + step,
        jerks=_ratio(turning[2], turning[3], foot.joints, CALM_JERK)[0],
        flips=int(np.sum(flipped)),
        straight=int(np.sum(foot.after.extension > longest)),
        heading_deg=_heading_change(foot),
    )


def _measures(
    comparison: Comparison, foot: FootComparison, alone: Array, after: int, turning: tuple[Array, Array]
) -> Measures:
    motion, placed = (foot.after, foot.after) if after else (foot.before, foot.before_on_terrain)
    terrain, fps = comparison.terrain, comparison.after.fps
    sole, stands = placed.sole, foot.stands
    standing = stands.any(axis=1)
    deep = 1e3 * depths(sole, terrain)
    high = 1e3 * floats(sole, terrain)
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
        acceleration_rad_s2=_largest(turning[0][:, list(foot.joints)]),
        jerk_rad_s3=_largest(turning[1][:, list(foot.joints)]),
        fold_deg=float(np.abs(knee).max(initial=0.0)),
        snap_deg=_largest(np.abs(knee[step:] - knee[:-step])),
        single_support_deg=_mean(np.abs(knee[alone])),
        extension=float(motion.extension.max(initial=0.0)),
    )


def _drifts(motion: FootMotion, foot: FootComparison) -> list[float]:
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


def _ratio(
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


def _largest(values: Any) -> float | None:
    values = np.asarray(values, float)
    return float(values.max()) if values.size else None


def _mean(values: Array) -> float | None:
    values = values[np.isfinite(values)]
    return float(values.mean()) if values.size else None
