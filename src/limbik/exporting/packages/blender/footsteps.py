"""Footsteps as empties: they can be moved, turned, copied and deleted, and the action is grounded again."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import degrees, radians

import bpy

import limbik
from limbik import LimbikError

from . import actions
from .translation import TO_LIMBIK, metres_per_unit, points_to_limbik

STEP, START, STOP = "limbik_step", "start", "stop"  # properties of an empty: as it was made, and its frames
SOLE_METRES = 0.04, 0.12, 0.005  # half the width, length and height of what an empty shows
MIN_MOVE_METRES, MIN_TURN_DEGREES = 1e-4, 0.01  # less is no change


def store(action, found, first_frame) -> None:
    """Keeps the footsteps with an action, in frames of the scene."""
    action[actions.FOOTSTEPS] = json.dumps([asdict(one) for one in found.shifted(int(first_frame))])


class LIMBIK_OT_show_footsteps(bpy.types.Operator):
    """Make an empty of each footstep of this action, in place of those that are there"""

    bl_idname = "limbik.show_footsteps"
    bl_label = "Show Footsteps"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        """Whether the action was grounded."""
        armature = context.object
        action = armature and armature.type == "ARMATURE" and actions.action_of(armature)
        return bool(action and action.get(actions.FOOTSTEPS))

    def execute(self, context):
        """Makes them, in a collection of their own."""
        armature, options = context.object, context.object.limbik_ground
        collection = options.footsteps
        if collection is None:
            collection = options.footsteps = bpy.data.collections.new(f"{armature.name} footsteps")
        if collection.name not in context.scene.collection.children_recursive:
            context.scene.collection.children.link(collection)
        for one in list(collection.objects):
            bpy.data.objects.remove(one)
        unit = metres_per_unit(context.scene)
        action = actions.action_of(armature)
        assert action, "poll() asks for one"
        for step in json.loads(action[actions.FOOTSTEPS]):
            empty = bpy.data.objects.new(f"{step['foot'].replace('_', ' ')} {step['start']}", None)
            empty.empty_display_type = "CUBE"
            empty.scale = [size / unit for size in SOLE_METRES]
            empty.location = TO_LIMBIK.T @ step["position"] / unit
            empty.rotation_euler.z = radians(step["heading_degrees"])
            empty[STEP], empty[START], empty[STOP] = json.dumps(step), step["start"], step["stop"]
            collection.objects.link(empty)
        self.report({"INFO"}, f"{len(collection.objects)} footsteps: move them, then ground with them")
        return {"FINISHED"}


def edited(context, options, first_frame) -> list[limbik.Footstep]:
    """The footsteps that the empties show, in frames of the clip."""
    if options.footsteps is None or not options.footsteps.objects:
        raise LimbikError("there are no footsteps: ground the action, then show its footsteps")
    unit = metres_per_unit(context.scene)
    steps = [_step(empty, unit) for empty in options.footsteps.objects if STEP in empty]
    return [one.with_(start=one.start - first_frame, stop=one.stop - first_frame) for one in steps]


def _step(empty, unit) -> limbik.Footstep:
    """The footstep of an empty: as it was made, but for what was changed."""
    step = limbik.Footstep(**json.loads(empty[STEP])).with_(start=int(empty[START]), stop=int(empty[STOP]))
    x, y, z = points_to_limbik(empty.matrix_world.translation, unit)
    old_x, old_y, old_z = step.position
    heading = degrees(empty.matrix_world.to_euler().z)
    if abs((heading - step.heading_degrees + 180.0) % 360.0 - 180.0) > MIN_TURN_DEGREES:
        step = step.with_(heading_degrees=heading)
    if max(abs(x - old_x), abs(z - old_z)) > MIN_MOVE_METRES:
        step = step.with_(position=(x, None, z), normal=None)  # on the ground there
    if old_y is not None and abs(y - old_y) > MIN_MOVE_METRES:
        step = step.with_(position=(x, y, z))  # raised or lowered by hand
    return step


CLASSES = (LIMBIK_OT_show_footsteps,)
