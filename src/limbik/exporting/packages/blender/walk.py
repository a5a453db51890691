"""Walk a creature: armature, body and action of a creature that follows a curve over meshes."""

from __future__ import annotations

import bpy
import numpy as np

import limbik
from limbik import LimbikError
from limbik.gait.creature import preset_names
from limbik.gait.walking import walk_steps

from . import actions, figures, scenery, translation
from .work import Work

FROM_FILE = "FILE"


def _curves_only(_, one):
    return one.type == "CURVE"


def _gaits(options, context, text):
    """What the gait's field offers: those of the creature."""
    return [gait.name for gait in options.creature_described().gaits]


class WalkOptions(bpy.types.PropertyGroup):
    """How a creature walks; kept with the scene for the next one, and with each armature that was made."""

    __annotations__ = {
        **scenery.Ground.__annotations__,
        "creature": bpy.props.EnumProperty(
            name="Creature",
            items=[(name, name.capitalize(), "") for name in preset_names()] + [(FROM_FILE, "From a file", "")],
            default="spider",
        ),
        "file": bpy.props.StringProperty(name="File", description="A creature's TOML file", subtype="FILE_PATH"),
        "path": bpy.props.PointerProperty(
            type=bpy.types.Object, name="Along", description="The curve to follow, from its start", poll=_curves_only
        ),
        "seconds": bpy.props.FloatProperty(
            name="Seconds", description="Duration of a walk without a curve", default=10.0, min=0.1, max=3600.0
        ),
        "speed": bpy.props.FloatProperty(
            name="Speed", description="Metres per second; 0: the creature's own", default=0.0, min=0.0
        ),
        "gait": bpy.props.StringProperty(
            name="Gait", description="The gait to keep; empty: as the speed asks for", search=_gaits
        ),
        "seed": bpy.props.IntProperty(name="Seed", description="With which leg it starts", min=0),
    }

    def creature_described(self) -> limbik.Creature:
        """The creature of these options."""
        if self.creature == FROM_FILE and not self.file:
            raise LimbikError("there is no creature: choose a TOML file")
        return limbik.creature(bpy.path.abspath(self.file) if self.creature == FROM_FILE else self.creature)

    def copy_to(self, other) -> None:
        """Copies all options."""
        for name in self.__annotations__:
            setattr(other, name, getattr(self, name))


class LIMBIK_OT_walk(Work, bpy.types.Operator):
    """Make a creature that walks along the curve, over the ground: armature, body and action"""

    bl_idname = "limbik.walk"
    bl_label = "Walk a Creature"

    def work(self, context):
        """Walks, then makes the armature and its body."""
        options = context.scene.limbik_walk
        clip = yield from walked(context, options)
        armature = figures.new_armature(context, clip, clip.name)
        names = list(armature["limbik_joints"])
        if clip.body is not None:
            scenery.new_body(context, clip, armature, names)
        options.copy_to(armature.limbik_walk)
        yield from play_walk(context, armature, clip, names)
        self.report({"INFO"}, f"{armature.name} walks {len(clip)} frames")
        for note in clip.notes:
            self.report({"WARNING"}, note)


class LIMBIK_OT_walk_again(Work, bpy.types.Operator):
    """Let this creature walk again, after its curve, its ground or its options were changed"""

    bl_idname = "limbik.walk_again"
    bl_label = "Walk Again"

    @classmethod
    def poll(cls, context):
        """Whether the active armature was made by a walk."""
        return context.object is not None and "limbik_joints" in context.object

    def work(self, context):
        """Walks, and writes the action anew."""
        armature = context.object
        names = list(armature["limbik_joints"])
        clip = yield from walked(context, armature.limbik_walk)
        missing = [name for name in names if name not in armature.data.bones]
        if list(clip.skeleton.names) != names or missing:
            raise LimbikError(f"{armature.name} is another creature than the {clip.name}: make a new one")
        yield from play_walk(context, armature, clip, names)
        self.report({"INFO"}, f"{armature.name} walks {len(clip)} frames")
        for note in clip.notes:
            self.report({"WARNING"}, note)


def walked(context, options):
    """The clip of a walk; yields the fraction done."""
    named = options.ground or options.ground_collection
    terrain = scenery.terrain_of(context, options) if named else "plane"
    return (
        yield from walk_steps(
            options.creature_described(),
            terrain,
            speed=options.speed or None,
            gait=options.gait or None,
            seed=options.seed,
            fps=translation.frames_per_second(context.scene),
            path=scenery.path_of(context, options.path) if options.path else None,
            seconds=None if options.path else options.seconds,
        )
    )


def play_walk(context, armature, clip, names):
    """Writes a clip as the action of an armature that was made for it."""
    poses = figures.poses_of(context, armature, clip, names)
    frames = context.scene.frame_start + np.arange(len(clip))
    yield 1.0
    actions.play(armature, None)
    action = actions.write_poses(armature, frames, poses, f"{armature.name} walk")
    for foot, stands in zip(clip.feet, np.asarray(clip.contacts).T, strict=True):
        for frame in frames[1:][stands[1:] & ~stands[:-1]]:
            action.pose_markers.new(names[foot]).frame = int(frame)
    context.scene.frame_end = max(context.scene.frame_end, int(frames[-1]))


CLASSES = (WalkOptions, LIMBIK_OT_walk, LIMBIK_OT_walk_again)
GROUPS = {(bpy.types.Scene, "limbik_walk"): WalkOptions, (bpy.types.Object, "limbik_walk"): WalkOptions}
