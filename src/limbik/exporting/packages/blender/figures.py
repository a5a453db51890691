"""New armatures for clips that come without one, such as creatures, with their bodies."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Vector

import limbik

from .translation import TO_LIMBIK, bone_matrices, inverse_frames, metres_per_unit

MIN_BONE = 1e-3  # of the figure's size: the length of bones that end nowhere


def new_armature(context, clip, name) -> bpy.types.Object:
    """An armature with a bone for each joint, in the rest pose, at the world's origin."""
    places = limbik.Pose.rest(clip.skeleton).positions() @ TO_LIMBIK / metres_per_unit(context.scene)
    if context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    data = bpy.data.armatures.new(name)
    armature = bpy.data.objects.new(name, data)
    context.collection.objects.link(armature)
    for one in context.selected_objects:
        one.select_set(False)
    context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    least = MIN_BONE * np.ptp(places, axis=0).max()
    bones = []
    for joint, (label, parent) in enumerate(zip(clip.skeleton.names, clip.skeleton.parents, strict=True)):
        bone = data.edit_bones.new(label)
        bone.parent = bones[parent] if parent >= 0 else None
        bone.head = places[joint]
        bone.tail = Vector(places[joint]) + Vector(_along(clip.skeleton, places, joint, least))
        bones.append(bone)
    names = [bone.name for bone in bones]
    bpy.ops.object.mode_set(mode="OBJECT")
    armature["limbik_joints"] = names
    return armature


def poses_of(context, armature, clip, names) -> np.ndarray:
    """(frames, bones, 4, 4) the armature's bones in the armature, each of which keeps its place at its joint."""
    rest = bone_matrices(armature.data.bones, "matrix_local")
    order = [armature.data.bones.find(name) for name in names]
    joints = _blender(clip.world_matrices(), metres_per_unit(context.scene))
    at_rest = _blender(limbik.Pose.rest(clip.skeleton).world_matrices(), metres_per_unit(context.scene))
    found = np.empty((len(clip), len(rest), 4, 4))
    found[:, order] = joints @ (inverse_frames(at_rest) @ rest[order])
    return inverse_frames(np.array(armature.matrix_world)) @ found


def _blender(affine, unit):
    """World matrices (..., 3, 4) of limbik as Blender's (..., 4, 4)."""
    found = np.zeros((*affine.shape[:-2], 4, 4))
    found[..., :3, :3], found[..., 3, 3] = TO_LIMBIK.T @ affine[..., :3], 1.0
    found[..., :3, 3] = affine[..., 3] @ TO_LIMBIK / unit
    return found


def _along(skeleton, places, joint, least):
    """From a joint (3,) to where its bone ends."""
    children = [places[child] - places[joint] for child in skeleton.children[joint]]
    far = [one for one in children if np.linalg.norm(one) > least]
    if far:
        return max(far, key=np.linalg.norm) if len(far) == 1 else np.mean(far, axis=0) + [0.0, 0.0, least]
    parent = skeleton.parents[joint]
    before = places[joint] - places[parent] if parent >= 0 else np.zeros(3)
    return 0.3 * before if np.linalg.norm(before) > least else np.array([0.0, 0.0, 10.0 * least])
