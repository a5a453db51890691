"""The footholds of a motion as footsteps, and footsteps that people have edited as footholds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.errors import ChoiceError
from limbik.grounding.footholds import find_footholds
from limbik.grounding.motion import Motion
from limbik.grounding.plant_footholds import Footholds, first_rows, flat_rows, headings
from limbik.grounding.plants import MIN_SECONDS_BETWEEN_PLANTS, Plant, ball_position
from limbik.grounding.retimed_legs import Retimed, retime_legs
from limbik.grounding.settings import Settings
from limbik.grounding.smoothing import bridge, smooth, window_maximum
from limbik.rotations import about, rotate
from limbik.skeleton.foot import UP, Foot
from limbik.skeleton.footsteps import Footstep, Footsteps
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


class _Step(NamedTuple):
    """A footstep in frames of the motion, and the plant of the clip that it takes the place of, if any."""

    plant: Plant
    number: int | None = None  # among the footsteps
    old: int | None = None  # among the plants of the clip
    kept: bool = False  # whether it is as the clip's own


def footsteps_of(motion: Motion, footholds: Sequence[Footholds], frames: slice) -> Footsteps:
    """The footsteps in the frames that count, sorted by their starts."""
    begin, end = _ends(motion, frames)
    found = [
        step
        for foot, holds in zip(motion.feet, footholds, strict=True)
        for step in _own_steps(foot, holds, begin, end)
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
    every: list[list[_Step]] = []
    changed = np.zeros(len(motion.clip), bool)
    for foot, holds in zip(motion.feet, footholds, strict=True):
        own = _own_steps(foot, holds, begin, end)
        steps = _match(foot, holds, own, given, begin, end, notes)
        steps = _separate(steps, given, motion.clip.fps, begin, notes)
        changed |= _changed_frames(steps, len(holds.plants), len(changed))
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
                    f"{_name(number, edited.given)} is out of reach: the foot misses it by up to {miss:.2f} m."
                )
    return notes


def _ends(motion: Motion, frames: slice) -> tuple[int, int]:
    begin, end, _ = frames.indices(len(motion.clip))
    return begin, end


def _own_steps(foot: Foot, holds: Footholds, begin: int, end: int) -> list[Footstep | None]:
    """The footsteps (plants,) of a foot by itself, in frames since `begin`; None for those outside the frames."""
    degrees = (np.degrees(holds.headings) + 180.0) % 360.0 - 180.0
    found: list[Footstep | None] = []
    for plant, place, normal, heading in zip(holds.plants, holds.place, holds.normal, degrees, strict=True):
        first, stop = max(plant.first, begin) - begin, min(plant.stop, end) - begin
        x, y, z = place.tolist()
        step = (
            Footstep(foot.limb.name, first, stop, (x, y, z), float(heading), tuple(normal.tolist()))
            if stop > first
            else None
        )
        found.append(step)
    return found


def _match(
    foot: Foot, holds: Footholds, own: list[Footstep | None], given: Footsteps, begin: int, end: int, notes: list[str]
) -> list[_Step]:
    """The footsteps of a foot in order: each takes the place of the plant of the clip that it overlaps most."""
    rows = sorted((step.start, number) for number, step in enumerate(given) if step.foot == foot.limb.name)
    chosen: dict[int, int] = {}  # plants of the clip by numbers of footsteps
    for number in (number for _, number in rows):
        same = [i for i, one in enumerate(own) if one is not None and _times(one) == _times(given[number])]
        if same and same[0] not in chosen.values():
            chosen[number] = same[0]
    low = -1
    steps = [_Step(plant, None, i, True) for i, plant in enumerate(holds.plants) if own[i] is None]
    for place, (_, number) in enumerate(rows):
        step = given[number]
        if number not in chosen:
            high = min((chosen[other] for _, other in rows[place:] if other in chosen), default=len(own))
            spans = [
                (min(one.stop, step.stop) - max(one.start, step.start), i)
                for i, one in enumerate(own)
                if one is not None and low < i < high
            ]
            most, best = max(spans, default=(0, 0))
            if most > 0:
                chosen[number] = best
        old = chosen.get(number)
        low = low if old is None else old
        first, stop = max(step.start, 0) + begin, min(step.stop, end - begin) + begin
        if stop <= first:
            notes.append(f"{_name(number, given)} is not in the clip, which has {end - begin} frames.")
            continue
        like = holds.plants[old] if old is not None else _typical(holds.plants)
        before = None if old is None else own[old]
        if old is not None and before is not None:  # a plant that goes on beyond the frames still does
            first = like.first if step.start == before.start else first
            stop = like.stop if step.stop == before.stop else stop
        steps.append(_Step(_retime(like, first, stop), number, old, step == before))
    return sorted(steps, key=lambda one: (one.plant.first, one.plant.stop))


def _times(step: Footstep) -> tuple[int, int]:
    return step.start, step.stop


def _typical(plants: Sequence[Plant]) -> Plant:
    """The plant of middle length, or a flat one."""
    ordered = sorted(plants, key=lambda one: one.stop - one.first)
    return ordered[len(ordered) // 2] if ordered else Plant(0, 0, 0, 1, 1, 1)


def _retime(plant: Plant, first: int, stop: int) -> Plant:
    """The plant from another frame to another: heel, ball and toes stand and leave in the same parts of it."""
    if (first, stop) == (plant.first, plant.stop):
        return plant
    scale = (stop - first) / (plant.stop - plant.first)
    parts = {
        name: first + round((getattr(plant, name) - plant.first) * scale) for name in ("ball", "down", "lift", "rise")
    }
    return replace(plant, first=first, stop=stop, **parts)


def _separate(steps: list[_Step], given: Footsteps, fps: float, begin: int, notes: list[str]) -> list[_Step]:
    """Footsteps of a foot that do not overlap: it leaves one in time for the next."""
    gap, found = max(round(MIN_SECONDS_BETWEEN_PLANTS * fps), 1), list[_Step]()
    for one in steps:
        if found and not (found[-1].kept and one.kept) and found[-1].plant.stop + gap > one.plant.first:
            last = found.pop()
            stop = one.plant.first - gap
            names = " and ".join(_name(step.number, given) for step in (last, one) if step.number is not None)
            if stop > last.plant.first:
                found.append(last._replace(plant=_retime(last.plant, last.plant.first, stop), kept=False))
                what = f"the foot leaves the first in frame {stop - begin}"
            else:
                what = "the first is left out"
            notes.append(f"{names} leave the foot less than {MIN_SECONDS_BETWEEN_PLANTS} s in between: {what}.")
        found.append(one)
    return found


def _changed_frames(steps: list[_Step], plants: int, frames: int) -> Array:
    """Where (frames,) a foot does not do what it does by itself. plants: how many it has in the clip."""
    changed = np.ones(frames, bool)
    for one in steps:
        if one.kept:
            changed[max(one.plant.first, 0) : one.plant.stop] = False
    for a, b in pairwise(steps):
        if a.kept and b.kept and a.old is not None and b.old == a.old + 1:
            changed[a.plant.stop : b.plant.first] = False
    if not steps:
        return changed if plants else ~changed
    if steps[0].kept and steps[0].old == 0:
        changed[: steps[0].plant.first] = False
    if steps[-1].kept and steps[-1].old == plants - 1:
        changed[steps[-1].plant.stop :] = False
    return changed


def _footholds(
    motion: Motion, k: int, steps: list[_Step], own: Footholds, given: Footsteps, terrain: Terrain, settings: Settings
) -> Footholds:
    """Where foot number k stands in such steps: where it did if they were kept, else where they ask it to."""
    plants = [one.plant for one in steps]
    place, normal = np.zeros((2, len(steps), 3))
    facing, starts, flat = headings(motion, k, plants), first_rows(plants), flat_rows(plants)
    own_starts = first_rows(own.plants)
    fixed = replace(settings, foothold_search=0.0)
    for row, one in enumerate(steps):
        rows = slice(starts[row], starts[row] + one.plant.stop - one.plant.first)
        if one.kept and one.old is not None:
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


def _repeat_moves(found: Footholds, steps: list[_Step], own: Footholds, period: int, terrain: Terrain) -> Footholds:
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
    motion: Motion, k: int, steps: list[_Step], own: Footholds, found: Footholds, settings: Settings
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
    foot: Foot, holds: Footholds, steps: list[_Step], given: Footsteps, motion: Motion, terrain: Terrain
) -> list[str]:
    """What is worth saying about footsteps that were changed: off the ground, too far from the last, or of no use."""
    notes = []
    ground = terrain.height(holds.place[:, [0, 2]])
    for row, one in enumerate(steps):
        if one.kept or one.number is None:
            continue
        name, off = _name(one.number, given), float(holds.place[row, 1] - ground[row])
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


def _name(number: int | None, given: Footsteps) -> str:
    """How notes name a footstep."""
    if number is None:
        return "a stance outside the frames"
    step = given[number]
    return f"footsteps[{number}] ({step.foot}, frames {step.start} to {step.stop - 1})"
