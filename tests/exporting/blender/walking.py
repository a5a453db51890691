"""Creatures along a curve over meshes, and ends of figures at empties."""

import bpy
import numpy as np
import scenes


def steps(armature, last):
    """Where the tips of the legs are, and how far they move in a frame, as Blender evaluates them."""
    world = scenes.evaluated(armature, range(1, last + 1))
    ends = [k for k, bone in enumerate(armature.pose.bones) if bone.name.endswith("_tip")]
    assert len(ends) == 4
    places = world[:, ends][..., :3, 3]
    return places, np.linalg.norm(np.diff(places, axis=0), axis=-1)


found = {}
extension = scenes.empty(30)
hill = bpy.data.meshes.new("hills")
ruler = np.linspace(-6.0, 6.0, 121)
x, y = np.meshgrid(ruler, ruler)
vertices = np.stack([x, y, 0.1 * np.sin(x) * np.cos(y)], axis=-1).reshape(-1, 3)
number = np.arange(vertices.shape[0]).reshape(x.shape)
corners = np.stack([number[:-1, :-1], number[:-1, 1:], number[1:, 1:], number[1:, :-1]], axis=-1).reshape(-1, 4)
hill.from_pydata(vertices, [], corners.tolist())
ground = bpy.data.objects.new("hills", hill)
bpy.context.collection.objects.link(ground)
bpy.ops.curve.primitive_bezier_curve_add(radius=1.5, location=(0.0, 0.0, 1.0))
curve = bpy.context.object
options = bpy.context.scene.limbik_walk
options.creature, options.path, options.ground, options.seed = "quadruped", curve, ground, 4
assert bpy.ops.limbik.walk() == {"FINISHED"}
armature = bpy.context.object
(body,) = armature.children
last = int(armature.animation_data.action.frame_range[1])
places, moves = steps(armature, last)
found["frames"] = last
found["held"] = float(np.mean(np.sort(moves, axis=1)[:, 1] < 1e-5))  # two of four feet, or more, do not move
heights = places[..., 2] - 0.1 * np.sin(places[..., 0]) * np.cos(places[..., 1])
still = np.concatenate([moves < 1e-6, moves[-1:] < 1e-6])
found["over ground"] = [float(heights[still].min()), float(heights[still].max())]
bpy.context.scene.frame_set(last)
graph = bpy.context.evaluated_depsgraph_get()
found["end"] = list(armature.evaluated_get(graph).pose.bones[0].matrix.translation)
posed = body.evaluated_get(graph).to_mesh()
found["body"] = [len(posed.vertices), float(np.ptp([v.co.x for v in posed.vertices]))]
found["body near"] = float(np.linalg.norm(np.mean([v.co[:2] for v in posed.vertices], axis=0) - found["end"][:2]))
curve.data.splines[0].bezier_points[-1].co.x += 1.0
assert bpy.ops.limbik.walk_again() == {"FINISHED"}
again = int(armature.animation_data.action.frame_range[1])
bpy.context.scene.frame_set(again)
graph = bpy.context.evaluated_depsgraph_get()
found["new end"] = list(armature.evaluated_get(graph).pose.bones[0].matrix.translation)
found["armatures"] = sum(one.type == "ARMATURE" for one in bpy.data.objects)

extension = scenes.empty(30)
armature = scenes.bvh("cmu_16_15", last=80, rotate_mode="QUATERNION")
scenes.activate(armature)
frames = range(1, 81)
before = scenes.evaluated(armature, frames)
bpy.context.scene.frame_set(40)
assert bpy.ops.limbik.add_targets(ends={"left_hand", "head", "pelvis"}) == {"FINISHED"}
options = armature.limbik_reach
options.start, options.end, options.blend, options.rotations = 35, 45, 10, {"left_hand"}
options.pelvis = None
hand = options.left_hand
hand.location.z += 0.15
hand.keyframe_insert("location", frame=35)
hand.location.x += 0.05
hand.keyframe_insert("location", frame=45)
assert bpy.ops.limbik.reach() == {"FINISHED"}
after = scenes.evaluated(armature, frames)
bone = {name: armature.pose.bones.find(name) for name in ("LeftHand", "Head", "LeftFoot", "RightFoot", "Hips")}
misses, turned = [], []
for frame in range(35, 46):
    bpy.context.scene.frame_set(frame)
    target = np.array(hand.matrix_world)
    misses.append(float(np.linalg.norm(after[frame - 1, bone["LeftHand"], :3, 3] - target[:3, 3])))
    turned.append(float(np.abs(after[frame - 1, bone["LeftHand"], :3, :3] - target[:3, :3]).max()))
outside = [frame - 1 for frame in frames if frame < 25 or frame > 55]
found["reach"] = {
    "hand": max(misses),
    "hand turned": max(turned),
    "head": float(np.linalg.norm(after[39, bone["Head"], :3, 3] - np.array(options.head.location))),
    "feet": float(np.abs(after - before)[:, [bone["LeftFoot"], bone["RightFoot"]], :3, 3].max()),
    "outside": float(np.abs(after - before)[outside].max()),
    "step": float(np.abs(np.diff(after[20:60, bone["LeftHand"], :3, 3], axis=0)).max()),
}
scenes.finish(found)
