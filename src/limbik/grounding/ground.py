"""ground(): a clip made for flat ground, walking on a terrain."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from limbik.arguments import shown
from limbik.arrays import Array
from limbik.deprecations import renamed_attribute
from limbik.errors import ArgumentError, ShapeError
from limbik.files.clip_files import as_clip
from limbik.grounding.contacts import with_travel
from limbik.grounding.foot_detection import as_legs, foot_of
from limbik.grounding.pelvis import pelvis_shift, tilted
from limbik.grounding.plants import plants_of, stance_of
from limbik.grounding.settings import Settings, as_settings
from limbik.grounding.steps import steps_of
from limbik.referee.comparison import Comparison, compare, raised_to
from limbik.referee.motion_report import Report, report_of
from limbik.skeleton.clip import Clip
from limbik.skeleton.clip_editing import begins_with_stray_pose
from limbik.skeleton.foot import Foot
from limbik.skeleton.skeleton import RigLimb
from limbik.terrains.base import Terrain
from limbik.terrains.specs import TerrainLike, as_terrain


@dataclass(frozen=True, eq=False)
class Grounded:
    """The result of `ground`.

    Attributes:
        clip: The clip on the terrain, with `feet`, `contacts` (of the balls of the feet) and `terrain` filled in.
        before: The input clip on flat ground; a cycle on the spot travels in it as in `clip`.
        terrain: The terrain.
        feet: The feet, in the order of `clip.feet`.
        heels: (frames, feet) bool; where heels stand.
        settings: The settings that were used.
        notes: What was noticed in the clip, such as frames in which no foot carries the figure.
    """

    clip: Clip
    before: Clip
    terrain: Terrain
    feet: tuple[Foot, ...]
    heels: Array
    settings: Settings
    notes: tuple[str, ...] = ()

    @cached_property
    def report(self) -> Report:
        """What grounding changed, in numbers, before and after; measured on first use."""
        return report_of(self.comparison, self.notes)

    @cached_property
    def comparison(self) -> Comparison:
        """Every foot before and after, frame by frame; the report is measured from it."""
        held = np.asarray(self.clip.contacts) | self.heels
        return compare(self.before, self.clip, self.terrain, [foot.limb for foot in self.feet], held)

    @cached_property
    def before_on_terrain(self) -> Clip:
        """`before`, each frame raised by the terrain's height under its root: feet sink into the ground and float."""
        root = self.before.translations[:, self.before.skeleton.roots[0]]
        return self.before.moved(raised_to(self.terrain, root))

    careless = renamed_attribute("careless", "before_on_terrain")

    def _repr_html_(self) -> str:
        """What notebooks show: the clip before and after, playing on the terrain, and the report's table."""
        from limbik.pages.in_notebook import grounded_html

        return grounded_html(self)


def ground(
    clip: Clip | str | os.PathLike[str],
    terrain: TerrainLike,
    *,
    legs: Sequence[RigLimb | str | Sequence[str | int]] | None = None,
    contacts: ArrayLike | None = None,
    settings: Settings | Mapping[str, Any] | None = None,
) -> Grounded:
    """Puts a clip on a terrain: the same motion with its feet planted on the ground and the pelvis following.

    Args:
        clip: A motion of any figure with legs, made for flat ground at y = 0 (or for uneven ground of its own); or the
            path of a file, as for `limbik.load`.
        terrain: A Terrain, or what `limbik.terrain` accepts ("slope:10", a file), a grid of heights 0.1 m apart, or a
            function of x and z (arrays, metres) that returns heights.
        legs: The limbs that walk, each as a RigLimb, a name such as "left_leg", or joints from hip to ankle by name or
            index. Default: all legs of `find_limbs`, and arms that stand (the front legs of animals).
        contacts: (frames, legs) bool, where each foot stands. Default: detected from the motion.
        settings: A `Settings`, or a dictionary of some of its fields. Default: `Settings()`.

    Returns:
        The grounded clip, of as many frames as the input, with the report and what it was made from.

    Raises:
        ArgumentError: An argument is not one of the above; the clip has no frames, or a value that is not finite.
        ShapeError: `contacts` is not (frames, legs).
        FileError: A file cannot be read.
        LimbikError: No legs were found, and none were given.
    """
    chosen = as_settings(settings)
    clip = _checked(as_clip(clip))
    surface = as_terrain(terrain)
    limbs = as_legs(clip, legs)
    stands = None if contacts is None else _as_contacts(contacts, (len(clip), len(limbs)))
    skipped = int(begins_with_stray_pose(clip))
    moving, velocity = with_travel(clip[skipped:], limbs)
    slow = float(np.linalg.norm(velocity))
    grounded, feet, heels = _put(moving, limbs, surface, chosen, slow, None if stands is None else stands[skipped:])
    if skipped:
        grounded, heels = _with_first(clip, grounded), np.concatenate([heels[:1], heels])
        moving = _with_first(clip, moving)
    return Grounded(grounded, moving, surface, feet, heels, chosen)


def _checked(clip: Clip) -> Clip:
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


def _with_first(clip: Clip, rest: Clip) -> Clip:
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


def _put(
    clip: Clip, limbs: list[RigLimb], terrain: Terrain, settings: Settings, slow: float, contacts: Array | None
) -> tuple[Clip, tuple[Foot, ...], Array]:
    """The clip on a terrain, its feet, and the frames in which heels stand (frames, feet)."""
    world = clip.world()
    feet = tuple(foot_of(clip, limb, world, settings, slow) for limb in limbs)
    stances, steps = [], []
    for k, foot in enumerate(feet):
        plants = plants_of(foot, clip, world, settings, slow, None if contacts is None else contacts[:, k])
        stances.append(stance_of(foot, plants, clip, world, terrain, settings))
        steps.append(steps_of(foot, stances[k], clip, world, terrain, settings))
    positions = world[0]
    ankles = np.stack([step.ankle for step in steps], axis=1)
    carried = ankles - positions[:, [foot.ankle for foot in feet]]
    carried[..., 1] -= np.stack([step.lift for step in steps], axis=1)
    posed = tilted(clip, feet, positions, carried[..., 1], settings)
    positions = positions if posed is clip else posed.positions()
    posed = posed.moved(pelvis_shift(feet, positions, ankles, np.mean(carried, axis=1), clip.fps, settings))
    for foot, step in zip(feet, steps, strict=True):
        posed = posed.reach(foot.limb, step.ankle, end_rotation=None if foot.pointlike else step.turn)
        if not foot.pointlike:
            rotations = posed.rotations.copy()
            rotations[:, foot.ball] = step.toes
            posed = posed.with_(rotations=rotations)
    balls, heels = (np.stack([getattr(stance, end) for stance in stances], axis=-1) for end in ("ball", "heel"))
    return posed.with_(feet=tuple(foot.ball for foot in feet), contacts=balls, terrain=terrain), feet, heels
