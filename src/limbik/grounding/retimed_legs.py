"""Legs of a motion whose feet are to stand at other times than in the clip: later, longer, more rarely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.grounding.motion import Motion
from limbik.grounding.plants import Plant
from limbik.rotations import slerp
from limbik.skeleton.timing import ease

SAME_TIME_FRAMES = 1e-6  # times that differ by less differ by rounding


class Retimed(NamedTuple):
    """A plant of the clip, and when its foot is to stand instead."""

    number: int  # among the plants of the foot in the clip
    plant: Plant


def retime_legs(motion: Motion, retimed: Sequence[Sequence[Retimed]]) -> Motion:
    """The motion with legs that move in each swing as in a swing of the clip, more quickly or slowly.

    retimed: of each foot, its plants that are in the clip as well. Where the foot no longer stands between two of them,
    its leg goes from the first of the clip's swings there over into the last one.
    """
    clip, rotations = motion.clip, motion.clip.rotations.copy()
    for foot, old, new in zip(motion.feet, motion.plants, retimed, strict=True):
        if foot.limb.joints[0] not in clip.skeleton.ancestors(foot.ankle) or not new:
            continue  # the foot does not follow its leg
        leave, land, share = _times(old, new, len(clip))
        away = np.maximum(np.abs(leave - np.arange(len(clip))), np.abs(land - leave))
        late = np.flatnonzero(away > SAME_TIME_FRAMES)
        if len(late):
            joints = [*foot.limb.joints, *foot.limb.toes]
            before, after = (_sample(clip.rotations[:, joints], times[late]) for times in (leave, land))
            rotations[late[:, None], joints] = slerp(before, after, share[late, None])
    if np.array_equal(rotations, clip.rotations):
        return motion
    clip = clip.with_(rotations=rotations)
    world = clip.world()
    hips, ankles = (world[0][:, [foot.limb.joints[end] for foot in motion.feet]] for end in (0, -1))
    moved = ankles - motion.world[0][:, [foot.limb.joints[-1] for foot in motion.feet]]
    spans = np.linalg.norm(ankles - hips, axis=-1)
    return replace(motion, clip=clip, world=world, ankles=motion.ankles + moved, spans=spans)


def _times(old: Sequence[Plant], new: Sequence[Retimed], frames: int) -> tuple[Array, Array, Array]:
    """For each frame two times of the clip, in frames, and how far the leg has gone over from one to the other."""
    now = np.arange(frames, dtype=float)
    leave, land, share = now.copy(), now.copy(), np.zeros(frames)

    def swing(first: int, stop: int, leaving: tuple[int, int], landing: tuple[int, int]) -> None:
        """A swing in the frames between first and stop, like those between frames of the clip."""
        part = (now[first + 1 : stop] - first) / max(stop - first, 1)
        leave[first + 1 : stop], land[first + 1 : stop] = (a + part * (b - a) for a, b in (leaving, landing))
        share[first + 1 : stop] = ease(part)

    for one in new:
        was, some = old[one.number], slice(one.plant.first, one.plant.stop)
        part = (now[some] - one.plant.first) / max(one.plant.stop - 1 - one.plant.first, 1)
        leave[some] = land[some] = was.first + part * (was.stop - 1 - was.first)
    for a, b in pairwise(new):
        leaving = old[a.number].stop - 1, old[a.number + 1].first
        swing(a.plant.stop - 1, b.plant.first, leaving, (old[b.number - 1].stop - 1, old[b.number].first))
    first, last = new[0], new[-1]
    landing = old[first.number - 1].stop - 1 if first.number else -1, old[first.number].first
    swing(-1, first.plant.first, landing, landing)
    leaving = old[last.number].stop - 1, old[last.number + 1].first if last.number + 1 < len(old) else frames
    swing(last.plant.stop - 1, frames, leaving, leaving)
    return (np.clip(leave, 0.0, frames - 1.0), np.clip(land, 0.0, frames - 1.0), share)


def _sample(rotations: Array, times: Array) -> Array:
    """Rotations (n, joints, 4) at times (n,) in frames, from those of each frame."""
    before = times.astype(int)
    after = np.minimum(before + 1, len(rotations) - 1)
    return slerp(rotations[before], rotations[after], (times - before)[:, None])
