"""Meshes of FBX files and the skins that bind them to joints, as a body, with the textures that are in the file."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.bodies.body import Body, Material, MeshPart, Skin, skeleton_skin, vertex_normals
from limbik.files.fbx.scene import FbxObject, Scene
from limbik.files.fbx.transforms import ONES, euler, local_transform, node_of
from limbik.files.gltf.body_reader import SHOWN_MEDIA_TYPES
from limbik.files.gltf.container import media_type
from limbik.rotations import to_matrices
from limbik.skeleton.skeleton import Skeleton

UV_SET = "TEXCOORD_0"
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
    unbound, textures = skeleton_skin(skeleton), Textures(scene)
    meshes: list[list[MeshPart]] = []
    skins: list[Skin] = []
    for geometry in scene.of_kind("Geometry", "Mesh"):
        model = next(iter(scene.above(geometry.number, "Model")), None)
        binding = None if model is None else _clusters(scene, geometry, place) or _carrier(scene, model, place)
        parts = [] if model is None or binding is None else _parts(scene, geometry, model, binding, textures)
        if binding is not None and parts:
            inverses = unbound.inverses.copy()
            for joint, matrix in binding.matrices.items():
                inverses[joint] = matrix * metres
            skins.append(Skin(len(meshes), unbound.joints, inverses))
            meshes.append(parts)
    return Body(meshes, skins, textures.images) if skins else None


class Textures:
    """The images in a file that materials show, PNG and JPEG, each once."""

    def __init__(self, scene: Scene) -> None:
        self.images: list[bytes] = []
        self._scene = scene
        self._known: dict[int, int | None] = {}

    def of(self, material: FbxObject) -> int | None:
        """The number of the image that is a material's colour; None where the file does not hold it."""
        named = self._scene.keyed_below(material.number, "Texture")
        videos = [
            one for key, texture in named if key == "DiffuseColor" for one in self._scene.below(texture.number, "Video")
        ]
        return next((found for one in videos if (found := self._image(one)) is not None), None)

    def _image(self, video: FbxObject) -> int | None:
        if video.number not in self._known:
            content = video.record.child("Content")
            data = next(iter(content.properties()), None) if content is not None else None
            self._known[video.number] = None
            if isinstance(data, bytes) and media_type(data) in SHOWN_MEDIA_TYPES:
                self._known[video.number] = len(self.images)
                self.images.append(data)
        return self._known[video.number]


def bind_matrices(scene: Scene, place: dict[int, int]) -> dict[int, Array]:
    """Where joints were in the world when skins were bound to them, (4, 4), by joint number."""
    found: dict[int, Array] = {}
    for cluster in scene.of_kind("Deformer", "Cluster"):
        bone = next((one.number for one in scene.below(cluster.number, "Model") if one.number in place), None)
        matrix = cluster.record.floats("TransformLink")
        if bone is not None and matrix is not None and len(matrix) == 16:
            found.setdefault(place[bone], matrix.reshape(4, 4).T)
    return found


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
        matrix = affine(*local_transform(node, node.values)) @ matrix
        above = scene.above(at.number, "Model")
        passed += 1
        if not above or passed > len(scene.objects):
            return None
        at = above[0]
    none = np.empty(0, np.int64)
    return Binding({place[at.number]: matrix[:3]}, none, none, np.empty(0))


def affine(translation: Array, rotation: Array, scale: Array) -> Array:
    """The matrix (4, 4) of a local transform."""
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = to_matrices(rotation) * scale, translation
    return matrix


def _parts(scene: Scene, geometry: FbxObject, model: FbxObject, binding: Binding, textures: Textures) -> list[MeshPart]:
    """A mesh, part by part: one for each material."""
    record, own = geometry.record, scene.properties(model)
    vertices, corners = record.floats("Vertices", 3), record.array("PolygonVertexIndex")
    if vertices is None or corners is None or not len(vertices) or not len(corners):
        return []
    placed = affine(
        own.vector("GeometricTranslation"),
        euler("xyz", own.vector("GeometricRotation")),
        own.vector("GeometricScaling", ONES),
    )
    positions = vertices @ placed[:3, :3].T + placed[:3, 3]
    followed, triangles, polygons = _triangles(geometry, corners, len(vertices))
    joints, weights = _influences(geometry, binding, len(vertices))
    normals = vertex_normals(positions, followed[triangles], (0.0, 1.0, 0.0))
    uvs = _texture_coordinates(geometry, len(corners))
    parts = []
    for material, chosen in _materials(scene, geometry, model, polygons, textures):
        if not chosen.any():
            continue
        # Corners that share a vertex and its place in the texture become one vertex.
        flat = triangles[chosen].ravel()
        shown = uvs if material.texture is not None else None
        which = np.zeros(len(flat), np.int64) if shown is None else shown[1][flat]
        _, first, faces = np.unique(followed[flat] * (1 + which.max()) + which, return_index=True, return_inverse=True)
        used = followed[flat[first]]
        places = None if shown is None else shown[0][which[first]]
        parts.append(
            MeshPart(
                material, positions[used], faces.reshape(-1, 3), joints[used], weights[used], normals[used], uvs=places
            )
        )
    return parts


def _texture_coordinates(geometry: FbxObject, corners: int) -> tuple[Array, Array] | None:
    """Places in a texture (n, 2), from its upper left, and the one (corners,) of each corner of a polygon."""
    layer = geometry.record.child("LayerElementUV")
    if layer is None or layer.text("MappingInformationType") != "ByPolygonVertex":
        return None
    places = layer.floats("UV", 2)
    if places is None or not len(places):
        return None
    listed = layer.array("UVIndex") if layer.text("ReferenceInformationType") == "IndexToDirect" else np.arange(corners)
    if listed is None or len(listed) != corners or listed.min() < -1 or listed.max() >= len(places):
        return None
    return places * [1.0, -1.0] + [0.0, 1.0], np.maximum(listed, 0).astype(np.int64)


def _triangles(geometry: FbxObject, corners: Array, vertices: int) -> tuple[Array, Array, Array]:
    """The vertex (corners,) of each corner of polygons, whose last corners are marked by negation, and triangles.

    These are (n, 3), by corners, and (n,), the polygon that each is part of.
    """
    corners = corners.astype(np.int64)
    last = corners < 0
    corners = np.where(last, ~corners, corners)
    if corners.max() >= vertices:
        raise geometry.record.fault(f"has a polygon with vertex {corners.max()} of {vertices}")
    polygon = np.cumsum(last) - last
    first = np.flatnonzero(np.concatenate([[True], last[:-1]]))[polygon]
    third = np.flatnonzero(np.arange(len(corners)) - first >= 2)
    return corners, np.stack([first[third], third - 1, third], axis=-1), polygon[third]


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


def _materials(
    scene: Scene, geometry: FbxObject, model: FbxObject, polygons: Array, textures: Textures
) -> list[tuple[Material, Array]]:
    """The materials of a mesh, and where (triangles,) each is used. polygons: of each triangle."""
    found = [_material(scene, one, textures) for one in scene.below(model.number, "Material")] or [
        Material((*DEFAULT_COLOUR, 1.0))
    ]
    layer = geometry.record.child("LayerElementMaterial")
    numbers = np.zeros(len(polygons), np.int64)
    if layer is not None and layer.text("MappingInformationType") == "ByPolygon" and len(polygons):
        listed = layer.array("Materials")
        if listed is not None and len(listed) > polygons.max():
            numbers = np.clip(listed[polygons], 0, len(found) - 1)
    return [(material, numbers == k) for k, material in enumerate(found)]


def _material(scene: Scene, one: FbxObject, textures: Textures) -> Material:
    own, texture = scene.properties(one), textures.of(one)
    if texture is not None:  # it takes the place of the colour
        return Material((1.0, 1.0, 1.0, 1.0), texture=texture, uv_set=UV_SET, name=one.name)
    colour = own.vector("DiffuseColor", own.vector("Diffuse", DEFAULT_COLOUR).tolist()) * own.number(
        "DiffuseFactor", 1.0
    )  # pyright: ignore[reportArgumentType]
    return Material((*np.clip(colour, 0.0, 1.0).tolist(), 1.0), name=one.name)
