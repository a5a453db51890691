"""A recording on Rigify's human, on a rig with Mixamo's names, and on a character from a glTF file."""

import json
import sys
from itertools import pairwise
from math import radians

import bpy
import numpy as np
import scenes

SIDES = {"Left": 1.0, "Right": -1.0}


def rigify():
    bpy.ops.preferences.addon_enable(module="rigify")
    bpy.ops.object.armature_human_metarig_add()
    meta = bpy.context.object
    before = set(bpy.data.objects)
    bpy.ops.object.mode_set(mode="EDIT")  # the face, which has most of the bones, is left out
    for bone in list(meta.data.edit_bones):
        if bone.name == "face" or any(one.name == "face" for one in bone.parent_recursive):
            meta.data.edit_bones.remove(bone)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.pose.rigify_generate()
    (rig,) = [one for one in set(bpy.data.objects) - before if one.type == "ARMATURE"]
    return rig


def mixamo():
    """As Blender's importer makes it of Mixamo's files: centimetres, turned, in T-pose."""
    data = bpy.data.armatures.new("Armature")
    armature = bpy.data.objects.new("Armature", data)
    bpy.context.collection.objects.link(armature)
    armature.scale, armature.rotation_euler = (0.01, 0.01, 0.01), (radians(90.0), 0.0, 0.0)
    scenes.activate(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    spine = [("Hips", 100), ("Spine", 110), ("Spine1", 122), ("Spine2", 136), ("Neck", 150), ("Head", 158)]
    chains = [[(name, (0.0, height, 0.0)) for name, height in spine] + [(None, (0.0, 178.0, 0.0))]]
    for side, x in SIDES.items():
        arm = [("Shoulder", 5), ("Arm", 17), ("ForeArm", 45), ("Hand", 72)]
        chains.append([(side + name, (x * out, 145.0, 0.0)) for name, out in arm] + [(None, (x * 80.0, 145.0, 0.0))])
        leg = [("UpLeg", (9, 95, 0)), ("Leg", (9, 52, 1)), ("Foot", (9, 9, -2)), ("ToeBase", (9, 2, 10))]
        chains.append([(side + name, (x * a, b, c)) for name, (a, b, c) in leg] + [(None, (x * 9.0, 2.0, 18.0))])
    for chain in chains:
        above = {"Shoulder": "Spine2", "UpLeg": "Hips"}.get(
            (chain[0][0] or "").removeprefix("Left").removeprefix("Right")
        )
        for (name, head), (_, tail) in pairwise(chain):
            bone = data.edit_bones.new(f"mixamorig:{name}")
            bone.head, bone.tail = head, tail
            bone.parent = data.edit_bones[f"mixamorig:{above}"] if above else None
            above = name
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in armature.pose.bones:
        bone.rotation_mode = "QUATERNION"
    return armature


def directions(armature, frames, bones):
    """(frames, bones, 3) where bones point in the world, as Blender evaluates them."""
    world = scenes.evaluated(armature, frames)
    along = np.stack([world[:, armature.pose.bones.find(name), :3, 1] for name in bones], axis=1)
    return along / np.linalg.norm(along, axis=-1, keepdims=True)


def retargeted(source, target, limbs, toes):
    scenes.activate(target)
    target.location = 3.0, 1.0, 0.5
    options = target.limbik_retarget
    options.source = source
    assert bpy.ops.limbik.retarget() == {"FINISHED"}
    action = target.animation_data.action
    frames = range(2, 60)
    ours, theirs = directions(source, frames, limbs), directions(target, frames, limbs.values())
    apart = np.degrees(np.arccos(np.clip(np.sum(ours * theirs, axis=-1), -1.0, 1.0)))
    world = scenes.evaluated(target, frames)
    feet = np.stack([world[:, target.pose.bones.find(name), :3, 3] for name in toes], axis=1)
    speeds = np.linalg.norm(np.diff(feet, axis=0), axis=-1) * 24.0
    report = dict(json.loads(action["limbik_report"])["rows"])
    return {
        "parts": sorted(part.name for part in options.parts if part.source and part.target),
        "apart": dict(zip(limbs, np.median(apart, axis=0).tolist(), strict=True)),
        "still": float(np.mean(speeds.min(axis=1) < 0.01)),
        "lowest": float(feet[..., 2].min()),
        "slide": report["slide in a stance, mm"],
        "switched off": len(json.loads(action["limbik_constraints"])),
    }


extension = scenes.empty()
source = scenes.bvh("cmu_07_01")
names = {"LeftUpLeg": 0, "LeftLeg": 0, "RightUpLeg": 0, "RightLeg": 0, "LeftForeArm": 0, "RightForeArm": 0}
found = {}
target = mixamo()
found["mixamo"] = retargeted(
    source, target, {name: f"mixamorig:{name}" for name in names}, [f"mixamorig:{side}ToeBase" for side in SIDES]
)
options = target.limbik_retarget
part = next(one for one in options.parts if one.name == "left_arm")
part.target = "mixamorig:LeftArm, mixamorig:LeftForeArm, mixamorig:Nothing"
scenes.activate(target)
try:
    bpy.ops.limbik.retarget()
except RuntimeError as error:
    found["corrected"] = str(error)
assert bpy.ops.limbik.find_map() == {"FINISHED"}
path = f"{bpy.app.tempdir}/kept.blend"
bpy.ops.wm.save_as_mainfile(filepath=path)
bpy.ops.wm.open_mainfile(filepath=path)
kept = bpy.data.objects["Armature"].limbik_retarget
found["kept"] = {part.name: part.target for part in kept.parts}
source = bpy.data.objects["cmu_07_01"]
rig = rigify()
bones = {
    name: f"DEF-{part}.{name[0]}"
    for name in names
    for part in [
        {"UpLeg": "thigh", "Leg": "shin", "ForeArm": "forearm"}[name.removeprefix("Left").removeprefix("Right")]
    ]
}
found["rigify"] = retargeted(source, rig, bones, ["DEF-toe.L", "DEF-toe.R"])
influences = [one.influence for bone in rig.pose.bones for one in bone.constraints if bone.name == "DEF-thigh.L"]
found["influences"] = influences
first, retargeted_action = bpy.data.actions.new("first"), rig.animation_data.action
rig.limbik_ground.ground = scenes.slope(-5)
scenes.activate(rig)
assert bpy.ops.limbik.ground() == {"FINISHED"}
assert rig.animation_data.action["limbik_before"] == retargeted_action
found["grounded rigify"] = dict(json.loads(rig.animation_data.action["limbik_report"])["rows"])
extension = sys.modules["bl_ext.user_default.limbik"]
extension.actions.play(rig, retargeted_action)
extension.actions.play(rig, first)
found["influences back"] = [
    one.influence for bone in rig.pose.bones for one in bone.constraints if bone.name == "DEF-thigh.L"
]
scenes.finish(found)
