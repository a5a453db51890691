"""Footholds: where plants are on the terrain, and how a foot that is locked to them rolls from heel to toes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from limbik.arrays import Array
from limbik.grounding.contacts import QUIET
from limbik.grounding.knees import NEARLY_STRAIGHT, flexion, planned, span
from limbik.grounding.plants import Plant, ball_of
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import bridge, smoothed
from limbik.grounding.sole_ground import footholds_at
from limbik.rotations import about, from_matrices, inverse, multiply, normalized, rotate, shortest_arc, slerp
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import UP, Foot
from limbik.skeleton.timing import ease
from limbik.terrains.base import Terrain

X = np.array([1.0, 0.0, 0.0])
Z = np.array([0.0, 0.0, 1.0])
UPRIGHT = 0.6  # radians: the pitch of a foot on its ball at which it no longer tips sideways with the ground
STEEPEST_HEEL = 1.3  # radians: the largest pitch of a foot that stands on its ball
STEEP_HEEL = 0.8  # radians: the pitch at which that limit sets in
BEYOND = 1.7  # radians: the largest pitch that is tried
HEEL_ANGLES = 35  # pitches tried
HEEL_RAISED = 0.25  # radians: a foot rolls off its ball where its heel rises by more in the clip
HEEL_RISE = 0.1  # seconds over which a heel begins to rise further than in the clip
HEEL_LEAST = 0.4  # of its rise in the clip: how far a heel rises at least
HEEL_SOFT, KNEE_SOFT = 0.05, 0.03  # radians over which limits of heels and knees set in
PIVOT, PIVOT_EASE = np.radians(6.8), 0.04  # radians by which a standing foot turns before it pivots, and seconds
TOES_INSIDE = 0.04  # leg lengths below the ground: toes of a foot that stands on its heel are inside a riser
DROP, LANDING, POINTED = 0.1, 0.06, 0.25  # leg lengths, seconds and radians: how a foot lands on its ball, further down


@dataclass(frozen=True, eq=False)
class Stance:
    """The pose of a foot in its stances; undefined in frames in which it does not stand."""

    stands: Array  # (frames,) bool; the foot is planted
    ball: Array  # (frames,) bool; the ball stands
    heel: Array  # (frames,) bool; the heel stands
    ankle: Array  # (frames, 3) position of the ankle in the world
    turn: Array  # (frames, 4) rotation of the ankle in the world
    toes: Array  # (frames, 4) local rotation of the ball


@dataclass(frozen=True, eq=False)
class Footholds:
    """The plants of a foot in their places. Arrays (n, ...) hold a row for each frame of each plant, in order."""

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

    def part(self, plants: list[Plant], rows: Array) -> Footholds:
        """Some of the rows, as those of such plants."""
        return Footholds(plants, **{name: value[rows] for name, value in vars(self).items() if name != "plants"})


def footholds_of(
    foot: Foot,
    plants: list[Plant],
    clip: Clip,
    world: tuple[Array, Array],
    terrain: Terrain,
    settings: Settings,
    places: Sequence[Array] | None,
) -> Footholds:
    """The footholds of a foot's plants. world: the clip's positions and rotations in the world.

    places: where the ball goes in each plant, (2,) x and z; by default where it is in the clip.
    """
    rotations = world[1]
    window = settings.release * clip.fps
    counts = np.array([plant.stop - plant.first for plant in plants], int)
    of = np.repeat(np.arange(len(plants)), counts)
    columns = [(one.first, one.ball, one.lift, one.rise, one.stop, one.heel_first, one.heel_last) for one in plants]
    first, ball, lift, rise, stop, heel_first, heel_last = np.array(columns, int).reshape(-1, 7).T[:, of]
    frames = np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts) + first
    ahead = rotate(foot.orientation(rotations), Z)
    pitch = _flattened(np.arcsin(np.clip(ahead[:, 1], -1.0, 1.0)), plants, window)[frames]
    facing = _facing(np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 2])), plants, clip.fps)
    flat = [min((one.down + max(one.lift - 1, one.down)) // 2, one.stop - 1) - one.first for one in plants]
    middle = np.cumsum(counts) - counts + flat
    balls = np.array([ball_of(foot, one, world) for one in plants]).reshape(-1, 3)
    spots = balls[:, [0, 2]] if places is None else np.array(places, float).reshape(-1, 2)
    ends = np.stack([np.cumsum(counts) - counts, np.cumsum(counts) - 1], axis=-1)
    on_heels = np.array([(one.heel_first, one.heel_last) for one in plants], bool).reshape(-1, 2)
    turned = facing[ends], on_heels
    place, tilt = footholds_at(foot, terrain, spots, facing[middle.astype(int)], settings, turned)
    toes = smoothed(_toe_pitch(foot, rotations), round(QUIET * clip.fps))
    on_heel = ((frames < ball) & (heel_first > 0)) | ((frames >= rise) & (heel_last > 0))
    on_tip = ((frames < ball) | (frames >= rise)) & ~on_heel
    nearest = np.where(frames < ball, np.minimum(ball, stop - 1), np.maximum(rise - 1, 0))
    raised = np.where(on_tip, np.maximum(toes[frames] - toes[nearest], 0.0), 0.0)
    if len(plants) > 1 and not foot.pointlike:
        steep = _drops(place, rotate(tilt, UP)) + np.diff(balls[:, 1], prepend=balls[0, 1])
        pointed = POINTED * ease((steep / foot.leg - 0.5 * DROP) / DROP)[of]
        on_heel = on_heel & ((pointed <= 0.0) | (frames >= rise))
        # The heel is down when it is in the clip.
        pointed = pointed * np.minimum((ball - first) / (LANDING * clip.fps), 1.0)
        landing = -pointed * (1.0 - ease((frames - first) / np.maximum(ball - first, 1)))
        pitch = np.where(pointed > 0.0, np.minimum(pitch, 0.0) * (frames >= lift) + landing, pitch)
    frame = _frames(rotate(tilt, UP)[of], facing)
    rolling = np.where(on_heel, 0, np.maximum(frames - lift + 1, 0))
    on_ball = np.minimum(np.clip(frames, ball, np.maximum(rise - 1, ball)), stop - 1)
    heel_frame = frame[np.arange(len(of)) + on_ball - frames]
    upright = _upright(frame, pitch)
    holds = Footholds(plants, frames, place[of], frame, heel_frame, upright, pitch, raised, on_heel, rolling)
    return _with_toes_outside(foot, holds, terrain)


def _with_toes_outside(foot: Foot, holds: Footholds, terrain: Terrain) -> Footholds:
    """The footholds without the ends of plants in which a foot that turns on its heel pushes its toes into a riser."""
    rows = np.flatnonzero(holds.on_heel)
    if foot.pointlike or not len(rows):
        return holds
    points = foot.sole_points(*_rolled(foot, holds.part(holds.plants, rows)))[:, 2:]
    inside = np.zeros(len(holds.frames), bool)
    inside[rows] = (terrain.height(points[..., [0, 2]]) - points[..., 1]).max(axis=-1) > TOES_INSIDE * foot.leg
    if not inside.any():
        return holds
    bad, plants = holds.frames[inside], []
    for one in holds.plants:
        lands, leaves = bad[(bad >= one.first) & (bad < one.ball)], bad[(bad >= one.rise) & (bad < one.stop)]
        first, stop = int(lands.max(initial=one.first - 1)) + 1, int(leaves.min(initial=one.stop))
        plants.append(replace(one, first=first, stop=stop))
    kept = np.isin(holds.frames, [t for one in plants for t in range(one.first, one.stop)])
    return holds.part(plants, kept)


def _frames(normal: Array, facing: Array) -> Array:
    """Rotations (n, 4) of flat feet on ground with unit normals (n, 3) that face headings (n,), seen from above."""
    ahead = np.stack([np.sin(facing), 0.0 * facing, np.cos(facing)], axis=-1)
    ahead[:, 1] = -np.sum(ahead * normal, axis=-1) / normal[:, 1]
    ahead = normalized(ahead)
    return from_matrices(np.stack([np.cross(normal, ahead), normal, ahead], axis=-1))


def _upright(frame: Array, pitch: Array) -> Array:
    """Frames (n, 4) of feet of some pitch (n,): with its heel up a foot rolls ahead, whatever the slope to its side."""
    ahead = rotate(frame, Z)
    side = normalized(np.cross(UP, ahead))
    level = from_matrices(np.stack([side, np.cross(ahead, side), ahead], axis=-1))
    return slerp(frame, level, ease(-pitch / UPRIGHT))


def _drops(place: Array, normal: Array) -> Array:
    """How much lower (plants,) each foothold is than the one before, beyond what the slope of the ground explains."""
    way = np.diff(place, axis=0)
    mean = normal[1:] + normal[:-1]
    slope = -(mean[:, 0] * way[:, 0] + mean[:, 2] * way[:, 2]) / mean[:, 1]
    return np.concatenate([[0.0], slope - way[:, 1]])


def stance_of(foot: Foot, holds: Footholds, clip: Clip, world: tuple[Array, Array]) -> Stance:
    """The stances of a foot on its footholds. world: the clip's positions and rotations in the world."""
    stands, on_ball, on_heel = np.zeros((3, len(clip)), bool)
    ankle, turn = (part[:, foot.ankle].copy() for part in world)
    toes = clip.rotations[:, foot.ball].copy()
    at = holds.frames
    if foot.pointlike:
        ankle[at] = holds.place + [0.0, foot.sole, 0.0]
        turn[at] = multiply(shortest_arc(np.broadcast_to(UP, (len(at), 3)), rotate(holds.frame, UP), X), turn[at])
    else:
        ankle[at], turn[at], toes[at] = _rolled(foot, holds)
    for plant in holds.plants:
        stands[plant.first : plant.stop] = on_ball[plant.ball : plant.rise] = on_heel[plant.down : plant.lift] = True
        on_heel[plant.first : plant.ball] = plant.heel_first
        on_heel[plant.rise : plant.stop] = plant.heel_last
    return Stance(stands, on_ball, on_heel, ankle, turn, toes)


def _facing(yaw: Array, plants: list[Plant], fps: float) -> Array:
    """The headings (n,) of a foot in the frames of its plants, in radians. yaw: (frames,), those of the clip.

    A standing foot keeps one heading for as long as the clip's is near; what turns farther is a pivot on the ball.
    """
    width = round(PIVOT_EASE * fps)
    return np.concatenate([_kept(yaw[one.first : one.stop], one, width) for one in plants] or [np.zeros(0)])


def _kept(yaw: Array, plant: Plant, width: int) -> Array:
    """The headings (frames,) of a foot in a plant. yaw: (frames,), those of the clip."""
    down, lift = plant.down - plant.first, plant.lift - plant.first
    if lift <= down:  # its heel never stands
        down = min((plant.ball + plant.rise) // 2, plant.stop - 1) - plant.first
        lift = down + 1
    flat = yaw[down:lift]
    mean = float(np.mean(flat))
    low, high = float(yaw.max()) - PIVOT, float(yaw.min()) + PIVOT  # one heading in between is near all of them
    wanted = min(max(mean, low), high) if low <= high else 0.5 * (low + high)
    free = max(PIVOT - float(np.abs(flat - mean).max()), 0.0)
    heading = mean + min(max(wanted - mean, -free), free)
    held = np.full(len(yaw), heading)
    if low > heading or high < heading:
        for t in range(lift, len(yaw)):
            held[t] = min(max(held[t - 1], yaw[t] - PIVOT), yaw[t] + PIVOT)
        for t in range(down - 1, -1, -1):
            held[t] = min(max(held[t + 1], yaw[t] - PIVOT), yaw[t] + PIVOT)
        eased = smoothed(held, width)
        held[lift + width :], held[: max(down - width, 0)] = eased[lift + width :], eased[: max(down - width, 0)]
    return held


def _toe_pitch(foot: Foot, rotations: Array) -> Array:
    """How far (frames,) the toes' bone is turned down from its direction when the foot is flat, in radians."""
    if foot.pointlike or not np.any(foot.to_tip):
        return np.zeros(len(rotations))
    now = normalized(rotate(rotations[:, foot.ball], foot.to_tip))[:, 1]
    flat = normalized(rotate(multiply(foot.flat, foot.toes_flat), foot.to_tip))[1]
    return np.arcsin(np.clip(flat, -1.0, 1.0)) - np.arcsin(np.clip(now, -1.0, 1.0))


def _flattened(pitch: Array, plants: list[Plant], window: float) -> Array:
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


def _rolled(foot: Foot, holds: Footholds) -> tuple[Array, Array, Array]:
    """Ankle (n, 3), its rotation (n, 4) and that of the toes (n, 4) of a foot that rolls over its footholds."""
    frame = holds.frame
    turns = multiply(multiply(holds.upright, about(-X, holds.pitch)), foot.flat)
    flat_ball = holds.place + rotate(frame, np.array([0.0, foot.sole, 0.0]))
    to_tip = rotate(multiply(foot.flat, foot.toes_flat), foot.to_tip) - foot.tip_sole * UP
    toe_frame = multiply(frame, about(X, holds.raised))
    ball = flat_ball + rotate(frame, to_tip) - rotate(toe_frame, to_tip)
    flat_foot = np.array([0.0, foot.sole, 0.0]) + rotate(foot.flat, foot.back - foot.to_ball)
    back = holds.place + rotate(holds.heel_frame, flat_foot)
    ankle = np.where(holds.on_heel[:, None], back - rotate(turns, foot.back), ball - rotate(turns, foot.to_ball))
    # Toes lie on the ground while the heel is raised, and follow the foot while they are raised themselves.
    world_toes = multiply(toe_frame, about(-X, np.maximum(holds.pitch, 0.0)))
    local = multiply(multiply(inverse(turns), multiply(world_toes, foot.flat)), foot.toes_flat)
    return ankle, turns, local


def with_heels_fitted(foot: Foot, holds: Footholds, hips: Array, spans: Array, fps: float) -> Footholds:
    """The footholds with heels raised or lowered, once they may rise, so that the leg spans what it does in the clip.

    hips: (frames, 3). spans: (frames,), the distance from hip to ankle in the clip. The knee then bends as it does
    there, and the ankle makes up for the ground.
    """
    late = np.flatnonzero(holds.rolling)
    if foot.pointlike or not len(late) or len(foot.limb.joints) > 3:
        return holds
    own, frame, at = holds.pitch[late], holds.upright[late], holds.frames[late]
    ankle, turns, _ = _rolled(foot, holds)
    ball = ankle[late] + rotate(turns[late], foot.to_ball)
    # The ankle turns about the ball in one plane: its distance from the hip follows from that plane's axes.
    lever = rotate(foot.flat, -foot.to_ball)  # from ball to ankle, of the flat foot
    axes = [rotate(frame, axis) for axis in (UP, Z)]
    aside = rotate(frame, np.array([lever[0], 0.0, 0.0]))
    pitches = np.linspace(-BEYOND, 0.0, HEEL_ANGLES)
    sine, cosine = np.sin(pitches), np.cos(pitches)
    up, ahead = cosine * lever[1] + sine * lever[2], cosine * lever[2] - sine * lever[1]
    base = ball + aside - hips[at]
    along = [np.sum(base * axis, axis=-1)[:, None] for axis in axes]
    away = np.sqrt(
        np.maximum(
            np.sum(base * base, axis=-1)[:, None]
            + 2.0 * (along[0] * up + along[1] * ahead)
            + (lever[1] ** 2 + lever[2] ** 2),
            0.0,
        )
    )
    # Take the flattest pitch that spans no more: steeper than where the leg is shortest, the heel only folds it.
    down = np.zeros(len(hips), bool)
    at_ankle = hips.copy()
    down[holds.frames], at_ankle[holds.frames] = holds.rolling == 0, ankle
    goal = planned(foot, at_ankle, hips, spans, down, fps)[at]
    starts = np.flatnonzero(holds.rolling[late] == 1)
    runs = list(zip(starts, [*starts[1:], len(late)], strict=True))
    for begin, end in runs:
        t = np.arange(1, end - begin + 1)
        if own[begin:end].min() >= -HEEL_RAISED:  # its heel rises no farther than the leg needs
            goal[begin:end] = np.minimum(goal[begin:end], NEARLY_STRAIGHT)
        soft = KNEE_SOFT * ease(t / (HEEL_RISE * fps))
        goal[begin:end] = _larger(goal[begin:end], flexion(foot, np.array(foot.reach)), soft)
    wanted = np.minimum(span(foot, goal), foot.reach)[:, None]
    fits = away <= wanted
    last = np.where(fits.any(axis=1), HEEL_ANGLES - 1 - np.argmax(fits[:, ::-1], axis=1), np.argmin(away, axis=1))
    here, flatter = (away[np.arange(len(last)), np.minimum(last + k, HEEL_ANGLES - 1)] for k in (0, 1))
    part = np.clip((wanted[:, 0] - here) / np.maximum(flatter - here, 1e-9), 0.0, 1.0)
    found = np.minimum(pitches[last] + part * (pitches[1] - pitches[0]), 0.0)
    rest = STEEPEST_HEEL - STEEP_HEEL
    found = np.where(found < -STEEP_HEEL, -STEEP_HEEL - rest * np.tanh((-found - STEEP_HEEL) / rest), found)
    pitch = holds.pitch.copy()
    for begin, end in runs:
        t = ease(np.arange(1, end - begin + 1) / (HEEL_RISE * fps))
        rolls = own[begin:end].min() < -HEEL_RAISED
        least = HEEL_LEAST * t * own[begin:end] if rolls else own[begin:end]
        pitch[late[begin:end]] = -_larger(-found[begin:end], -least, HEEL_SOFT * t * rolls)
    return replace(holds, pitch=pitch)


def _larger(a: Array, b: Array, soft: Array) -> Array:
    """The larger of a and b, with a transition as wide as `soft` from one to the other."""
    return 0.5 * (a + b + np.sqrt(np.square(a - b) + np.square(soft)))
