"""retarget(): the motion of one figure on another, feet planted on any terrain."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from limbik.arguments import shown
from limbik.errors import ArgumentError
from limbik.files.clip_files import SUFFIXES, as_clip, load
from limbik.files.gltf.body_reader import own_body
from limbik.grounding.footstep_edits import footsteps_of
from limbik.grounding.ground import Grounded, ground, plant_feet, require_finite_frames
from limbik.grounding.motion import Stepping, read_motion
from limbik.grounding.own_ground import level_own_ground
from limbik.grounding.plant_footholds import choose_footholds
from limbik.grounding.settings import Settings, as_settings
from limbik.referee.comparison import ground_lifts
from limbik.referee.likeness import Likeness, likeness
from limbik.referee.measures import heights
from limbik.referee.motion_report import Report
from limbik.referee.soles import HUMAN_LEG_METRES
from limbik.retargeting.body_path import (
    clip_on_floor,
    height_over_floor,
    heights_of_soles,
    measure_feet,
    shift_over_feet,
)
from limbik.retargeting.figure_parts import FigureParts
from limbik.retargeting.hand_contact import touch_as_source
from limbik.retargeting.joint_map import JointMap, MappingLike, map_joints
from limbik.retargeting.part_frames import PartFrames, read_frames
from limbik.retargeting.steps import read_steps, release_early, standing_balls, standing_feet
from limbik.retargeting.transfer import Transfer, keep_roots, move_body, transfer_motion
from limbik.rotations import multiply, rotate
from limbik.skeleton.clip import BONE_FIELDS, Clip
from limbik.skeleton.foot import UP
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton
from limbik.terrains.base import Terrain
from limbik.terrains.planes import Plane
from limbik.terrains.specs import TerrainLike, as_terrain

FigureLike = Clip | Pose | Skeleton | str | os.PathLike[str]
FORWARD = np.array([0.0, 0.0, 1.0])
MAX_SOLE_MISS_METRES = 0.003  # of a person's sole that stands, from the ground: what is worth a note
MIN_MOVING_FRAMES = 10  # of a figure's own clip, from which its hinges are read, too


@dataclass(frozen=True, eq=False)
class Retargeted:
    """The result of `retarget`.

    Attributes:
        clip: The motion on the figure, with `feet`, `contacts` and `terrain` filled in; it keeps the mesh and whatever
            else the figure's file has.
        source: The motion that it was made from.
        map: Which joints correspond; `map.save(path)` keeps it for later, `mapping=path` uses it again.
        grounded: How its feet were put on the terrain.
        scale: The length of the figure's legs, relative to the source's.
        notes: What was noticed, such as parts that were not found.
    """

    clip: Clip
    source: Clip
    map: JointMap
    grounded: Grounded
    scale: float = 1.0
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Retargeted({self.clip!r}, on {self.grounded.terrain!r}, legs × {self.scale:.3g})"

    @cached_property
    def report(self) -> Report:
        """How the feet keep to the ground, before and after they were planted; measured on first use."""
        missed = [
            f"The sole of the {name.replace('_', ' ')} is more than {1e3 * MAX_SOLE_MISS_METRES:g} mm off the ground in"
            f" {len(frames)} of the frames in which it stands, the first {frames[0]}."
            for name, frames in self.missed_frames.items()
            if frames
        ]
        return replace(self.grounded.report, notes=(*self.notes, *missed))

    @cached_property
    def missed_frames(self) -> dict[str, list[int]]:
        """The frames in which a sole is not on the ground though the referee says that it stands, by limb.

        They are those in which a part of the sole that stands is more than 3 mm above or below the ground, times the
        length of the leg over a person's.
        """
        compared, found = self.grounded.comparison, {}
        for foot in compared.feet:
            away = np.abs(heights(foot.after.sole, self.grounded.terrain)) * foot.stands
            most = MAX_SOLE_MISS_METRES * max(foot.leg / HUMAN_LEG_METRES, 1.0)
            found[foot.name] = (np.flatnonzero(away.max(axis=1) > most) + compared.skipped).tolist()
        return found

    @cached_property
    def likeness(self) -> Likeness:
        """How far thighs, shanks and arms point from where the source's do, in degrees; measured on first use."""
        limbs = {name: pair for name, pair in self.map.pairs.items() if name in self.map.source.limbs}
        frames = min(len(self.source), len(self.clip))
        return likeness(self.source.positions()[:frames], self.clip.positions()[:frames], limbs)

    @cached_property
    def source_beside(self) -> Clip:
        """The source as large as the figure, on its way, and raised by the terrain under it: to look at both."""
        source, scale = self.source.with_(terrain=None), self.scale
        hips = [limb.joints[0] for limb in self.map.source.limbs.values()]
        if own_body(source) is None:
            bones = replace(source.skeleton, translations=scale * source.skeleton.translations)
            large = source.with_(skeleton=bones, translations=scale * source.translations)
        else:  # a mesh goes with the scale of the root
            roots, translations = list(source.skeleton.roots), np.array(source.translations)
            scales = np.array(np.ones(translations.shape) if source.scales is None else source.scales)
            scales[:, roots] *= scale
            translations[:, roots] *= scale
            large = source.with_(translations=translations, scales=scales)
        return large.moved(ground_lifts(self.grounded.terrain, np.mean(large.positions()[:, hips], axis=1)))

    def _repr_html_(self) -> str:
        """What notebooks show: source and result side by side, and the report's tables."""
        from limbik.pages.in_notebook import retargeted_html

        return retargeted_html(self)


def retarget(
    clip: Clip | str | os.PathLike[str],
    figure: FigureLike,
    terrain: TerrainLike | None = None,
    *,
    mapping: MappingLike | None = None,
    settings: Settings | Mapping[str, float | None] | None = None,
) -> Retargeted:
    """Puts the motion of one figure on another: bipeds on bipeds, quadrupeds on quadrupeds, of any proportions.

    Limbs, spine, neck, clavicles, fingers and tail are found in both figures, whatever their rest poses and the axes of
    their bones. Thighs, shanks and arms point where the source's do; the hips go the source's way, scaled by the length
    of the legs; feet stand when the source's do, and do not slide.

    Args:
        clip: The motion, made for flat ground at y = 0, or the path of a file, as for `limbik.load`.
        figure: Who is to move like it: a Clip, Pose or Skeleton, or the path of a file. Its own motion is replaced; of
            a file everything else is kept, such as the mesh.
        terrain: A Terrain, or what `limbik.terrain` accepts (default: a floor at y = 0).
        mapping: Joints that are not found by themselves, by "source" and "target" and the names of parts, from root to
            tip: `{"target": {"left_leg": ["Hip", "Knee", "Ankle"]}}`; or the path of such a JSON file, as
            `result.map.save` writes.
        settings: How feet are planted: a `Settings`, or a dictionary of some of its fields.

    Returns:
        The motion on the figure, with the map of joints and a report. On the source's own figure and a level floor
        the clip is returned as it is: `ground` plants its feet.

    Raises:
        ArgumentError: An argument is not one of the above, or the clip has no frames or a value that is not finite.
        FileError: A file cannot be read.
        LimbikError: No limbs were found, or the figures stand on different numbers of limbs.
    """
    settings = as_settings(settings)
    source = require_finite_frames(as_clip(clip))
    target = as_figure(figure)
    found = map_joints(source.skeleton, target.skeleton, mapping)
    surface = Plane() if terrain is None else as_terrain(terrain)
    if _are_same(source.skeleton, target.skeleton):
        grounded = _on_own_bones(source, target, found, surface, settings)
        return Retargeted(grounded.clip, source, found, grounded, notes=(*found.notes, *grounded.notes))
    legs = [found.source.limbs[name] for name in found.source.standing]
    level, own_notes = level_own_ground(source, legs)
    standing = clip_on_floor(target, {name: found.target.limbs[name] for name in found.target.standing})
    transfer = Transfer(_frames_of_source(found.source, level), _frames_of_target(found.target, target, standing))
    stepping = read_steps(transfer, level)
    moved = _stand(transfer, level, target, stepping)
    stepping = release_early(stepping, moved)
    limbs = [shape.limb for shape in stepping.shapes]
    if isinstance(surface, Plane):  # nothing to lean against: the body stays as the source has it
        settings = replace(settings, lean=0.0)
    grounded, _ = plant_feet(moved, surface, limbs, None, 1, settings, stepping)
    planted = keep_roots(grounded.clip, transfer.target)
    touching = touch_as_source(transfer, level.world(), planted)
    grounded = replace(grounded, clip=touching, at_rest=standing)
    notes = (*found.notes, *own_notes, *grounded.notes)
    return Retargeted(grounded.clip.with_(notes=notes), source, found, grounded, transfer.scale, notes)


def as_figure(figure: FigureLike) -> Clip:
    """A figure from what `retarget` accepts, as a clip."""
    if isinstance(figure, str | os.PathLike):
        figure = load(figure)
    if isinstance(figure, Skeleton):
        figure = Pose.rest(figure)
    if isinstance(figure, Clip):
        return figure
    if not isinstance(figure, Pose):
        wanted = f"a Clip, Pose or Skeleton, or the path of a file ({', '.join(SUFFIXES)})"
        raise ArgumentError("figure", shown(figure), wanted)
    first = Pose.rest(figure.skeleton)
    return Clip(
        first.skeleton,
        first.rotations[None],
        first.translations[None],
        None if first.scales is None else first.scales[None],
    )


def _are_same(ours: Skeleton, theirs: Skeleton) -> bool:
    """Whether two skeletons have the same joints and bones."""
    return ours.has_joints_of(theirs) and all(
        np.array_equal(getattr(ours, name), getattr(theirs, name)) for name in BONE_FIELDS
    )


def _on_own_bones(source: Clip, figure: Clip, found: JointMap, surface: Terrain, settings: Settings) -> Grounded:
    """A clip on a figure of the same bones: unchanged on a level floor, else on the terrain."""
    names = "rotations", "translations", "scales", "fps", "start", "name"
    clip = figure.with_(**{name: getattr(source, name) for name in names}, feet=(), contacts=None, terrain=None)
    limbs = [found.source.limbs[name] for name in found.source.standing]
    if not (isinstance(surface, Plane) and surface.key() == Plane().key()):
        return ground(clip, surface, legs=limbs, settings=settings)
    motion = read_motion(clip, limbs, Settings(), 0.0)
    heels, balls, standing = np.zeros((3, len(clip), len(limbs)), bool)
    for k, plants in enumerate(motion.plants):
        for plant in plants:
            heels[plant.down : plant.lift, k] = balls[plant.ball : plant.rise, k] = True
            standing[plant.first : plant.stop, k] = True
    feet = tuple(foot.ball for foot in motion.feet)
    holds = [choose_footholds(motion, k, surface, settings, None) for k in range(len(limbs))]
    steps = footsteps_of(motion, holds, slice(None))
    result = clip.with_(feet=feet, contacts=balls, footsteps=steps)
    return Grounded(result, clip, surface, motion.feet, heels, standing, steps, settings)


def _frames_of_source(parts: FigureParts, clip: Clip) -> PartFrames:
    limbs = {name: parts.limbs[name] for name in parts.standing}
    return read_frames(parts, measure_feet(clip, limbs), clip.world())


def _frames_of_target(parts: FigureParts, figure: Clip, standing: Clip) -> PartFrames:
    limbs = {name: parts.limbs[name] for name in parts.standing}
    motion = figure.world() if len(figure) >= MIN_MOVING_FRAMES and not figure.is_coarse else None
    return read_frames(parts, measure_feet(standing, limbs), motion)


def _stand(transfer: Transfer, source: Clip, figure: Clip, stepping: Stepping) -> Clip:
    """The figure with the source's motion, its soles as high above the floor as the source's, scaled."""
    world, stands = source.world(), standing_balls(stepping, len(source))
    moved = transfer_motion(transfer, world, figure, source, standing_feet(transfer, stepping, source))
    names = transfer.feet
    if not names:
        return moved
    ours, theirs = ({name: one.feet[name] for name in names} for one in (transfer.source, transfer.target))
    wanted = transfer.scale * heights_of_soles(world, source.rotations, ours)
    rise = height_over_floor(moved, wanted, stands, theirs)[:, None] * UP
    balls, like = (
        np.stack([foot.ball_positions(*one) for foot in feet.values()], axis=1)
        for one, feet in ((moved.world(), theirs), (world, ours))
    )
    pelvis = transfer.source.parts.torso.pelvis
    ahead = rotate(multiply(world[1][:, pelvis], transfer.source.frames[pelvis]), FORWARD)
    headings = np.unwrap(np.arctan2(ahead[:, 0], ahead[:, 2]))
    shift = shift_over_feet(balls, transfer.scale * like, stands, headings, source.fps)
    return move_body(moved, transfer.target, rise + shift)
