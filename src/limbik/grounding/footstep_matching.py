"""Which plants of a foot footsteps stand for: those that they overlap, unless they are new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.grounding.plant_footholds import Footholds
from limbik.grounding.plants import MIN_SECONDS_BETWEEN_PLANTS, Plant
from limbik.skeleton.foot import Foot
from limbik.skeleton.footsteps import Footstep, Footsteps


class Step(NamedTuple):
    """A footstep in frames of the motion, and the plant of the clip that it takes the place of, if any."""

    plant: Plant
    number: int | None = None  # among the footsteps; None: a plant outside the frames
    old: int | None = None  # among the plants of the clip
    kept: bool = False  # whether it is as the clip's own


class _Span(NamedTuple):
    """From when to when a footstep stands, or a plant outside the frames, in frames of the motion."""

    first: int
    stop: int
    number: int | None  # among the footsteps
    old: int | None  # among the plants of the clip, of one that is as it was or outside the frames
    kept: bool  # whether it is as it was


def own_footsteps(foot: Foot, holds: Footholds, begin: int, end: int) -> list[Footstep | None]:
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


def match_footsteps(
    foot: Foot,
    plants: Sequence[Plant],
    own: Sequence[Footstep | None],
    given: Footsteps,
    begin: int,
    end: int,
    fps: float,
    notes: list[str],
) -> list[Step]:
    """The footsteps of a foot in order: each takes the place of the plant of the clip that it overlaps most.

    own: (plants,), as `own_footsteps` has them. What cannot be had is added to the notes.
    """
    spans = [_Span(one.first, one.stop, None, i, True) for i, one in enumerate(plants) if own[i] is None]
    for number, step in enumerate(given):
        if step.foot != foot.limb.name:
            continue
        first, stop = max(step.start, 0) + begin, min(step.stop, end - begin) + begin
        if first < stop:
            kept = step in own
            spans.append(_Span(first, stop, number, own.index(step) if kept else None, kept))
        else:
            notes.append(f"{name_of(number, given)} is not in the clip, which has {end - begin} frames.")
    spans = _separate(sorted(spans, key=lambda one: one[:2]), given, fps, begin, notes)
    found = []
    for span, old in zip(spans, _choose_plants(spans, own, begin), strict=True):
        like, before = (_typical(plants), None) if old is None else (plants[old], own[old])
        first, stop = span.first, span.stop
        if before is not None:  # a plant that goes on beyond the frames still does
            first = like.first if first == before.start + begin else first
            stop = like.stop if stop == before.stop + begin else stop
        found.append(Step(_retime(like, first, stop), span.number, old, span.kept))
    return found


def _choose_plants(spans: Sequence[_Span], own: Sequence[Footstep | None], begin: int) -> list[int | None]:
    """The plants of the clip (spans,) that spans take the place of, in the same order as these."""
    chosen = [span.old for span in spans]
    for k, span in enumerate(spans):
        if chosen[k] is not None:
            continue
        low = max((old for old in chosen[:k] if old is not None), default=-1)
        high = min((old for old in chosen[k:] if old is not None), default=len(own))
        overlaps = [
            (min(one.stop + begin, span.stop) - max(one.start + begin, span.first), i)
            for i, one in enumerate(own)
            if one is not None and low < i < high
        ]
        most, best = max(overlaps, default=(0, 0))
        chosen[k] = best if most > 0 else None
    return chosen


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


def _separate(spans: Sequence[_Span], given: Footsteps, fps: float, begin: int, notes: list[str]) -> list[_Span]:
    """Spans that do not overlap: the foot leaves one in time for the next. What is as in the clip stays so."""
    gap, found = max(round(MIN_SECONDS_BETWEEN_PLANTS * fps), 1), list[_Span]()
    for one in spans:
        if found and not (found[-1].kept and one.kept) and found[-1].stop + gap > one.first:
            last, stop = found.pop(), one.first - gap
            names = " and ".join(name_of(span.number, given) for span in (last, one))
            what = "the first is left out"
            if stop > last.first:
                old = last.old if last.number is None else None
                found.append(last._replace(stop=stop, old=old, kept=False))
                what = f"the foot leaves the first in frame {stop - begin}"
            notes.append(f"{names} leave the foot less than {MIN_SECONDS_BETWEEN_PLANTS} s in between: {what}.")
        found.append(one)
    return found


def changed_frames(steps: list[Step], plants: int, frames: int) -> Array:
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


def name_of(number: int | None, given: Footsteps) -> str:
    """How notes name a footstep."""
    if number is None:
        return "a stance outside the frames"
    step = given[number]
    return f"footsteps[{number}] ({step.foot}, frames {step.start} to {step.stop - 1})"
