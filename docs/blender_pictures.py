"""The pictures of docs/blender.md, made by Blender itself with limbik's extension.

limbik export blender --out build/limbik.zip && limbik samples
PYTHON_WITH_BPY docs/blender_pictures.py build/limbik.zip samples
"""

import sys
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

PICTURES = Path(__file__).parent / "pictures"
SIZE = 960, 540
SAMPLES = 24
CLAY, STONE, RED = (0.55, 0.57, 0.6), (0.42, 0.4, 0.37), (0.8, 0.12, 0.05)


def begin():
    """An empty scene with light."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.preferences.addon_enable(module="bl_ext.user_default.limbik")
    scene = bpy.context.scene
    scene.render.fps = 30
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", SAMPLES, True
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.view_settings.view_transform = "Standard"
    scene.render.image_settings.file_format, scene.render.image_settings.quality = "WEBP", 80
    scene.world = bpy.data.worlds.new("sky")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = 0.75, 0.82, 0.9, 1.0
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy, sun.data.angle, sun.rotation_euler = 2.5, 0.1, (0.7, 0.35, 0.4)
    scene.collection.objects.link(sun)


def paint(thing, colour):
    """A plain material."""
    material = bpy.data.materials.new("plain")
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = *colour, 1.0
    shader.inputs["Roughness"].default_value = 0.8
    thing.data.materials.clear()
    thing.data.materials.append(material)
    return thing


def shoot(name, frame, at, away):
    """Renders a frame, looking at a place from `away` of it."""
    scene = bpy.context.scene
    scene.frame_set(frame)
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    camera.location = Vector(at) + Vector(away)
    camera.rotation_euler = (-Vector(away)).to_track_quat("-Z", "Y").to_euler()
    camera.data.lens = 50
    scene.render.filepath = str(PICTURES / f"blender_{name}.webp")
    bpy.ops.render.render(write_still=True)


def activate(armature):
    """Selects an armature alone."""
    bpy.ops.object.select_all(action="DESELECT")
    armature.select_set(True)
    bpy.context.view_layer.objects.active = armature


def walker(creature, **options):
    """A creature made by the extension."""
    walk = bpy.context.scene.limbik_walk
    walk.creature = creature
    for name, value in options.items():
        setattr(walk, name, value)
    bpy.ops.limbik.walk()
    return bpy.context.object


def character(folder):
    """Limbik's sample character, imported by Blender."""
    bpy.ops.import_scene.gltf(filepath=str(Path(folder) / "character.glb"))
    return next(one for one in bpy.data.objects if one.type == "ARMATURE" and not one.name.startswith("biped"))


def middle(armature, bone=0):
    """Where a bone is in this frame."""
    return armature.matrix_world @ armature.pose.bones[bone].matrix.translation


def stairs(rise, run, steps, start):
    """A flight along −y: one box and an array."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, start - run / 2.0, rise - 0.5))
    tread = paint(bpy.context.object, STONE)
    tread.scale = 4.0, run, 1.0
    array = tread.modifiers.new("Array", "ARRAY")
    array.count, array.use_relative_offset, array.use_constant_offset = steps, False, True
    array.constant_offset_displace = 0.0, -1.0, rise
    return tread


def floor():
    """A large plane."""
    bpy.ops.mesh.primitive_plane_add(size=80.0)
    return paint(bpy.context.object, CLAY)


def hills():
    """Ground in waves."""
    ruler = np.linspace(-9.0, 9.0, 181)
    x, y = np.meshgrid(ruler, ruler)
    z = 0.16 * np.sin(1.3 * x) * np.cos(1.1 * y) + 0.06 * np.sin(3.1 * x + y)
    number = np.arange(x.size).reshape(x.shape)
    faces = np.stack([number[:-1, :-1], number[:-1, 1:], number[1:, 1:], number[1:, :-1]], axis=-1).reshape(-1, 4)
    mesh = bpy.data.meshes.new("hills")
    mesh.from_pydata(np.stack([x, y, z], axis=-1).reshape(-1, 3), [], faces.tolist())
    mesh.shade_smooth()
    ground = bpy.data.objects.new("hills", mesh)
    bpy.context.collection.objects.link(ground)
    return paint(ground, (0.35, 0.42, 0.25))


def blender_ground():
    """Two bipeds: one walks through the stairs, one on them."""
    begin()
    collection = bpy.data.collections.new("ground")
    bpy.context.scene.collection.children.link(collection)
    for one in (floor(), stairs(0.13, 0.32, 12, -1.0)):
        collection.objects.link(one)
    for x in (-0.7, 0.5):
        armature = walker("biped", seconds=5.0)
        armature.location.x = x
    armature.limbik_ground.ground_collection = collection
    activate(armature)
    bpy.ops.limbik.ground()
    bpy.ops.limbik.show_footsteps()
    for empty in armature.limbik_ground.footsteps.objects:
        if -6.0 < empty.location.y < 0.0:
            bpy.ops.mesh.primitive_cube_add(size=2.0, location=empty.location, rotation=empty.rotation_euler)
            paint(bpy.context.object, RED).scale = empty.scale
            bpy.context.object.location.z += 0.01
    frame = 84
    bpy.context.scene.frame_set(frame)
    before = bpy.data.objects["biped"]
    shoot("ground", frame, (middle(before) + middle(armature)) / 2.0 + Vector((0.0, 0.0, 0.1)), (5.9, -1.3, 2.2))


def blender_walk():
    """A spider along a curve over hills."""
    begin()
    ground = hills()
    bpy.ops.curve.primitive_bezier_curve_add(radius=2.5)
    path = bpy.context.object
    spider = walker("spider", path=path, ground=ground)
    path.data.bevel_depth = 0.02
    path.location.z = 0.45
    paint(path, RED)
    last = int(spider.animation_data.action.frame_range[1])
    bpy.context.scene.frame_set(last // 2)
    shoot("walk", last // 2, middle(spider), (1.4, -2.6, 1.5))


def blender_retarget(folder):
    """The biped's walk on limbik's sample character."""
    begin()
    floor()
    biped = walker("biped", seconds=4.0)
    target = character(folder)
    target.location.x = 1.1
    activate(target)
    target.limbik_retarget.source = biped
    bpy.ops.limbik.retarget()
    bpy.context.scene.frame_set(70)
    shoot("retarget", 70, (middle(biped) + middle(target)) / 2.0 + Vector((0.0, 0.0, -0.05)), (2.2, -4.6, 0.9))


def blender_reach(folder):
    """The sample character steps over the floor with a hand on a ball."""
    begin()
    floor()
    armature = character(folder)
    activate(armature)
    start, end = (int(one) for one in armature.animation_data.action.frame_range)
    frame = (start + end) // 2
    bpy.context.scene.frame_set(frame)
    bpy.ops.limbik.add_targets(ends={"left_hand", "right_hand"})
    options = armature.limbik_reach
    options.start, options.end, options.blend = frame - 5, frame + 5, 15
    hips = middle(armature)
    for side, target in ((1.0, options.left_hand), (-1.0, options.right_hand)):
        target.location = hips + Vector((0.22 * side, -0.5, 0.62 if side > 0 else -0.35))
        bpy.ops.mesh.primitive_uv_sphere_add(radius=0.05, location=target.location)
        paint(bpy.context.object, RED)
    activate(armature)
    bpy.ops.limbik.reach()
    bpy.context.scene.frame_set(frame)
    shoot("reach", frame, hips + Vector((0.0, -0.2, 0.0)), (3.2, -3.0, 0.5))


if __name__ == "__main__":
    bpy.ops.extensions.package_install_files(filepath=sys.argv[1], repo="user_default", enable_on_install=True)
    chosen = sys.argv[3:] or ["ground", "walk", "retarget", "reach"]
    if "ground" in chosen:
        blender_ground()
    if "walk" in chosen:
        blender_walk()
    if "retarget" in chosen:
        blender_retarget(sys.argv[2])
    if "reach" in chosen:
        blender_reach(sys.argv[2])
