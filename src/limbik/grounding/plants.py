"""Plants: a foot stands on its heel, then flat, then on its ball, locked to one foothold throughout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from limbik.arrays import Array
from limbik.grounding.contacts import planted
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import bridge, smoothed
from limbik.rotations import IDENTITY, about, inverse, multiply, normalized, rotate, shortest_arc
from limbik.skeleton.clip import Clip
from limbik.skeleton.easing import ease
from limbik.skeleton.foot import UP, Foot
from limbik.skeleton.intervals import intervals
from limbik.terrains.base import Terrain

X = np.array([1.0, 0.0, 0.0])
Z = np.array([0.0, 0.0, 1.0])
STRIKE = 0.25  # seconds: a heel that strikes longer before the ball belongs to another plant
BRIEF = 0.08  # seconds: a heel that stands for less at the beginning of a clip is about to leave
PUSH = 0.2  # seconds: a tip that stands longer after the ball has risen does not belong to its plant
STEEPEST_HEEL = 1.3  # radians: the largest pitch of a foot that stands on its ball
HEEL_ANGLES = 26  # pitches tried
HEEL_RAISED = 0.25  # radians: a foot rolls off its ball where its heel rises by more in the clip
HEEL_RISE = 0.1  # seconds over which a heel begins to rise further than in the clip
CANDIDATES = 21  # shifts tried to either side
BUMPY = 0.012  # leg lengths: ground under a sole that deviates more from a plane is an edge
MARGIN = 0.02  # leg lengths: distance of the sole from an edge
SPREAD = 0.04  # leg lengths: half the width of a foot, over which the sideways slope is measured


@dataclass(frozen=True)
class Plant:
    """One stance of a foot, frames first to stop − 1.

    The ball stands from frame `ball` to rise − 1, the heel until lift − 1; after that the tip of the toes.
    """

    first: int
    ball: int
    lift: int
    rise: int
    stop: int


@dataclass(frozen=True, eq=False)
class Stance:
    """The pose of a foot in its stances; undefined in frames in which it does not stand."""

    stands: Array  # (frames,) bool; the foot is planted
    ball: Array  # (frames,) bool; the ball stands
    heel: Array  # (frames,) bool; the heel stands
    ankle: Array  # (frames, 3) position of the ankle in the world
    turn: Array  # (frames, 4) rotation of the ankle in the world
    toes: Array  # (frames, 4) local rotation of the ball


def plants_of(
    foot: Foot,
    clip: Clip,
    world: tuple[Array, Array],
    settings: Settings,
    slow: float,
    able: Array,
    contacts: Array | None,
) -> list[Plant]:
    """The plants of a foot: where `contacts` (frames,) says so, or else detected from its motion where it is `able`."""
    positions, fps = world[0], clip.fps
    if contacts is not None:
        balls = intervals(contacts)
    else:
        balls = intervals(planted(positions[:, foot.ball], fps, foot.leg, settings, slow) & able)
        balls = [_within(positions[:, foot.ball], *one, settings.unplant_radius * foot.leg) for one in balls]
    if contacts is not None or foot.pointlike:
        return [Plant(first, first, stop, stop, stop) for first, stop in balls]
    heels = intervals(planted(foot.heel_positions(*world), fps, foot.leg, settings, slow, rolls=True))
    tip = positions[:, foot.tip] if foot.tip != foot.ball else None
    tips = [] if tip is None else intervals(planted(tip, fps, foot.leg, settings, slow, rolls=True))
    return plants_between(balls, heels, tips, fps)


def _within(points: Array, first: int, stop: int, radius: float) -> tuple[int, int]:
    """An interval, shortened until the point stays within a horizontal radius of its mean position."""
    while stop - first > 2:
        away = np.linalg.norm(points[first:stop, [0, 2]] - np.mean(points[first:stop, [0, 2]], axis=0), axis=-1)
        if max(away[0], away[-1]) <= radius:
            break
        first, stop = (first + 1, stop) if away[0] > away[-1] else (first, stop - 1)
    return first, stop


def plants_between(
    balls: list[tuple[int, int]], heels: list[tuple[int, int]], tips: list[tuple[int, int]], fps: float
) -> list[Plant]:
    """Plants from the intervals in which ball, heel and tip stand; each interval of the ball is one plant."""
    plants: list[Plant] = []
    for k, (first, rise) in enumerate(balls):
        late = (first + rise) / 2  # a heel that comes down later is on its way
        mine = [(a if a >= first - STRIKE * fps else first, b) for a, b in heels if a <= late and b >= first - 1]
        mine = [(a, b) for a, b in mine if a > 0 or b - a > BRIEF * fps]
        begun = min([first, *(a for a, _ in mine)])
        after = plants[-1].stop + 1 if plants else 0
        lift = min(max([first, *(b for _, b in mine)]), rise)
        before = balls[k + 1][0] - 1 if k + 1 < len(balls) else rise + int(PUSH * fps)
        last = max([rise, *(min(b, rise + int(PUSH * fps), before) for a, b in tips if a <= rise + 1)])
        plants.append(Plant(max(begun, after), first, lift, rise, max(last, rise)))
    return plants


@dataclass(frozen=True, eq=False)
class Foothold:
    """A plant in its place: the pose of the flat foot on the ground, and how the foot rolls over it."""

    plant: Plant
    place: Array  # (3,) the point under the ball
    frame: Array  # (n, 4) rotation of the flat foot from facing +z, in each frame of the plant
    pitch: Array  # (n,) radians; positive with toes up, negative with the heel up
    raised: Array  # (n,) radians by which toes are turned down, so that they stand on their tip

    @property
    def frames(self) -> slice:
        """The frames of the plant."""
        return slice(self.plant.first, self.plant.stop)


def footholds_of(
    foot: Foot,
    plants: list[Plant],
    clip: Clip,
    world: tuple[Array, Array],
    terrain: Terrain,
    settings: Settings,
    places: Sequence[Array] | None,
) -> list[Foothold]:
    """The footholds of a foot's plants. world: the clip's positions and rotations in the world.

    places: where the ball goes in each plant, (2,) x and z; by default where it is in the clip.
    """
    positions, rotations = world
    ahead = rotate(foot.orientation(rotations), Z)
    pitch = _flattened(np.arcsin(np.clip(ahead[:, 1], -1.0, 1.0)), plants, settings.release * clip.fps)
    yaw = np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 2]))
    raised = _toe_pitch(foot, rotations)
    found: list[Foothold] = []
    for n, plant in enumerate(plants):
        whole = slice(plant.first, plant.stop)
        ball = np.mean(positions[plant.ball : plant.rise, foot.ball], axis=0)[[0, 2]] if places is None else places[n]
        facing = _facing(yaw, plant, settings.release * clip.fps)
        heading = float(facing[(plant.ball + plant.lift) // 2 - plant.first])
        place, tilt = foothold(foot, terrain, ball, heading, settings)
        up = np.where(np.arange(plant.first, plant.stop) < plant.rise, 0.0, raised[whole] - raised[plant.rise - 1])
        frame = multiply(tilt, about(UP, facing))
        found.append(Foothold(plant, place, frame, pitch[whole], np.maximum(up, 0.0)))
    return found


def stance_of(foot: Foot, footholds: list[Foothold], clip: Clip, world: tuple[Array, Array]) -> Stance:
    """The stances of a foot on its footholds. world: the clip's positions and rotations in the world."""
    stands, on_ball, on_heel = np.zeros((3, len(clip)), bool)
    ankle, turn = (part[:, foot.ankle].copy() for part in world)
    toes = clip.rotations[:, foot.ball].copy()
    for one in footholds:
        plant, whole = one.plant, one.frames
        ankle[whole], turn[whole], toes[whole] = _through(foot, one, turn[whole], toes[whole])
        stands[whole] = on_ball[plant.ball : plant.rise] = on_heel[plant.first : plant.lift] = True
    return Stance(stands, on_ball, on_heel, ankle, turn, toes)


def _facing(yaw: Array, plant: Plant, window: float) -> Array:
    """The heading (n,) of a foot in the frames of a plant, in radians.

    One heading while its heel stands; on the ball alone it turns as it does in the clip: a pivot.
    """
    own = yaw[plant.first : plant.stop]
    if plant.lift <= plant.ball:
        return own
    flat = slice(plant.first, plant.lift)
    held = np.zeros((len(own), 1))
    held[: plant.lift - plant.first, 0] = np.mean(yaw[plant.ball : plant.lift]) - yaw[flat]
    known = np.arange(plant.first, plant.stop) < plant.lift
    return own + bridge(held, known, window)[:, 0]


def _toe_pitch(foot: Foot, rotations: Array) -> Array:
    """How far (frames,) the toes' bone is turned down from its direction when the foot is flat, in radians."""
    if foot.pointlike or not np.any(foot.to_tip):
        return np.zeros(len(rotations))
    now = normalized(rotate(rotations[:, foot.ball], foot.to_tip))[:, 1]
    flat = normalized(rotate(multiply(foot.flat, foot.toes_flat), foot.to_tip))[1]
    return np.arcsin(np.clip(flat, -1.0, 1.0)) - np.arcsin(np.clip(now, -1.0, 1.0))


def _flattened(pitch: Array, plants: list[Plant], window: float) -> Array:
    """The pitch (frames,) of a foot, positive with toes up, made flat where heel and ball both stand."""
    frames = np.arange(len(pitch))
    near, flat = np.zeros((2, len(pitch)), bool)
    for plant in plants:
        near |= (frames > plant.ball - window) & (frames < plant.lift + window)
        flat |= (frames >= plant.ball) & (frames < plant.lift)
    excess = np.where(flat, pitch, 0.0)
    result = pitch - bridge(excess[:, None], flat | ~near, window)[:, 0]
    for plant in plants:  # toes stay above the ground while the heel stands, and the heel while the ball stands
        result[plant.first : plant.ball] = np.maximum(result[plant.first : plant.ball], 0.0)
        result[plant.lift : plant.stop] = np.minimum(result[plant.lift : plant.stop], 0.0)
    return result


def _through(foot: Foot, hold: Foothold, turn: Array, toes: Array) -> tuple[Array, Array, Array]:
    """Ankle (n, 3), its rotation (n, 4) and that of the toes (n, 4) in the frames of a plant.

    turn, toes: those of the clip, which a pointlike foot keeps.
    """
    plant, frame = hold.plant, hold.frame
    if foot.pointlike:
        return np.broadcast_to(hold.place + [0.0, foot.sole, 0.0], (len(frame), 3)), turn, toes
    turns = multiply(multiply(frame, about(-X, hold.pitch)), foot.flat)
    flat_ball = hold.place + rotate(frame, np.array([0.0, foot.sole, 0.0]))
    to_tip = rotate(multiply(foot.flat, foot.toes_flat), foot.to_tip) - foot.tip_sole * UP
    toe_frame = multiply(frame, about(X, hold.raised))
    ball = flat_ball + rotate(frame, to_tip) - rotate(toe_frame, to_tip)
    back = flat_ball + rotate(multiply(frame, foot.flat), foot.back - foot.to_ball)
    early = (np.arange(plant.first, plant.stop) < plant.ball)[:, None]
    ankle = np.where(early, back - rotate(turns, foot.back), ball - rotate(turns, foot.to_ball))
    # Toes lie on the ground while the heel is raised, and follow the foot while they are raised themselves.
    world_toes = multiply(toe_frame, about(-X, np.maximum(hold.pitch, 0.0)))
    local = multiply(multiply(inverse(turns), multiply(world_toes, foot.flat)), foot.toes_flat)
    return ankle, turns, local


def with_heel_fitted(foot: Foot, hold: Foothold, hips: Array, spans: Array, fps: float) -> Foothold:
    """The foothold with the heel raised or lowered, once it may rise, so that the leg spans what it does in the clip.

    hips: (n, 3). spans: (n,), the distance from hip to ankle in the clip. The knee then bends as it does there, and the
    ankle makes up for the ground.
    """
    plant = hold.plant
    first = plant.lift - plant.first
    count = len(hold.pitch) - first
    if foot.pointlike or count < 1 or len(foot.limb.joints) > 3:
        return hold
    own = hold.pitch[first:]
    if own.min() > -HEEL_RAISED:
        return hold
    pitches = np.linspace(-STEEPEST_HEEL, 0.0, HEEL_ANGLES)
    frame = hold.frame[first:]
    ankle = _through(foot, hold, hold.frame, hold.frame)[0][first:]
    ball = ankle + rotate(multiply(multiply(frame, about(-X, own)), foot.flat), foot.to_ball)
    turns = multiply(multiply(frame[:, None], about(-X, pitches)), foot.flat)
    away = np.linalg.norm(ball[:, None] - rotate(turns, foot.to_ball) - hips[first:, None], axis=-1)
    # Steeper than where the leg is shortest the heel only folds it: take the flattest pitch that spans enough.
    wanted = np.minimum(spans[first:], foot.reach)[:, None]
    long = away > wanted
    at = np.argmax(long, axis=1)  # the steepest pitch at which the leg is too long; below it lies the crossing
    found = np.where(long.any(axis=1), pitches[np.maximum(at - 1, 0)], 0.0)
    before, after = (np.take_along_axis(away, np.maximum(at - k, 0)[:, None], axis=1)[:, 0] for k in (1, 0))
    part = np.clip((wanted[:, 0] - before) / np.maximum(after - before, 1e-9), 0.0, 1.0)
    found = np.where(long.any(axis=1) & (at > 0), found + part * (pitches[1] - pitches[0]), found)
    change = smoothed(found - own, max(round(0.5 * HEEL_RISE * fps), 1))
    pitch = hold.pitch.copy()
    pitch[first:] = np.minimum(own + ease(np.arange(1, count + 1) / max(HEEL_RISE * fps, 1.0)) * change, 0.0)
    return replace(hold, pitch=pitch)


def foothold(foot: Foot, terrain: Terrain, ball: Array, yaw: float, settings: Settings) -> tuple[Array, Array]:
    """The foothold for a foot with its ball at (x, z) that faces `yaw`, in radians from +z towards +x.

    Returns the point under the ball (3,), and the rotation (4,) from level ground to the ground there.
    """
    facing = about(UP, yaw)
    if foot.pointlike:
        return np.array([ball[0], float(terrain.height(ball)), ball[1]]), IDENTITY
    along = rotate(facing, np.array([0.0, 0.0, 1.0]))[[0, 2]]
    reach = sole_reach(foot)
    search = settings.foothold_search * foot.leg
    shifts = np.linspace(-search, search, 2 * CANDIDATES + 1)
    points = ball + (shifts[:, None, None] + sole_spots(reach, MARGIN * foot.leg)[:, None]) * along
    uneven = bumps(terrain.height(points), sole_spots(reach, MARGIN * foot.leg))
    good = uneven <= max(BUMPY * foot.leg, 1.001 * uneven.min())
    best = int(np.argmin(np.where(good, np.abs(shifts), np.inf)))
    ball = ball + shifts[best] * along
    spots = sole_spots(reach, 0.0)
    heights = terrain.height(ball + spots[:, None] * along)
    slope = (heights[-1] - heights[0]) / (spots[-1] - spots[0])
    across = np.array([along[1], -along[0]]) * SPREAD * foot.leg  # towards the foot's +x
    sides = terrain.height(np.stack([ball + across, ball - across]))
    sideways = (sides[0] - sides[1]) / (2.0 * SPREAD * foot.leg)
    if bumps(np.array([[sides[1], heights[2], sides[0]]]), np.array([-1.0, 0.0, 1.0]))[0] > BUMPY * foot.leg:
        sideways = 0.0  # an edge beside the foot is not a slope
    normal = normalized(rotate(facing, np.array([-sideways, 1.0, -slope])))
    off = heights - slope * spots
    place = np.array([ball[0], 0.5 * (off.max() + off.min()), ball[1]])
    return place, _tilt(normal, np.radians(settings.align_limit_degrees))


def sole_reach(foot: Foot) -> tuple[float, float]:
    """Positions of the back of the heel (negative) and tip (positive) along the foot from the ball, in metres."""
    heel = rotate(foot.flat, foot.back - foot.to_ball)[2]
    tip = rotate(multiply(foot.flat, foot.toes_flat), foot.to_tip)[2]
    return float(min(heel, -0.05 * foot.leg)), float(max(tip, 0.02 * foot.leg))


def sole_spots(reach: tuple[float, float], margin: float) -> Array:
    """Five positions along a sole, from heel to tip, the third at the ball."""
    back, front = reach[0] - margin, reach[1] + margin
    return np.array([back, 0.5 * back, 0.0, 0.5 * front, front])


def bumps(heights: Array, spots: Array) -> Array:
    """How far heights (..., spots) deviate from a straight line, (...,)."""
    slope = (heights[..., -1:] - heights[..., :1]) / (spots[-1] - spots[0])
    return np.ptp(heights - slope * spots, axis=-1)


def _tilt(normal: Array, limit: float) -> Array:
    """The rotation (4,) from upright to the normal, by at most `limit` radians."""
    angle = float(np.arccos(np.clip(normal[1], -1.0, 1.0)))
    if angle <= limit:
        return shortest_arc(UP, normal, np.array([1.0, 0.0, 0.0]))
    return about(normalized(np.cross(UP, normal)), np.asarray(limit))
