"""Cycles: clips whose last frame meets their first. How they are repeated, and how those on the spot travel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array
from limbik.grounding.foot_detection import as_legs
from limbik.grounding.smoothing import smoothed
from limbik.rotations import about, multiply, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.clip_editing import begins_with_stray_pose
from limbik.skeleton.foot import UP
from limbik.skeleton.skeleton import RigLimb
from limbik.skeleton.timing import intervals
from limbik.skeleton.torso import pelvis_of

SAME = 0.004  # leg lengths: a last frame this near to the first is the same pose once more
NEAR = 1.5  # times the usual way from frame to frame: a last frame this near to the first is followed by it
CUT = 4.0  # the same of walks on the spot, from which exporters cut a frame or two
MOVING = 0.05  # leg lengths: a clip whose joints move less is a pose, not a cycle
FEWEST = 8  # frames of a cycle
LOW = 0.15  # fraction of a foot's range of heights, from the bottom, in which it stands
LIFTED = 0.04  # leg lengths: feet that rise by less do not walk
STEPS = 2  # times that each foot stands, at least, in a clip that walks on the spot without being a cycle
ON_THE_SPOT = 0.3  # leg lengths: figures that go farther travel already
STILL = 0.3  # leg lengths per second: feet slower than this stand still, and so does the figure
ALIKE = 0.8  # cosine of the largest angle between the ways of standing feet
UNLIKE = 2.0  # the largest ratio of the speeds of two standing feet
GALLOP = 4.5  # the same of four
FASTEST, SLOWEST = 1.6, 0.5  # of the mean speed: what the figure is moved by at most and at least
QUIET = 0.04  # seconds to either side over which a velocity is smoothed


@dataclass(frozen=True, eq=False)
class Cycle:
    """A cycle: its frames from the first to the one before it begins again, and how it goes on from there."""

    clip: Clip
    period: int  # frames
    turn: Array  # (4,) rotation about the vertical from one repetition to the next
    way: Array  # (3,) displacement over the ground from one to the next, after the turn

    def repeated(self, count: int, around: int) -> tuple[Clip, slice]:
        """The clip that is played `count` times, and for `around` frames before and after; the slice holds the former.

        A last frame that is the first once more is kept.
        """
        times = np.arange(-around, count * self.period + len(self.clip) - self.period + around)
        round_, frames = np.divmod(times, self.period)
        turns, ways = self._places(round_)
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

    def _places(self, rounds: Array) -> tuple[Array, Array]:
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
        return tuple(np.array([found[int(k)][part] for k in rounds]) for part in (0, 1))  # pyright: ignore[reportReturnType]


def as_cycle(clip: Clip, limbs: list[RigLimb]) -> Cycle | None:
    """The clip as a cycle, or None if its last frame does not meet its first."""
    if len(clip) < FEWEST or len(clip.skeleton.roots) != 1:
        return None
    pelvis = pelvis_of(clip.skeleton, limbs)
    ends = clip[:: len(clip) - 1].positions()
    leg = max(_leg(ends, limb) for limb in limbs)
    if np.abs(np.diff(ends[..., 1], axis=0)).max() > 0.5 * leg:  # most clips are no cycles, and this is quick
        return None
    positions, rotations = clip.world()
    heading = _headings(rotations[:, pelvis], rotations[0, pelvis])
    body = np.delete(positions, clip.skeleton.ancestors(pelvis), axis=1) - positions[:, [pelvis]] * [1.0, 0.0, 1.0]
    turned = rotate(about(UP, -heading)[:, None], body)
    steps = np.linalg.norm(np.diff(turned, axis=0), axis=-1).max(axis=-1)
    seam = float(np.linalg.norm(turned[-1] - turned[0], axis=-1).max())
    usual, same = float(np.median(steps)), seam <= SAME * leg
    if np.ptp(turned, axis=0).max() < MOVING * leg or seam > max(SAME * leg, CUT * usual):
        return None
    if not same and seam > NEAR * usual and not _walks_on_the_spot(clip, positions, limbs, leg):
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
    stays = np.ptp(place, axis=0).max() < ON_THE_SPOT * leg
    return bool(stays) and _travel(positions, limbs, leg, clip.fps, cyclic=True) is not None


def is_cycle(clip: Clip) -> bool:
    """Whether a clip with legs is a cycle: `ground` can repeat it."""
    return not begins_with_stray_pose(clip) and as_cycle(clip, as_legs(clip, None)) is not None


def travelling_cycle(cycle: Cycle, limbs: list[RigLimb]) -> tuple[Cycle, float]:
    """The cycle, moving over the ground so that standing feet rest, and its mean speed in m/s.

    A cycle that travels already, or whose feet do not push back together, is left as it is; its speed is then 0.
    """
    clip, period = cycle.clip, cycle.period
    positions = clip.positions()[:period]
    leg = float(np.mean([_leg(positions, limb) for limb in limbs]))
    if np.linalg.norm(cycle.way) > ON_THE_SPOT * leg:
        return cycle, 0.0
    places = _travel(positions, limbs, leg, clip.fps, cyclic=True)
    if places is None:
        return cycle, 0.0
    shift = np.stack([places[: len(clip), 0], np.zeros(len(clip)), places[: len(clip), 1]], axis=-1)
    way = cycle.way + np.array([places[-1, 0], 0.0, places[-1, 1]])
    speed = float(np.linalg.norm(places[-1])) * clip.fps / period
    return Cycle(clip.moved(translation=shift), period, cycle.turn, way), speed


def travelling(clip: Clip, limbs: list[RigLimb]) -> tuple[Clip, float]:
    """The same for a clip that is no cycle: as a whole walk of several steps on the spot, such as on a treadmill."""
    if len(clip) < FEWEST:
        return clip, 0.0
    leg = float(np.mean([_leg(clip[:1].positions(), limb) for limb in limbs]))
    positions = clip.positions()
    if np.ptp(positions[:, pelvis_of(clip.skeleton, limbs)][:, [0, 2]], axis=0).max() > leg:
        return clip, 0.0
    places = _travel(positions, limbs, leg, clip.fps, cyclic=False)
    if places is None:
        return clip, 0.0
    shift = np.stack([places[: len(clip), 0], np.zeros(len(clip)), places[: len(clip), 1]], axis=-1)
    return clip.moved(translation=shift), float(np.linalg.norm(places[-1])) / max(clip.duration, 1e-9)


def _travel(positions: Array, limbs: list[RigLimb], leg: float, fps: float, *, cyclic: bool) -> Array | None:
    """Where (frames + 1, 2) a figure on the spot goes if standing feet rest; None if its feet do not walk."""
    count = len(positions)
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
    weights = np.clip(1.0 - rise / (LOW * np.maximum(heights, 1e-9)), 0.0, 1.0)
    low = weights > 0.0
    steps = min(len(intervals(one)) for one in low.T)
    if heights.min() < LIFTED * leg or (steps < STEPS and not cyclic):
        return None
    weights = _pushing(weights, velocity, leg)
    low = weights > 0.0
    means = np.sum(weights[..., None] * velocity, axis=0) / np.sum(weights, axis=0)[:, None]
    if not _together(means, velocity, low, leg):
        return None
    direction = np.mean(means, axis=0) / np.linalg.norm(np.mean(means, axis=0))
    weights = weights * (np.sum(velocity * direction, axis=-1) > 0.0)
    total = np.sum(weights, axis=1)
    known = np.flatnonzero(total > 0.05)
    pushed = np.sum(weights[..., None] * velocity, axis=1)[known] / total[known, None]
    along = pushed @ direction
    usual = float(np.sum(total[known] * along) / np.sum(total[known]))
    pushed = pushed * (np.clip(along, SLOWEST * usual, FASTEST * usual) / np.maximum(along, 1e-9))[:, None]
    ends = (-count, 0, count) if cyclic else (0,)  # in flight, from landing to landing
    every, values = np.concatenate([known + end for end in ends]), np.tile(pushed, (len(ends), 1))
    speed = -np.stack([np.interp(np.arange(count), every, values[:, k]) for k in (0, 1)], axis=-1)
    width = round(QUIET * fps)
    speed = smoothed(np.tile(speed, (3, 1)), width)[count : 2 * count] if cyclic else smoothed(speed, width)
    after = np.concatenate([speed[1:], speed[:1] if cyclic else speed[-1:]])
    return np.concatenate([[np.zeros(2)], np.cumsum(0.5 * (speed + after), axis=0)]) / fps


def _pushing(weights: Array, velocity: Array, leg: float) -> Array:
    """The weights (frames, feet) of standing feet without frames in which a foot swings forward near the ground.

    velocity: (frames, feet, 2). Feet that do so for long do not walk, and keep their weights.
    """
    push = np.sum(weights[..., None] * velocity, axis=(0, 1))
    along = velocity @ (push / max(float(np.linalg.norm(push)), 1e-9))
    pushing = np.where(along < -STILL * leg, 0.0, weights)
    low, kept = weights > 0.0, pushing > 0.0
    if np.all(np.sum(kept, axis=0) > 0.5 * np.sum(low, axis=0)) and all(
        np.median(speed[stands]) > STILL * leg for speed, stands in zip(along.T, kept.T, strict=True)
    ):
        return pushing
    return weights


def _together(means: Array, velocity: Array, low: Array, leg: float) -> bool:
    """Whether standing feet (frames, feet) all go the same way at about the same speed, and swings the other way."""
    sizes = np.linalg.norm(means, axis=-1)
    if sizes.min() < STILL * leg or sizes.max() > (UNLIKE if len(sizes) < 3 else GALLOP) * sizes.min():
        return False
    directions = means / sizes[:, None]
    if (directions @ directions.T).min() < ALIKE:
        return False
    along = np.sum(velocity * directions, axis=-1)
    swinging = np.where(low, np.nan, along)
    alternate = not np.all(low == low[:, :1])  # feet that stand at the same times jump
    return bool(alternate and np.all(np.nanmean(swinging, axis=0) < 0.0))


def _leg(positions: Array, limb: RigLimb) -> float:
    return float(np.linalg.norm(np.diff(positions[0, list(limb.joints)], axis=0), axis=-1).sum())


def _headings(rotations: Array, first: Array) -> Array:
    """Angles (frames,) about the vertical by which rotations (frames, 4) differ from the first (4,)."""
    change = multiply(rotations, first * [-1.0, -1.0, -1.0, 1.0])
    return np.unwrap(2.0 * np.arctan2(change[:, 1], change[:, 3]))
