"""A motion on a terrain, all frames at once: what is read from it, then feet, body and legs on the ground."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from limbik.arrays import Array
from limbik.grounding.foot_detection import foot_of
from limbik.grounding.footholds import Footholds, Stance, footholds_of, stance_of, with_heels_fitted
from limbik.grounding.knees import with_calm_knees
from limbik.grounding.pelvis import followed, released_early, sunk, with_bent_swings
from limbik.grounding.plants import Plant, plants_of
from limbik.grounding.posture import with_posture
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import envelope
from limbik.grounding.steps import Steps, above_ground, offsets_of, steps_of, with_room_along
from limbik.grounding.strides import fitted_strides
from limbik.grounding.support import able_feet, carried_by_feet, hardly_stands, notes_on
from limbik.rotations import slerp
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import UP, Foot
from limbik.skeleton.skeleton import RigLimb
from limbik.skeleton.torso import pelvis_of
from limbik.terrains.base import Terrain

SLIDING = 0.01  # leg lengths above its height on the ground: a foot that is lower slides
RAISE = 0.07  # seconds over which a foot that would be in the ground is raised above it


@dataclass(frozen=True, eq=False)
class Motion:
    """What is read from a clip, whatever the terrain."""

    clip: Clip
    world: tuple[Array, Array]  # positions and rotations of all joints in the world
    feet: tuple[Foot, ...]
    plants: list[list[Plant]]  # of each foot
    carried: Array  # (frames,) how far feet carry the figure, from 0 to 1
    spans: Array  # (frames, feet) distances from hip to ankle
    steps: Array  # (frames, feet, 3) positions of the ankles; closer to the body where strides are shortened

    @property
    def hips(self) -> list[int]:
        """The joints from which the legs hang."""
        return [foot.limb.joints[0] for foot in self.feet]

    @property
    def ankles(self) -> list[int]:
        """The joints that the legs bring to their goals."""
        return [foot.ankle for foot in self.feet]


@dataclass(frozen=True, eq=False)
class Placed:
    """A motion on a terrain."""

    clip: Clip  # with feet, contacts and terrain
    feet: tuple[Foot, ...]
    heels: Array  # (frames, feet) bool; where heels stand
    standing: Array  # (frames, feet) bool; where any of a foot stands
    notes: tuple[str, ...]  # what was noticed


def read_motion(clip: Clip, limbs: Sequence[RigLimb], settings: Settings, slow: float) -> Motion:
    """The feet of a clip and when they stand: as the clip's contacts say, or else as its motion shows.

    slow: a speed in m/s below which feet stand in any case.
    """
    world, contacts = clip.world(), clip.contacts
    able = able_feet(clip, limbs, world[0])
    found = [foot_of(clip, limb, world, settings, slow, able[:, k]) for k, limb in enumerate(limbs)]
    plants = [
        plants_of(foot, clip, world, settings, slow, stands, None if contacts is None else contacts[:, k])
        for k, (foot, stands) in enumerate(found)
    ]
    if contacts is None and not slow and hardly_stands(plants, able):
        plants = [[] for _ in plants]
    carried = carried_by_feet(able, clip.fps) if contacts is None else np.ones(len(clip))
    hips, ankles = (world[0][:, [limb.joints[end] for limb in limbs]] for end in (0, -1))
    feet = tuple(foot for foot, _ in found)
    return Motion(clip, world, feet, plants, carried, np.linalg.norm(ankles - hips, axis=-1), ankles)


def placed_on(motion: Motion, terrain: Terrain, settings: Settings, frames: slice) -> Placed:
    """The motion on a terrain. frames: those that count, between repetitions of a cycle before and after."""
    clip, feet = motion.clip, motion.feet
    if frames.start:  # contacts that are cut off at the ends may be too short to be there in the middle
        motion = replace(motion, plants=_whole_plants(motion, settings.shortest_plant * clip.fps))
    strides = fitted_strides(clip, feet, motion.plants, motion.world, terrain, settings.fit_stride, frames)
    if strides is not None:
        steps = motion.steps + strides.shift[:, None]
        if len(feet) < 3:  # a body on more legs stretches and gathers, which would have to be scaled as well
            steps = strides.feet(motion.steps, motion.world[0][:, motion.hips])
        clip = clip.moved(strides.shift)
        world = motion.world[0] + strides.shift[:, None], motion.world[1]
        motion = replace(motion, clip=clip, world=world, steps=steps)
    places = [None] * len(feet) if strides is None else strides.places
    posed, hips, stances, steps = _standing(motion, places, terrain, settings)
    posed = _with_legs(motion, posed, hips, stances, steps, terrain)
    if motion.carried.min(initial=1.0) < 1.0 or not all(one.stands.any() for one in stances):
        posed = _above_ground(motion, posed, stances, terrain)
    balls, heels, stands = (
        np.stack([getattr(one, name) for one in stances], axis=-1) for name in ("ball", "heel", "stands")
    )
    posed = posed.with_(feet=tuple(foot.ball for foot in feet), contacts=balls, terrain=terrain)
    return Placed(posed, feet, heels, stands, notes_on(motion.carried, stands, strides, frames))


def _whole_plants(motion: Motion, least: float) -> list[list[Plant]]:
    """The plants without those at the ends of the clip that last fewer frames than `least`."""
    last = len(motion.clip)
    return [
        [one for one in some if (one.first > 0 and one.stop < last) or one.stop - one.first > least]
        for some in motion.plants
    ]


def _standing(
    motion: Motion, places: Sequence[Sequence[Array] | None], terrain: Terrain, settings: Settings
) -> tuple[Clip, Array, list[Stance], list[Steps]]:
    """The figure with its body in place, its hips (frames, feet, 3), and the stances and steps of its feet.

    Its legs do not reach its feet yet.
    """
    clip, world, feet, fps = motion.clip, motion.world, motion.feet, motion.clip.fps
    positions, spans = world[0], motion.spans
    holds = [
        footholds_of(foot, plants, clip, world, terrain, settings, place)
        for foot, plants, place in zip(feet, motion.plants, places, strict=True)
    ]
    stances = [stance_of(foot, some, clip, world) for foot, some in zip(feet, holds, strict=True)]
    ankles = motion.steps
    each = [offsets_of(one, ankles[:, k], terrain, fps, settings) for k, one in enumerate(stances)]
    offsets = np.stack(each, axis=1)
    posed = with_posture(clip, feet, world, offsets, motion.carried, terrain, settings)
    after = positions if posed is clip else posed.positions()
    hips, ways = after[:, motion.hips], np.stack([ankles, ankles + offsets], axis=2)
    # Where heels stand the figure sinks until legs reach; then heels rise until knees bend as they did.
    down, at = np.zeros((len(clip), len(feet)), bool), np.stack([one.ankle for one in stances], axis=1)
    rolling = np.zeros(down.shape)
    for k, one in enumerate(holds):
        down[one.frames, k] = (one.rolling == 0) | (len(feet) > 2)
        rolling[one.frames, k] = one.rolling * (len(feet) < 3)
    shift = followed(feet, hips, ways, spans, stances, rolling, fps, settings)
    if len(feet) < 3:
        stances, shift = _with_heels(motion, holds, after, shift, settings)
    else:
        shift = sunk(feet, after, at, shift, fps, settings, down, spans)
    own = [(ankles[:, k], world[1][:, foot.ankle]) for k, foot in enumerate(feet)]
    steps = [steps_of(foot, one, clip, at, terrain, settings) for foot, one, at in zip(feet, stances, own, strict=True)]
    slides = _sliding(feet, positions, stances)
    if slides.any():
        shift = sunk(feet, after, np.stack([one.ankle for one in steps], axis=1), shift, fps, settings, slides, spans)
    rise = np.zeros(len(clip))
    if motion.carried.min(initial=1.0) < 1.0:
        rise = terrain.height(positions[:, pelvis_of(clip.skeleton, [foot.limb for foot in feet])][:, [0, 2]])
    whole = np.stack([0.0 * rise, rise, 0.0 * rise], axis=-1)
    carried = motion.carried[:, None]
    shift = carried * shift + (1.0 - carried) * whole
    return posed.moved(shift), hips + shift[:, None], stances, steps


def _with_heels(
    motion: Motion, holds: Sequence[Footholds], positions: Array, shift: Array, settings: Settings
) -> tuple[list[Stance], Array]:
    """The stances with heels that rise as knees need, and the displacement (frames, 3) of a figure that reaches them.

    Where legs do not reach even so, toes let go early, or the figure sinks further, and heels rise less.
    positions: of all joints, (frames, joints, 3).
    """
    feet, spans, fps = motion.feet, motion.spans, motion.clip.fps
    hips = positions[:, motion.hips]

    def fitted() -> list[Stance]:
        heels = [with_heels_fitted(f, holds[k], hips[:, k] + shift, spans[:, k], fps) for k, f in enumerate(feet)]
        return [stance_of(foot, one, motion.clip, motion.world) for foot, one in zip(feet, heels, strict=True)]

    stances = [released_early(feet[k], one, hips[:, k] + shift, spans[:, k], fps) for k, one in enumerate(fitted())]
    stands = np.stack([one.stands for one in stances], axis=1)
    at = np.stack([one.ankle for one in stances], axis=1)
    low = sunk(feet, positions, at, shift, fps, settings, stands, spans)
    if np.array_equal(low, shift):
        return stances, shift
    shift = low
    stances = [replace(one, stands=stands[:, k]) for k, one in enumerate(fitted())]
    at = np.stack([one.ankle for one in stances], axis=1)
    return stances, sunk(feet, positions, at, shift, fps, settings, stands, spans)


def _sliding(feet: Sequence[Foot], positions: Array, stances: Sequence[Stance]) -> Array:
    """Where (frames, feet) feet slide over the floor while none stands, as hand-made figures do: they carry it, too."""
    low = np.stack([positions[:, foot.ball, 1] < foot.sole + SLIDING * foot.leg for foot in feet], axis=1)
    return low & ~np.any([one.stands for one in stances], axis=0)[:, None]


def _with_legs(
    motion: Motion, posed: Clip, hips: Array, stances: Sequence[Stance], steps: Sequence[Steps], terrain: Terrain
) -> Clip:
    """The figure with its legs solved, as far as feet carry it. hips: (frames, feet, 3)."""
    spans, fps = motion.spans, motion.clip.fps
    stood = [bool(stance.stands.any()) for stance in stances]
    for k, (foot, step) in enumerate(zip(motion.feet, steps, strict=True)):
        if any(stood) and not stood[k]:
            continue  # a foot that never stands goes with the body
        own, stands = (hips[:, k], spans[:, k]), stances[k].stands
        goal, spare = with_bent_swings(foot, step.ankle, *own, stands, fps)
        room = with_room_along(foot, step, hips[:, k], terrain).clear + spare
        calmer = with_calm_knees(foot, goal, room, *own, stands, fps)
        goal = above_ground(foot, step, goal, calmer, stands, terrain, fps)
        goal = np.where(foot.is_overstretched(spans[:, k])[:, None], step.ankle, goal)
        posed = posed.reach(foot.limb, goal, end_rotation=step.turn, weight=motion.carried)
        if not (foot.pointlike or foot.stiff or posed.skeleton.end_sites[foot.ball]):  # toes that are a bone bend
            rotations = posed.rotations.copy()
            always = bool(motion.carried.min(initial=1.0) == 1.0)
            rotations[:, foot.ball] = step.toes if always else slerp(rotations[:, foot.ball], step.toes, motion.carried)
            posed = posed.with_(rotations=rotations)
    return posed


def _above_ground(motion: Motion, posed: Clip, stances: Sequence[Stance], terrain: Terrain) -> Clip:
    """The figure with feet raised that go with its body, where they are deeper in the ground than in the clip's."""
    now, width = posed.world(), max(round(RAISE * posed.fps), 1)
    for foot, stance in zip(motion.feet, stances, strict=True):
        own, points = (
            foot.sole_points(*(part[:, foot.ankle] for part in world), clip.rotations[:, foot.ball])
            for world, clip in ((motion.world, motion.clip), (now, posed))
        )
        under = np.max(terrain.height(points[..., [0, 2]]) - points[..., 1], axis=-1)
        planted = stance.stands & (motion.carried == 1.0)
        deep = np.where(planted, 0.0, np.maximum(under - np.maximum(-own[..., 1].min(axis=-1), 0.0), 0.0))
        if deep.any():
            away = 1.0 - envelope(planted.astype(float), width)  # from plants, beside which it is raised no sooner
            lift = np.maximum(deep, away * envelope(deep, width))
            ankle, turn = (part[:, foot.ankle] for part in now)
            goal = ankle + lift[:, None] * UP
            turn = None if foot.pointlike else turn
            posed = posed.reach(foot.limb, goal, end_rotation=turn, weight=(lift > 0.0).astype(float))
    return posed
