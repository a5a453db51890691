"""The body in a glTF document: its meshes, bound to the joints of its skeleton."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.bodies.body import Body, MeshPart, Skin
from limbik.files.gltf import primitive_reader as primitives
from limbik.files.gltf.document import Document
from limbik.files.gltf.gltf_reader import GltfSource, own_source
from limbik.files.gltf.material_reader import MaterialReader
from limbik.files.gltf.nodes import Joints, joints_of, scene_roots
from limbik.rotations import to_matrices
from limbik.skeleton.clip import Clip


def own_body(clip: Clip) -> Body | None:
    """The body of the document that a clip was loaded from; None where it has none, or its joints have changed."""
    source = own_source(clip)
    return None if source is None else source.body


def body_in(source: GltfSource) -> Body | None:
    """The body in a document; None where it has nothing to show."""
    reader = _Reader(source)
    skins = [skin for node in _nodes_with_meshes(source.document) if (skin := reader.skin(node)) is not None]
    return Body(reader.meshes, skins, reader.materials.textures) if skins else None


class _Reader:
    """Reads the meshes of a document, each once."""

    def __init__(self, source: GltfSource) -> None:
        self.meshes: list[list[MeshPart]] = []
        self.materials = MaterialReader(source.document)
        self._document = source.document
        self._metres = source.loaded.unit.metres
        self._joint = {node: joint for joint, node in enumerate(source.nodes)}
        self._known: dict[tuple[int, bool], int | None] = {}

    def skin(self, node: int) -> Skin | None:
        """A node's mesh on its joints; None where nothing can be shown."""
        owner, place = self._document.arrays["nodes"][node], f"nodes[{node}]"
        skins = self._document.arrays["skins"]
        skinned = "skin" in owner
        if skinned:
            number = self._document.whole(owner, "skin", place, below=len(skins))
            joints, matrices = self._skinned(skins[number], f"skins[{number}]")
        else:
            joints, matrices = self._carried(node)
        mesh = self._mesh(owner, place, len(joints) if skinned else 0)
        return None if mesh is None else Skin(mesh, joints, matrices[:, :3] * self._metres)

    def _skinned(self, skin: dict[str, Any], place: str) -> tuple[list[int], Array]:
        nodes = self._document.wholes(skin, "joints", place, below=len(self._document.arrays["nodes"]))
        matrices = np.tile(np.eye(4), (len(nodes), 1, 1))
        if "inverseBindMatrices" in skin:
            flat = primitives.numbers(self._document, skin, "inverseBindMatrices", place, "MAT4", len(nodes))
            matrices = flat.reshape(-1, 4, 4).swapaxes(1, 2)  # columns come first in the file
        return [self._joint[node] for node in nodes], matrices

    def _carried(self, node: int) -> tuple[list[int], Array]:
        """The nearest joint from a node up, and the node's place in its frame."""
        nodes, matrix = self._nodes, np.eye(4)
        at = nodes.nodes.index(node)
        while at >= 0 and nodes.nodes[at] not in self._joint:
            matrix = _rest(nodes, at) @ matrix
            at = int(nodes.parents[at])
        return [self._joint[nodes.nodes[at]] if at >= 0 else -1], matrix[None]

    @cached_property
    def _nodes(self) -> Joints:
        """All nodes, not only those that are joints."""
        return joints_of(self._document, set(range(len(self._document.arrays["nodes"]))))

    def _mesh(self, owner: dict[str, Any], place: str, joints: int) -> int | None:
        """A node's mesh, as the number of ours. joints: those of the node's skin, 0 where it has none."""
        meshes = self._document.objects(self._document.content, "meshes", "")
        number = self._document.whole(owner, "mesh", place, below=len(meshes))
        key = number, joints > 0
        if key not in self._known:
            place = f"meshes[{number}].primitives"
            listed = self._document.objects(meshes[number], "primitives", f"meshes[{number}].")
            parts = [
                self._part(primitive, f"{place}[{k}]", joints)
                for k, primitive in enumerate(listed)
                if primitives.can_be_shown(self._document, primitive, f"{place}[{k}]")
            ]
            self._known[key] = len(self.meshes) if parts else None
            self.meshes += [parts] if parts else []
        return self._known[key]

    def _part(self, primitive: dict[str, Any], place: str, joints: int) -> MeshPart:
        return primitives.part_of(self._document, primitive, place, joints, self.materials.of(primitive))


def _nodes_with_meshes(document: Document) -> list[int]:
    """The nodes of the scene that have a mesh; of all nodes where there is no scene."""
    nodes = document.arrays["nodes"]
    found = list(scene_roots(document))
    for node in found:  # grows as we go; nothing is met twice, for the nodes are known to be trees
        found.extend(nodes[node].get("children", ()))
    if not document.arrays["scenes"]:
        found = list(range(len(nodes)))
    return [node for node in found if "mesh" in nodes[node]]


def _rest(nodes: Joints, at: int) -> Array:
    """(4, 4): a node at rest, in its parent's frame."""
    matrix = np.eye(4)
    matrix[:3, :3] = to_matrices(nodes.rotations[at]) * nodes.scales[at]
    matrix[:3, 3] = nodes.translations[at]
    return matrix
