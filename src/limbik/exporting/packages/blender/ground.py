"""Ground this action: the same motion with its feet on meshes, as a new action."""

from __future__ import annotations

from dataclasses import fields

import bpy
import numpy as np

import limbik
from limbik import LimbikError
from limbik.grounding.settings import descriptions

from . import actions, footsteps, scenery, translation
from .work import Work

RECORDING_SHARE = 0.6  # of the time, roughly
MAX_USUAL_HEIGHT = 15.0  # metres: larger figures are rather in other units


def _setting(field, about):
    """The property of a field of limbik's settings; 0 stands for what is measured in the clip."""
    default = 0.0 if field.default is None else field.default
    name = field.name.replace("_", " ").capitalize()
    about += "" if field.default is not None else " 0: measured."
    return bpy.props.FloatProperty(name=name, description=about.rstrip("."), default=default, min=0.0, precision=3)


class GroundOptions(bpy.types.PropertyGroup):
    """How the action of an armature is grounded; kept with the armature."""

    __annotations__ = {
        **scenery.Ground.__annotations__,
        "floor": bpy.props.EnumProperty(
            name="Made for a floor at",
            description="Height of the level floor that the action was made for",
            items=[
                ("ARMATURE", "Armature", "The origin of the armature, in the first frame"),
                ("WORLD", "World", "Height 0 of the world"),
            ],
        ),
        "footsteps": bpy.props.PointerProperty(
            type=bpy.types.Collection, name="Footsteps", description="Empties that show where feet stand"
        ),
        "legs": bpy.props.StringProperty(
            name="Legs",
            description="Bones from hip to ankle, separated by commas, legs by semicolons; empty: by name or shape",
        ),
        **{one.name: _setting(one, descriptions()[one.name]) for one in fields(limbik.Settings)},
    }

    def settings(self) -> limbik.Settings:
        """The settings of `limbik.ground`."""
        given = {one.name: getattr(self, one.name) for one in fields(limbik.Settings)}
        return limbik.Settings(
            **{one.name: given[one.name] or one.default for one in fields(limbik.Settings) if one.default is None},
            **{one.name: given[one.name] for one in fields(limbik.Settings) if one.default is not None},
        )


class LIMBIK_OT_ground(Work, bpy.types.Operator):
    """Put the feet of this action on the ground, as a new action; the old one is kept"""

    bl_idname = "limbik.ground"
    bl_label = "Ground This Action"

    __annotations__ = {
        "with_footsteps": bpy.props.BoolProperty(
            name="With Footsteps", description="Stand where the empties of the footsteps are", options={"SKIP_SAVE"}
        )
    }

    @classmethod
    def poll(cls, context):
        """Whether an armature is active."""
        cls.poll_message_set("Select the armature whose action is to be grounded")
        return context.object is not None and context.object.type == "ARMATURE"

    def work(self, context):
        """Records the action, grounds it, and writes a new one."""
        armature = context.object
        options = armature.limbik_ground
        check_writable(armature)
        source = actions.source_action(armature)
        if not actions.is_animated(armature):
            raise LimbikError(f"{armature.name} has no action: there is no motion to ground")
        terrain = scenery.terrain_of(context, options, apart_from=(armature, *armature.children_recursive))
        playing = actions.action_of(armature)
        try:
            if source is not playing:
                actions.play(armature, source)
            figure = translation.Figure.of(context, armature)
            frames = actions.action_frames(context, armature)
            asked = footsteps.edited(context, options, int(frames[0])) if self.with_footsteps else None
            name = source.name if source else armature.name
            steps = translation.record(context, figure, frames, name)
            recording = yield from scaled(steps, 0.0, RECORDING_SHARE)
            grounded = self._ground(recording, terrain, options, asked)
            yield 0.9
        except BaseException:
            if source is not playing:
                actions.play(armature, playing)
            raise
        poses = recording.poses_of(grounded.clip)
        action = actions.write_action(recording, poses, f"{name} grounded")
        actions.mark_footfalls(action, grounded, frames)
        actions.keep_report(action, grounded.report)
        footsteps.store(action, grounded.footsteps, frames[0])
        context.scene.frame_set(context.scene.frame_current)
        total = grounded.report.total
        slide = "" if total.after.slide_mm is None else f", slide {total.after.slide_mm:.1f} mm in a stance"
        self.report({"INFO"}, f"{action.name}: {len(frames)} frames, {total.contacts} stances{slide}")
        for note in (*grounded.notes, *note_on_size(figure)):
            self.report({"INFO"}, note)

    def _ground(self, recording, terrain, options, asked):
        clip = recording.clip()
        floor = recording.objects[0, 2, 3] * recording.figure.unit if options.floor == "ARMATURE" else 0.0
        legs = [[bone.strip() for bone in leg.split(",")] for leg in options.legs.split(";") if leg.strip()]
        clip = clip.moved((0.0, -floor, 0.0))
        return limbik.ground(clip, terrain, legs=legs or None, footsteps=asked, settings=options.settings())


class LIMBIK_OT_swap(bpy.types.Operator):
    """Change between the action that limbik made and the one from which it was made"""

    bl_idname = "limbik.swap"
    bl_label = "Before / After"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        """Whether the armature plays, or has played, an action that limbik made."""
        armature = context.object
        return armature is not None and armature.type == "ARMATURE" and other_action(armature) is not None

    def execute(self, context):
        """Plays the other one."""
        actions.play(context.object, other_action(context.object))
        return {"FINISHED"}


def other_action(armature):
    """The action before, or the last one that limbik made from the action that plays."""
    playing = actions.action_of(armature)
    if playing is None or playing.get(actions.MADE_FROM):
        return playing and playing[actions.MADE_FROM]
    made = [one for one in bpy.data.actions if one.get(actions.MADE_FROM) == playing]
    return max(made, key=lambda one: one.session_uid) if made else None


def check_writable(armature) -> None:
    """Raises an error where the motion of an armature cannot be changed."""
    if armature.library is not None:
        raise LimbikError(f"{armature.name} is linked from {armature.library.filepath}: make a library override first")
    if armature.mode == "EDIT":
        raise LimbikError(f"{armature.name} is in edit mode, in which it does not move: leave it first (Tab)")
    if armature.data.pose_position == "REST":
        raise LimbikError(f"{armature.name} shows its rest position: set Armature > Pose > Pose Position")
    data = armature.animation_data
    if (
        data is not None
        and data.action is not None
        and (data.action_blend_type != "REPLACE" or data.action_influence < 1.0)
    ):
        raise LimbikError(f"{armature.name} blends its action with others: set it to Replace with an influence of 1")


def note_on_size(figure):
    """What is worth saying about a figure that is much larger than figures are."""
    height = np.ptp(limbik.Pose.rest(figure.skeleton).positions()[:, 1])
    if height > MAX_USUAL_HEIGHT:
        yield (
            f"{figure.armature.name} is {height:.0f} m tall, and falls and steps like a giant: if it is not meant to be"
            " one, scale it, or set Scene > Units > Unit Scale (0.01 for centimetres)."
        )


def scaled(steps, start, end):
    """The fractions of a part of the work as fractions of the whole; returns what the part returns."""
    while True:
        try:
            yield start + (end - start) * next(steps)
        except StopIteration as stop:
            return stop.value
        except GeneratorExit:
            steps.close()
            raise


CLASSES = (GroundOptions, LIMBIK_OT_ground, LIMBIK_OT_swap)
GROUPS = {(bpy.types.Object, "limbik_ground"): GroundOptions}
