"""The soles of a clip's feet, as the referee measures them: back of the heel, heel, ball and tip of the toes.

Files have joints, not soles. The referee takes the ground under a foot of the original clip to be its floor, y = 0, and
the sole to lie on it where the foot rests flat. It shares neither code nor thresholds with `limbik.grounding`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array
from limbik.rotations import inverse, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import RigLimb
from limbik.skeleton.timing import intervals

UP = np.array([0.0, 1.0, 0.0])
HUMAN_LEG_METRES = 0.85  # of the adult for whom thresholds in metres are stated; they scale with the leg
BACK, HEEL, BALL, TIP = range(4)  # order of the points of a sole
HEEL_FOOT_LENGTHS = 0.22  # of the length from ankle to tip: how far behind the ankle the sole ends; heels are round
MAX_LEVEL_RANGE_LEG_LENGTHS = 0.1  # stances whose levels differ more were not recorded on a floor
MAX_SOLE_LEG_LENGTHS = 0.25  # a ball joint that rests higher above y = 0 does not stand on that floor
ROUNDING_METRES = 1e-4  # by which a joint may be below the floor on which it lies
DEFAULT_SOLE_LEG_LENGTHS = 0.024  # thickness of a sole that cannot be measured
MAX_BALL_HEIGHT_METRES = 0.018  # a ball that has risen by more has left the ground
MAX_HEIGHTS_METRES = np.array([0.010, 0.010, MAX_BALL_HEIGHT_METRES, 0.010])  # of all points: heels and toes roll off
AVERAGING_SECONDS = 0.05  # seconds over which positions are averaged, against noise
TIPPED_ANKLE_METRES = 0.025  # an ankle that is higher or lower above the ball than when flat by more is tipped


@dataclass(frozen=True, eq=False)
class Sole:
    """The sole of one foot. A foot without toes is a point, with all four points of its sole in one place."""

    limb: RigLimb
    leg: float  # length of the leg in metres
    ankle: int  # joint of the ankle
    ball: int  # joint of the ball; the ankle's if pointlike
    heel: Array  # (2, 3) back of the heel and heel, in the ankle's frame
    toes: Array  # (2, 3) ball and tip of the sole, in the ball's frame
    down: Array  # (3,) towards the ground when the foot is flat, in the ankle's frame
    forward: Array  # (3,) the direction of the toes when the foot is flat, in the ankle's frame
    thickness: float  # height of the ball joint above the sole in metres

    @property
    def pointlike(self) -> bool:
        """Whether the foot is a point."""
        return self.ankle == self.ball

    @property
    def human(self) -> float:
        """The leg's length relative to a person's."""
        return self.leg / HUMAN_LEG_METRES

    def points(self, positions: Array, rotations: Array) -> Array:
        """The points (frames, 4, 3) of the sole, from positions and rotations of all joints in the world."""
        if self.pointlike:
            point = positions[:, self.ankle] - self.thickness * UP
            return np.broadcast_to(point[:, None], (len(point), 4, 3))
        heel = positions[:, None, self.ankle] + rotate(rotations[:, None, self.ankle], self.heel)
        toes = positions[:, None, self.ball] + rotate(rotations[:, None, self.ball], self.toes)
        return np.concatenate([heel, toes], axis=1)


def average(values: Array, fps: float, seconds: float = AVERAGING_SECONDS) -> Array:
    """Values (frames, ...) averaged over a centred window, shorter at the ends."""
    half = int(0.5 * seconds * fps)
    if half < 1 or len(values) < 2:
        return values
    total = np.concatenate([np.zeros_like(values[:1]), np.cumsum(values, axis=0)])
    frames = np.arange(len(values))
    reach = np.minimum(np.minimum(frames, len(values) - 1 - frames), half)  # symmetric, so that no point is moved
    first, last = frames - reach, frames + reach + 1
    return (total[last] - total[first]) / (last - first).reshape(-1, *(1,) * (values.ndim - 1))


def speeds(points: Array, fps: float) -> Array:
    """Speeds (frames, ...) of points (frames, ..., 3), noise averaged out, in m/s."""
    if len(points) < 2:
        return np.zeros(points.shape[:-1])
    return np.linalg.norm(np.gradient(average(points, fps), 1.0 / fps, axis=0), axis=-1)


def is_at_rest(
    points: Array, fps: float, leg: float, travel: float, height: Array | float = MAX_BALL_HEIGHT_METRES
) -> Array:
    """Where points (frames, ..., 3) rest on the ground: (frames, ...) bool.

    They are slower than 0.25 m/s for a leg of 0.85 m, or a tenth of the figure's speed `travel` in m/s, and within
    `height` metres, for the same leg, of the lowest that they come to within 0.6 s.
    """
    slow = speeds(points, fps) < max(0.25 * leg / HUMAN_LEG_METRES, 0.1 * travel)
    low = points[..., 1] - lowest_nearby(points[..., 1], round(0.6 * fps))
    return slow & (low < np.asarray(height) * leg / HUMAN_LEG_METRES)


def lowest_nearby(heights: Array, width: int) -> Array:
    """The least of heights (frames, ...) within `width` frames."""
    padded = np.pad(heights, [(width, width)] + [(0, 0)] * (heights.ndim - 1), mode="edge")
    return np.lib.stride_tricks.sliding_window_view(padded, 2 * width + 1, axis=0).min(axis=-1)


def sole_of(clip: Clip, limb: RigLimb, world: tuple[Array, Array], travel: float) -> Sole:
    """The sole of a limb's foot, measured where it rests in the clip. world: positions and rotations of all joints."""
    positions, rotations = world
    ankle = limb.joints[-1]
    ball, tip = (limb.toes[0], limb.toes[-1]) if limb.toes else (ankle, ankle)
    links = np.linalg.norm(np.diff(positions[:, list(limb.joints)], axis=1), axis=-1)
    leg = float(np.median(links.sum(axis=-1)))
    rests = is_at_rest(positions[:, ball], clip.fps, leg, travel)
    thickness = _thickness(positions[:, ball, 1], rests, leg)
    rest = Pose.rest(clip.skeleton).positions()
    tipped = np.abs(np.diff(positions[:, [ball, ankle], 1] - rest[[ball, ankle], 1], axis=1)[:, 0])
    flat = _flat_frames(positions[:, ankle], rotations[:, ankle], tipped, rests, clip.fps, leg, travel)
    back = inverse(rotations[flat, ankle])
    down = -_mean_direction(rotate(back, UP))
    to_ball = np.mean(rotate(back, positions[flat, ball] - positions[flat, ankle]), axis=0)
    under = float(-np.sum(to_ball * -down)) + thickness  # from the ankle down to the sole
    ahead = to_ball if ball != ankle else np.cross(down, np.eye(3)[int(np.argmin(np.abs(down)))])
    forward = _mean_direction((ahead - np.sum(ahead * down) * down)[None])
    to_tip = np.mean(rotate(back, positions[flat, tip] - positions[flat, ankle]), axis=0)
    heel = under * down
    length = float(np.sum(to_tip * forward))
    behind = heel - HEEL_FOOT_LENGTHS * length * forward
    ball_back = inverse(rotations[flat, ball])
    ball_down = -_mean_direction(rotate(ball_back, UP))
    tip_from_ball = np.mean(rotate(ball_back, positions[flat, tip] - positions[flat, ball]), axis=0)
    tip_under = thickness - float(np.sum(tip_from_ball * ball_down))
    toes = np.stack([thickness * ball_down, tip_from_ball + tip_under * ball_down])
    return Sole(limb, leg, ankle, ball, np.stack([behind, heel]), toes, down, forward, thickness)


def _thickness(heights: Array, rests: Array, leg: float) -> float:
    """Height of the ball joint above the sole: its height above y = 0 where it rests on a floor there."""
    if not rests.any():
        return DEFAULT_SOLE_LEG_LENGTHS * leg
    resting = np.sum(rests)
    levels = np.array([np.median(heights[first:stop]) for first, stop in intervals(rests)])
    if (
        np.ptp(levels) > MAX_LEVEL_RANGE_LEG_LENGTHS * leg
    ):  # a foot that rests elsewhere as well, on its heel or on something
        rests = rests & (np.abs(heights - np.median(heights[rests])) <= 0.5 * MAX_LEVEL_RANGE_LEG_LENGTHS * leg)
        if 3 * np.sum(rests) < 2 * resting:
            return DEFAULT_SOLE_LEG_LENGTHS * leg
    thickness = float(np.mean(heights[rests]))
    found = -ROUNDING_METRES <= thickness <= MAX_SOLE_LEG_LENGTHS * leg
    return max(thickness, 0.0) if found else DEFAULT_SOLE_LEG_LENGTHS * leg


def _flat_frames(
    ankle: Array, turns: Array, tipped: Array, rests: Array, fps: float, leg: float, travel: float
) -> Array:
    """The frames (n,) in which a foot rests flat: heel and ball rest, nearly as in the rest pose, and it turns least.

    tipped: (frames,) how far the ankle is from its height above the ball in the rest pose.
    """
    both = rests & is_at_rest(ankle, fps, leg, travel)
    chosen = np.flatnonzero(both if both.any() else rests if rests.any() else np.ones(len(rests), bool))
    chosen = chosen[tipped[chosen] <= np.quantile(tipped[chosen], 0.25) + TIPPED_ANKLE_METRES * leg / HUMAN_LEG_METRES]
    if len(turns) < 2:
        return chosen
    turning = average(np.linalg.norm(np.gradient(turns, axis=0), axis=-1), fps)[chosen]
    return chosen[turning <= np.median(turning)]


def _mean_direction(vectors: Array) -> Array:
    mean = np.mean(vectors, axis=0)
    return mean / max(float(np.linalg.norm(mean)), 1e-12)
