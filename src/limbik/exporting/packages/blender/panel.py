"""The panels in the sidebar (N) of the 3D view."""

from __future__ import annotations

import json
from dataclasses import fields

import bpy

import limbik

from . import actions, reach, walk


class Panel:
    """What all panels share."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "limbik"


def _armature(context):
    return context.object if context.object is not None and context.object.type == "ARMATURE" else None


class LIMBIK_PT_ground(Panel, bpy.types.Panel):
    """Ground this action."""

    bl_label = "Ground This Action"

    def draw(self, context):
        """The ground, the button, and what was measured."""
        layout, armature = self.layout, _armature(context)
        layout.use_property_split = True
        if armature is None:
            layout.label(text="Select an armature", icon="INFO")
            return
        options = armature.limbik_ground
        layout.prop(options, "ground")
        layout.prop(options, "ground_collection")
        layout.prop(options, "floor")
        layout.operator("limbik.ground", icon="CON_FLOOR")
        layout.operator("limbik.swap", icon="ARROW_LEFTRIGHT")
        row = layout.row(align=True)
        row.operator("limbik.show_footsteps", icon="EMPTY_AXIS")
        row.operator("limbik.ground", text="Ground with Them", icon="FILE_REFRESH").with_footsteps = True


class LIMBIK_PT_report(Panel, bpy.types.Panel):
    """What the referee measured."""

    bl_label = "Report"
    bl_parent_id = "LIMBIK_PT_ground"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        """Whether the action has a report."""
        armature = _armature(context)
        action = armature and actions.action_of(armature)
        return bool(action and action.get(actions.REPORT))

    def draw(self, context):
        """A line for each measure, before and after."""
        action = actions.action_of(context.object)
        report = json.loads(action[actions.REPORT]) if action else {"rows": [], "notes": []}
        column = self.layout.column(align=True)
        for label, value in report["rows"]:
            row = column.split(factor=0.65)
            row.label(text=label)
            row.label(text=value)
        for note in report["notes"]:
            self.layout.label(text=note, icon="INFO")


class LIMBIK_PT_settings(Panel, bpy.types.Panel):
    """How feet are planted."""

    bl_label = "Settings"
    bl_parent_id = "LIMBIK_PT_ground"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context):
        """Whether an armature is active."""
        return _armature(context) is not None

    def draw(self, context):
        """A slider for each of limbik's settings."""
        self.layout.use_property_split = True
        self.layout.prop(context.object.limbik_ground, "legs")
        for one in fields(limbik.Settings):
            self.layout.prop(context.object.limbik_ground, one.name)


class LIMBIK_PT_walk(Panel, bpy.types.Panel):
    """Walk a creature."""

    bl_label = "Walk a Creature"

    def draw(self, context):
        """The options of a new creature, or of the one that is selected."""
        layout, made = self.layout, context.object
        again = made is not None and "limbik_joints" in made
        layout.use_property_split = True
        options = made.limbik_walk if made is not None and again else context.scene.limbik_walk
        if not again:
            layout.prop(options, "creature")
            if options.creature == walk.FROM_FILE:
                layout.prop(options, "file")
        layout.prop(options, "path")
        if options.path is None:
            layout.prop(options, "seconds")
        for name in ("ground", "ground_collection", "speed", "gait", "seed"):
            layout.prop(options, name)
        layout.operator(
            "limbik.walk_again" if again else "limbik.walk", icon="FILE_REFRESH" if again else "ARMATURE_DATA"
        )


class LIMBIK_PT_retarget(Panel, bpy.types.Panel):
    """Retarget."""

    bl_label = "Retarget"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        """The source, the button, and the map."""
        layout, armature = self.layout, _armature(context)
        if armature is None:
            layout.label(text="Select the armature that is to move", icon="INFO")
            return
        options = armature.limbik_retarget
        column = layout.column()
        column.use_property_split = True
        for name in ("source", "ground", "ground_collection"):
            column.prop(options, name)
        layout.operator("limbik.retarget", icon="ARMATURE_DATA")
        layout.operator("limbik.find_map", icon="VIEWZOOM")
        if options.mapped is None or options.mapped != options.source:
            return
        table = layout.column(align=True)
        for part in options.parts:
            row = table.split(factor=0.25, align=True)
            row.label(text=part.name.replace("_", " "))
            row.prop(part, "source", text="")
            row.prop(part, "target", text="")


class LIMBIK_PT_reach(Panel, bpy.types.Panel):
    """Reach."""

    bl_label = "Reach"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        """A target for each end, and the frames."""
        layout, armature = self.layout, _armature(context)
        layout.use_property_split = True
        if armature is None:
            layout.label(text="Select an armature", icon="INFO")
            return
        options = armature.limbik_reach
        for end in reach.ENDS:
            row = layout.row(align=True)
            row.prop(options, end)
            row.prop_enum(options, "rotations", end, text="", icon="ORIENTATION_GIMBAL")
        layout.operator_menu_enum("limbik.add_targets", "ends", icon="EMPTY_AXIS")
        column = layout.column(align=True)
        for name in ("start", "end", "blend"):
            column.prop(options, name)
        layout.operator("limbik.reach", icon="CON_KINEMATIC")


CLASSES = (LIMBIK_PT_ground, LIMBIK_PT_settings, LIMBIK_PT_report, LIMBIK_PT_walk, LIMBIK_PT_retarget, LIMBIK_PT_reach)
