"""New actions: channels of bones from their poses, written beside the action that the user has."""

from __future__ import annotations

import json

import bpy
import numpy as np
from mathutils import Matrix, Quaternion

from limbik.rotations import continuous, from_matrices

from .translation import bone_matrices, inverse_frames, is_constrained

SAME_POSE = 1e-5  # of a matrix: a bone that differs by less keeps its keys
LINEAR = 1  # the interpolation between keys, as foreach_set takes it
# Properties of new actions: the action before, constraints and their influences, the referee's report, footsteps.
MADE_FROM, SWITCHED_OFF, REPORT, FOOTSTEPS = "limbik_before", "limbik_constraints", "limbik_report", "limbik_footsteps"


def action_of(armature) -> bpy.types.Action | None:
    """The action that an object plays."""
    return armature.animation_data.action if armature.animation_data else None


def is_animated(armature) -> bool:
    """Whether an object has an action, or strips of such."""
    data = armature.animation_data
    return data is not None and (data.action is not None or any(track.strips for track in data.nla_tracks))


def source_action(armature) -> bpy.types.Action | None:
    """The action that an object plays, or the one that was grounded to make it."""
    action = action_of(armature)
    return action.get(MADE_FROM) or action if action and action.get(FOOTSTEPS) else action


def action_frames(context, armature) -> np.ndarray:
    """The frames of an object's action, or of the scene where it has none."""
    action, scene = action_of(armature), context.scene
    start, end = action.frame_range if action else (scene.frame_start, scene.frame_end)
    return np.arange(int(np.floor(start)), int(np.ceil(end)) + 1)


def play(armature, action) -> None:
    """Makes an object play an action, with the slot that it had or the first that suits."""
    data = armature.animation_data or armature.animation_data_create()
    identifier = data.last_slot_identifier if hasattr(data, "last_slot_identifier") else ""
    before = data.action
    if before is not None and before.get(SWITCHED_OFF):
        for bone, constraint, influence in json.loads(before[SWITCHED_OFF]):
            if bone in armature.pose.bones and constraint in armature.pose.bones[bone].constraints:
                armature.pose.bones[bone].constraints[constraint].influence = influence
    data.action = action
    if action is not None and hasattr(data, "action_slot"):  # Blender 4.4 and later
        slots = list(data.action_suitable_slots)
        chosen = [slot for slot in slots if slot.identifier == identifier] or slots
        data.action_slot = chosen[0] if chosen else None


def write_action(recording, poses, name, everything=False) -> bpy.types.Action:
    """A new action in which the armature has poses (frames, bones, 4, 4); the armature plays it from now on.

    It is a copy of the action that the armature plays. Bones that move as before keep their keys, unless the rotations
    of `everything` are written; the others are keyed in each frame, and constraints that would move them are switched
    off in it.
    """
    armature = recording.figure.armature
    before = action_of(armature)
    action = before.copy() if before else bpy.data.actions.new(name)
    action.name = name
    if before:
        before.use_fake_user = True
        action[MADE_FROM] = before
    bones = [bone for bone in armature.pose.bones if bone.name in set(recording.figure.bones)]
    old, new = (basis_of(armature, bones, found) for found in (recording.poses, poses))
    curves = _curves(armature, action)
    off = []
    for bone, was, basis in zip(bones, old, new, strict=True):
        constrained = is_constrained(bone)
        if constrained or everything or np.abs(basis - was).max() > SAME_POSE:
            moved = not bone.bone.use_connect and np.abs(basis - was)[:, :3, 3].max() > SAME_POSE
            _write_bone(curves, bone, recording.frames, basis, moved, constrained)
        for one in bone.constraints if constrained else ():
            if not one.mute:
                off.append((bone.name, one.name, one.influence))
                _write_curve(curves, one.path_from_id("influence"), 0, bone.name, recording.frames[:1], [0.0])
    action[SWITCHED_OFF] = json.dumps(off)
    play(armature, action)
    return action


def write_poses(armature, frames, poses, name) -> bpy.types.Action:
    """A new action of an armature without one that keys poses (frames, bones, 4, 4) of all bones."""
    action = bpy.data.actions.new(name)
    bones = list(armature.pose.bones)
    curves = _curves(armature, action)
    for bone, basis in zip(bones, basis_of(armature, bones, poses), strict=True):
        _write_bone(curves, bone, frames, basis, location=not bone.bone.use_connect, scale=False)
    play(armature, action)
    return action


def basis_of(armature, bones, poses) -> np.ndarray:
    """(bones, frames, 4, 4) The channels of pose bones as matrices, from poses (frames, all bones, 4, 4)."""
    rest = bone_matrices(armature.data.bones, "matrix_local")
    found = np.empty((len(bones), *poses.shape[:1], 4, 4))
    for basis, bone in zip(found, bones, strict=True):
        k = armature.data.bones.find(bone.name)
        parent = armature.data.bones.find(bone.parent.name) if bone.parent else None
        if parent is None:
            basis[:] = inverse_frames(rest[k]) @ poses[:, k]
        elif _inherits_all(bone.bone):
            hang = inverse_frames(rest[parent]) @ rest[k]
            basis[:] = inverse_frames(poses[:, parent] @ hang) @ poses[:, k]
        else:
            at_rest = {"parent_matrix_local": Matrix(rest[parent]), "invert": True}
            for frame, (pose, above) in enumerate(zip(poses[:, k], poses[:, parent], strict=True)):
                basis[frame] = bone.bone.convert_local_to_pose(
                    Matrix(pose), Matrix(rest[k]), parent_matrix=Matrix(above), **at_rest
                )
    return found


def mark_footfalls(action, grounded, frames) -> None:
    """Markers of the action where feet come down."""
    for limb, parts in grounded.contact_intervals().items():
        for first, _ in parts["foot"]:
            if first:
                action.pose_markers.new(limb.replace("_leg", " foot").replace("_", " ")).frame = int(frames[first])


def keep_report(action, report) -> None:
    """Stores the referee's report with the action, for the panel."""
    _, lines = report.table()
    rows = [[label.strip(), cells[0]] for label, *cells in lines]
    action[REPORT] = json.dumps({"rows": rows, "notes": list(report.notes)})


def _inherits_all(bone) -> bool:
    return bone.use_inherit_rotation and bone.use_local_location and bone.inherit_scale == "FULL"


def _curves(armature, action):
    """The F-curves of an action that move an object; from Blender 4.4 on they are those of a slot."""
    if not hasattr(action, "layers"):
        return action.fcurves
    data = armature.animation_data
    identifier = data.action_slot.identifier if data and data.action_slot else ""
    slot = action.slots.get(identifier) or action.slots.new("OBJECT", armature.name)
    layer = action.layers[0] if action.layers else action.layers.new("limbik")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    return strip.channelbag(slot, ensure=True).fcurves


def _write_bone(curves, bone, frames, basis, location, scale) -> None:
    """Keys of a bone's channels from matrices (frames, 4, 4)."""
    lengths = np.linalg.norm(basis[:, :3, :3], axis=1)
    path, values = _rotation_channel(bone, continuous(from_matrices(basis[:, :3, :3] / lengths[:, None])))
    channels = {path: values}
    if location:
        channels["location"] = basis[:, :3, 3]
    if scale:
        channels["scale"] = lengths
    for name, found in channels.items():
        for axis, values in enumerate(np.asarray(found, float).T):
            _write_curve(curves, bone.path_from_id(name), axis, bone.name, frames, values)


def _rotation_channel(bone, rotations):
    """The path and the values (frames, 3 or 4) of a bone's rotations (frames, 4) in its own mode, without jumps."""
    sine, w = np.linalg.norm(rotations[:, :3], axis=-1, keepdims=True), rotations[:, 3:]
    if bone.rotation_mode == "QUATERNION":
        return "rotation_quaternion", np.roll(rotations, 1, axis=-1)  # w first
    if bone.rotation_mode == "AXIS_ANGLE":
        axes = np.where(sine > 0.0, rotations[:, :3] / np.where(sine > 0.0, sine, 1.0), [0.0, 1.0, 0.0])
        return "rotation_axis_angle", np.concatenate([2.0 * np.arctan2(sine, w), axes], axis=-1)
    found = []
    for x, y, z, real in rotations:
        found.append(Quaternion((real, x, y, z)).to_euler(bone.rotation_mode, *found[-1:]))
    return "rotation_euler", found


def _write_curve(curves, path, axis, group, frames, values) -> None:
    """An F-curve with a key in each frame, instead of the one that is there."""
    there = curves.find(path, index=axis)
    if there is not None:
        curves.remove(there)
    known = curves.bl_rna.functions["new"].parameters.keys()
    grouped = {word: group for word in ("group_name", "action_group") if word in known}  # the word of this version
    curve = curves.new(path, index=axis, **grouped)
    points = curve.keyframe_points
    points.add(len(frames))
    points.foreach_set("co", np.stack([frames, values], axis=-1).astype(np.float32).ravel())
    points.foreach_set("interpolation", np.full(len(frames), LINEAR, np.int32))
    curve.update()
