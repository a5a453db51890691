"""The panels in the sidebar (N) of the 3D view."""

from __future__ import annotations

import json
from dataclasses import fields

import bpy

import limbik

from . import actions


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


class LIMBIK_PT_report(Panel, bpy.types.Panel):
    """What the referee measured."""

    bl_label = "Report"
    bl_parent_id = "LIMBIK_PT_ground"
    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012

    @classmethod
    def poll(cls, context):
        """Whether the action has a report."""
        armature = _armature(context)
        action = armature and actions.action_of(armature)
        return bool(action and action.get(actions.REPORT))

    def draw(self, context):
        """A line for each measure, before and after."""
        report = json.loads(actions.action_of(context.object)[actions.REPORT])
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
    bl_options = {"DEFAULT_CLOSED"}  # noqa: RUF012

    @classmethod
    def poll(cls, context):
        """Whether an armature is active."""
        return _armature(context) is not None

    def draw(self, context):
        """A slider for each of limbik's settings."""
        self.layout.use_property_split = True
        for one in fields(limbik.Settings):
            self.layout.prop(context.object.limbik_ground, one.name)


CLASSES = (LIMBIK_PT_ground, LIMBIK_PT_settings, LIMBIK_PT_report)
