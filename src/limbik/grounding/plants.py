"""Plants: a foot stands on its heel, then flat, then on its ball, locked to one foothold throughout."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from limbik.arrays import Array
from limbik.grounding.contacts import planted
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import bridge
from limbik.rotations import about, inverse, multiply, normalized, rotate, shortest_arc
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import UP, Foot
from limbik.skeleton.intervals import intervals
from limbik.terrains.base import Terrain

X = np.array([1.0, 0.0, 0.0])
Z = np.array([0.0, 0.0, 1.0])
STRIKE = 0.25  # seconds: a heel that strikes longer before the ball belongs to another plant
CANDIDATES = 21  # shifts tried to either side
BUMPY = 0.012  # leg lengths: ground under a sole that deviates more from a plane is an edge
MARGIN = 0.02  # leg lengths: distance of the sole from an edge
SPREAD = 0.04  # leg lengths: half the width of a foot, over which the sideways slope is measured


@dataclass(frozen=True)
class Plant:
    """One stance of a foot: frames first to stop − 1; the ball stands from frame `ball`, the heel until `lift` − 1."""

    first: int
    ball: int
    lift: int
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
    foot: Foot, clip: Clip, world: tuple[Array, Array], settings: Settings, slow: float, contacts: Array | None
) -> list[Plant]:
    """The plants of a foot: where `contacts` (frames,) says so, or else detected from its motion."""
    positions, fps = world[0], clip.fps
    if contacts is not None:
        balls = intervals(contacts)
    else:
        balls = intervals(planted(positions[:, foot.ball], fps, foot.leg, settings, slow))
        balls = [_within(positions[:, foot.ball], *one, settings.unplant_radius * foot.leg) for one in balls]
    if contacts is not None or foot.pointlike:
        return [Plant(first, first, stop, stop) for first, stop in balls]
    heels = intervals(planted(foot.heel_positions(*world), fps, foot.leg, settings, slow))
    return plants_between(balls, heels, STRIKE * fps)


def _within(points: Array, first: int, stop: int, radius: float) -> tuple[int, int]:
    """An interval, shortened until the point stays within a horizontal radius of its mean position."""
    while stop - first > 2:
        away = np.linalg.norm(points[first:stop, [0, 2]] - np.mean(points[first:stop, [0, 2]], axis=0), axis=-1)
        if max(away[0], away[-1]) <= radius:
            break
        first, stop = (first + 1, stop) if away[0] > away[-1] else (first, stop - 1)
    return first, stop


def plants_between(balls: list[tuple[int, int]], heels: list[tuple[int, int]], strike: float) -> list[Plant]:
    """Plants from the intervals in which ball and heel stand; each interval of the ball is one plant."""
    plants: list[Plant] = []
    for first, stop in balls:
        mine = [(a, b) for a, b in heels if a < stop and b >= first - 1 and a >= first - strike]
        begun = min([first, *(a for a, _ in mine)])
        after = plants[-1].stop + 1 if plants else 0
        lift = min(max([first, *(b for _, b in mine)]), stop)
        plants.append(Plant(max(begun, after), first, lift, stop))
    return plants


def stance_of(
    foot: Foot, plants: list[Plant], clip: Clip, world: tuple[Array, Array], terrain: Terrain, settings: Settings
) -> Stance:
    """The stances of a foot, each on its foothold. world: the clip's positions and rotations in the world."""
    positions, rotations = world
    toes = clip.rotations[:, foot.ball]
    ahead = rotate(foot.orientation(rotations), Z)
    pitch = _flattened(np.arcsin(np.clip(ahead[:, 1], -1.0, 1.0)), plants, settings.release * clip.fps)
    stands, on_ball, on_heel = np.zeros((3, len(positions)), bool)
    ankle, turn, toe_turns = positions[:, foot.ankle].copy(), rotations[:, foot.ankle].copy(), toes.copy()
    for plant in plants:
        level_part = slice(plant.ball, max(plant.lift, plant.ball + 1))
        whole = slice(plant.first, plant.stop)
        ball = np.mean(positions[plant.ball : plant.stop, foot.ball], axis=0)[[0, 2]]
        yaw = float(np.arctan2(*np.mean(ahead[level_part], axis=0)[[0, 2]]))
        place = foothold(foot, terrain, ball, yaw, settings)
        pose = _through(foot, plant, *place, pitch[whole], turn[whole], toes[whole])
        ankle[whole], turn[whole], toe_turns[whole] = pose
        stands[whole] = on_ball[plant.ball : plant.stop] = on_heel[plant.first : plant.lift] = True
    return Stance(stands, on_ball, on_heel, ankle, turn, toe_turns)


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


def _through(
    foot: Foot, plant: Plant, place: Array, tilt: Array, pitch: Array, turn: Array, toes: Array
) -> tuple[Array, Array, Array]:
    """Ankle (n, 3), its rotation (n, 4) and that of the toes (n, 4) in the frames of a plant on a foothold."""
    if foot.pointlike:
        return np.broadcast_to(place + [0.0, foot.sole, 0.0], (len(pitch), 3)), turn, toes
    turns = multiply(multiply(tilt, about(-X, pitch)), foot.flat)
    ball = place + rotate(tilt, np.array([0.0, foot.sole, 0.0]))
    heel = ball + rotate(multiply(tilt, foot.flat), foot.heel - foot.to_ball)
    on_ball = ball - rotate(turns, foot.to_ball)
    on_heel = heel - rotate(turns, foot.heel)
    early = (np.arange(plant.first, plant.stop) < plant.ball)[:, None]
    # Toes lie flat while the heel is raised, and follow the foot while they are raised themselves.
    bent = multiply(multiply(inverse(foot.flat), about(X, np.minimum(pitch, 0.0))), foot.flat)
    return np.where(early, on_heel, on_ball), turns, multiply(bent, foot.toes_flat)


def foothold(foot: Foot, terrain: Terrain, ball: Array, yaw: float, settings: Settings) -> tuple[Array, Array]:
    """The foothold for a foot with its ball at (x, z) that faces `yaw`, in radians from +z towards +x.

    Returns the point under the ball (3,), and the rotation (4,) of the foot from flat and facing +z.
    """
    facing = about(UP, yaw)
    if foot.pointlike:
        return np.array([ball[0], float(terrain.height(ball)), ball[1]]), facing
    along = rotate(facing, np.array([0.0, 0.0, 1.0]))[[0, 2]]
    reach = _sole_reach(foot)
    search = settings.foothold_search * foot.leg
    shifts = np.linspace(-search, search, 2 * CANDIDATES + 1)
    points = ball + (shifts[:, None, None] + _spots(reach, MARGIN * foot.leg)[:, None]) * along
    bumps = _bumps(terrain.height(points), _spots(reach, MARGIN * foot.leg))
    good = bumps <= max(BUMPY * foot.leg, 1.001 * bumps.min())
    best = int(np.argmin(np.where(good, np.abs(shifts), np.inf)))
    ball = ball + shifts[best] * along
    spots = _spots(reach, 0.0)
    heights = terrain.height(ball + spots[:, None] * along)
    slope = (heights[-1] - heights[0]) / (spots[-1] - spots[0])
    across = np.array([along[1], -along[0]]) * SPREAD * foot.leg  # towards the foot's +x
    sides = terrain.height(np.stack([ball + across, ball - across]))
    sideways = (sides[0] - sides[1]) / (2.0 * SPREAD * foot.leg)
    if _bumps(np.array([[sides[1], heights[2], sides[0]]]), np.array([-1.0, 0.0, 1.0]))[0] > BUMPY * foot.leg:
        sideways = 0.0  # an edge beside the foot is not a slope
    normal = normalized(rotate(facing, np.array([-sideways, 1.0, -slope])))
    off = heights - slope * spots
    place = np.array([ball[0], 0.5 * (off.max() + off.min()), ball[1]])
    return place, multiply(_tilt(normal, np.radians(settings.align_limit_degrees)), facing)


def _sole_reach(foot: Foot) -> tuple[float, float]:
    """Positions of heel (negative) and tip (positive) along the foot, relative to the ball, in metres."""
    heel = rotate(foot.flat, foot.heel - foot.to_ball)[2]
    tip = rotate(multiply(foot.flat, foot.toes_flat), foot.to_tip)[2]
    return float(min(heel, -0.05 * foot.leg)), float(max(tip, 0.02 * foot.leg))


def _spots(reach: tuple[float, float], margin: float) -> Array:
    """Five positions along a sole, from heel to tip, the third at the ball."""
    back, front = reach[0] - margin, reach[1] + margin
    return np.array([back, 0.5 * back, 0.0, 0.5 * front, front])


def _bumps(heights: Array, spots: Array) -> Array:
    """How far heights (..., spots) deviate from a straight line, (...,)."""
    slope = (heights[..., -1:] - heights[..., :1]) / (spots[-1] - spots[0])
    return np.ptp(heights - slope * spots, axis=-1)


def _tilt(normal: Array, limit: float) -> Array:
    """The rotation (4,) from upright to the normal, by at most `limit` radians."""
    angle = float(np.arccos(np.clip(normal[1], -1.0, 1.0)))
    if angle <= limit:
        return shortest_arc(UP, normal, np.array([1.0, 0.0, 0.0]))
    return about(normalized(np.cross(UP, normal)), np.asarray(limit))
