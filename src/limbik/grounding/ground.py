"""ground(): a clip made for flat ground, walking on a terrain."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from limbik.arguments import shown, whole
from limbik.arrays import Array
from limbik.errors import ArgumentError, ShapeError
from limbik.files.clip_files import as_clip
from limbik.files.footstep_files import load_footsteps
from limbik.grounding.cycles import as_cycle, travel_clip, travel_cycle
from limbik.grounding.faults import repair_faults
from limbik.grounding.foot_detection import LegsLike, as_legs
from limbik.grounding.kept_input import input_share, keep_input
from limbik.grounding.motion import Stepping, read_motion
from limbik.grounding.own_ground import level_own_ground
from limbik.grounding.placing import place_on
from limbik.grounding.settings import Settings, as_settings
from limbik.referee.comparison import Comparison, compare, ground_lifts
from limbik.referee.motion_report import Report, report_of
from limbik.skeleton.clip import Clip
from limbik.skeleton.clip_editing import begins_with_stray_pose
from limbik.skeleton.foot import Foot
from limbik.skeleton.footsteps import Footstep, Footsteps, as_footsteps
from limbik.skeleton.skeleton import RigLimb
from limbik.skeleton.timing import intervals
from limbik.terrains.base import Terrain
from limbik.terrains.planes import Plane
from limbik.terrains.specs import TerrainLike, as_terrain

# Of the speed of a walk on the spot: hand-made feet that slide more slowly stand.
MAX_STANDING_TRAVEL_SPEEDS = 0.4
MAX_REPEATS = 10_000
FootstepsLike = Footsteps | Iterable[Footstep | Mapping[str, object]] | str | os.PathLike[str]


@dataclass(frozen=True, eq=False)
class Grounded:
    """The result of `ground`.

    Attributes:
        clip: The clip on the terrain, with `feet`, `contacts` (of the balls of the feet) and `terrain` filled in.
        before: The input clip on flat ground; a cycle on the spot travels in it as in `clip`, and what was made on
            uneven ground is brought to a level floor.
        terrain: The terrain.
        feet: The feet, in the order of `clip.feet`.
        heels: (frames, feet) bool; where heels stand.
        standing: (frames, feet) bool; where any of a foot stands: its heel, its ball, or the tip of its toes.
        footsteps: When, where and how each foot stands: a table that can be changed and given back to `ground`.
        settings: The settings that were used.
        notes: What was noticed in the clip, such as frames in which no foot carries the figure.
        at_rest: The figure standing on a level floor, by which the referee measures its soles; None where it does so
            by `before`.
    """

    clip: Clip
    before: Clip
    terrain: Terrain
    feet: tuple[Foot, ...]
    heels: Array
    standing: Array
    footsteps: Footsteps
    settings: Settings
    notes: tuple[str, ...] = ()
    at_rest: Clip | None = None

    @cached_property
    def report(self) -> Report:
        """What grounding changed, in numbers, before and after; measured on first use."""
        return report_of(self.comparison, self.notes)

    @cached_property
    def comparison(self) -> Comparison:
        """Every foot before and after, frame by frame; the report is measured from it."""
        limbs = [foot.limb for foot in self.feet]
        return compare(self.before, self.clip, self.terrain, limbs, self.standing, self.at_rest)

    @cached_property
    def before_on_terrain(self) -> Clip:
        """`before`, each frame raised by the terrain's height under its hips: feet sink into the ground and float."""
        hips = self.before.positions()[:, [foot.limb.joints[0] for foot in self.feet]]
        return self.before.moved(ground_lifts(self.terrain, np.mean(hips, axis=1)))

    def contact_intervals(self) -> dict[str, dict[str, list[tuple[int, int]]]]:
        """Where feet stand, ready for JSON.

        Returns:
            For each foot by its limb's name, the intervals in which its "heel" and its "ball" stand, and in which any
            of it does, "foot": first frames and one past the last.
        """
        flags = {"heel": self.heels, "ball": np.asarray(self.clip.contacts), "foot": self.standing}
        return {
            foot.limb.name: {part: intervals(found[:, k]) for part, found in flags.items()}
            for k, foot in enumerate(self.feet)
        }

    def _repr_html_(self) -> str:
        """What notebooks show: the clip before and after, playing on the terrain, and the report's table."""
        from limbik.pages.in_notebook import grounded_html

        return grounded_html(self)


def ground(
    clip: Clip | str | os.PathLike[str],
    terrain: TerrainLike,
    *,
    legs: LegsLike | None = None,
    contacts: ArrayLike | None = None,
    footsteps: FootstepsLike | None = None,
    repeat: int = 1,
    settings: Settings | Mapping[str, float | None] | None = None,
) -> Grounded:
    """Puts a clip on a terrain: the same motion with its feet planted on the ground and the pelvis following.

    Args:
        clip: A motion of any figure with legs, made for flat ground at y = 0, or for uneven ground of its own if it has
            that `terrain` and `contacts`; or the path of a file, as for `limbik.load`.
        terrain: A Terrain, or what `limbik.terrain` accepts ("slope:10", a file), a grid of heights 0.1 m apart, or a
            function of x and z (arrays, metres) that returns heights.
        legs: The limbs that walk, each as a RigLimb, a name such as "left_leg", or joints from hip to ankle by name or
            index. Default: all legs of `find_limbs`, and arms that stand (the front legs of animals).
        contacts: (frames, legs) bool, where each foot stands. Default: detected from the motion.
        footsteps: When, where and how feet are to stand: those of an earlier result on the same terrain, of which some
            were moved, retimed, deleted or added; as Footsteps, a list of Footstep, or the path of a file that
            `limbik.save_footsteps` wrote. Those that are as they were change nothing. What cannot be had, as where a
            leg does not reach, is in `notes`. Default: found in the motion.
        repeat: How many times a cycle, a clip whose last frame meets its first, is played, going on from where it ends.
        settings: A `Settings`, or a dictionary of some of its fields. Default: `Settings()`.

    Returns:
        The grounded clip, of as many frames as the input (if it is not repeated), with the report and what it was made
        from.

    Raises:
        ArgumentError: An argument is not one of the above; the clip has no frames, or a value that is not finite; it is
            to be repeated, but is no cycle; a footstep is malformed, or of no foot of the clip.
        ShapeError: `contacts` is not (frames, legs).
        FileError: A file cannot be read.
        LimbikError: No legs were found, and none were given.
    """
    settings = as_settings(settings)
    clip = require_finite_frames(as_clip(clip))
    surface = as_terrain(terrain)
    limbs = as_legs(clip, legs)
    clip, own_notes = level_own_ground(clip, limbs)
    stands = None if contacts is None else _as_contacts(contacts, (len(clip), len(limbs)))
    given = None if footsteps is None else _as_footsteps(footsteps, clip.fps)
    repeat = whole("repeat", repeat, 1, MAX_REPEATS)
    result, changed = plant_feet(clip, surface, limbs, stands, repeat, settings, footsteps=given)
    result = replace(result, notes=(*result.notes, *own_notes))
    return _without_harm(result, changed) if isinstance(surface, Plane) else result


def plant_feet(
    clip: Clip,
    surface: Terrain,
    limbs: list[RigLimb],
    stands: Array | None,
    repeat: int,
    settings: Settings,
    stepping: Stepping | None = None,
    footsteps: Footsteps | None = None,
) -> tuple[Grounded, Array]:
    """A clip made for a level floor, on a terrain; whatever comes of it. And where footsteps change it, (frames,) bool.

    stands: (frames, limbs) bool, or None. stepping: how its feet step, where that is known; of a cycle only the shapes
    of the feet count.
    """
    # a pose in front of the motion stays in front
    stray = int(begins_with_stray_pose(clip)) if stepping is None else stepping.skipped
    feet = tuple(limb.joints[-1] for limb in limbs)
    part = clip[stray:].with_(feet=feet, contacts=None if stands is None else stands[stray:])
    cycle = None if stray else as_cycle(part, limbs)
    if cycle is None and repeat > 1:
        raise ArgumentError("repeat", repeat, "1 for a clip whose last frame does not meet its first")
    moving, frames, speed, period = travel_clip(part, limbs) if cycle is None else travel_cycle(cycle, limbs, repeat)
    sound, faulty = repair_faults(moving, limbs)
    shapes = None if stepping is None else stepping.shapes
    motion = read_motion(sound, limbs, settings, MAX_STANDING_TRAVEL_SPEEDS * speed, shapes)
    if stepping is not None and cycle is None and not speed:
        own_plants = zip(stepping.shapes, stepping.plants, motion.plants, strict=True)
        plants = [own if shape.pointlike else some for shape, some, own in own_plants]
        motion = replace(motion, plants=plants, support=stepping.support)
    placed = place_on(
        motion, surface, settings, frames, period, None if footsteps is None else footsteps.shifted(-stray)
    )
    before, after = moving[frames], placed.clip[frames]
    heels, standing, changed = (one[frames] for one in (placed.heels, placed.standing, placed.changed))
    if stray:
        before, after = (_prepend_first_frame(clip, one) for one in (before, after))
        heels, standing, changed = (np.concatenate([one[:1], one]) for one in (heels, standing, changed))
    steps = placed.footsteps.shifted(stray)
    before = before.with_(feet=(), contacts=None)
    notes = (*placed.notes, *_note_on_faults(faulty[frames], stray))
    after = after.with_(footsteps=steps)
    return Grounded(after, before, surface, placed.feet, heels, standing, steps, settings, notes), changed


def _without_harm(result: Grounded, asked: Array) -> Grounded:
    """The result on a level floor with frames of the input where the referee finds that it would be worse.

    asked: (frames,) bool, where feet go as footsteps ask for; these frames stay.
    """
    share = input_share(result.comparison, asked)
    if not share.any():
        return result
    kept, clip = (share == 0.0)[:, None], keep_input(result.before, result.clip, share)
    note = (
        f"{np.mean(share > 0.0):.0%} of the frames are the input's: its feet are not on one level there, and grounded"
        " ones would be farther from the floor."
    )
    flags = {"heels": result.heels & kept, "standing": result.standing & kept}
    return replace(result, clip=clip.with_(footsteps=result.footsteps), notes=(*result.notes, note), **flags)


def _note_on_faults(faulty: Array, skipped: int) -> Iterator[str]:
    """What is worth saying about frames (frames,) bool in which the body jumps. skipped: frames in front of these."""
    if faulty.any():
        yield (
            f"In {np.sum(faulty)} of the frames, the first {np.argmax(faulty) + skipped}, the body jumps away and back:"
            " they are replaced by poses in between."
        )


def require_finite_frames(clip: Clip) -> Clip:
    """The clip, if it has frames and all its values are finite."""
    if not len(clip):
        raise ArgumentError("clip", "a clip without frames", "at least one frame")
    for what in ("rotations", "translations", "scales"):
        values = getattr(clip, what)
        if values is not None and not np.isfinite(values).all():
            frame, joint = np.argwhere(~np.isfinite(values).all(axis=-1))[0]
            where = f"{what} that are not finite in frame {frame}, joint {clip.skeleton.names[joint]!r}"
            raise ArgumentError("clip", where, "finite numbers in every frame")
    return clip


def _as_footsteps(footsteps: FootstepsLike, fps: float) -> Footsteps:
    """The footsteps, in frames of a clip at fps."""
    if isinstance(footsteps, str | os.PathLike):
        footsteps = load_footsteps(footsteps)
    return as_footsteps(footsteps, fps)


def _as_contacts(contacts: ArrayLike, shape: tuple[int, int]) -> Array:
    try:
        found = np.asarray(contacts)
    except (TypeError, ValueError):
        found = np.asarray(None)
    if found.dtype.kind not in "biuf":
        raise ArgumentError("contacts", shown(contacts), "an array of bool, (frames, legs)")
    if found.shape != shape:
        raise ShapeError("contacts", found.shape, f"{shape}, (frames, legs)")
    return found.astype(bool)


def _prepend_first_frame(clip: Clip, rest: Clip) -> Clip:
    """The rest with the clip's first frame in front, displaced as the second was."""
    roots = list(clip.skeleton.roots)
    first = clip.translations[:1].copy()
    first[:, roots] += rest.translations[:1, roots] - clip.translations[1:2, roots]
    return rest.with_(
        rotations=np.concatenate([clip.rotations[:1], rest.rotations]),
        translations=np.concatenate([first, rest.translations]),
        scales=clip.scales,
        start=clip.start,
        contacts=None if rest.contacts is None else np.concatenate([rest.contacts[:1], rest.contacts]),
    )
