"""A motion on a terrain, all frames at once: what is read from it, then feet, body and legs on the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.grounding.body_lean import lean_with_ground
from limbik.grounding.foot_roll import FootRoll, Stance, fit_heels, roll_over_footholds, stance_of
from limbik.grounding.footstep_edits import edit_footholds, footsteps_of, reach_notes
from limbik.grounding.knees import calm_knee
from limbik.grounding.motion import Motion
from limbik.grounding.pelvis import bend_swings, follow_feet, lower_pelvis_until_legs_reach, release_tips_early
from limbik.grounding.plant_footholds import choose_footholds
from limbik.grounding.plants import Plant
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import envelope, smooth
from limbik.grounding.strides import Strides, fit_strides
from limbik.grounding.swings import FootPath, foot_offsets, foot_path, keep_above_ground, limit_room_along_leg
from limbik.rotations import slerp
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import UP, Foot
from limbik.skeleton.footsteps import Footsteps
from limbik.terrains.base import Terrain

MAX_SLIDING_HEIGHT_LEG_LENGTHS = 0.01  # above its height on the ground: a foot that is lower slides
FOLLOWING_SECONDS = 0.25  # to either side over which the ground below a figure that no foot carries is smoothed
RAISING_SECONDS = 0.07  # over which a foot that would be in the ground is raised above it
MIN_NOTED_FRAME_SHARE = 0.02  # share of frames that is worth a note


class Standing(NamedTuple):
    """A figure whose body is in place; its legs do not reach its feet yet."""

    clip: Clip
    hips: Array  # (frames, feet, 3) positions
    stances: list[Stance]  # of each foot
    paths: list[FootPath]  # where each foot goes


@dataclass(frozen=True, eq=False)
class Placed:
    """A motion on a terrain."""

    clip: Clip  # with feet, contacts and terrain
    feet: tuple[Foot, ...]
    heels: Array  # (frames, feet) bool; where heels stand
    standing: Array  # (frames, feet) bool; where any of a foot stands
    footsteps: Footsteps  # in the frames that count
    changed: Array  # (frames,) bool; where a foot goes as footsteps ask for, and not by itself
    notes: tuple[str, ...]  # what was noticed


def place_on(
    motion: Motion, terrain: Terrain, settings: Settings, frames: slice, period: int, footsteps: Footsteps | None
) -> Placed:
    """The motion on a terrain.

    frames: those that count, between repetitions of a cycle of `period` frames before and after. footsteps: in these,
    where feet are to stand instead of where they do by themselves.
    """
    if frames.start:  # contacts that are cut off at the ends may be too short to be there in the middle
        motion = replace(motion, plants=_whole_plants(motion, settings.shortest_plant * motion.clip.fps))
    strides = fit_strides(motion, terrain, settings.fit_stride, frames)
    motion = motion if strides is None else _shorten_strides(motion, strides)
    places = [None] * len(motion.feet) if strides is None else strides.places
    holds = [choose_footholds(motion, k, terrain, settings, one) for k, one in enumerate(places)]
    edited = None
    if footsteps is not None:
        edited = edit_footholds(motion, holds, footsteps, frames, period, terrain, settings)
        motion, holds = edited.motion, edited.footholds
    rolls = [roll_over_footholds(motion, k, one, terrain, settings) for k, one in enumerate(holds)]
    standing = _stand(motion, rolls, terrain, settings)
    posed, stances = _solve_legs(motion, standing, terrain), standing.stances
    if not motion.is_always_supported or not all(one.stands.any() for one in stances):
        posed = _raise_sunken_feet(motion, posed, stances, terrain)
    balls = np.stack([one.ball for one in stances], axis=-1)
    heels = np.stack([one.heel for one in stances], axis=-1)
    stands = np.stack([one.stands for one in stances], axis=-1)
    posed = posed.with_(feet=tuple(foot.ball for foot in motion.feet), contacts=balls, terrain=terrain)
    notes, changed = _notes(motion.support, stands, strides, frames), np.zeros(len(posed), bool)
    if edited is not None:
        goals = np.stack([one.ankle for one in stances], axis=1)
        ankles = posed.positions()[:, [foot.ankle for foot in motion.feet]]
        carried = stands & (motion.support == 1.0)[:, None]
        notes = (*notes, *edited.notes, *reach_notes(edited, ankles, goals, carried))
        changed = edited.frames
    return Placed(posed, motion.feet, heels, stands, footsteps_of(motion, holds, frames), changed, notes)


def _whole_plants(motion: Motion, least: float) -> list[list[Plant]]:
    """The plants without those at the ends of the clip that last fewer frames than `least`."""
    last = len(motion.clip)
    return [
        [one for one in some if (one.first > 0 and one.stop < last) or one.stop - one.first > least]
        for some in motion.plants
    ]


def _shorten_strides(motion: Motion, strides: Strides) -> Motion:
    """The motion of a figure that falls behind on its way."""
    shift = strides.shift[:, None]
    ankles = motion.ankles + shift
    if motion.is_biped:  # a body on more legs stretches and gathers, which would have to be scaled as well
        ankles = strides.shorten_steps(motion.ankles, motion.world[0][:, motion.hips])
    world = motion.world[0] + shift, motion.world[1]
    return replace(motion, clip=motion.clip.moved(strides.shift), world=world, ankles=ankles)


def _stances(motion: Motion, rolls: Sequence[FootRoll]) -> list[Stance]:
    return [stance_of(motion, foot, roll) for foot, roll in zip(motion.feet, rolls, strict=True)]


def _stand(motion: Motion, rolls: Sequence[FootRoll], terrain: Terrain, settings: Settings) -> Standing:
    """The figure whose body follows its feet on their footholds, and where these go between them."""
    clip, ankles = motion.clip, motion.ankles
    stances = _stances(motion, rolls)
    each = [foot_offsets(one, ankles[:, k], terrain, clip.fps, settings) for k, one in enumerate(stances)]
    offsets = np.stack(each, axis=1)
    posed = lean_with_ground(motion, offsets, terrain, settings)
    positions = motion.world[0] if posed is clip else posed.positions()
    stances, shift = _place_body(motion, rolls, stances, ankles + offsets, positions, settings)
    paths = [foot_path(motion, k, one, terrain, settings) for k, one in enumerate(stances)]
    slides = _sliding_feet(motion, stances)
    if slides.any():
        goals = np.stack([path.ankle for path in paths], axis=1)
        shift = lower_pelvis_until_legs_reach(motion, positions, goals, shift, settings, slides)
    rise = np.zeros((len(clip), 3))
    if not motion.is_always_supported:
        below = terrain.height(motion.world[0][:, motion.pelvis][:, [0, 2]])
        rise[:, 1] = smooth(below, round(FOLLOWING_SECONDS * clip.fps))
    support = motion.support[:, None]
    shift = support * shift + (1.0 - support) * rise
    return Standing(posed.moved(shift), positions[:, motion.hips] + shift[:, None], stances, paths)


def _place_body(
    motion: Motion, rolls: Sequence[FootRoll], stances: list[Stance], goals: Array, positions: Array, settings: Settings
) -> tuple[list[Stance], Array]:
    """The stances, in which heels have risen as legs need, and the displacement (frames, 3) of a body whose legs reach.

    goals: (frames, feet, 3), of the ankles. positions: of all joints, (frames, joints, 3).
    """
    # Where heels stand the figure sinks until legs reach; then heels of bipeds rise until knees bend as they did.
    rolling, stands = np.zeros(motion.spans.shape), np.zeros(motion.spans.shape, bool)
    for k, roll in enumerate(rolls):
        rolling[roll.frames, k] = roll.rolling * motion.is_biped
        stands[roll.frames, k] = True
    places = np.concatenate([roll.place[:, 1] for roll in rolls])
    uneven = float(np.ptp(places)) if len(places) else 0.0
    shift = follow_feet(motion, positions[:, motion.hips], goals, stances, rolling, uneven, settings)
    if motion.is_biped:
        return _fit_heels(motion, rolls, positions, shift, settings)
    goals = np.stack([one.ankle for one in stances], axis=1)
    return stances, lower_pelvis_until_legs_reach(motion, positions, goals, shift, settings, stands)


def _fit_heels(
    motion: Motion, rolls: Sequence[FootRoll], positions: Array, shift: Array, settings: Settings
) -> tuple[list[Stance], Array]:
    """The stances with heels that rise as knees need, and the displacement (frames, 3) of a figure that reaches them.

    Where legs do not reach even so, toes let go early, or the figure sinks further, and heels rise less.
    positions: of all joints, (frames, joints, 3).
    """
    feet, spans, fps = motion.feet, motion.spans, motion.clip.fps
    hips = positions[:, motion.hips]

    def fit() -> list[Stance]:
        each = enumerate(zip(feet, rolls, strict=True))
        return _stances(motion, [fit_heels(f, roll, hips[:, k] + shift, spans[:, k], fps) for k, (f, roll) in each])

    def lower(stances: Sequence[Stance], stands: Array) -> Array:
        goals = np.stack([one.ankle for one in stances], axis=1)
        return lower_pelvis_until_legs_reach(motion, positions, goals, shift, settings, stands, high)

    high = shift[:, 1]
    stances = [release_tips_early(feet[k], one, hips[:, k] + shift, spans[:, k], fps) for k, one in enumerate(fit())]
    stands = np.stack([one.stands for one in stances], axis=1)
    low = lower(stances, stands)
    if np.array_equal(low, shift):
        return stances, shift
    shift = low
    stances = [replace(one, stands=stands[:, k]) for k, one in enumerate(fit())]
    return stances, lower(stances, stands)


def _sliding_feet(motion: Motion, stances: Sequence[Stance]) -> Array:
    """Where (frames, feet) feet slide over the floor while none stands, as hand-made figures do: they carry it, too."""
    highest = [foot.sole + MAX_SLIDING_HEIGHT_LEG_LENGTHS * foot.leg for foot in motion.feet]
    low = motion.world[0][:, [foot.ball for foot in motion.feet], 1] < highest
    return low & ~np.any([one.stands for one in stances], axis=0)[:, None]


def _solve_legs(motion: Motion, standing: Standing, terrain: Terrain) -> Clip:
    """The figure with its legs solved, as far as feet carry it."""
    posed, fps, support = standing.clip, motion.clip.fps, motion.support
    any_stands = any(one.stands.any() for one in standing.stances)
    for k, (foot, path, stance) in enumerate(zip(motion.feet, standing.paths, standing.stances, strict=True)):
        if any_stands and not stance.stands.any():
            continue  # a foot that never stands goes with the body
        hips, spans, stands = standing.hips[:, k], motion.spans[:, k], stance.stands
        aside = (hips - np.mean(standing.hips, axis=1)) * [1.0, 0.0, 1.0] if motion.is_biped else np.zeros_like(hips)
        goal, spare = bend_swings(foot, path.ankle, hips, spans, stands, aside, fps)
        room = limit_room_along_leg(foot, path, hips, terrain).clear + spare
        calmer = calm_knee(foot, goal, room, hips, spans, stands, fps)
        goal = keep_above_ground(foot, path, goal, calmer, stands, terrain, fps)
        goal = np.where(foot.is_overstretched(spans)[:, None], path.ankle, goal)
        posed = posed.reach(foot.limb, goal, end_rotation=path.turn, weight=support)
        if not (foot.pointlike or foot.stiff or posed.skeleton.end_sites[foot.ball]):  # toes that are a bone bend
            rotations = posed.rotations.copy()
            toes = path.toes if motion.is_always_supported else slerp(rotations[:, foot.ball], path.toes, support)
            rotations[:, foot.ball] = toes
            posed = posed.with_(rotations=rotations)
    return posed


def _raise_sunken_feet(motion: Motion, posed: Clip, stances: Sequence[Stance], terrain: Terrain) -> Clip:
    """The figure with feet raised that go with its body, where they are deeper in the ground than in the clip's."""
    now, width = posed.world(), max(round(RAISING_SECONDS * posed.fps), 1)
    for foot, stance in zip(motion.feet, stances, strict=True):
        own, points = (
            foot.sole_points(*(part[:, foot.ankle] for part in world), clip.rotations[:, foot.ball])
            for world, clip in ((motion.world, motion.clip), (now, posed))
        )
        under = np.max(terrain.height(points[..., [0, 2]]) - points[..., 1], axis=-1)
        planted = stance.stands & (motion.support == 1.0)
        deep = np.where(planted, 0.0, np.maximum(under - np.maximum(-own[..., 1].min(axis=-1), 0.0), 0.0))
        if deep.any():
            away = 1.0 - envelope(planted.astype(float), width)  # from plants, beside which it is raised no sooner
            lift = np.maximum(deep, away * envelope(deep, width))
            ankle, turn = (part[:, foot.ankle] for part in now)
            goal = ankle + lift[:, None] * UP
            turn = None if foot.pointlike else turn
            posed = posed.reach(foot.limb, goal, end_rotation=turn, weight=(lift > 0.0).astype(float))
    return posed


def _notes(support: Array, stands: Array, strides: Strides | None, frames: slice) -> tuple[str, ...]:
    """What is worth saying about some frames of the motion. support: (frames,). stands: (frames, feet) bool."""
    support, stands, notes = support[frames], stands[frames], []
    unsupported = float(np.mean(support < 0.5)) if len(support) else 0.0
    if unsupported > MIN_NOTED_FRAME_SHARE:
        notes.append(
            f"In {unsupported:.0%} of the frames no foot carries the figure (it sits, lies, falls, flies or stands on "
            "its hands): there it follows the ground as a whole."
        )
    elif not stands.any():
        notes.append("No foot stands in any frame: the figure follows the ground under its feet.")
    if strides is not None:
        behind = float(np.linalg.norm(strides.shift[frames][-1]))
        notes.append(f"Strides are shortened to fit the steps of the ground: the figure ends {behind:.2f} m behind.")
        if not strides.fits:
            high = f"{strides.steepest:.0%} of its legs"
            notes.append(f"Steps remain that are {high} high, higher than it can climb well.")
    return tuple(notes)
