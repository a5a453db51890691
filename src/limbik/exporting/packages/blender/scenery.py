"""What motion happens on and along: meshes as terrain, curves as paths, and the body of a creature."""

from __future__ import annotations

import bpy
import numpy as np

import limbik
from limbik import LimbikError

from .translation import TO_LIMBIK, metres_per_unit, points_to_limbik

TINT = "Tint"  # the attribute with the colours of vertices


class Ground:
    """What a property group needs to name ground; a mixin."""

    __annotations__ = {
        "ground": bpy.props.PointerProperty(
            type=bpy.types.Object, name="Ground", description="The object to stand on, with its modifiers"
        ),
        "ground_collection": bpy.props.PointerProperty(
            type=bpy.types.Collection, name="Collection", description="Objects to stand on, with their modifiers"
        ),
    }


def terrain_of(context, options, apart_from=(), origin=(0.0, 0.0, 0.0)) -> limbik.Terrain:
    """The ground that options name, as Blender evaluates it now; else that of the selected meshes.

    origin: (3,) the place in limbik's world, metres, from which the terrain is measured.
    """
    chosen = [options.ground] if options.ground else []
    chosen += list(options.ground_collection.all_objects) if options.ground_collection else []
    chosen = chosen or [one for one in context.selected_objects if one.type == "MESH"]
    chosen = [one for one in chosen if one not in apart_from]
    if not chosen:
        raise LimbikError("there is no ground: choose an object or a collection to stand on, or select meshes")
    vertices, faces, count = [], [], 0
    for instance in context.evaluated_depsgraph_get().object_instances:
        owner = instance.parent if instance.is_instance else instance.object
        if owner is None or owner.original not in chosen:
            continue
        places, triangles = _triangles(instance)
        vertices.append(places)
        faces.append(triangles + count)
        count += len(places)
    if not sum(map(len, faces)):
        names = ", ".join(one.name for one in chosen)
        raise LimbikError(f"{names}: no faces to stand on; the ground must be visible and have faces")
    points = points_to_limbik(np.concatenate(vertices), metres_per_unit(context.scene)) - origin
    return limbik.terrains.Mesh(points, np.concatenate(faces))


def path_of(context, curve) -> np.ndarray:
    """The waypoints (n, 2), limbik's x and z in metres, of a curve in the world."""
    if curve is None or curve.type != "CURVE":
        raise LimbikError("there is no path: choose a curve")
    graph = context.evaluated_depsgraph_get()
    data = curve.evaluated_get(graph).data.copy()
    data.bevel_depth = data.extrude = 0.0
    data.bevel_object = None
    plain = bpy.data.objects.new("limbik path", data)
    try:
        mesh = plain.to_mesh()
        points = _vertices(mesh)
    finally:
        bpy.data.objects.remove(plain)
        bpy.data.curves.remove(data)
    if len(points) < 2:
        raise LimbikError(f"{curve.name} has {len(points)} points: a path needs at least two")
    world = _transformed(points, curve.evaluated_get(graph).matrix_world)
    return points_to_limbik(world, metres_per_unit(context.scene))[:, [0, 2]]


def new_body(context, clip, armature, offsets):
    """A mesh that follows the armature, made from the clip's body. offsets: names of the bones by joint."""
    parts = clip.body.parts
    skeleton = clip.skeleton
    frames = limbik.Pose.rest(skeleton).world_matrices()
    mesh = bpy.data.meshes.new(f"{armature.name} body")
    vertices, faces, materials, weights, count = [], [], [], [], 0
    for skin in clip.body.skins:
        for part in clip.body.meshes[skin.mesh]:
            joints = np.asarray(skin.joints)[part.joints]
            to_world = frames[joints] @ _square(skin.inverses[part.joints])
            points = np.concatenate([part.positions, np.ones((len(part.positions), 1))], axis=1)
            vertices.append(np.einsum("nk,nkij,nj->ni", part.weights, to_world, points))
            faces.append(part.faces + count)
            materials += [parts.index(part)] * len(part.faces)
            weights.append((joints, part.weights, count))
            count += len(points)
    unit = metres_per_unit(context.scene)
    mesh.from_pydata(np.concatenate(vertices) @ TO_LIMBIK / unit, [], np.concatenate(faces).tolist())
    for part in parts:
        mesh.materials.append(_material(part.material))
    mesh.polygons.foreach_set("material_index", materials)
    mesh.shade_smooth()
    tints = [np.ones((len(part.positions), 3)) if part.colours is None else part.colours for part in parts]
    colours = mesh.color_attributes.new(TINT, "FLOAT_COLOR", "POINT")
    colours.data.foreach_set("color", np.insert(np.concatenate(tints), 3, 1.0, axis=1).astype(np.float32).ravel())
    body = bpy.data.objects.new(mesh.name, mesh)
    for joints, shares, first in weights:
        for joint in np.unique(joints[shares > 0.0]):
            group = body.vertex_groups.get(offsets[joint]) or body.vertex_groups.new(name=offsets[joint])
            share = np.sum(np.where(joints == joint, shares, 0.0), axis=1)
            for vertex in np.flatnonzero(share):
                group.add([int(vertex) + first], float(share[vertex]), "REPLACE")
    body.parent = armature
    body.modifiers.new("Armature", "ARMATURE").object = armature
    armature.users_collection[0].objects.link(body)
    return body


def _square(affine):
    bottom = np.broadcast_to([0.0, 0.0, 0.0, 1.0], (*affine.shape[:-2], 1, 4))
    return np.concatenate([affine, bottom], axis=-2)


def _material(look):
    material = bpy.data.materials.new(look.name or "limbik")
    material.diffuse_color = (*look.colour[:3], 1.0)
    if not material.node_tree:
        material.use_nodes = True  # Blender before 5.0
    tree = material.node_tree
    shader = tree.nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = look.roughness
    tint, product = tree.nodes.new("ShaderNodeVertexColor"), tree.nodes.new("ShaderNodeMix")
    tint.layer_name = TINT
    product.data_type, product.blend_type, product.inputs["Factor"].default_value = "RGBA", "MULTIPLY", 1.0
    product.inputs[6].default_value = (*look.colour[:3], 1.0)
    tree.links.new(tint.outputs["Color"], product.inputs[7])
    tree.links.new(product.outputs[2], shader.inputs["Base Color"])
    return material


def _triangles(instance):
    """Vertices (n, 3) in the world and triangles (m, 3) of an evaluated object; none of what has no faces."""
    try:
        mesh = instance.object.to_mesh()
    except RuntimeError:  # an empty, a lamp
        return np.empty((0, 3)), np.empty((0, 3), int)
    if mesh is None:
        return np.empty((0, 3)), np.empty((0, 3), int)
    mesh.calc_loop_triangles()
    corners = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", corners)
    places = _transformed(_vertices(mesh), instance.matrix_world)
    instance.object.to_mesh_clear()
    return places, corners.reshape(-1, 3).astype(int)


def _vertices(mesh):
    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", points)
    return points.reshape(-1, 3).astype(float)


def _transformed(points, matrix):
    matrix = np.array(matrix)
    return points @ matrix[:3, :3].T + matrix[:3, 3]
