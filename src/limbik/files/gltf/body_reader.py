"""The body in a glTF document: its meshes, bound to the joints of its skeleton, with base colours and textures."""

from __future__ import annotations

import reprlib
from functools import cached_property
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.bodies.body import Body, Material, MeshPart, Skin
from limbik.errors import FileError
from limbik.files.gltf.accessors import accessor, view_bytes
from limbik.files.gltf.container import content_of, media_type
from limbik.files.gltf.document import Document, JsonObject
from limbik.files.gltf.gltf_reader import GltfSource, own_source
from limbik.files.gltf.nodes import Joints, joints_of, scene_roots
from limbik.files.gltf.terrain_node import is_terrain
from limbik.rotations import to_matrices
from limbik.skeleton.clip import Clip

TRIANGLES = 4  # the mode of a primitive
DRACO = "KHR_draco_mesh_compression"
SHOWN_MEDIA_TYPES = ("image/png", "image/jpeg")  # the textures that can be shown
HIDDEN_OPACITY = 2.0  # an opacity that nothing has


def own_body(clip: Clip) -> Body | None:
    """The body of the document that a clip was loaded from; None where it has none, or its joints have changed."""
    source = own_source(clip)
    return None if source is None else source.body


def body_in(source: GltfSource) -> Body | None:
    """The body in a document; None where it has nothing to show."""
    reader = _Reader(source)
    nodes = source.document.arrays["nodes"]
    shown = [node for node in nodes_with_meshes(source.document) if not is_terrain(nodes[node])]
    skins = [skin for node in shown if (skin := reader.skin(node)) is not None]
    return Body(reader.meshes, skins, reader.textures) if skins else None


class _Reader:
    """Reads the meshes of a document, and the images of their textures, each once."""

    def __init__(self, source: GltfSource) -> None:
        self.meshes: list[list[MeshPart]] = []
        self.textures: list[bytes] = []
        self._document = source.document
        self._size = 0  # of all meshes
        self._metres = source.loaded.unit.metres
        self._joint = {node: joint for joint, node in enumerate(source.nodes)}
        self._known: dict[tuple[int, bool], int | None] = {}
        self._images: dict[int, int | None] = {}

    def skin(self, node: int) -> Skin | None:
        """A node's mesh on its joints; None where nothing can be shown."""
        owner, place = self._document.arrays["nodes"][node], f"nodes[{node}]"
        skins = self._document.arrays["skins"]
        skinned = "skin" in owner
        if skinned:
            number = self._document.whole(owner, "skin", place, below=len(skins))
            joints, matrices = self._skin_joints(skins[number], f"skins[{number}]")
        else:
            joints, matrices = self._carrier_joints(node)
        mesh = self._mesh(owner, place, len(joints) if skinned else 0)
        return None if mesh is None else Skin(mesh, joints, matrices[:, :3] * self._metres)

    def _skin_joints(self, skin: JsonObject, place: str) -> tuple[list[int], Array]:
        nodes = self._document.wholes(skin, "joints", place, below=len(self._document.arrays["nodes"]))
        matrices = np.tile(np.eye(4), (len(nodes), 1, 1))
        if "inverseBindMatrices" in skin:
            flat = numbers_of(self._document, skin, "inverseBindMatrices", place, "MAT4", len(nodes))
            matrices = flat.reshape(-1, 4, 4).swapaxes(1, 2)  # columns come first in the file
        return [self._joint[node] for node in nodes], matrices

    def _carrier_joints(self, node: int) -> tuple[list[int], Array]:
        """The nearest joint from a node up, and the node's place in its frame."""
        nodes, matrix = self._nodes, np.eye(4)
        at = nodes.nodes.index(node)
        while at >= 0 and nodes.nodes[at] not in self._joint:
            rest = np.eye(4)
            rest[:3, :3] = to_matrices(nodes.rotations[at]) * nodes.scales[at]
            rest[:3, 3] = nodes.translations[at]
            matrix = rest @ matrix
            at = int(nodes.parents[at])
        return [self._joint[nodes.nodes[at]] if at >= 0 else -1], matrix[None]

    @cached_property
    def _nodes(self) -> Joints:
        return joints_of(self._document, set(range(len(self._document.arrays["nodes"]))))

    def _mesh(self, owner: JsonObject, place: str, joints: int) -> int | None:
        """A node's mesh, as the number of ours. joints: those of the node's skin, 0 where it has none."""
        meshes = self._document.objects(self._document.content, "meshes", "")
        number = self._document.whole(owner, "mesh", place, below=len(meshes))
        key = number, joints > 0
        if key not in self._known:
            place = f"meshes[{number}].primitives"
            listed = self._document.objects(meshes[number], "primitives", f"meshes[{number}].")
            parts = []
            for k, primitive in enumerate(listed):
                if is_plain(self._document, primitive, f"{place}[{k}]"):
                    self._size += size_of(self._document, primitive, f"{place}[{k}]")
                    check_size(self._document, f"{place}[{k}]", self._size)
                    parts.append(_part(self._document, primitive, f"{place}[{k}]", joints, self._material(primitive)))
            self._known[key] = len(self.meshes) if parts else None
            self.meshes += [parts] if parts else []
        return self._known[key]

    def _material(self, primitive: JsonObject) -> Material:
        if "material" not in primitive:
            return Material()
        materials = self._document.objects(self._document.content, "materials", "")
        number = self._document.whole(primitive, "material", "primitive", below=len(materials))
        material, place = materials[number], f"materials[{number}]"
        cutoff = material.get("alphaCutoff", 0.5) if material.get("alphaMode") == "MASK" else 0.0
        if type(cutoff) not in (int, float) or cutoff < 0.0:
            raise self._document.fault(f"{place}.alphaCutoff", f"is {reprlib.repr(cutoff)}; expected 0 or more")
        surface = self._document.object(material, "pbrMetallicRoughness", place)
        place = f"{place}.pbrMetallicRoughness"
        colour = surface.get("baseColorFactor", [1.0] * 4)
        if not (type(colour) is list and len(colour) == 4 and all(map(_is_fraction, colour))):
            wanted = "4 numbers from 0 to 1"
            raise self._document.fault(f"{place}.baseColorFactor", f"is {reprlib.repr(colour)}; expected {wanted}")
        rough = surface.get("roughnessFactor", 1.0)
        rough = float(rough) if _is_fraction(rough) else 1.0
        found = Material(tuple(map(float, colour)), float(min(cutoff, HIDDEN_OPACITY)), roughness=rough)
        texture = self._document.object(surface, "baseColorTexture", place)
        number = self._texture(texture, f"{place}.baseColorTexture") if texture else None
        if number is None:
            return found
        return found._replace(texture=number, uv_set=f"TEXCOORD_{texture.get('texCoord', 0)}")

    def _texture(self, texture: JsonObject, place: str) -> int | None:
        """The index of a texture's image; None where it is missing or neither PNG nor JPEG."""
        textures = self._document.objects(self._document.content, "textures", "")
        number = self._document.whole(texture, "index", place, below=len(textures))
        if "source" not in textures[number] or "extensions" in texture:
            return None
        images = self._document.arrays["images"]
        image = self._document.whole(textures[number], "source", f"textures[{number}]", below=len(images))
        if image not in self._images:
            data = self._image(images[image], f"images[{image}]")
            self._images[image] = None
            if media_type(data) in SHOWN_MEDIA_TYPES:
                self.textures.append(data)
                self._images[image] = len(self.textures) - 1
        return self._images[image]

    def _image(self, image: JsonObject, place: str) -> bytes:
        """The bytes of an image; empty where a file beside the document cannot be read."""
        if "bufferView" in image:
            views = self._document.arrays["bufferViews"]
            number = self._document.whole(image, "bufferView", place, below=len(views))
            return bytes(view_bytes(self._document, number))
        try:
            return content_of(image.get("uri"), self._document.folder, None, self._document.name, f"{place}.uri")
        except FileError:
            return b""


def nodes_with_meshes(document: Document) -> list[int]:
    """The nodes of the scene that have a mesh; of all nodes where there is no scene."""
    nodes = document.arrays["nodes"]
    found = list(scene_roots(document))
    for node in found:  # grows as we go; nothing is met twice, for the nodes are known to be trees
        found.extend(nodes[node].get("children", ()))
    if not document.arrays["scenes"]:
        found = list(range(len(nodes)))
    return [node for node in found if "mesh" in nodes[node]]


def is_plain(document: Document, primitive: JsonObject, place: str) -> bool:
    """Whether a primitive consists of uncompressed triangles."""
    return (
        primitive.get("mode", TRIANGLES) == TRIANGLES
        and DRACO not in document.object(primitive, "extensions", place)
        and "POSITION" in document.object(primitive, "attributes", place)
    )


def size_of(document: Document, primitive: JsonObject, place: str) -> int:
    """How many vertices and corners of faces a primitive has."""
    attributes = document.object(primitive, "attributes", place)
    found = [(attributes, "POSITION", "VEC3"), *[(primitive, "indices", "SCALAR")] * ("indices" in primitive)]
    numbers = [(_accessor_number(document, owner, key, place), kind) for owner, key, kind in found]
    return sum(len(accessor(document, number, kind).stored) for number, kind in numbers)


def check_size(document: Document, place: str, size: int) -> None:
    """Raises where meshes have too many vertices and corners: they can share their bytes, or have none."""
    if size > document.mesh_room:
        count = f"with it the meshes have {size:,} vertices and corners"
        raise document.fault(place, f"{count}; the limit is {document.mesh_room:,} for a file of this size")


def _part(document: Document, primitive: JsonObject, place: str, joints: int, material: Material) -> MeshPart:
    """A primitive as a part of a mesh. joints: how many its skin has, 0 for none."""
    attributes = document.object(primitive, "attributes", place)

    def column(name: str, kind: str) -> Array:
        return numbers_of(document, attributes, name, f"{place}.attributes", kind, vertices)

    vertices = None
    positions = column("POSITION", "VEC3")
    vertices = len(positions)
    follows, weights = np.zeros((vertices, 4)), np.tile([1.0, 0.0, 0.0, 0.0], (vertices, 1))
    if joints:
        follows, weights = column("JOINTS_0", "VEC4"), column("WEIGHTS_0", "VEC4")
        if follows.max(initial=0) >= joints:
            raise document.fault(f"{place}.attributes.JOINTS_0", f"name joint {follows.max():g} of {joints}")
    return MeshPart(
        material=material,
        positions=positions,
        faces=faces_of(document, primitive, place, vertices),
        joints=follows.astype(np.int64),
        weights=weights,
        normals=column("NORMAL", "VEC3") if "NORMAL" in attributes else None,
        uvs=column(material.uv_set, "VEC2") if material.uv_set in attributes else None,
        colours=_colours(document, attributes, place, vertices) if "COLOR_0" in attributes else None,
    )


def _colours(document: Document, attributes: JsonObject, place: str, vertices: int) -> Array:
    """Linear colours (n, 3) of vertices; their opacity is left out."""
    place = f"{place}.attributes"
    number = _accessor_number(document, attributes, "COLOR_0", place)
    kind = "VEC4" if document.arrays["accessors"][number].get("type") == "VEC4" else "VEC3"
    return np.clip(numbers_of(document, attributes, "COLOR_0", place, kind, vertices)[:, :3], 0.0, 1.0)


def faces_of(document: Document, primitive: JsonObject, place: str, vertices: int) -> Array:
    """The faces (m, 3) of a primitive that has so many vertices."""
    corners = np.arange(vertices)
    if "indices" in primitive:
        corners = numbers_of(document, primitive, "indices", place, "SCALAR")[:, 0].astype(np.int64)
        if corners.max(initial=-1) >= vertices or corners.min(initial=0) < 0:
            raise document.fault(f"{place}.indices", f"name a vertex beyond the {vertices} that there are")
    return corners[: len(corners) // 3 * 3].reshape(-1, 3)


def numbers_of(
    document: Document, owner: JsonObject, key: str, place: str, kind: str, count: int | None = None
) -> Array:
    """The numbers, all finite, of the accessor that an object names; `count` rows of them."""
    values = accessor(document, _accessor_number(document, owner, key, place), kind).values()
    if count is not None and len(values) != count:
        raise document.fault(f"{place}.{key}", f"holds {len(values)} rows; expected {count}")
    if not np.isfinite(values).all():
        raise document.fault(f"{place}.{key}", "holds values that are not finite")
    return values


def _accessor_number(document: Document, owner: JsonObject, key: str, place: str) -> int:
    return document.whole(owner, key, place, below=len(document.arrays["accessors"]))


def _is_fraction(part: Any) -> bool:
    return type(part) in (int, float) and 0.0 <= part <= 1.0
