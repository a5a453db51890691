"""ground(): a clip made for flat ground, walking on a terrain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.errors import ShapeError
from limbik.grounding.foot_detection import foot_of, walking_limbs
from limbik.grounding.pelvis import pelvis_shift, tilted
from limbik.grounding.plants import Plant, plants_of, stance_of
from limbik.grounding.settings import Settings
from limbik.grounding.steps import Steps, steps_of
from limbik.grounding.travel import with_travel
from limbik.referee.comparison import Comparison, compare, raised_to
from limbik.referee.motion_report import Report, report_of
from limbik.skeleton.clip import Clip
from limbik.skeleton.foot import Foot
from limbik.skeleton.intervals import intervals
from limbik.skeleton.rig_limb import RigLimb
from limbik.skeleton.stray_pose import begins_with_stray_pose
from limbik.terrains.base import Terrain
from limbik.terrains.coercion import as_terrain


@dataclass(frozen=True)
class Grounded:
    """What `ground` gives: the clip on the terrain, with feet and contacts, and what it came from."""

    clip: Clip
    before: Clip  # on flat ground, travelling
    terrain: Terrain
    feet: tuple[Foot, ...]
    heels: Array  # (frames, feet) bool: where heels stand; where balls do is in the clip's contacts
    settings: Settings

    @cached_property
    def report(self) -> Report:
        """What was done to the clip, in numbers, before and after."""
        return report_of(self.comparison)

    @cached_property
    def comparison(self) -> Comparison:
        """Every foot before and after, frame by frame: what the report is measured from."""
        limit = np.radians(self.settings.align_limit)
        balls = np.asarray(self.clip.contacts)
        extension = self.settings.extension
        return compare(
            self.before,
            self.clip,
            self.terrain,
            self.feet,
            balls,
            self.heels,
            extension=extension,
            tilt_limit=float(limit),
        )

    @cached_property
    def before_on_terrain(self) -> Clip:
        """`before`, each frame raised by the terrain's height under its root: feet sink into the ground and float."""
        root = self.before.translations[:, self.before.skeleton.roots[0]]
        return self.before.moved(raised_to(self.terrain, root))

    def _repr_html_(self) -> str:
        """What notebooks show: the clip before and after, playing on the terrain, and the report's table."""
        from limbik.pages.in_notebook import grounded_html

        return grounded_html(self)


def ground(
    clip: Clip,
    terrain: Any,
    *,
    legs: Sequence[RigLimb] | None = None,
    contacts: Any = None,
    settings: Settings | None = None,
) -> Grounded:
    """The same motion walking on a terrain, feet planted, the pelvis following.

    Args:
        clip: a motion on flat ground at y = 0 (or on uneven ground of its own), of any figure with legs.
        terrain: a Terrain, or what `limbik.terrain` takes: "slope:10", a file, a function.
        legs: the limbs that walk; else all legs of `find_limbs`, and arms that stand.
        contacts: (frames, legs) bool, where each foot stands; else it is found from the motion.
        settings: see `Settings`.
    """
    settings = settings or Settings()
    ground_under = as_terrain(terrain)
    limbs = list(legs) if legs is not None else walking_limbs(clip)
    if contacts is not None:
        contacts = np.asarray(contacts, bool)
        if contacts.shape != (len(clip), len(limbs)):
            raise ShapeError("contacts", contacts.shape, f"{(len(clip), len(limbs))}, (frames, legs)")
    skipped = int(begins_with_stray_pose(clip))
    moving, velocity = with_travel(clip[skipped:], limbs, clip[skipped:].positions())
    motion = _Motion(
        moving, limbs, settings, float(np.linalg.norm(velocity)), contacts[skipped:] if contacts is not None else None
    )
    grounded, heels = motion.on(ground_under)
    if skipped:
        grounded, heels = _with_first(clip, grounded), np.concatenate([heels[:1], heels])
        moving = _with_first(clip, moving)
    return Grounded(grounded, moving, ground_under, tuple(motion.feet), heels, settings)


def _with_first(clip: Clip, rest: Clip) -> Clip:
    """The clip's first frame, moved as the second was, before the rest."""
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


class _Motion:
    """A clip's feet as they move over flat ground."""

    def __init__(
        self, clip: Clip, limbs: list[RigLimb], settings: Settings, slow: float, contacts: Array | None
    ) -> None:
        self.clip, self.settings = clip, settings
        self.positions, self.rotations = clip.world()
        self.feet = [foot_of(clip, limb, self.positions, self.rotations, settings, slow) for limb in limbs]
        self.plants = [
            plants_of(foot, self.positions, self.rotations, clip.fps, settings, slow)
            if contacts is None
            else [Plant(first, first, stop, stop) for first, stop in intervals(contacts[:, k])]
            for k, foot in enumerate(self.feet)
        ]

    def on(self, terrain: Terrain) -> tuple[Clip, Array]:
        """The clip on a terrain, and where its heels stand."""
        fps, settings = self.clip.fps, self.settings
        stances, steps, own = [], [], []
        for foot, plants in zip(self.feet, self.plants, strict=True):
            toes = self.clip.rotations[:, foot.ball]
            now = Steps(self.positions[:, foot.ankle], self.rotations[:, foot.ankle], toes, np.zeros(len(toes)))
            stance = stance_of(foot, plants, self.positions, self.rotations, toes, terrain, fps, settings)
            stances.append(stance)
            own.append(now)
            steps.append(steps_of(foot, stance, now, terrain, fps, settings))
        before, after = (np.stack([one.ankle for one in motion], axis=1) for motion in (own, steps))
        carried = after - before
        carried[..., 1] -= np.stack([step.lift for step in steps], axis=1)
        hips = self._joints(self.positions, 0)
        posed = tilted(self.clip, self.feet, hips, carried[..., 1], settings)
        positions = self.positions if posed is self.clip else posed.positions()
        limbs = np.stack([self._joints(positions, k) for k in (0, 2, -1)])
        posed = posed.moved(pelvis_shift(self.feet, limbs, after, np.mean(carried, axis=1), fps, settings))
        for foot, step in zip(self.feet, steps, strict=True):
            posed = posed.reach(foot.limb, step.ankle, end_rotation=None if foot.pointlike else step.turn)
            if not foot.pointlike:
                rotations = posed.rotations.copy()
                rotations[:, foot.ball] = step.toes
                posed = posed.with_(rotations=rotations)
        contacts = np.stack([stance.ball for stance in stances], axis=-1)
        feet = tuple(foot.ball for foot in self.feet)
        clip = posed.with_(feet=feet, contacts=contacts, terrain=terrain)
        return clip, np.stack([stance.heel for stance in stances], axis=-1)

    def _joints(self, positions: Array, place: int) -> Array:
        """(frames, feet, 3): where the joint at some place of each limb is."""
        return np.stack([positions[:, foot.limb.joints[place]] for foot in self.feet], axis=1)
