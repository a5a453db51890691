"""Actions grounded on meshes, measured in the positions that Blender evaluates."""

import json
import time

import bpy
import numpy as np
import scenes

MOST_SPEED, MOST_HEIGHT = 0.3, 0.06  # m/s and metres: a ball of the foot that stands on a level floor


def balls(armature, frames, names):
    world = scenes.evaluated(armature, frames)
    return np.stack([world[:, armature.pose.bones.find(name), :3, 3] for name in names], axis=1)


def stances(places, fps):
    """(frames, feet) bool: where points stand on the floor, by a plain rule of their own."""
    speed = np.linalg.norm(np.gradient(places, axis=0), axis=-1) * fps * bpy.context.scene.unit_settings.scale_length
    heights = places[..., 2] * bpy.context.scene.unit_settings.scale_length
    stands = (speed < MOST_SPEED) & (heights < np.quantile(heights, 0.2, axis=0) + MOST_HEIGHT)
    settled = stands.copy()
    for k in (1, 2):
        settled[k:] &= stands[:-k]
        settled[:-k] &= stands[k:]
    return settled


def slide(places, stands):
    """The largest way of a point in a frame in which it stands."""
    steps = np.linalg.norm(np.diff(places, axis=0), axis=-1)
    return float(steps[stands[1:] & stands[:-1]].max(initial=0.0))


def report(armature):
    return dict(json.loads(armature.animation_data.action["limbik_report"])["rows"])


def grounded(extension, armature, grounds, feet, fps):
    scenes.activate(armature)
    collection = bpy.data.collections.new("ground")
    bpy.context.scene.collection.children.link(collection)
    for one in grounds:
        collection.objects.link(one)
    armature.limbik_ground.ground_collection = collection
    old = armature.animation_data.action
    frames = extension.actions.action_frames(bpy.context, armature)
    before = balls(armature, frames, feet)
    bpy.context.scene.frame_set(7)
    actions = set(bpy.data.actions)
    began = time.perf_counter()
    assert bpy.ops.limbik.ground() == {"FINISHED"}
    seconds = time.perf_counter() - began
    new = armature.animation_data.action
    assert bpy.context.scene.frame_current == 7
    assert set(bpy.data.actions) - actions == {new} and old.use_fake_user
    after = balls(armature, frames, feet)
    assert bpy.ops.limbik.swap() == {"FINISHED"} and armature.animation_data.action == old
    assert np.array_equal(balls(armature, frames, feet), before)
    assert bpy.ops.limbik.swap() == {"FINISHED"} and armature.animation_data.action == new
    stands = stances(before, fps)
    middle = after[stands]
    heights = [_height_below(place) for place in middle[:: max(1, len(middle) // 60)]]
    return {
        "frames": len(frames),
        "bones": len(armature.pose.bones),
        "seconds": seconds,
        "stands": int(stands.sum()),
        "slide before": slide(before, stands),
        "slide": slide(after, stands),
        "spread": float(np.ptp(np.array(heights))),
        "markers": len(new.pose_markers),
        "report": report(armature),
    }


def _height_below(place):
    """The height of a point over whatever Blender's own ray meets below it."""
    armatures = [one for one in bpy.data.objects if one.type != "MESH"]
    assert armatures
    graph = bpy.context.evaluated_depsgraph_get()
    hit, where, *_ = bpy.context.scene.ray_cast(graph, (*place[:2], place[2] + 0.5), (0.0, 0.0, -1.0))
    assert hit
    return place[2] - where[2]


FEET = ["LeftToeBase", "RightToeBase"]
found = {}
extension = scenes.empty(30)
found["slope"] = grounded(extension, scenes.bvh("cmu_07_01"), [scenes.slope(-8)], FEET, 30)
extension = scenes.empty(60)
bpy.context.scene.unit_settings.scale_length = 0.01  # centimetres
armature = scenes.bvh("cmu_08_01", global_scale=5.6444)
ground = scenes.slope(6, size=4000.0)
found["centimetres"] = grounded(extension, armature, [ground], FEET, 60)
extension = scenes.empty(120)
armature = scenes.bvh("cmu_05_02")
armature.location.z, armature.rotation_euler.z = 2.0, 1.0
platform = scenes.slope(0)
platform.location.z = 2.5
found["long"] = grounded(extension, armature, [platform], FEET, 120)
extension = scenes.empty(60)
found["stairs"] = grounded(extension, scenes.bvh("cmu_07_01"), scenes.stairs(), FEET, 60)
extension = scenes.empty(60)
armature, floor = scenes.bvh("cmu_07_01"), scenes.slope(-5)
grounded(extension, armature, [floor], FEET, 60)
frames = extension.actions.action_frames(bpy.context, armature)
first = balls(armature, frames, FEET)
assert bpy.ops.limbik.show_footsteps() == {"FINISHED"}
assert bpy.ops.limbik.ground(with_footsteps=True) == {"FINISHED"}
same = balls(armature, frames, FEET)
steps = armature.limbik_ground.footsteps.objects
chosen = [one for one in steps if one.name.startswith("left")][1]
middle = (chosen["start"] + chosen["stop"]) // 2 - int(frames[0])
chosen.location.x += 0.1
assert bpy.ops.limbik.ground(with_footsteps=True) == {"FINISHED"}
moved = balls(armature, frames, FEET)
found["footsteps"] = {
    "empties": len(steps),
    "apart": float(np.linalg.norm(first[middle, 0] - np.array(chosen.location) + [0.1, 0.0, 0.0])),
    "same": float(np.abs(same - first).max()),
    "moved": (moved - first)[middle, 0].tolist(),
    "other foot": float(np.abs(moved - first)[middle, 1].max()),
    "actions": len(bpy.data.actions),
}
found["characters"] = {}
for name, motion, unit in (("Fox", "Walk", 0.01), ("RobotExpressive", "Walking", 1.0)):
    extension = scenes.empty(30)
    bpy.context.scene.unit_settings.scale_length = unit
    armature = scenes.gltf(name)
    for track in armature.animation_data.nla_tracks:
        track.mute = True
    extension.actions.play(armature, bpy.data.actions[motion])
    floor = scenes.slope(-7, size=2000.0)
    scenes.activate(armature)
    armature.limbik_ground.ground = floor
    assert bpy.ops.limbik.ground() == {"FINISHED"}
    found["characters"][name] = report(armature)
scenes.finish(found)
