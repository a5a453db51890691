"""A glTF document for a clip that came from elsewhere: its skeleton and its body, which viewers can show."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from limbik.arrays import Array
from limbik.bodies.body import Material, MeshPart
from limbik.bodies.body_set import BodySet
from limbik.bodies.look import tint
from limbik.errors import ArgumentError
from limbik.files.gltf.document import Document, JsonObject
from limbik.files.gltf.document_editor import TRIANGLES, VERTICES, Buffer
from limbik.files.gltf.gltf_reader import GltfSource
from limbik.files.gltf.nodes import REST_VALUES
from limbik.files.gltf.terrain_node import extras_of, ground_primitive
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton

MAX_SHORT = (1 << 16) - 1
GROUND = Material((0.45, 0.47, 0.41, 1.0), name="ground", roughness=0.95)
MAX_JOINTS = 1 << 16  # joint indices have 16 bits


def body_document(clip: Clip, with_terrain: bool = False) -> GltfSource:
    """A document with the clip's skeleton at rest and its body, as if the clip had been loaded from it."""
    skeleton = clip.skeleton
    if not 0 < len(skeleton) < MAX_JOINTS:
        raise ArgumentError("clip", f"{len(skeleton)} joints", f"from 1 to {MAX_JOINTS - 1} joints")
    rest = Pose.rest(skeleton)
    scales = None if rest.scales is None else rest.scales[None]
    loaded = Clip(skeleton, rest.rotations[None], rest.translations[None], scales)
    builder = _Builder(clip, with_terrain)
    document = Document(clip.name, builder.content, b"", is_binary=True, binary=memoryview(bytes(builder.buffer.data)))
    return GltfSource(document, None, list(range(len(skeleton))), loaded, skeleton)


class _Builder:
    """The content of the document and its binary data.

    Figures that share a body share its meshes. Each figure has skins of its own, since the joints of a skin must have a
    common root. Textures are not written.
    """

    def __init__(self, clip: Clip, with_terrain: bool) -> None:
        self.buffer = Buffer()
        self._materials: dict[Material, JsonObject] = {}
        nodes = [node_at_rest(clip.skeleton, joint) for joint in range(len(clip.skeleton))]
        meshes, skins = [], []
        bodies = BodySet()
        for number, figures in bodies.groups(clip):
            body = bodies.bodies[number]
            shapes = [[self._primitive(part) for part in mesh] for mesh in body.meshes]
            inverses = [self.buffer.add(_columns_first(skin.inverses)) for skin in body.skins]
            firsts: dict[tuple[float, ...], int] = {}
            for figure, joints in enumerate(figures):
                if (hue := tint(figure)) not in firsts:  # the figures of a crowd share vertices, not colours
                    firsts[hue] = len(meshes)
                    meshes += [self._mesh(mesh, shape, hue) for mesh, shape in zip(body.meshes, shapes, strict=True)]
                for skin, matrices in zip(body.skins, inverses, strict=True):
                    nodes.append({"name": "body", "mesh": firsts[hue] + skin.mesh, "skin": len(skins)})
                    skins.append({"inverseBindMatrices": matrices, "joints": joints[skin.joints].tolist()})
        if with_terrain:
            surface = {**ground_primitive(clip, self.buffer.add), "material": self._material(GROUND)}
            nodes.append({"name": "terrain", "mesh": len(meshes), "extras": extras_of(clip.terrain)})
            meshes.append({"name": "terrain", "primitives": [surface]})
        self.content: JsonObject = {
            **self.buffer.content(),
            "scenes": [{"nodes": [*clip.skeleton.roots, *range(len(clip.skeleton), len(nodes))]}],
            "nodes": nodes,
            "meshes": meshes,
            "skins": skins,
            "materials": list(self._materials.values()),
        }

    def _mesh(self, parts: Sequence[MeshPart], shape: list[JsonObject], hue: tuple[float, float, float]) -> JsonObject:
        materials = [self._material(part.material.with_tint(hue)) for part in parts]
        primitives = [{**one, "material": material} for one, material in zip(shape, materials, strict=True)]
        return {"name": "body", "primitives": primitives}

    def _primitive(self, part: MeshPart) -> JsonObject:
        """The vertices and faces of a part."""
        most = int(part.joints.max(initial=0))
        corners = part.faces.reshape(-1, 1)
        small = len(part.positions) < 1 << 16
        weights = _bytes_of(part.weights)
        joints = np.where(weights == 0, 0, part.joints)  # a joint without weight would be reported as unused
        attributes = {
            "POSITION": self.buffer.add(part.positions.astype(np.float32), target=VERTICES, bounds=True),
            "JOINTS_0": self.buffer.add(joints.astype(np.uint8 if most < 1 << 8 else np.uint16), target=VERTICES),
            "WEIGHTS_0": self.buffer.add(weights, target=VERTICES, normalized=True),
        }
        if part.normals is not None:
            attributes["NORMAL"] = self.buffer.add(part.normals.astype(np.float32), target=VERTICES)
        if part.colours is not None:
            shades = np.ones((len(part.colours), 4))
            shades[:, :3] = part.colours
            whole = np.rint(MAX_SHORT * np.clip(shades, 0.0, 1.0)).astype(np.uint16)
            attributes["COLOR_0"] = self.buffer.add(whole, target=VERTICES, normalized=True)
        indices = self.buffer.add(corners.astype(np.uint16 if small else np.uint32), target=TRIANGLES)
        return {"attributes": attributes, "indices": indices}

    def _material(self, material: Material) -> int:
        colour, rough = list(material.colour), material.roughness
        surface = {"baseColorFactor": colour, "metallicFactor": 0.0, "roughnessFactor": rough}
        named = {"name": material.name} if material.name else {}
        self._materials.setdefault(material, {**named, "pbrMetallicRoughness": surface})
        return list(self._materials).index(material)


def node_at_rest(skeleton: Skeleton, joint: int) -> JsonObject:
    """A joint as a node; default values are left out."""
    rotation = np.clip(skeleton.rotations[joint], -1.0, 1.0)  # rounding may lead beyond what the standard allows
    parts = skeleton.translations[joint], rotation, skeleton.scales[joint]
    local = {
        path: part.tolist() for path, part in zip(REST_VALUES, parts, strict=True) if tuple(part) != REST_VALUES[path]
    }
    children = skeleton.children[joint]
    return {"name": skeleton.names[joint], **local, **({"children": list(children)} if children else {})}


def _columns_first(matrices: Array) -> Array:
    """Affine matrices (n, 3, 4) as 16 numbers each, column by column."""
    whole = np.zeros((len(matrices), 4, 4), np.float32)
    whole[:, :3], whole[:, 3, 3] = matrices, 1.0
    return whole.swapaxes(1, 2).reshape(-1, 16)


def _bytes_of(weights: Array) -> Array:
    """Weights (n, 4) as bytes whose sum is 255, as the standard demands; the rounding error goes to the largest."""
    whole = np.rint(255.0 * weights / weights.sum(axis=1, keepdims=True)).astype(np.int64)
    whole[np.arange(len(whole)), whole.argmax(axis=1)] += 255 - whole.sum(axis=1)
    return whole.astype(np.uint8)
