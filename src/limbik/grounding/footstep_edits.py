"""The footholds of a motion as footsteps, and footsteps that people have edited as footholds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from limbik.arrays import Array
from limbik.errors import ChoiceError
from limbik.grounding.footholds import find_footholds
from limbik.grounding.footstep_matching import Step, changed_frames, match_footsteps, name_of, own_footsteps
from limbik.grounding.motion import Motion
from limbik.grounding.plant_footholds import Footholds, first_rows, flat_rows, headings
from limbik.grounding.plants import ball_position
from limbik.grounding.retimed_legs import Retimed, retime_legs
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import bridge, smooth, window_maximum
from limbik.rotations import about, rotate
from limbik.skeleton.foot import UP, Foot
from limbik.skeleton.footsteps import Footsteps
from limbik.terrains.base import Terrain

MAX_OFF_GROUND_LEG_LENGTHS = 0.03  # above the ground or below it, beyond which a footstep is said to be off it
MAX_FOOT_LEG_LENGTHS_S = 12.0  # from one footstep to the next; a sprinter's foot swings 14 leg lengths in a second
MAX_MISS_LEG_LENGTHS = 0.03  # by which a leg may miss a footstep before that is said to be out of reach
SAME_PHASE_FRAMES = 2  # by which plants of two repetitions of a cycle may differ


@dataclass(frozen=True, eq=False)
class Edited:
    """A motion and footholds as footsteps ask for them."""

    motion: Motion
    footholds: list[Footholds]  # of each foot
    numbers: list[list[int | None]]  # of each foot's plants, among the footsteps; None: outside of the frames
    given: Footsteps
    frames: Array  # (frames,) bool; where a foot goes otherwise than by itself
    notes: list[str]


def footsteps_of(motion: Motion, footholds: Sequence[Footholds], frames: slice) -> Footsteps:
    """The footsteps in the frames that count, sorted by their starts."""
    begin, end = _ends(motion, frames)
    found = [
        step
        for foot, holds in zip(motion.feet, footholds, strict=True)
        for step in own_footsteps(foot, holds, begin, end)
        if step is not None
    ]
    return Footsteps(tuple(sorted(found, key=lambda step: step.start)), motion.clip.fps)


def edit_footholds(
    motion: Motion,
    footholds: Sequence[Footholds],
    given: Footsteps,
    frames: slice,
    period: int,
    terrain: Terrain,
    settings: Settings,
) -> Edited:
    """The motion and its footholds, changed as footsteps say; those that are as they were change nothing.

    What moves in a cycle of `period` frames moves in its repetitions before and after, too, so that it stays a cycle.

    Raises ChoiceError where a footstep is of no foot of the motion.
    """
    names = [foot.limb.name for foot in motion.feet]
    for number, step in enumerate(given):
        if step.foot not in names:
            raise ChoiceError(f"footsteps[{number}].foot", step.foot, names)
    begin, end = _ends(motion, frames)
    notes: list[str] = []
    every: list[list[Step]] = []
    changed = np.zeros(len(motion.clip), bool)
    for foot, holds in zip(motion.feet, footholds, strict=True):
        own = own_footsteps(foot, holds, begin, end)
        steps = match_footsteps(foot, holds.plants, own, given, begin, end, motion.clip.fps, notes)
        changed |= changed_frames(steps, len(holds.plants), len(changed))
        every.append(steps)
    retimed = [[Retimed(one.old, one.plant) for one in steps if one.old is not None] for steps in every]
    motion = retime_legs(motion, retimed)
    motion = replace(motion, plants=[[one.plant for one in steps] for steps in every])
    found = [
        _repeat_moves(
            _footholds(motion, k, steps, footholds[k], given, terrain, settings), steps, footholds[k], period, terrain
        )
        for k, steps in enumerate(every)
    ]
    ways = [_displacement(motion, k, steps, footholds[k], found[k], settings) for k, steps in enumerate(every)]
    motion = _displace(motion, np.stack(ways, axis=1), settings)
    width = 3 * round(settings.pelvis_smoothing * motion.clip.fps)  # over which the body follows
    changed = window_maximum(changed.astype(float), width) > 0.0
    result = Edited(motion, found, [[one.number for one in steps] for steps in every], given, changed, notes)
    for foot, holds, steps in zip(motion.feet, found, every, strict=True):
        notes += _placing_notes(foot, holds, steps, given, motion, terrain)
    return result


def reach_notes(edited: Edited, ankles: Array, goals: Array, stands: Array) -> list[str]:
    """What is worth saying about footsteps that legs do not reach.

    ankles and goals: (frames, feet, 3), where they are and where their footholds have them. stands: (frames, feet).
    """
    notes = []
    for k, (foot, plants, numbers) in enumerate(
        zip(edited.motion.feet, edited.motion.plants, edited.numbers, strict=True)
    ):
        away = np.where(stands[:, k], np.linalg.norm(ankles[:, k] - goals[:, k], axis=-1), 0.0)
        for plant, number in zip(plants, numbers, strict=True):
            miss = float(away[max(plant.first, 0) : plant.stop].max(initial=0.0))
            if number is not None and miss > MAX_MISS_LEG_LENGTHS * foot.leg:
                notes.append(
                    f"{name_of(number, edited.given)} is out of reach: the foot misses it by up to {miss:.2f} m."
                )
    return notes


def _ends(motion: Motion, frames: slice) -> tuple[int, int]:
    begin, end, _ = frames.indices(len(motion.clip))
    return begin, end


def _footholds(
    motion: Motion, k: int, steps: list[Step], own: Footholds, given: Footsteps, terrain: Terrain, settings: Settings
) -> Footholds:
    """Where foot number k stands in such steps: where it did if they were kept, else where they ask it to."""
    plants = [one.plant for one in steps]
    place, normal = np.zeros((2, len(steps), 3))
    facing, starts, flat = headings(motion, k, plants), first_rows(plants), flat_rows(plants)
    own_starts = first_rows(own.plants)
    fixed = replace(settings, foothold_search=0.0)
    for row, one in enumerate(steps):
        rows = slice(starts[row], starts[row] + one.plant.stop - one.plant.first)
        if one.old is not None and (one.kept or one.number is None):
            place[row], normal[row] = own.place[one.old], own.normal[one.old]
            facing[rows] = own.facing[own_starts[one.old] :][: rows.stop - rows.start]
            continue
        assert one.number is not None
        step = given[one.number]
        turn = np.radians(step.heading_degrees) - facing[flat[row]]
        facing[rows] += (turn + np.pi) % (2.0 * np.pi) - np.pi
        x, y, z = step.position
        found, tilt = find_footholds(motion.feet[k], terrain, np.array([[x, z]]), facing[flat[row]][None], fixed)
        place[row] = x, found[0, 1] if y is None else y, z
        normal[row] = rotate(tilt, UP)[0] if step.normal is None else step.normal
    return Footholds(plants, place, normal, facing)


def _repeat_moves(found: Footholds, steps: list[Step], own: Footholds, period: int, terrain: Terrain) -> Footholds:
    """The footholds outside the frames of a cycle moved as those are in it that repeat them, turned as the cycle is."""
    place, headings_, starts = found.place.copy(), found.headings, [one.plant.first for one in steps]
    moved = [row for row, one in enumerate(steps) if not one.kept and one.old is not None]
    for row, one in enumerate(steps):
        like = [
            other
            for other in moved
            if one.number is None
            and abs((starts[row] - own.plants[steps[other].old or 0].first + period // 2) % period - period // 2)
            <= SAME_PHASE_FRAMES
        ]
        if like and one.old is not None:
            nearest = min(like, key=lambda other: abs(starts[row] - starts[other]))
            away = found.place[nearest] - own.place[steps[nearest].old or 0]
            turn = about(UP, np.asarray(headings_[row] - headings_[nearest]))
            place[row] += rotate(turn, away * [1.0, 0.0, 1.0])
            before = own.place[one.old]
            heights = terrain.height(np.stack([before, place[row]])[:, [0, 2]])
            place[row, 1] = before[1] + heights[1] - heights[0]
    return replace(found, place=place)


def _displacement(
    motion: Motion, k: int, steps: list[Step], own: Footholds, found: Footholds, settings: Settings
) -> Array:
    """How far (frames, 3) foot number k is moved over the ground, in its swings as well."""
    away, known = np.zeros((len(motion.clip), 3)), np.zeros(len(motion.clip), bool)
    for row, one in enumerate(steps):
        some = slice(max(one.plant.first, 0), one.plant.stop)
        before = ball_position(motion.feet[k], one.plant, motion.world) if one.old is None else own.place[one.old]
        away[some], known[some] = (found.place[row] - before) * [1.0, 0.0, 1.0], True
    return bridge(away, known, settings.release * motion.clip.fps)


def _displace(motion: Motion, away: Array, settings: Settings) -> Motion:
    """The motion with feet that are displaced by (frames, feet, 3), and the body by their mean."""
    if not away.any():
        return motion
    shift = smooth(np.mean(away, axis=1), 3 * round(settings.pelvis_smoothing * motion.clip.fps))
    world = motion.world[0] + shift[:, None], motion.world[1]
    return replace(motion, clip=motion.clip.moved(shift), world=world, ankles=motion.ankles + away)


def _placing_notes(
    foot: Foot, holds: Footholds, steps: list[Step], given: Footsteps, motion: Motion, terrain: Terrain
) -> list[str]:
    """What is worth saying about footsteps that were changed: off the ground, too far from the last, or of no use."""
    notes = []
    ground = terrain.height(holds.place[:, [0, 2]])
    for row, one in enumerate(steps):
        if one.kept or one.number is None:
            continue
        name, off = name_of(one.number, given), float(holds.place[row, 1] - ground[row])
        if abs(off) > MAX_OFF_GROUND_LEG_LENGTHS * foot.leg:
            notes.append(f"{name} is {abs(off):.2f} m {'above' if off > 0.0 else 'below'} the ground.")
        if np.mean(motion.support[max(one.plant.first, 0) : one.plant.stop]) < 0.5:
            notes.append(f"{name} changes little: no foot carries the figure then.")
        if row:
            way = float(np.linalg.norm(holds.place[row] - holds.place[row - 1]))
            seconds = (one.plant.first - steps[row - 1].plant.stop + 1) / motion.clip.fps
            if way > MAX_FOOT_LEG_LENGTHS_S * foot.leg * seconds:
                notes.append(f"{name} is far from the one before: the foot goes {way:.2f} m in {seconds:.2f} s.")
    return notes
