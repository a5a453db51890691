"""The meshes of a glTF document as they hang on its joints."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from limbik.files.gltf.document import Document
from limbik.files.gltf.nodes import Joints, joints_of, scene_roots
from limbik.files.gltf.reading import Source
from limbik.pages import primitives
from limbik.pages.materials import Materials
from limbik.pages.packing import Packer
from limbik.skeleton.rotations import Array, to_matrices


def body_in(source: Source, packer: Packer, pictures: list[dict[str, Any]]) -> dict[str, Any] | None:
    """What the page is told of a document's body, None where there is none to show; its pictures are added to those."""
    reader = _Reader(source, packer, pictures)
    skins = [skin for node in _shown(source.document) if (skin := reader.skin(node)) is not None]
    return {"meshes": reader.meshes, "skins": skins} if skins else None


class _Reader:
    """Reads the meshes of a document, each once."""

    def __init__(self, source: Source, packer: Packer, pictures: list[dict[str, Any]]) -> None:
        self.meshes: list[list[dict[str, Any]]] = []
        self._document, self._packer = source.document, packer
        self._materials = Materials(source.document, packer, pictures)
        self._metres = source.loaded.unit.metres
        self._joint = {node: joint for joint, node in enumerate(source.nodes)}
        self._known: dict[tuple[int, bool], int | None] = {}

    def skin(self, node: int) -> dict[str, Any] | None:
        """A node's mesh, the joints that its vertices follow (-1 for none), and the matrices from it to each of those.

        Matrices are affine, three rows of four, and bring the file's unit to metres. None where nothing can be shown.
        """
        owner, place = self._document.arrays["nodes"][node], f"nodes[{node}]"
        skins = self._document.arrays["skins"]
        skinned = "skin" in owner
        if skinned:
            number = self._document.whole(owner, "skin", place, below=len(skins))
            joints, matrices = self._skinned(skins[number], f"skins[{number}]")
        else:
            joints, matrices = self._carried(node)
        mesh = self._mesh(owner, place, len(joints) if skinned else 0)
        if mesh is None:
            return None
        affine = (matrices[:, :3] * self._metres).ravel()
        return {"mesh": mesh, "joints": joints, "inverses": [float(f"{number:.7g}") for number in affine]}

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

    def _part(self, primitive: dict[str, Any], place: str, joints: int) -> dict[str, Any]:
        paint = self._materials.of(primitive)
        coordinates = paint.pop("coordinates", None)
        return paint | primitives.packed(self._document, primitive, place, joints, coordinates, self._packer)


def _shown(document: Document) -> list[int]:
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
