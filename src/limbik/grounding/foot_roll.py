"""How a foot that is locked to its footholds rolls over them, from heel to toes: its stances."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from limbik.arrays import Array
from limbik.grounding.knees import NEARLY_STRAIGHT_RADIANS, flexion, plan_flexion, span
from limbik.grounding.motion import Motion
from limbik.grounding.plant_footholds import Footholds, Z, first_rows
from limbik.grounding.plants import POSITION_SMOOTHING_SECONDS, Plant, ball_position
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import bridge, smooth
from limbik.rotations import about, from_matrices, inverse, multiply, normalized, rotate, shortest_arc, slerp
from limbik.skeleton.foot import UP, Foot
from limbik.skeleton.timing import ease
from limbik.terrains.base import Terrain

X = np.array([1.0, 0.0, 0.0])
UPRIGHT_PITCH_RADIANS = 0.6  # the pitch of a foot on its ball at which it no longer tips sideways with the ground
MAX_HEEL_RADIANS = 1.3  # the largest pitch of a foot that stands on its ball
STEEP_HEEL_RADIANS = 0.8  # the pitch at which that limit sets in
MAX_TRIED_PITCH_RADIANS = 1.7  # the largest pitch that is tried
TRIED_PITCHES = 35  # pitches tried
MIN_ROLLING_HEEL_RADIANS = 0.25  # a foot rolls off its ball where its heel rises by more in the clip
HEEL_RISE_SECONDS = 0.1  # seconds over which a heel begins to rise further than in the clip
MIN_HEEL_RISE_SHARE = 0.4  # of its rise in the clip: how far a heel rises at least
SOFT_HEEL_RADIANS, SOFT_KNEE_RADIANS = 0.05, 0.03  # radians over which limits of heels and knees set in
MAX_TOE_DEPTH_LEG_LENGTHS = 0.04  # toes of a foot that stands on its heel are inside a riser if they are deeper
LANDING_DROP_LEG_LENGTHS = 0.1  # how much lower than the last a foothold is on which a foot lands with its ball first
LANDING_PITCH_RADIANS = 0.25  # by which the foot then points down
LANDING_SECONDS = 0.06  # in which its heel follows


@dataclass(frozen=True, eq=False)
class Stance:
    """The poses of a foot while it is planted; undefined in frames in which it is not."""

    stands: Array  # (frames,) bool; the foot is planted
    ball: Array  # (frames,) bool; the ball stands
    heel: Array  # (frames,) bool; the heel stands
    ankle: Array  # (frames, 3) position of the ankle in the world
    turn: Array  # (frames, 4) rotation of the ankle in the world
    toes: Array  # (frames, 4) local rotation of the ball


@dataclass(frozen=True, eq=False)
class FootRoll:
    """How a foot rolls over its footholds. Arrays (n, ...) hold a row for each frame of each plant, in order."""

    plants: list[Plant]
    frames: Array  # (n,) index of the frame
    place: Array  # (n, 3) the point under the ball
    frame: Array  # (n, 4) rotation of the flat foot from facing +z
    heel_frame: Array  # (n, 4) the same where the ball last stood or next stands: a foot on its heel turns about that
    upright: Array  # (n, 4) the same of a foot with its heel up, which does not tip sideways with the ground
    pitch: Array  # (n,) radians; positive with toes up, negative with the heel up
    raised: Array  # (n,) radians by which toes are turned down, so that they stand on their tip
    on_heel: Array  # (n,) bool; the foot stands on its heel alone
    rolling: Array  # (n,) frames since the heel was free to rise, 0 before

    def part(self, plants: list[Plant], rows: Array) -> FootRoll:
        """Some of the rows, as those of such plants."""
        return FootRoll(plants, **{name: value[rows] for name, value in vars(self).items() if name != "plants"})


def roll_over_footholds(motion: Motion, k: int, footholds: Footholds, terrain: Terrain, settings: Settings) -> FootRoll:
    """How foot number k rolls over its footholds."""
    foot, plants, world, fps = motion.feet[k], footholds.plants, motion.world, motion.clip.fps
    rotations = world[1]
    window = settings.release * fps
    counts = np.array([plant.stop - plant.first for plant in plants], int)
    of = np.repeat(np.arange(len(plants)), counts)
    columns = [(one.first, one.ball, one.lift, one.rise, one.stop, one.heel_first, one.heel_last) for one in plants]
    first, ball, lift, rise, stop, heel_first, heel_last = np.array(columns, int).reshape(-1, 7).T[:, of]
    frames = np.arange(len(of)) - first_rows(plants)[of] + first
    ahead = rotate(foot.orientation(rotations), Z)
    pitch = _flatten_pitch(np.arcsin(np.clip(ahead[:, 1], -1.0, 1.0)), plants, window)[frames]
    toes = smooth(_toe_pitch(foot, rotations), round(POSITION_SMOOTHING_SECONDS * fps))
    on_heel = ((frames < ball) & (heel_first > 0)) | ((frames >= rise) & (heel_last > 0))
    on_tip = ((frames < ball) | (frames >= rise)) & ~on_heel
    nearest = np.where(frames < ball, np.minimum(ball, stop - 1), np.maximum(rise - 1, 0))
    raised = np.where(on_tip, np.maximum(toes[frames] - toes[nearest], 0.0), 0.0)
    if len(plants) > 1 and not foot.pointlike:
        levels = np.array([ball_position(foot, one, world)[1] for one in plants])
        steep = _drops(footholds.place, footholds.normal) + np.diff(levels, prepend=levels[0])
        drop = LANDING_DROP_LEG_LENGTHS
        pointed = LANDING_PITCH_RADIANS * ease((steep / foot.leg - 0.5 * drop) / drop)[of]
        on_heel = on_heel & ((pointed <= 0.0) | (frames >= rise))
        # The heel is down when it is in the clip.
        pointed = pointed * np.minimum((ball - first) / (LANDING_SECONDS * fps), 1.0)
        landing = -pointed * (1.0 - ease((frames - first) / np.maximum(ball - first, 1)))
        pitch = np.where(pointed > 0.0, np.minimum(pitch, 0.0) * (frames >= lift) + landing, pitch)
    frame = _flat_frames(footholds.normal[of], footholds.facing)
    rolling = np.where(on_heel, 0, np.maximum(frames - lift + 1, 0))
    on_ball = np.minimum(np.clip(frames, ball, np.maximum(rise - 1, ball)), stop - 1)
    heel_frame = frame[np.arange(len(of)) + on_ball - frames]
    upright = _level_sideways(frame, pitch)
    roll = FootRoll(plants, frames, footholds.place[of], frame, heel_frame, upright, pitch, raised, on_heel, rolling)
    return _keep_toes_out_of_risers(foot, roll, terrain)


def _keep_toes_out_of_risers(foot: Foot, roll: FootRoll, terrain: Terrain) -> FootRoll:
    """The roll without the ends of plants in which a foot that turns on its heel pushes its toes into a riser."""
    rows = np.flatnonzero(roll.on_heel)
    if foot.pointlike or not len(rows):
        return roll
    points = foot.sole_points(*_rolling_poses(foot, roll.part(roll.plants, rows)))[:, 2:]
    inside = np.zeros(len(roll.frames), bool)
    depths = (terrain.height(points[..., [0, 2]]) - points[..., 1]).max(axis=-1)
    inside[rows] = depths > MAX_TOE_DEPTH_LEG_LENGTHS * foot.leg
    if not inside.any():
        return roll
    bad, plants = roll.frames[inside], []
    for one in roll.plants:
        lands, leaves = bad[(bad >= one.first) & (bad < one.ball)], bad[(bad >= one.rise) & (bad < one.stop)]
        first, stop = int(lands.max(initial=one.first - 1)) + 1, int(leaves.min(initial=one.stop))
        plants.append(replace(one, first=first, stop=stop))
    kept = np.isin(roll.frames, [t for one in plants for t in range(one.first, one.stop)])
    return roll.part(plants, kept)


def _flat_frames(normal: Array, facing: Array) -> Array:
    """Rotations (n, 4) of flat feet on ground with unit normals (n, 3) that face headings (n,), seen from above."""
    ahead = np.stack([np.sin(facing), 0.0 * facing, np.cos(facing)], axis=-1)
    ahead[:, 1] = -np.sum(ahead * normal, axis=-1) / normal[:, 1]
    ahead = normalized(ahead)
    return from_matrices(np.stack([np.cross(normal, ahead), normal, ahead], axis=-1))


def _level_sideways(frame: Array, pitch: Array) -> Array:
    """Frames (n, 4) of feet of some pitch (n,): with its heel up a foot rolls ahead, whatever the slope to its side."""
    ahead = rotate(frame, Z)
    side = normalized(np.cross(UP, ahead))
    level = from_matrices(np.stack([side, np.cross(ahead, side), ahead], axis=-1))
    return slerp(frame, level, ease(-pitch / UPRIGHT_PITCH_RADIANS))


def _drops(place: Array, normal: Array) -> Array:
    """How much lower (plants,) each foothold is than the one before, beyond what the slope of the ground explains."""
    way = np.diff(place, axis=0)
    mean = normal[1:] + normal[:-1]
    slope = -(mean[:, 0] * way[:, 0] + mean[:, 2] * way[:, 2]) / mean[:, 1]
    return np.concatenate([[0.0], slope - way[:, 1]])


def stance_of(motion: Motion, foot: Foot, roll: FootRoll) -> Stance:
    """The stances of a foot on its footholds."""
    stands, on_ball, on_heel = np.zeros((3, len(motion.clip)), bool)
    ankle, turn = (part[:, foot.ankle].copy() for part in motion.world)
    toes = motion.clip.rotations[:, foot.ball].copy()
    at = roll.frames
    if foot.pointlike:
        ankle[at] = roll.place + [0.0, foot.sole, 0.0]
        turn[at] = multiply(shortest_arc(np.broadcast_to(UP, (len(at), 3)), rotate(roll.frame, UP), X), turn[at])
    else:
        ankle[at], turn[at], toes[at] = _rolling_poses(foot, roll)
    for plant in roll.plants:
        stands[plant.first : plant.stop] = on_ball[plant.ball : plant.rise] = on_heel[plant.down : plant.lift] = True
        on_heel[plant.first : plant.ball] = plant.heel_first
        on_heel[plant.rise : plant.stop] = plant.heel_last
    return Stance(stands, on_ball, on_heel, ankle, turn, toes)


def _toe_pitch(foot: Foot, rotations: Array) -> Array:
    """How far (frames,) the toes' bone is turned down from its direction when the foot is flat, in radians."""
    if foot.pointlike or not np.any(foot.to_tip):
        return np.zeros(len(rotations))
    now = normalized(rotate(rotations[:, foot.ball], foot.to_tip))[:, 1]
    flat = normalized(rotate(multiply(foot.flat, foot.toes_flat), foot.to_tip))[1]
    return np.arcsin(np.clip(flat, -1.0, 1.0)) - np.arcsin(np.clip(now, -1.0, 1.0))


def _flatten_pitch(pitch: Array, plants: list[Plant], window: float) -> Array:
    """The pitch (frames,) of a foot, positive with toes up, made flat where heel and ball both stand."""
    near, flat = np.zeros((2, len(pitch)), bool)
    for plant in plants:
        near[max(int(plant.down - window) + 1, 0) : max(int(np.ceil(plant.lift + window)), 0)] = True
        flat[plant.down : plant.lift] = True
    excess = np.where(flat, pitch, 0.0)
    result = pitch - bridge(excess[:, None], flat | ~near, window)[:, 0]
    for plant in plants:  # toes stay above the ground while the heel stands, and the heel while the ball stands
        for part, on_heel in (
            (slice(plant.first, plant.ball), plant.heel_first),
            (slice(plant.ball, plant.down), False),
            (slice(plant.lift, plant.rise), False),
            (slice(plant.rise, plant.stop), plant.heel_last),
        ):
            result[part] = np.maximum(result[part], 0.0) if on_heel else np.minimum(result[part], 0.0)
    return result


def _rolling_poses(foot: Foot, roll: FootRoll) -> tuple[Array, Array, Array]:
    """Ankle (n, 3), its rotation (n, 4) and that of the toes (n, 4) of a foot that rolls over its footholds."""
    frame = roll.frame
    turns = multiply(multiply(roll.upright, about(-X, roll.pitch)), foot.flat)
    flat_ball = roll.place + rotate(frame, np.array([0.0, foot.sole, 0.0]))
    to_tip = rotate(multiply(foot.flat, foot.toes_flat), foot.to_tip) - foot.tip_sole * UP
    toe_frame = multiply(frame, about(X, roll.raised))
    ball = flat_ball + rotate(frame, to_tip) - rotate(toe_frame, to_tip)
    flat_foot = np.array([0.0, foot.sole, 0.0]) + rotate(foot.flat, foot.back - foot.to_ball)
    back = roll.place + rotate(roll.heel_frame, flat_foot)
    ankle = np.where(roll.on_heel[:, None], back - rotate(turns, foot.back), ball - rotate(turns, foot.to_ball))
    # Toes lie on the ground while the heel is raised, and follow the foot while they are raised themselves.
    world_toes = multiply(toe_frame, about(-X, np.maximum(roll.pitch, 0.0)))
    local = multiply(multiply(inverse(turns), multiply(world_toes, foot.flat)), foot.toes_flat)
    return ankle, turns, local


def fit_heels(foot: Foot, roll: FootRoll, hips: Array, spans: Array, fps: float) -> FootRoll:
    """The roll with heels raised or lowered, once they may rise, so that the leg spans what it does in the clip.

    hips: (frames, 3). spans: (frames,), the distance from hip to ankle in the clip. The knee then bends as it does
    there, and the ankle makes up for the ground.
    """
    late = np.flatnonzero(roll.rolling)
    if foot.pointlike or not len(late) or len(foot.limb.joints) > 3:
        return roll
    own, frame, at = roll.pitch[late], roll.upright[late], roll.frames[late]
    ankle, turns, _ = _rolling_poses(foot, roll)
    ball = ankle[late] + rotate(turns[late], foot.to_ball)
    # The ankle turns about the ball in one plane: its distance from the hip follows from that plane's axes.
    lever = rotate(foot.flat, -foot.to_ball)  # from ball to ankle, of the flat foot
    axes = [rotate(frame, axis) for axis in (UP, Z)]
    aside = rotate(frame, np.array([lever[0], 0.0, 0.0]))
    pitches = np.linspace(-MAX_TRIED_PITCH_RADIANS, 0.0, TRIED_PITCHES)
    sine, cosine = np.sin(pitches), np.cos(pitches)
    up, ahead = cosine * lever[1] + sine * lever[2], cosine * lever[2] - sine * lever[1]
    base = ball + aside - hips[at]
    along = [np.sum(base * axis, axis=-1)[:, None] for axis in axes]
    squares = np.sum(base * base, axis=-1)[:, None] + 2.0 * (along[0] * up + along[1] * ahead)
    away = np.sqrt(np.maximum(squares + (lever[1] ** 2 + lever[2] ** 2), 0.0))
    # Take the flattest pitch that spans no more: steeper than where the leg is shortest, the heel only folds it.
    down = np.zeros(len(hips), bool)
    at_ankle = hips.copy()
    down[roll.frames], at_ankle[roll.frames] = roll.rolling == 0, ankle
    goal = plan_flexion(foot, at_ankle, hips, spans, down, fps)[at]
    starts = np.flatnonzero(roll.rolling[late] == 1)
    runs = list(zip(starts, [*starts[1:], len(late)], strict=True))
    for begin, end in runs:
        t = np.arange(1, end - begin + 1)
        if own[begin:end].min() >= -MIN_ROLLING_HEEL_RADIANS:  # its heel rises no farther than the leg needs
            goal[begin:end] = np.minimum(goal[begin:end], NEARLY_STRAIGHT_RADIANS)
        soft = SOFT_KNEE_RADIANS * ease(t / (HEEL_RISE_SECONDS * fps))
        goal[begin:end] = _soft_maximum(goal[begin:end], flexion(foot, np.array(foot.reach)), soft)
    wanted = np.minimum(span(foot, goal), foot.reach)[:, None]
    fits = away <= wanted
    last = np.where(fits.any(axis=1), TRIED_PITCHES - 1 - np.argmax(fits[:, ::-1], axis=1), np.argmin(away, axis=1))
    here, flatter = (away[np.arange(len(last)), np.minimum(last + k, TRIED_PITCHES - 1)] for k in (0, 1))
    part = np.clip((wanted[:, 0] - here) / np.maximum(flatter - here, 1e-9), 0.0, 1.0)
    found = np.minimum(pitches[last] + part * (pitches[1] - pitches[0]), 0.0)
    rest = MAX_HEEL_RADIANS - STEEP_HEEL_RADIANS
    found = np.where(
        found < -STEEP_HEEL_RADIANS,
        -STEEP_HEEL_RADIANS - rest * np.tanh((-found - STEEP_HEEL_RADIANS) / rest),
        found,
    )
    pitch = roll.pitch.copy()
    for begin, end in runs:
        t = ease(np.arange(1, end - begin + 1) / (HEEL_RISE_SECONDS * fps))
        rolls = own[begin:end].min() < -MIN_ROLLING_HEEL_RADIANS
        least = MIN_HEEL_RISE_SHARE * t * own[begin:end] if rolls else own[begin:end]
        pitch[late[begin:end]] = -_soft_maximum(-found[begin:end], -least, SOFT_HEEL_RADIANS * t * rolls)
    return replace(roll, pitch=pitch)


def _soft_maximum(a: Array, b: Array, soft: Array) -> Array:
    """The larger of a and b, with a transition as wide as `soft` from one to the other."""
    return 0.5 * (a + b + np.sqrt(np.square(a - b) + np.square(soft)))
