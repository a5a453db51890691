"""The path of a foot: its stances, and between them the clip's own swings, carried along and lifted over the ground."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from limbik.arrays import Array
from limbik.grounding.foot_roll import Stance
from limbik.grounding.motion import Motion
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import bridge, envelope, fade_at_ends
from limbik.rotations import about, exponential, inverse, logarithm, multiply, rotate
from limbik.skeleton.foot import UP, Foot
from limbik.skeleton.timing import ease, intervals
from limbik.terrains.base import Terrain

# Parts of a swing in which a foot may go from one plant's height to the next's: all of it, or early or late ones.
RISE_PARTS = ((0.0, 1.0), (0.0, 0.7), (0.3, 1.0), (0.0, 0.5), (0.5, 1.0), (0.0, 0.35), (0.65, 1.0))
MAX_TOE_BEND_SINE, TOE_BENDS = 0.4, 3  # sine of the largest angle by which toes bend up at a time, and how many times
MIN_GAP_DEPTH_LEG_LENGTHS = 0.04  # a foot that dips deeper between two plants passes over a gap in its ground
MIN_DETOUR_DEPTH_LEG_LENGTHS = 0.02  # a swing that is less deep in the ground is only lifted
MAX_DETOUR_LEG_LENGTHS = 0.18  # by which a swing is moved back or forth
DETOURS_PER_SIDE = 12  # tried to either side
MAX_RETURN_LEG_LENGTHS = 0.2  # a swing that ends nearer to its beginning comes back
DETOUR_SWING_SHARE = 0.45  # fraction of a swing beside each plant in which it is
DETOUR_SMOOTHING_SHARE = 0.15  # of a swing, to either side, over which a detour sets in and ends
DETOUR_COST = 0.25  # cost of moving, relative to that of lifting as far
MAX_DETOUR_LEG_LENGTHS_S = 2.0  # leg lengths per second, the largest speed of moving away from a plant
MAX_DEPTH_LEG_LENGTHS = 0.002  # what a swing may be inside the ground
MAX_LIFT_LEG_LENGTHS_S = 1.5  # leg lengths per second, by which what is still inside is raised beside a plant
UNLIFTED_SWING_SHARE = 0.08  # fraction of a swing beside each plant in which no extra lift is added
MIN_GROUND_EDGE_LEG_LENGTHS = 0.012  # by which the ground under a point jumps from one frame to the next at an edge
SHARES_BETWEEN_FRAMES = (0.25, 0.5, 0.75)  # parts of the way from one frame to the next at which edges are looked at
ROOM_SHARES = np.array([0.25, 0.5, 0.75, 1.0])  # of its height above the ground by which a foot may go down its leg
COMMON_SWING_SECONDS = 0.4  # seconds of a common swing
RETREAT_SECONDS = 0.03  # seconds to either side over which an ankle is drawn back out of the ground


@dataclass(frozen=True, eq=False)
class FootPath:
    """The motion of a foot through a whole clip."""

    ankle: Array  # (frames, 3) position of the ankle in the world
    turn: Array  # (frames, 4) rotation of the ankle in the world
    toes: Array  # (frames, 4) local rotation of the ball
    lift: Array  # (frames,) height added in swings to clear the ground, in metres
    clear: Array  # (frames,) height of the lowest of the sole above the ground, in metres; 0 below it

    def part(self, frames: slice | Array) -> FootPath:
        """The motion in some frames."""
        return FootPath(self.ankle[frames], self.turn[frames], self.toes[frames], self.lift[frames], self.clear[frames])

    def sole_points(self, foot: Foot) -> Array:
        """The points of the foot that can touch the ground (frames, points, 3), the tip of its toes last."""
        points = foot.sole_points(self.ankle, self.turn, self.toes)
        if np.array_equal(foot.rear, foot.back):
            return points
        return np.concatenate([(self.ankle + rotate(self.turn, foot.rear))[:, None], points], axis=1)


def foot_path(motion: Motion, k: int, stance: Stance, terrain: Terrain, settings: Settings) -> FootPath:
    """The path of foot number k on the terrain."""
    foot, clip = motion.feet[k], motion.clip
    lift = np.zeros(len(clip))
    ankle, turn, toes = motion.ankles[:, k], motion.world[1][:, foot.ankle], clip.rotations[:, foot.ball]
    own = FootPath(ankle, turn, toes, lift, np.full(len(clip), np.inf))
    offset = foot_offsets(stance, own.ankle, terrain, clip.fps, settings)
    if not stance.stands.any():
        return replace(own, ankle=own.ankle + offset)
    window = max(settings.release * clip.fps, 1.0)
    turn = _bridge_rotations(stance.turn, own.turn, stance.stands, window)
    toes = _bridge_rotations(stance.toes, own.toes, stance.stands, window)
    free = FootPath(own.ankle + offset, turn, toes, lift, own.clear)
    lowest, points = own.sole_points(foot)[..., 1].min(axis=-1), free.sole_points(foot)
    under = _depths(foot, points, terrain)
    for first, stop in intervals(~stance.stands):
        swing = slice(max(first - 1, 0), stop + 1)
        ends = first > 0, stop < len(lift)
        detour = _detour(foot, points[swing], under[swing], *ends, terrain, clip.fps)
        if detour is not None:
            free.ankle[swing] += detour
            points[swing] += detour[:, None]
            under[swing] = _depths(foot, points[swing], terrain)
        level = np.abs(offset[swing, 1][[0, -1]]).max() < MIN_GAP_DEPTH_LEG_LENGTHS * foot.leg  # with the clip's ground
        dip = level * _dip(foot, lowest[swing], *ends)
        lift[swing] = _lift(foot, under[swing], dip, *ends, offset[swing, 1], settings)
    left = np.where(
        stance.stands, 0.0, np.max(under[:, : _before_toes(under)], axis=-1) - lift
    )  # what is still inside, beside plants
    soon = MAX_LIFT_LEG_LENGTHS_S * foot.leg / clip.fps * _frames_from_stances(stance.stands)
    lift += np.clip(left - MAX_DEPTH_LEG_LENGTHS * foot.leg, 0.0, soon)
    points[..., 1] += lift[:, None]
    clear = np.maximum(lift - under.max(axis=-1), 0.0)
    lifted = replace(free, ankle=free.ankle + lift[:, None] * UP, clear=clear)
    return _bend_toes_up(foot, lifted, points[:, -1], ~stance.stands, terrain)


def _before_toes(under: Array) -> int:
    """How many of the points (frames, points) of a sole are before the tip of its toes; of one without toes, all."""
    return max(under.shape[1] - 1, 1)


def _frames_from_stances(stands: Array) -> Array:
    """How many frames (frames,) each is from the nearest in which a foot stands (frames,) bool."""
    at, frames = np.flatnonzero(stands), np.arange(len(stands))
    before = at[np.maximum(np.searchsorted(at, frames, side="right") - 1, 0)]
    after = at[np.minimum(np.searchsorted(at, frames), len(at) - 1)]
    return np.minimum(np.abs(frames - before), np.abs(after - frames))


def _depths(foot: Foot, points: Array, terrain: Terrain) -> Array:
    """How far (frames, points) points of a sole (frames, points, 3) are below the ground, at most, around each frame.

    Where the ground has an edge between two frames, they are looked at on the way as well.
    """
    ground = terrain.height(points[..., [0, 2]])
    under: Array = ground - points[..., 1]
    rows = np.flatnonzero((np.abs(np.diff(ground, axis=0)) > MIN_GROUND_EDGE_LEG_LENGTHS * foot.leg).any(axis=1))
    if len(rows):
        for part in SHARES_BETWEEN_FRAMES:
            way = points[rows] + part * (points[rows + 1] - points[rows])
            deep = terrain.height(way[..., [0, 2]]) - way[..., 1]
            total = part**2 + (1.0 - part) ** 2  # the least that both frames together have to make room for
            under[rows] = np.maximum(under[rows], deep * (1.0 - part) / total)
            under[rows + 1] = np.maximum(under[rows + 1], deep * part / total)
    return under


def limit_room_along_leg(foot: Foot, path: FootPath, hips: Array, terrain: Terrain) -> FootPath:
    """The path with `clear` no more than the foot may go on along its leg, away from hips (frames, 3).

    Beside a riser it may go down, but not forward.
    """
    some = np.flatnonzero((path.clear > 0.0) & np.isfinite(path.clear))
    if not len(some):
        return path
    away = path.ankle[some] - hips[some]
    away = away / np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1e-9)
    moves = ROOM_SHARES[:, None] * path.clear[some]
    points = path.part(some).sole_points(foot) + (moves[..., None] * away)[:, :, None]
    free = np.logical_and.accumulate((terrain.height(points[..., [0, 2]]) <= points[..., 1]).all(axis=-1))
    clear = path.clear.copy()
    clear[some] = np.max(np.where(free, moves, 0.0), axis=0)
    return replace(path, clear=clear)


def keep_above_ground(
    foot: Foot, path: FootPath, goals: Array, calmer: Array, stands: Array, terrain: Terrain, fps: float
) -> Array:
    """The `calmer` goals (frames, 3) of an ankle; `goals` where the sole would be deeper in the ground with them."""
    own = path.sole_points(foot) - path.ankle[:, None]
    deep = _depths(foot, own + calmer[:, None], terrain).max(axis=-1)
    bad = ~stands & (deep > MAX_DEPTH_LEG_LENGTHS * foot.leg)
    if not bad.any():
        return calmer
    bad &= deep > _depths(foot, own + goals[:, None], terrain).max(axis=-1) + 1e-4 * foot.leg
    share = envelope(bad.astype(float), max(round(RETREAT_SECONDS * fps), 1))
    return calmer + share[:, None] * (goals - calmer)


def foot_offsets(stance: Stance, ankle: Array, terrain: Terrain, fps: float, settings: Settings) -> Array:
    """Displacements (frames, 3) of an ankle from where the clip has it: by its stances, carried over its swings."""
    if not stance.stands.any():
        rise = envelope(terrain.height(ankle[:, [0, 2]]), round(settings.pelvis_smoothing * fps / 2))
        return rise[:, None] * UP
    window = max(settings.release * fps, 1.0)
    return bridge(*_offsets_with_ends(stance, ankle, terrain, 4.0 * window), window)


def _bridge_rotations(standing: Array, own: Array, stands: Array, window: float) -> Array:
    """Rotations (frames, 4): `standing` where the foot stands; between, the clip's own, carried along."""
    return multiply(exponential(bridge(logarithm(multiply(standing, inverse(own))), stands, window)), own)


def _offsets_with_ends(stance: Stance, ankle: Array, terrain: Terrain, frames: float) -> tuple[Array, Array]:
    """Offsets (frames, 3) from the clip's ankle, and the frames in which they are known.

    A foot that begins or ends in the air is where the clip has it, raised by the height of the ground under it; the
    less time there is to get there, the closer it stays to its nearest plant.
    """
    offset, known = stance.ankle - ankle, stance.stands.copy()
    steady = np.flatnonzero(known)
    for end, near in ((0, steady[0]), (len(known) - 1, steady[-1])):
        if not known[end]:
            rise = terrain.height(ankle[end, [0, 2]]) - terrain.height((ankle + offset)[near, [0, 2]])
            there = np.array([0.0, offset[near, 1] + rise, 0.0])
            offset[end] = offset[near] + ease(np.array(abs(end - near) / frames)) * (there - offset[near])
            known[end] = True
    return offset, known


def _detour(
    foot: Foot, points: Array, under: Array, leaves: bool, lands: bool, terrain: Terrain, fps: float
) -> Array | None:
    """Displacements (frames, 3) along the way of a swing that take it round edges beside its plants, if there are any.

    points: of the sole, (frames, points, 3). under: (frames, points), how far they are below the ground. Up a step a
    foot is lifted before it goes forward, and down it goes forward before it is lowered: what would have to be lifted
    steeply beside a plant is moved back or forth instead.
    """
    frames, deepest = len(points), int(np.argmax(under.max(axis=-1)))
    if frames < (5 if leaves and lands else 2) or under[deepest].max() < MIN_DETOUR_DEPTH_LEG_LENGTHS * foot.leg:
        return None
    way = (points[-1, 0] - points[0, 0])[[0, 2]]
    if np.hypot(*way) < MAX_RETURN_LEG_LENGTHS * foot.leg:  # it comes back: what counts is its way into the ground
        way = (points[deepest, 0] - points[0 if leaves else -1, 0])[[0, 2]]
    length = float(np.hypot(*way))
    if length < 0.01 * foot.leg:
        return None
    way = way / length
    moves = np.linspace(-MAX_DETOUR_LEG_LENGTHS, MAX_DETOUR_LEG_LENGTHS, 2 * DETOURS_PER_SIDE + 1) * foot.leg
    places = points[:, None, :, [0, 2]] + moves[:, None, None] * way
    deep = np.maximum((terrain.height(places) - points[:, None, :, 1]).max(axis=-1), 0.0)
    # A swing that the clip cuts off is that part of a common one.
    whole = frames if leaves and lands else max(frames, round(COMMON_SWING_SECONDS * fps))
    left, coming = np.arange(frames) / (whole - 1), np.arange(frames - 1, -1, -1) / (whole - 1)
    near = np.zeros(frames)
    if leaves:
        near = np.maximum(near, 1.0 - ease(left / DETOUR_SWING_SHARE))
    if lands:
        near = np.maximum(near, 1.0 - ease(coming / DETOUR_SWING_SHARE))
    time = np.full(frames, np.inf)  # seconds from the nearest plant
    for is_plant, away in ((leaves, np.arange(frames)), (lands, np.arange(frames)[::-1])):
        time = np.minimum(time, away / fps) if is_plant else time
    far = np.abs(moves) > MAX_DETOUR_LEG_LENGTHS_S * foot.leg * time[:, None]
    best = moves[np.argmin(np.where(far, np.inf, deep * near[:, None] + DETOUR_COST * np.abs(moves)), axis=1)]
    best[np.array([0, -1])[[leaves, lands]]] = 0.0
    width = max(round(DETOUR_SMOOTHING_SHARE * frames), 1)
    back, forth = envelope(np.maximum(-best, 0.0), width), envelope(np.maximum(best, 0.0), width)
    grip = fade_at_ends(left / UNLIFTED_SWING_SHARE, coming / UNLIFTED_SWING_SHARE, leaves, lands)
    along = grip * (forth - back)
    return np.stack([along * way[0], 0.0 * along, along * way[1]], axis=-1)


def _dip(foot: Foot, lowest: Array, leaves: bool, lands: bool) -> Array:
    """How far (frames,) a swing of the clip dips below the line between its plants, into a gap in its own ground.

    lowest: (frames,), the height of the lowest point of its sole.
    """
    start, end = lowest[0 if leaves else -1], lowest[-1 if lands else 0]
    line = start + (end - start) * np.linspace(0.0, 1.0, len(lowest))
    return np.maximum(line - lowest - MIN_GAP_DEPTH_LEG_LENGTHS * foot.leg, 0.0)


def _lift(foot: Foot, under: Array, dip: Array, leaves: bool, lands: bool, offset: Array, settings: Settings) -> Array:
    """The height (frames,) by which a swing must be raised to clear the ground; zero where it leaves and lands.

    under: (frames, points), how far its sole is below the ground. dip: (frames,), how far it may be. offset: (frames,),
    how far it is raised already. First the rise from plant to plant is moved to an early or late part of the swing, as
    the ground requires; what is then missing is added as one smooth arc, and what remains near its ends as a small one.
    """
    t = np.linspace(0.0, 1.0, len(offset))
    under = under.copy()
    grip = fade_at_ends(t / UNLIFTED_SWING_SHARE, (1.0 - t) / UNLIFTED_SWING_SHARE, leaves, lands)
    arc = fade_at_ends(2.0 * t, 2.0 * (1.0 - t), leaves, lands)
    toes = slice(_before_toes(under), None)
    under[:, toes] = np.where(arc[:, None] > 0.5, under[:, toes], -np.inf)  # beside the plants toes bend up instead
    missing = np.max(under, axis=-1) + settings.clearance * foot.leg * arc - dip
    inner = arc > 0.3
    straight = offset[0] + (offset[-1] - offset[0]) * ease(t)
    best, least = np.zeros(len(t)), np.inf
    for begin, end in RISE_PARTS if leaves and lands else RISE_PARTS[:1]:
        shift = offset[0] + (offset[-1] - offset[0]) * ease((t - begin) / (end - begin)) - straight
        need = max(float(np.max((missing - shift)[inner] / arc[inner], initial=0.0)), 0.0)
        if need < 0.8 * least:
            best, least = shift + need * arc, need
        if need == 0.0:
            break
    rest = np.maximum(missing - best, 0.0)
    return best + grip * envelope(rest, max(len(t) // 12, 1))


def _bend_toes_up(foot: Foot, path: FootPath, tip: Array, swings: Array, terrain: Terrain) -> FootPath:
    """The path with toes bent up in swings, where their tip (frames, 3) would be below the ground."""
    length = float(np.linalg.norm(foot.to_front))
    if length == 0.0:
        return path
    side = rotate(inverse(foot.flat), np.array([-1.0, 0.0, 0.0]))  # axis in the ankle's frame about which toes bend up
    toes = path.toes
    for _ in range(TOE_BENDS):  # toes that point down have to bend further than the depth of their tip suggests
        under = np.where(swings, terrain.height(tip[:, [0, 2]]) - tip[:, 1], 0.0)
        deep = np.flatnonzero(under > 1e-4 * foot.leg)
        if not len(deep):
            break
        up = about(side, np.arcsin(np.clip(under[deep] / length, 0.0, MAX_TOE_BEND_SINE)))
        toes = toes.copy()
        toes[deep] = multiply(up, toes[deep])
        tip = tip.copy()
        tip[deep] = foot.sole_points(path.ankle[deep], path.turn[deep], toes[deep])[:, -1]
    return replace(path, toes=toes)
