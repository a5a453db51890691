"""Evaluated poses, through a clip and back: how far the bones of each armature are from where they were."""

from math import radians

import bpy
import numpy as np
import scenes


def recorded(extension, armature):
    context, translation = bpy.context, extension.translation
    steps = translation.record(context, translation.Figure.of(context, armature), frames_of(extension, armature))
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def frames_of(extension, armature):
    return extension.actions.action_frames(bpy.context, armature)


def miss(extension, armature):
    """The largest difference of an entry of the bones' evaluated world matrices, over their size."""
    scenes.activate(armature)
    frames = frames_of(extension, armature)
    before = scenes.evaluated(armature, frames)
    recording = recorded(extension, armature)
    old = armature.animation_data.action
    keys = content(old)
    extension.actions.write_action(recording, recording.poses_of(recording.clip()), "again", everything=True)
    after = scenes.evaluated(armature, frames)
    chosen = [k for k, bone in enumerate(armature.pose.bones) if bone.name in recording.figure.bones]
    assert armature.animation_data.action != old and content(old) == keys, "the user's action changed"
    size = max(1.0, float(np.abs(before).max()))
    return float(np.abs(after - before)[:, chosen].max()) / size


def content(action):
    holders = [action]
    if hasattr(action, "layers"):  # Blender 4.4 and later
        holders = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return [
        (curve.data_path, curve.array_index, [tuple(point.co) for point in curve.keyframe_points])
        for holder in holders
        for curve in holder.fcurves
    ]


def crooked(constrained):
    """An armature with all that may be awkward: transforms above it, rotation modes, inheritance, constraints."""
    above = bpy.data.objects.new("above", None)
    bpy.context.collection.objects.link(above)
    above.rotation_euler = 0.3, -0.5, 0.8
    above.scale = 2.0, 2.0, 2.0
    data = bpy.data.armatures.new("crooked")
    armature = bpy.data.objects.new("crooked", data)
    bpy.context.collection.objects.link(armature)
    armature.parent, armature.scale, armature.location = above, (0.01, 0.01, 0.01), (0.2, 0.1, -0.3)
    scenes.activate(armature)
    bpy.ops.object.mode_set(mode="EDIT")
    names = ["root", "hips", "spine", "chest", "arm", "forearm", "hand", "thigh", "shin", "foot", "target"]
    heads = {
        "root": (0, 0, 0), "hips": (0, 0, 90), "spine": (0, 0, 110), "chest": (0, 2, 130), "arm": (20, 0, 140),
        "forearm": (45, 4, 140), "hand": (70, 0, 140), "thigh": (10, 0, 90), "shin": (10, -3, 50), "foot": (10, 0, 10),
        "target": (10, 5, 10),
    }  # fmt: skip
    above_of = {"hips": "root", "spine": "hips", "chest": "spine", "arm": "chest", "forearm": "arm", "hand": "forearm"}
    above_of |= {"thigh": "hips", "shin": "thigh", "foot": "shin", "target": "root"}
    for name in names:
        bone = data.edit_bones.new(name)
        bone.head, bone.roll = heads[name], 0.4
        bone.tail = np.add(heads[name], (3, -12, 2) if name in ("foot", "target") else (1, 2, 15))
        if name in above_of:
            bone.parent = data.edit_bones[above_of[name]]
    data.edit_bones["spine"].tail = heads["chest"]
    data.edit_bones["chest"].use_connect = True
    data.edit_bones["shin"].tail = heads["foot"]
    data.edit_bones["thigh"].tail = heads["shin"]
    data.edit_bones["hand"].inherit_scale = "NONE"
    data.edit_bones["forearm"].inherit_scale = "ALIGNED"
    data.edit_bones["arm"].use_inherit_rotation = False
    data.edit_bones["foot"].use_local_location = False
    data.edit_bones["root"].use_deform = data.edit_bones["target"].use_deform = False
    bpy.ops.object.mode_set(mode="OBJECT")
    order = ["XYZ", "QUATERNION", "ZYX", "AXIS_ANGLE", "YXZ", "QUATERNION", "XZY", "QUATERNION"]
    modes = {name: order[k % len(order)] for k, name in enumerate(names)}
    random = np.random.default_rng(5)
    for bone in armature.pose.bones:
        bone.rotation_mode = modes[bone.name]
        path = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}.get(
            bone.rotation_mode, "rotation_euler"
        )
        for frame in (1, 8, 20, 33, 40):
            turn = random.normal(size=len(getattr(bone, path)))
            setattr(bone, path, turn * (1.0 if len(turn) == 4 else 1.5))
            bone.location = random.normal(size=3) * 4.0
            bone.scale = np.exp(0.2 * random.normal(size=3)) if bone.name in ("spine", "forearm") else (1.0, 1.0, 1.0)
            for channel in (path, "location", "scale"):
                bone.keyframe_insert(channel, frame=frame)
    if constrained:
        reach = armature.pose.bones["shin"].constraints.new("IK")
        reach.target, reach.subtarget, reach.chain_count = armature, "target", 2
    hold = armature.pose.bones["foot"].constraints.new("COPY_ROTATION")
    hold.target, hold.subtarget = armature, "target"
    armature.location = 0.5, 0.0, 0.0
    armature.keyframe_insert("location", frame=1)
    armature.location, armature.rotation_euler = (0.5, 2.0, 0.1), (0.0, 0.1, radians(70))
    armature.keyframe_insert("location", frame=40)
    above.rotation_euler = 0.3, -0.5, 0.8
    above.keyframe_insert("rotation_euler", frame=1)
    above.rotation_euler = 0.3, 0.5, 0.2
    above.keyframe_insert("rotation_euler", frame=40)
    return armature


def slots(extension):
    """Two armatures that play two slots of one action."""
    first = scenes.bvh("cmu_16_15", last=30)
    second = scenes.bvh("cmu_07_01", last=30)
    action = first.animation_data.action
    slot = action.slots.new("OBJECT", "second")
    bag = action.layers[0].strips[0].channelbag(slot, ensure=True)
    for curve in second.animation_data.action.layers[0].strips[0].channelbags[0].fcurves:
        copied = bag.fcurves.new(curve.data_path, index=curve.array_index)
        for point in curve.keyframe_points:
            copied.keyframe_points.insert(*point.co).interpolation = point.interpolation
    second.animation_data.action, second.animation_data.action_slot = action, slot
    frames = range(1, 30)
    others = scenes.evaluated(first, frames)
    found = miss(extension, second)
    assert first.animation_data.action == action and np.array_equal(scenes.evaluated(first, frames), others)
    return found


found = {}
for fps in (24, 60):
    extension = scenes.empty(fps)
    found[f"crooked {fps}"] = miss(extension, crooked(False))
    extension = scenes.empty(fps)
    found[f"with IK {fps}"] = miss(extension, crooked(True))
    extension = scenes.empty(fps)
    found[f"bvh {fps}"] = miss(extension, scenes.bvh("cmu_16_15", rotate_mode="QUATERNION" if fps == 24 else "NATIVE"))
for name in ("KayKit_Rogue", "RiggedFigure", "Fox", "RobotExpressive"):
    extension = scenes.empty()
    armature = scenes.gltf(name)
    if armature.animation_data is None or armature.animation_data.action is None:
        armature.animation_data_create().action = bpy.data.actions.new("still")
    found[name] = miss(extension, armature)
if bpy.app.version >= (4, 4):
    found["slots"] = slots(scenes.empty())
scenes.finish(found)
