"""retarget(): the motion of one figure on another, feet planted on any terrain."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from limbik.arguments import shown
from limbik.arrays import Array
from limbik.errors import ArgumentError
from limbik.files.clip_files import SUFFIXES, as_clip, load
from limbik.grounding.ground import Grounded, ground, plant_feet, require_finite_frames
from limbik.grounding.motion import Stepping, read_motion
from limbik.grounding.own_ground import level_own_ground
from limbik.grounding.settings import Settings, as_settings
from limbik.referee.likeness import Likeness, likeness
from limbik.referee.motion_report import Report
from limbik.retargeting.body_path import (
    feet_of_figure,
    height_over_floor,
    heights_of_soles,
    measure_feet,
    rest_clip,
    shift_over_feet,
)
from limbik.retargeting.figure_parts import FigureParts
from limbik.retargeting.joint_map import JointMap, MappingLike, map_joints
from limbik.retargeting.part_frames import PartFrames, read_frames
from limbik.retargeting.transfer import Transfer, move_body, transfer_motion
from limbik.rotations import multiply, rotate
from limbik.skeleton.clip import BONE_FIELDS, Clip
from limbik.skeleton.clip_editing import begins_with_stray_pose
from limbik.skeleton.foot import UP
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton
from limbik.terrains.planes import Plane
from limbik.terrains.specs import TerrainLike, as_terrain

FigureLike = Clip | Pose | Skeleton | str | os.PathLike[str]
FORWARD = np.array([0.0, 0.0, 1.0])
MIN_MOVING_FRAMES = 10  # of a figure's own clip, from which its hinges are read, too


@dataclass(frozen=True, eq=False)
class Retargeted:
    """The result of `retarget`.

    Attributes:
        clip: The motion on the figure, with `feet`, `contacts` and `terrain` filled in; it keeps the mesh and whatever
            else the figure's file has.
        source: The motion that it was made from.
        map: Which joints correspond; `map.save(path)` keeps it for later, `mapping=path` uses it again.
        grounded: How its feet were put on the terrain; None where the source was the figure itself.
        notes: What was noticed, such as parts that were not found.
    """

    clip: Clip
    source: Clip
    map: JointMap
    grounded: Grounded | None
    notes: tuple[str, ...] = ()

    @cached_property
    def report(self) -> Report | None:
        """How the feet keep to the ground, before and after they were planted; measured on first use."""
        return None if self.grounded is None else replace(self.grounded.report, notes=self.notes)

    @cached_property
    def likeness(self) -> Likeness:
        """How far thighs, shanks and arms point from where the source's do, in degrees; measured on first use."""
        limbs = {name: pair for name, pair in self.map.pairs.items() if name in self.map.source.limbs}
        frames = min(len(self.source), len(self.clip))
        return likeness(self.source.positions()[:frames], self.clip.positions()[:frames], limbs)

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
        The motion on the figure, with the map of joints and a report. On the source's own figure, without a terrain,
        the clip is returned as it is.

    Raises:
        ArgumentError: An argument is not one of the above, or the clip has no frames or a value that is not finite.
        FileError: A file cannot be read.
        LimbikError: No limbs were found, or the figures stand on different numbers of limbs.
    """
    settings = as_settings(settings)
    source = require_finite_frames(as_clip(clip))
    target = as_figure(figure)
    found = map_joints(source.skeleton, target.skeleton, mapping)
    if _are_same(source.skeleton, target.skeleton):
        if terrain is None:
            return Retargeted(source, source, found, None, found.notes)
        grounded = ground(source, terrain, settings=settings)
        return Retargeted(grounded.clip, source, found, grounded, (*found.notes, *grounded.notes))
    legs = [found.source.limbs[name] for name in found.source.standing]
    level, own_notes = level_own_ground(source, legs)
    transfer = Transfer(_frames_of_source(found.source, level), _frames_of_target(found.target, target))
    stepping = _read_steps(transfer, level)
    moved = _stand(transfer, level, target, _standing_balls(stepping, len(level)))
    limbs = [shape.limb for shape in stepping.shapes]
    surface = Plane() if terrain is None else as_terrain(terrain)
    grounded, _ = plant_feet(moved, surface, limbs, None, 1, settings, stepping)
    grounded = replace(grounded, at_rest=rest_clip(moved, {limb.name: limb for limb in limbs}))
    notes = (*found.notes, *own_notes, *grounded.notes)
    return Retargeted(grounded.clip.with_(notes=notes), source, found, grounded, notes)


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


def _frames_of_source(parts: FigureParts, clip: Clip) -> PartFrames:
    limbs = {name: parts.limbs[name] for name in parts.standing}
    return read_frames(parts, measure_feet(clip, limbs), clip.world())


def _frames_of_target(parts: FigureParts, figure: Clip) -> PartFrames:
    limbs = {name: parts.limbs[name] for name in parts.standing}
    motion = figure.world() if len(figure) >= MIN_MOVING_FRAMES and not figure.is_coarse else None
    return read_frames(parts, feet_of_figure(figure, limbs), motion)


def _stand(transfer: Transfer, source: Clip, figure: Clip, stands: Array) -> Clip:
    """The figure with the source's motion, its soles as high above the floor as the source's, scaled."""
    world = source.world()
    moved = transfer_motion(transfer, world, figure, source)
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


def _read_steps(transfer: Transfer, source: Clip) -> Stepping:
    """When the source's feet stand, and the shapes of the target's."""
    skipped = int(begins_with_stray_pose(source))
    limbs = [transfer.source.parts.limbs[name] for name in transfer.feet]
    known = source.contacts if len(source.feet) == len(limbs) else None
    part = source[skipped:].with_(
        feet=[limb.joints[-1] for limb in limbs], contacts=None if known is None else known[skipped:]
    )
    motion = read_motion(part, limbs, Settings(), 0.0)
    shapes = tuple(transfer.target.feet[name] for name in transfer.feet)
    return Stepping(shapes, motion.plants, motion.support, skipped)


def _standing_balls(stepping: Stepping, frames: int) -> Array:
    """When balls of feet stand, (frames, feet) bool; of feet that are points, when the source's heels stand as well."""
    stands = np.zeros((frames, len(stepping.plants)), bool)
    for k, (shape, plants) in enumerate(zip(stepping.shapes, stepping.plants, strict=True)):
        for plant in plants:
            first, stop = (plant.down, plant.lift) if shape.pointlike else (plant.ball, plant.rise)
            stands[first + stepping.skipped : stop + stepping.skipped, k] = True
    return stands
