"""Reach: hands, feet, head, chest and hips to empties, at once, over a range of frames."""

from __future__ import annotations

import bpy
import numpy as np

import limbik
from limbik import LimbikError
from limbik.rotations import from_matrices, slerp

from . import actions, translation
from .ground import check_writable, scaled
from .work import Work

ENDS = ("left_hand", "right_hand", "left_foot", "right_foot", "head", "chest", "pelvis")
EMPTY_SIZE = 0.1  # metres


class ReachOptions(bpy.types.PropertyGroup):
    """Where the ends of an armature go; kept with the armature."""

    __annotations__ = {
        **{
            end: bpy.props.PointerProperty(
                type=bpy.types.Object,
                name=end.replace("_", " ").capitalize(),
                description="The object to which it goes, still or moving",
            )
            for end in ENDS
        },
        "rotations": bpy.props.EnumProperty(
            name="Rotations",
            description="Ends that take over the rotations of their targets",
            items=[(end, end.replace("_", " ").capitalize(), "", 1 << k) for k, end in enumerate(ENDS)],
            options={"ENUM_FLAG"},
        ),
        "start": bpy.props.IntProperty(name="From", description="First frame at the targets", default=1),
        "end": bpy.props.IntProperty(name="To", description="Last frame at the targets", default=100),
        "blend": bpy.props.IntProperty(
            name="Blend", description="Frames before and after, over which the motion changes", default=12, min=0
        ),
    }

    def targets(self) -> dict[str, bpy.types.Object]:
        """The target of each end that has one."""
        return {end: getattr(self, end) for end in ENDS if getattr(self, end)}

    def weights(self, frames) -> np.ndarray:
        """(frames,) how far the ends are at their targets, from 0 to 1, with a smooth beginning and end."""
        away = np.maximum(self.start - frames, frames - self.end)
        share = np.clip(1.0 - away / (self.blend + 1.0), 0.0, 1.0)
        return share * share * (3.0 - 2.0 * share)


class LIMBIK_OT_reach(Work, bpy.types.Operator):
    """Bring hands, feet, head and hips to their targets at once, as a new action; the old one is kept"""

    bl_idname = "limbik.reach"
    bl_label = "Reach"

    @classmethod
    def poll(cls, context):
        """Whether an armature is active."""
        cls.poll_message_set("Select the armature that is to reach")
        return context.object is not None and context.object.type == "ARMATURE"

    def work(self, context):
        """Records the action and the targets, and writes a new action."""
        armature = context.object
        options = armature.limbik_reach
        check_writable(armature)
        targets = options.targets()
        if not targets:
            raise LimbikError("there are no targets: choose an object for a hand, a foot, the head or the hips")
        if options.end < options.start:
            raise LimbikError(f"the range ends at {options.end}, before it begins at {options.start}")
        frames = actions.action_frames(context, armature)
        if actions.action_of(armature) is None:
            frames = np.arange(options.start - options.blend - 1, options.end + options.blend + 2)
        figure = translation.Figure.of(context, armature)
        steps = translation.record(context, figure, frames, others=set(targets.values()))
        recording = yield from scaled(steps, 0.0, 0.9)
        clip, weights = recording.clip(), options.weights(frames)
        joints = {end: joint_of(clip.skeleton, end) for end in targets}
        goals = {
            end: _goal(recording, clip, joints[end], one, end in options.rotations, weights)
            for end, one in targets.items()
        }
        reached = limbik.reach_ends(clip, goals, weight=np.ceil(weights))
        source = actions.action_of(armature)
        name = f"{source.name if source else armature.name} reach"
        action = actions.write_action(recording, recording.poses_of(reached.pose), name)
        context.scene.frame_set(context.scene.frame_current)
        self.report({"INFO"}, f"{action.name}: {', '.join(targets)} in {int(np.sum(weights == 1.0))} frames")
        for end, status in reached.status.items():
            missed = (status != limbik.Status.REACHED) & (weights == 1.0)
            if missed.any():
                far = np.nanmax(reached.residual[end][missed])
                where = f"{int(np.sum(missed))} frames, the first {frames[np.argmax(missed)]}, by up to {far:.3f} m"
                self.report({"WARNING"}, f"{end.replace('_', ' ')} does not get there in {where}")


class LIMBIK_OT_add_targets(bpy.types.Operator):
    """Add an empty at each end that has no target, where the armature has it in this frame"""

    bl_idname = "limbik.add_targets"
    bl_label = "Add Targets"
    bl_options = {"REGISTER", "UNDO"}

    __annotations__ = {
        "ends": bpy.props.EnumProperty(
            name="Ends",
            items=[(end, end.replace("_", " ").capitalize(), "", 1 << k) for k, end in enumerate(ENDS)],
            options={"ENUM_FLAG"},
            default={"left_hand", "right_hand"},
        )
    }

    @classmethod
    def poll(cls, context):
        """Whether an armature is active."""
        return context.object is not None and context.object.type == "ARMATURE"

    def execute(self, context):
        """Adds them."""
        armature = context.object
        try:
            figure = translation.Figure.of(context, armature)
            joints = {end: joint_of(figure.skeleton, end) for end in self.ends}
        except LimbikError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for end, joint in joints.items():
            if getattr(armature.limbik_reach, end) is None:
                bone = armature.pose.bones[figure.bones[joint]]
                setattr(armature.limbik_reach, end, new_empty(context, f"{armature.name} {end}", armature, bone))
        return {"FINISHED"}


def new_empty(context, name, armature, bone):
    """An empty at a bone of the armature, which has the bone's rotation."""
    empty = bpy.data.objects.new(name, None)
    empty.empty_display_size = EMPTY_SIZE / translation.metres_per_unit(context.scene)
    evaluated = armature.evaluated_get(context.evaluated_depsgraph_get())
    place, rotation, _ = (evaluated.matrix_world @ evaluated.pose.bones[bone.name].matrix).decompose()
    empty.location, empty.rotation_mode, empty.rotation_quaternion = place, "QUATERNION", rotation
    armature.users_collection[0].objects.link(empty)
    return empty


def joint_of(skeleton, end) -> int:
    """The joint of an end."""
    torso = skeleton.torso
    joint = torso.ends[end].joints[-1] if end in torso.ends else getattr(torso, end, None)
    if joint is None:
        raise LimbikError(f"no {end.replace('_', ' ')} is found in this armature")
    return joint


def _goal(recording, clip, joint, target, turns, weights) -> limbik.Goal:
    """What an end of the clip is to do: it goes from where the clip has it to the target, as the weights grow."""
    places, axes, _ = translation.split_frames(recording.others[target.name])
    before, own = (found[:, joint] for found in clip.world())
    there = translation.points_to_limbik(places, recording.figure.unit)
    turned = slerp(own, from_matrices(translation.TO_LIMBIK @ axes), weights) if turns else None
    return limbik.Goal(before + weights[:, None] * (there - before), rotation=turned)


CLASSES = (ReachOptions, LIMBIK_OT_reach, LIMBIK_OT_add_targets)
GROUPS = {(bpy.types.Object, "limbik_reach"): ReachOptions}
