"""Retarget: the action of one armature on another, without a list of bones to fill in."""

from __future__ import annotations

import bpy

import limbik
from limbik import LimbikError
from limbik.retargeting.joint_map import map_joints

from . import actions, scenery, translation
from .ground import check_writable, scaled
from .work import Work


def _other_armatures(options, one):
    return one.type == "ARMATURE" and one is not options.id_data


class MappedPart(bpy.types.PropertyGroup):
    """A part of two figures that correspond: the names of its bones, from root to tip."""

    __annotations__ = {
        "source": bpy.props.StringProperty(name="Source", description="Bones from root to tip, separated by commas"),
        "target": bpy.props.StringProperty(name="Target", description="Bones from root to tip, separated by commas"),
    }


class RetargetOptions(bpy.types.PropertyGroup):
    """What an armature takes its motion from, and which bones correspond; kept with the armature."""

    __annotations__ = {
        **scenery.Ground.__annotations__,
        "source": bpy.props.PointerProperty(
            type=bpy.types.Object, name="Source", description="The armature that moves", poll=_other_armatures
        ),
        "parts": bpy.props.CollectionProperty(type=MappedPart),
        "mapped": bpy.props.PointerProperty(type=bpy.types.Object),
    }

    def mapping(self) -> dict[str, dict[str, list[str]]] | None:
        """The map that the file has for this source, with what the user corrected; None without one."""
        if self.mapped != self.source or not len(self.parts):
            return None
        named = {side: {part.name: _names(getattr(part, side)) for part in self.parts} for side in ("source", "target")}
        return {side: {part: names for part, names in parts.items() if names} for side, parts in named.items()}

    def keep(self, found) -> None:
        """Keeps a map with the file."""
        self.parts.clear()
        sides = found.as_dict()
        for part in dict.fromkeys([*sides["source"], *sides["target"]]):
            row = self.parts.add()
            row.name = part
            row.source, row.target = (", ".join(sides[side].get(part, ())) for side in ("source", "target"))
        self.mapped = self.source


class LIMBIK_OT_find_map(bpy.types.Operator):
    """Find which bones of the two armatures correspond; corrections are dropped"""

    bl_idname = "limbik.find_map"
    bl_label = "Find the Map"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        """Whether an armature with a source is active."""
        return _has_source(context)

    def execute(self, context):
        """Finds it."""
        options = context.object.limbik_retarget
        source, target = (translation.Figure.of(context, one).skeleton for one in (options.source, context.object))
        try:
            found = map_joints(source, target)
        except LimbikError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        options.keep(found)
        for note in found.notes:
            self.report({"INFO"}, note)
        return {"FINISHED"}


class LIMBIK_OT_retarget(Work, bpy.types.Operator):
    """Put the action of the source on this armature, feet planted, as a new action; the old one is kept"""

    bl_idname = "limbik.retarget"
    bl_label = "Retarget"

    @classmethod
    def poll(cls, context):
        """Whether an armature with a source is active."""
        cls.poll_message_set("Select the armature that is to move, and choose a source")
        return _has_source(context)

    def work(self, context):
        """Records the source, retargets, and writes a new action."""
        armature = context.object
        options = armature.limbik_retarget
        source = options.source
        check_writable(armature)
        moving = actions.action_of(source)
        if not actions.is_animated(source):
            raise LimbikError(f"{source.name} has no action: there is no motion to retarget")
        frames = actions.action_frames(context, source)
        figures = [translation.Figure.of(context, one) for one in (source, armature)]
        name = moving.name if moving else source.name
        taken = yield from scaled(translation.record(context, figures[0], frames, name), 0.0, 0.35)
        own = yield from scaled(translation.record(context, figures[1], frames), 0.35, 0.7)
        starts = [translation.points_to_limbik(one.objects[0, :3, 3], one.figure.unit) for one in (taken, own)]
        terrain = None
        if options.ground or options.ground_collection:
            terrain = scenery.terrain_of(context, options, origin=starts[1])
        clip = taken.clip().moved(-starts[0])
        rest = limbik.Pose.rest(figures[1].skeleton).moved(-starts[1])
        found = limbik.retarget(clip, rest, terrain, mapping=options.mapping())
        yield 0.9
        options.keep(found.map)
        poses = own.poses_of(found.clip.moved(starts[1]))
        action = actions.write_action(own, poses, f"{name} on {armature.name}", everything=True)
        if found.grounded is not None:
            actions.mark_footfalls(action, found.grounded, frames)
            actions.keep_report(action, found.report)
        context.scene.frame_set(context.scene.frame_current)
        self.report({"INFO"}, f"{action.name}: {len(frames)} frames, {len(found.map.pairs)} parts")
        for note in found.notes:
            self.report({"INFO"}, note)


def _has_source(context):
    armature = context.object
    return armature is not None and armature.type == "ARMATURE" and armature.limbik_retarget.source is not None


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


CLASSES = (MappedPart, RetargetOptions, LIMBIK_OT_find_map, LIMBIK_OT_retarget)
GROUPS = {(bpy.types.Object, "limbik_retarget"): RetargetOptions}
