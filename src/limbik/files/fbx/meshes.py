"""Meshes of FBX files and the skins that bind them to joints, as a body; textures are left out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.bodies.body import Body, Material, MeshPart, Skin, skeleton_skin, vertex_normals
from limbik.files.fbx.scene import FbxObject, Scene
from limbik.files.fbx.transforms import ONES, euler, local_transform, node_of
from limbik.rotations import to_matrices
from limbik.skeleton.skeleton import Skeleton

INFLUENCES = 4  # joints that a vertex may follow
DEFAULT_COLOUR = (0.6, 0.6, 0.6)


class Binding(NamedTuple):
    """The joints that a mesh follows, and by how much each vertex follows each of these."""

    matrices: dict[int, Array]  # (3, 4) from the mesh's frame to a joint's, by its number
    vertices: Array  # (m,) the vertex of each influence
    followed: Array  # (m,) the joint
    weights: Array  # (m,)


def body_of(scene: Scene, place: dict[int, int], skeleton: Skeleton, metres: float) -> Body | None:
    """The meshes that follow joints; None where there are none. place: of each model among the skeleton's joints."""
    unbound = skeleton_skin(skeleton)
    meshes: list[list[MeshPart]] = []
    skins: list[Skin] = []
    for geometry in scene.of_kind("Geometry", "Mesh"):
        model = next(iter(scene.above(geometry.number, "Model")), None)
        binding = None if model is None else _clusters(scene, geometry, place) or _carrier(scene, model, place)
        parts = [] if model is None or binding is None else _parts(scene, geometry, model, binding)
        if binding is not None and parts:
            inverses = unbound.inverses.copy()
            for joint, matrix in binding.matrices.items():
                inverses[joint] = matrix * metres
            skins.append(Skin(len(meshes), unbound.joints, inverses))
            meshes.append(parts)
    return Body(meshes, skins) if skins else None


def _clusters(scene: Scene, geometry: FbxObject, place: dict[int, int]) -> Binding | None:
    """The binding of a skinned mesh; None where it has no skin."""
    matrices: dict[int, Array] = {}
    vertices, followed, weights = [], [], []
    clusters = [
        one for skin in scene.below(geometry.number, "Deformer") for one in scene.below(skin.number, "Deformer")
    ]
    for cluster in clusters:
        record = cluster.record
        bone = next((one.number for one in scene.below(cluster.number, "Model") if one.number in place), None)
        matrix, found, weight = record.floats("Transform"), record.array("Indexes"), record.floats("Weights")
        if bone is None or matrix is None or found is None or weight is None:
            continue
        if len(matrix) != 16 or len(found) != len(weight) or np.any(weight < 0.0):
            raise record.fault("has no matrix, or not one weight, 0 or more, for each index")
        matrices[place[bone]] = matrix.reshape(4, 4).T[:3]
        vertices.append(found.astype(np.int64))
        followed.append(np.full(len(found), place[bone]))
        weights.append(weight)
    return Binding(matrices, *map(np.concatenate, (vertices, followed, weights))) if matrices else None


def _carrier(scene: Scene, model: FbxObject, place: dict[int, int]) -> Binding | None:
    """The binding of a mesh without a skin to the nearest joint above it; None where there is none."""
    matrix, at, passed = np.eye(4), model, 0
    while at.number not in place:
        node = node_of(scene.properties(at))
        matrix = _affine(*local_transform(node, node.values)) @ matrix
        above = scene.above(at.number, "Model")
        passed += 1
        if not above or passed > len(scene.objects):
            return None
        at = above[0]
    none = np.empty(0, np.int64)
    return Binding({place[at.number]: matrix[:3]}, none, none, np.empty(0))


def _affine(translation: Array, rotation: Array, scale: Array) -> Array:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = to_matrices(rotation) * scale, translation
    return matrix


def _parts(scene: Scene, geometry: FbxObject, model: FbxObject, binding: Binding) -> list[MeshPart]:
    """A mesh, part by part: one for each material."""
    record, own = geometry.record, scene.properties(model)
    vertices, corners = record.floats("Vertices", 3), record.array("PolygonVertexIndex")
    if vertices is None or corners is None or not len(vertices) or not len(corners):
        return []
    placed = _affine(
        own.vector("GeometricTranslation"),
        euler("xyz", own.vector("GeometricRotation")),
        own.vector("GeometricScaling", ONES),
    )
    positions = vertices @ placed[:3, :3].T + placed[:3, 3]
    faces, polygons = _triangles(geometry, corners, len(vertices))
    joints, weights = _influences(geometry, binding, len(vertices))
    normals = vertex_normals(positions, faces, (0.0, 1.0, 0.0))
    parts = []
    for material, chosen in _materials(scene, geometry, model, polygons):
        used, found = np.unique(faces[chosen], return_inverse=True)
        if len(used):
            part = MeshPart(
                material, positions[used], found.reshape(-1, 3), joints[used], weights[used], normals=normals[used]
            )
            parts.append(part)
    return parts


def _triangles(geometry: FbxObject, corners: Array, vertices: int) -> tuple[Array, Array]:
    """The triangles (n, 3) of polygons, whose last corners are marked by negation, and the polygon (n,) of each."""
    corners = corners.astype(np.int64)
    last = corners < 0
    corners = np.where(last, ~corners, corners)
    if corners.max() >= vertices:
        raise geometry.record.fault(f"has a polygon with vertex {corners.max()} of {vertices}")
    polygon = np.cumsum(last) - last
    first = np.flatnonzero(np.concatenate([[True], last[:-1]]))[polygon]
    third = np.flatnonzero(np.arange(len(corners)) - first >= 2)
    return np.stack([corners[first[third]], corners[third - 1], corners[third]], axis=-1), polygon[third]


def _influences(geometry: FbxObject, binding: Binding, vertices: int) -> tuple[Array, Array]:
    """The joints (vertices, 4) that each vertex follows most, and the weights."""
    joints, weights = np.zeros((vertices, INFLUENCES), np.int64), np.zeros((vertices, INFLUENCES))
    rows = binding.vertices
    if len(rows):
        if rows.min() < 0 or rows.max() >= vertices:
            raise geometry.record.fault(f"has a skin with vertex {rows.max()} of {vertices}")
        order = np.lexsort((-binding.weights, rows))
        rows = rows[order]
        rank = np.arange(len(rows)) - np.searchsorted(rows, rows)
        kept = rank < INFLUENCES
        joints[rows[kept], rank[kept]] = binding.followed[order][kept]
        weights[rows[kept], rank[kept]] = binding.weights[order][kept]
    sums = weights.sum(axis=1, keepdims=True)
    loose = sums[:, 0] <= 0.0
    weights = weights / np.where(sums > 0.0, sums, 1.0)
    joints[loose], weights[loose] = next(iter(binding.matrices)), [1.0, 0.0, 0.0, 0.0]
    return joints, weights


def _materials(scene: Scene, geometry: FbxObject, model: FbxObject, polygons: Array) -> list[tuple[Material, Array]]:
    """The materials of a mesh, and where (triangles,) each is used. polygons: of each triangle."""
    found = [_material(scene, one) for one in scene.below(model.number, "Material")] or [
        Material((*DEFAULT_COLOUR, 1.0))
    ]
    layer = geometry.record.child("LayerElementMaterial")
    numbers = np.zeros(len(polygons), np.int64)
    if layer is not None and layer.text("MappingInformationType") == "ByPolygon" and len(polygons):
        listed = layer.array("Materials")
        if listed is not None and len(listed) > polygons.max():
            numbers = np.clip(listed[polygons], 0, len(found) - 1)
    return [(material, numbers == k) for k, material in enumerate(found)]


def _material(scene: Scene, one: FbxObject) -> Material:
    own = scene.properties(one)
    colour = own.vector("DiffuseColor", own.vector("Diffuse", DEFAULT_COLOUR).tolist()) * own.number(
        "DiffuseFactor", 1.0
    )  # pyright: ignore[reportArgumentType]
    return Material((*np.clip(colour, 0.0, 1.0).tolist(), 1.0), name=one.name)
