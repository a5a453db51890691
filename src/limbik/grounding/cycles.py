"""Cycles: clips whose last frame meets their first. How they are repeated, and how those on the spot travel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.grounding.foot_detection import as_legs
from limbik.grounding.smoothing import smooth
from limbik.rotations import about, multiply, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.clip_editing import begins_with_stray_pose
from limbik.skeleton.foot import UP
from limbik.skeleton.skeleton import RigLimb
from limbik.skeleton.timing import intervals
from limbik.skeleton.torso import pelvis_of

SAME_POSE_LEG_LENGTHS = 0.004  # a last frame this near to the first is the same pose once more
MAX_SEAM_STEPS = 1.5  # times the usual way from frame to frame: a last frame this near to the first is followed by it
MAX_CUT_SEAM_STEPS = 4.0  # the same of walks on the spot, from which exporters cut a frame or two
MIN_MOTION_LEG_LENGTHS = 0.05  # a clip whose joints move less is a pose, not a cycle
MIN_CYCLE_FRAMES = 8  # frames of a cycle
CYCLE_MARGIN_SECONDS = 1.5  # seconds, and one repetition, before and after a cycle that is grounded
LOW_HEIGHT_SHARE = 0.15  # fraction of a foot's range of heights, from the bottom, in which it stands
MIN_LIFT_LEG_LENGTHS = 0.04  # feet that rise by less do not walk
MIN_PLANTS_PER_FOOT = 2  # in a clip that walks on the spot without being a cycle
MAX_ON_THE_SPOT_LEG_LENGTHS = 0.3  # figures that go farther travel already
MAX_STILL_LEG_LENGTHS_S = 0.3  # leg lengths per second: feet slower than this stand still, and so does the figure
MIN_DIRECTION_COSINE = 0.8  # cosine of the largest angle between the ways of standing feet
MAX_TWO_FEET_SPEED_RATIO = 2.0  # the largest ratio of the speeds of two standing feet
MAX_FOUR_FEET_SPEED_RATIO = 4.5  # the same of four
MIN_TRAVEL_SPEED_SHARE, MAX_TRAVEL_SPEED_SHARE = 0.5, 1.6  # of the mean speed: what the figure is moved by
TRAVEL_SMOOTHING_SECONDS = 0.04  # seconds to either side over which a velocity is smoothed


@dataclass(frozen=True, eq=False)
class Cycle:
    """A cycle: its frames from the first to the one before it begins again, and how it goes on from there."""

    clip: Clip
    period: int  # frames
    turn: Array  # (4,) rotation about the vertical from one repetition to the next
    way: Array  # (3,) displacement over the ground from one to the next, after the turn

    def repeat(self, count: int, around: int) -> tuple[Clip, slice]:
        """The clip that is played `count` times, and for `around` frames before and after; the slice holds the former.

        A last frame that is the first once more is kept.
        """
        times = np.arange(-around, count * self.period + len(self.clip) - self.period + around)
        round_, frames = np.divmod(times, self.period)
        turns, ways = self._repetition_places(round_)
        root = self.clip.skeleton.roots[0]
        rotations, translations = self.clip.rotations[frames], self.clip.translations[frames]
        rotations[:, root] = multiply(turns, rotations[:, root])
        translations[:, root] = rotate(turns, translations[:, root]) + ways
        changes: dict[str, object] = {"rotations": rotations, "translations": translations}
        for name in ("scales", "contacts"):
            values = getattr(self.clip, name)
            changes[name] = None if values is None else values[frames]
        longer = self.clip.with_(**changes, start=self.clip.start - around / self.clip.fps)
        return longer, slice(around, len(times) - around)

    def _repetition_places(self, rounds: Array) -> tuple[Array, Array]:
        """The rotations (n, 4) and displacements (n, 3) of repetitions (n,), which may be negative."""
        low, high = int(rounds.min()), int(rounds.max())
        found = {0: (np.array([0.0, 0.0, 0.0, 1.0]), np.zeros(3))}
        back = self.turn * [-1.0, -1.0, -1.0, 1.0]
        for k in range(1, high + 1):
            turn, way = found[k - 1]
            found[k] = multiply(self.turn, turn), rotate(self.turn, way) + self.way
        for k in range(-1, low - 1, -1):
            turn, way = found[k + 1]
            found[k] = multiply(back, turn), rotate(back, way - self.way)
        places = [found[int(k)] for k in rounds]
        return np.array([turn for turn, _ in places]), np.array([way for _, way in places])


class Travel(NamedTuple):
    """A motion over the ground."""

    clip: Clip
    frames: slice  # those that count; around them are repetitions of a cycle
    speed: float  # of a figure that walked on the spot, in m/s; 0 for others
    period: int = 0  # frames of a cycle; 0 for other motions


def as_cycle(clip: Clip, limbs: list[RigLimb]) -> Cycle | None:
    """The clip as a cycle, or None if its last frame does not meet its first."""
    if len(clip) < MIN_CYCLE_FRAMES or len(clip.skeleton.roots) != 1:
        return None
    pelvis = pelvis_of(clip.skeleton, limbs)
    ends = clip[:: len(clip) - 1].positions()
    leg = max(_leg_length(ends, limb) for limb in limbs)
    if np.abs(np.diff(ends[..., 1], axis=0)).max() > 0.5 * leg:  # most clips are no cycles, and this is quick
        return None
    positions, rotations = clip.world()
    heading = _headings(rotations[:, pelvis], rotations[0, pelvis])
    near = SAME_POSE_LEG_LENGTHS * leg
    turned = rotate(about(UP, -heading)[:, None], positions - positions[:, [pelvis]] * [1.0, 0.0, 1.0])
    above, legs = clip.skeleton.ancestors(pelvis), [joint for limb in limbs for joint in (*limb.joints, *limb.toes)]
    moves = np.ptp(turned, axis=0).max(axis=-1) >= MIN_MOTION_LEG_LENGTHS * leg
    # Where legs that move come back exactly, an arm need not.
    walks = moves[legs].any() and np.abs(np.diff(turned[:: len(clip) - 1, [pelvis, *legs]], axis=0)).max() <= near
    judged = turned[:, [pelvis, *legs]] if walks else np.delete(turned, above, axis=1)
    steps = np.linalg.norm(np.diff(judged, axis=0), axis=-1).max(axis=-1)
    seam = float(np.linalg.norm(judged[-1] - judged[0], axis=-1).max())
    usual, same = float(np.median(steps)), seam <= near
    if not np.delete(moves, above).any() or not (same or seam <= MAX_CUT_SEAM_STEPS * usual):
        return None
    if not same and seam > MAX_SEAM_STEPS * usual and not _walks_on_the_spot(clip, positions, limbs, leg):
        return None
    period = len(clip) - same
    ahead = 0.0 if same else 1.0  # the cycle goes on for one more frame, as it did in the last one
    yaw = heading[-1] + ahead * (heading[-1] - heading[-2])
    turn = about(UP, np.asarray(yaw if abs(yaw) > 1e-3 else 0.0))
    end = positions[-1, pelvis] + ahead * (positions[-1, pelvis] - positions[-2, pelvis])
    way = (end - rotate(turn, positions[0, pelvis])) * [1.0, 0.0, 1.0]
    return Cycle(clip, period, turn, way)


def _walks_on_the_spot(clip: Clip, positions: Array, limbs: list[RigLimb], leg: float) -> bool:
    place = positions[:, pelvis_of(clip.skeleton, limbs)][:, [0, 2]]
    stays = np.ptp(place, axis=0).max() < MAX_ON_THE_SPOT_LEG_LENGTHS * leg
    return bool(stays) and _travel_places(positions, limbs, leg, clip.fps, cyclic=True) is not None


def is_cycle(clip: Clip) -> bool:
    """Whether a clip with legs is a cycle: `ground` can repeat it."""
    return not begins_with_stray_pose(clip) and as_cycle(clip, as_legs(clip, None)) is not None


def travel_cycle(cycle: Cycle, limbs: list[RigLimb], repeat: int) -> Travel:
    """A cycle, repeated, moving over the ground so that standing feet rest; repetitions around it make its ends fit.

    A cycle that travels already, or whose feet do not push back together, is left as it is; its speed is then 0.
    """
    clip, period, speed = cycle.clip, cycle.period, 0.0
    positions = clip.positions()[:period]
    leg = float(np.mean([_leg_length(positions, limb) for limb in limbs]))
    places = None
    if np.linalg.norm(cycle.way) <= MAX_ON_THE_SPOT_LEG_LENGTHS * leg:
        places = _travel_places(positions, limbs, leg, clip.fps, cyclic=True)
    if places is not None:
        speed = float(np.linalg.norm(places[-1])) * clip.fps / period
        way = cycle.way + np.array([places[-1, 0], 0.0, places[-1, 1]])
        cycle = Cycle(_displace(clip, places), period, cycle.turn, way)
    return Travel(*cycle.repeat(repeat, period + round(CYCLE_MARGIN_SECONDS * clip.fps)), speed, period)


def travel_clip(clip: Clip, limbs: list[RigLimb]) -> Travel:
    """A clip that is no cycle; a whole walk of several steps on the spot, as on a treadmill, moves over the ground."""
    still = Travel(clip, slice(None), 0.0)
    if len(clip) < MIN_CYCLE_FRAMES:
        return still
    leg = float(np.mean([_leg_length(clip[:1].positions(), limb) for limb in limbs]))
    positions = clip.positions()
    if np.ptp(positions[:, pelvis_of(clip.skeleton, limbs)][:, [0, 2]], axis=0).max() > leg:
        return still
    places = _travel_places(positions, limbs, leg, clip.fps, cyclic=False)
    if places is None:
        return still
    return Travel(_displace(clip, places), slice(None), float(np.linalg.norm(places[-1])) / max(clip.duration, 1e-9))


def _displace(clip: Clip, places: Array) -> Clip:
    """The clip with each frame displaced over the ground, by x and z (frames or more, 2)."""
    return clip.moved(translation=np.insert(places[: len(clip)], 1, 0.0, axis=1))


def _travel_places(positions: Array, limbs: list[RigLimb], leg: float, fps: float, *, cyclic: bool) -> Array | None:
    """Where (frames + 1, 2) a figure on the spot goes if standing feet rest; None if its feet do not walk."""
    feet = positions[:, [limb.toes[0] if limb.toes else limb.joints[-1] for limb in limbs]]
    around = (
        np.concatenate([feet[-1:], feet, feet[:1]])
        if cyclic
        else np.pad(feet, ((1, 1), (0, 0), (0, 0)), "reflect", reflect_type="odd")
    )
    velocity = 0.5 * fps * (around[2:] - around[:-2])[..., [0, 2]]
    # Of ball and ankle together: toes may dip lowest as they swing.
    level = 0.5 * (feet[..., 1] + positions[:, [limb.joints[-1] for limb in limbs], 1])
    rise, heights = level - level.min(axis=0), np.ptp(level, axis=0)
    weights = np.clip(1.0 - rise / (LOW_HEIGHT_SHARE * np.maximum(heights, 1e-9)), 0.0, 1.0)
    low = weights > 0.0
    steps = min(len(intervals(one)) for one in low.T)
    if heights.min() < MIN_LIFT_LEG_LENGTHS * leg or (steps < MIN_PLANTS_PER_FOOT and not cyclic):
        return None
    weights = _drop_forward_swings(weights, velocity, leg)
    low = weights > 0.0
    means = np.sum(weights[..., None] * velocity, axis=0) / np.sum(weights, axis=0)[:, None]
    if not _push_together(means, velocity, low, leg):
        return None
    speed = _opposing_velocities(weights, velocity, means, fps, cyclic=cyclic)
    after = np.concatenate([speed[1:], speed[:1] if cyclic else speed[-1:]])
    return np.concatenate([[np.zeros(2)], np.cumsum(0.5 * (speed + after), axis=0)]) / fps


def _opposing_velocities(weights: Array, velocity: Array, means: Array, fps: float, *, cyclic: bool) -> Array:
    """The velocities (frames, 2) of a figure whose standing feet rest; evenly from landing to landing in flight.

    weights: (frames, feet), of standing feet. velocity: (frames, feet, 2). means: (feet, 2), of standing feet.
    """
    count = len(velocity)
    direction = np.mean(means, axis=0) / np.linalg.norm(np.mean(means, axis=0))
    weights = weights * (np.sum(velocity * direction, axis=-1) > 0.0)
    total = np.sum(weights, axis=1)
    known = np.flatnonzero(total > 0.05)
    pushed = np.sum(weights[..., None] * velocity, axis=1)[known] / total[known, None]
    along = pushed @ direction
    usual = float(np.sum(total[known] * along) / np.sum(total[known]))
    moderate = np.clip(along, MIN_TRAVEL_SPEED_SHARE * usual, MAX_TRAVEL_SPEED_SHARE * usual)
    pushed = pushed * (moderate / np.maximum(along, 1e-9))[:, None]
    ends = (-count, 0, count) if cyclic else (0,)
    every, values = np.concatenate([known + end for end in ends]), np.tile(pushed, (len(ends), 1))
    speed = -np.stack([np.interp(np.arange(count), every, values[:, k]) for k in (0, 1)], axis=-1)
    width = round(TRAVEL_SMOOTHING_SECONDS * fps)
    return smooth(np.tile(speed, (3, 1)), width)[count : 2 * count] if cyclic else smooth(speed, width)


def _drop_forward_swings(weights: Array, velocity: Array, leg: float) -> Array:
    """The weights (frames, feet) of standing feet without frames in which a foot swings forward near the ground.

    velocity: (frames, feet, 2). Feet that do so for long do not walk, and keep their weights.
    """
    push = np.sum(weights[..., None] * velocity, axis=(0, 1))
    along = velocity @ (push / max(float(np.linalg.norm(push)), 1e-9))
    pushing = np.where(along < -MAX_STILL_LEG_LENGTHS_S * leg, 0.0, weights)
    low, kept = weights > 0.0, pushing > 0.0
    if np.all(np.sum(kept, axis=0) > 0.5 * np.sum(low, axis=0)) and all(
        np.median(speed[stands]) > MAX_STILL_LEG_LENGTHS_S * leg for speed, stands in zip(along.T, kept.T, strict=True)
    ):
        return pushing
    return weights


def _push_together(means: Array, velocity: Array, low: Array, leg: float) -> bool:
    """Whether standing feet (frames, feet) all go the same way at about the same speed, and swings the other way."""
    sizes = np.linalg.norm(means, axis=-1)
    ratio = MAX_TWO_FEET_SPEED_RATIO if len(sizes) < 3 else MAX_FOUR_FEET_SPEED_RATIO
    if sizes.min() < MAX_STILL_LEG_LENGTHS_S * leg or sizes.max() > ratio * sizes.min():
        return False
    directions = means / sizes[:, None]
    if (directions @ directions.T).min() < MIN_DIRECTION_COSINE:
        return False
    along = np.sum(velocity * directions, axis=-1)
    swinging = np.where(low, np.nan, along)
    alternate = not np.all(low == low[:, :1])  # feet that stand at the same times jump
    return bool(alternate and np.all(np.nanmean(swinging, axis=0) < 0.0))


def _leg_length(positions: Array, limb: RigLimb) -> float:
    return float(np.linalg.norm(np.diff(positions[0, list(limb.joints)], axis=0), axis=-1).sum())


def _headings(rotations: Array, first: Array) -> Array:
    """Angles (frames,) about the vertical by which rotations (frames, 4) differ from the first (4,)."""
    change = multiply(rotations, first * [-1.0, -1.0, -1.0, 1.0])
    return np.unwrap(2.0 * np.arctan2(change[:, 1], change[:, 3]))
