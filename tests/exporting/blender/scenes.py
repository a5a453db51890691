"""Scenes for the tests in Blender: characters with motion, grounds, and what Blender evaluates."""

import json
import os
import sys
from math import radians
from pathlib import Path

import bpy
import numpy as np

ASSETS = Path(os.environ.get("LIMBIK_ASSETS", ""))


def empty(fps=24):
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.context.scene.render.fps = fps
    if "bl_ext.user_default.limbik" not in bpy.context.preferences.addons:
        bpy.ops.preferences.addon_enable(module="bl_ext.user_default.limbik")
    return sys.modules["bl_ext.user_default.limbik"]


def bvh(name, last=None, **options):
    """A recording at a scale of metres, imported by Blender's own importer."""
    bpy.ops.preferences.addon_enable(module="io_anim_bvh")
    chosen = {"global_scale": 0.056444, "use_fps_scale": True, "rotate_mode": "NATIVE", **options}
    bpy.ops.import_anim.bvh(filepath=str(ASSETS / "bvh" / f"{name}.bvh"), **chosen)
    armature = bpy.context.object
    if last is not None:
        cut(armature, last)
    return armature


def cut(armature, last):
    action = armature.animation_data.action
    action.use_frame_range = True
    action.frame_start, action.frame_end = action.curve_frame_range[0], last


def gltf(name):
    """The armature of a character, imported by Blender's own importer."""
    bpy.ops.preferences.addon_enable(module="io_scene_gltf2")
    bpy.ops.import_scene.gltf(filepath=str(ASSETS / "gltf" / f"{name}.glb"))
    (armature,) = [one for one in bpy.data.objects if one.type == "ARMATURE"]
    bpy.context.view_layer.objects.active = armature
    return armature


def slope(degrees, size=40.0):
    bpy.ops.mesh.primitive_plane_add(size=size, rotation=(radians(degrees), 0.0, 0.0))
    return bpy.context.object


def stairs(rise=0.12, run=0.3, steps=30, depth=20.0):
    """A flight that goes up along −y, whose treads are an array modifier's copies of one box."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, -1.0, rise - 0.5))
    tread = bpy.context.object
    tread.scale = depth, run, 1.0
    array = tread.modifiers.new("Array", "ARRAY")
    array.count, array.use_relative_offset, array.use_constant_offset = steps, False, True
    array.constant_offset_displace = 0.0, -1.0, rise
    bpy.ops.mesh.primitive_plane_add(size=60.0)
    return tread, bpy.context.object


def finish(found):
    """Prints what was found and ends at once: some versions of Blender crash or hang when they end as a module."""
    print(json.dumps(found), flush=True)
    os._exit(0)


def activate(armature):
    bpy.ops.object.select_all(action="DESELECT")
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature


def evaluated(armature, frames):
    """(frames, bones, 4, 4) in the world, bone by bone."""
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(int(frame))
        one = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        found.append([np.array(one.matrix_world @ bone.matrix) for bone in one.pose.bones])
    return np.array(found)
