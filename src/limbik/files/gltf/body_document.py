"""A document for a clip that came from elsewhere: its skeleton with a body of simple bones, so that viewers show it."""

from __future__ import annotations

from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.bodies.bones import Shapes, shapes_of
from limbik.errors import ArgumentError
from limbik.files.gltf.document import Document
from limbik.files.gltf.document_editor import described
from limbik.files.gltf.gltf_reader import GltfSource
from limbik.files.gltf.nodes import RESTS
from limbik.rotations import to_matrices
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton

VERTICES, TRIANGLES = 34962, 34963  # what a buffer view is for
MATERIAL = {
    "name": "bone",
    "pbrMetallicRoughness": {
        "baseColorFactor": [0.87, 0.52, 0.25, 1.0],
        "metallicFactor": 0.0,
        "roughnessFactor": 0.65,
    },
}
MOST_JOINTS = 1 << 16  # that vertices can name


def figure_of(clip: Clip) -> GltfSource:
    """A document with the clip's skeleton at rest and a body that follows it, as if the clip came from there."""
    skeleton = clip.skeleton
    if not 0 < len(skeleton) < MOST_JOINTS:
        raise ArgumentError("clip", f"{len(skeleton)} joints", f"from 1 to {MOST_JOINTS - 1} joints")
    rest = Pose.rest(skeleton)
    loaded = Clip(
        skeleton, rest.rotations[None], rest.translations[None], None if rest.scales is None else rest.scales[None]
    )
    body = _Body(skeleton)
    document = Document(clip.name, body.content, b"", is_binary=True, binary=memoryview(bytes(body.data)))
    return GltfSource(document, None, list(range(len(skeleton))), loaded)


class _Body:
    """The content of the document and its data.

    Each tree of joints has a mesh and a skin of its own, since the joints of a skin must have a root in common.
    """

    def __init__(self, skeleton: Skeleton) -> None:
        self.data = bytearray()
        self._accessors: list[dict[str, Any]] = []
        self._views: list[dict[str, Any]] = []
        shapes, inverses, tree = shapes_of(skeleton), _inverses(skeleton), _trees(skeleton)
        nodes = [_node(skeleton, joint) for joint in range(len(skeleton))]
        meshes, skins = [], []
        for number, root in enumerate(skeleton.roots):
            joints = np.flatnonzero(tree == root)
            skins.append({"inverseBindMatrices": self._add(inverses[joints]), "joints": joints.tolist()})
            meshes.append({"name": "bones", "primitives": [self._primitive(shapes, joints)]})
            nodes.append({"name": "bones", "mesh": number, "skin": number})
        shown = [*skeleton.roots, *range(len(skeleton), len(nodes))]
        self.content: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": "limbik"},
            "scene": 0,
            "scenes": [{"nodes": shown}],
            "nodes": nodes,
            "meshes": meshes,
            "skins": skins,
            "materials": [MATERIAL],
            "accessors": self._accessors,
            "bufferViews": self._views,
            "buffers": [{"byteLength": len(self.data)}],
        }

    def _primitive(self, shapes: Shapes, joints: Array) -> dict[str, Any]:
        """The shapes that follow some joints."""
        ours = np.isin(shapes.joints, joints)
        number = np.cumsum(ours) - 1
        triangles = number[shapes.triangles[ours[shapes.triangles[:, 0]]]]
        follows = np.zeros((np.count_nonzero(ours), 4), np.uint8 if len(joints) <= 1 << 8 else np.uint16)
        follows[:, 0] = np.searchsorted(joints, shapes.joints[ours])
        weights = np.zeros((len(follows), 4), np.uint8)
        weights[:, 0] = 255
        corners = triangles.reshape(-1, 1).astype(np.uint16 if len(follows) < 1 << 16 else np.uint32)
        return {
            "attributes": {
                "POSITION": self._add(shapes.positions[ours].astype(np.float32), target=VERTICES, bounds=True),
                "NORMAL": self._add(shapes.normals[ours].astype(np.float32), target=VERTICES),
                "JOINTS_0": self._add(follows, target=VERTICES),
                "WEIGHTS_0": self._add(weights, target=VERTICES, normalized=True),
            },
            "indices": self._add(corners, target=TRIANGLES),
            "material": 0,
        }

    def _add(self, array: Array, target: int | None = None, bounds: bool = False, normalized: bool = False) -> int:
        """An array as an accessor with a buffer view of its own; rows are aligned to four bytes, as they must be."""
        self.data += bytes(-len(self.data) % 4)
        data = array.tobytes()
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)}
        self._views.append(view if target is None else {**view, "target": target})
        self.data += data
        description = described(array, bounds) | ({"normalized": True} if normalized else {})
        self._accessors.append({"bufferView": len(self._views) - 1, **description})
        return len(self._accessors) - 1


def _node(skeleton: Skeleton, joint: int) -> dict[str, Any]:
    """A joint as a node; what is as by default is left out."""
    parts = skeleton.translations[joint], skeleton.rotations[joint], skeleton.scales[joint]
    local = {path: part.tolist() for path, part in zip(RESTS, parts, strict=True) if tuple(part) != RESTS[path]}
    children = skeleton.children[joint]
    return {"name": skeleton.names[joint], **local, **({"children": list(children)} if children else {})}


def _trees(skeleton: Skeleton) -> Array:
    """(joints,): the root that each joint hangs from."""
    roots = np.arange(len(skeleton))
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            roots[joint] = roots[parent]
    return roots


def _inverses(skeleton: Skeleton) -> Array:
    """(joints, 16): the matrices from the world at rest into each joint's frame, columns first."""
    joints = len(skeleton)
    frames = to_matrices(skeleton.rotations) * skeleton.scales[:, None, :]
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            frames[joint] = frames[parent] @ frames[joint]
    inverses = np.zeros((joints, 4, 4))
    inverses[:, :3, :3] = np.linalg.pinv(frames)  # a joint scaled to nothing has no inverse
    inverses[:, :3, 3] = -np.einsum("jab,jb->ja", inverses[:, :3, :3], Pose.rest(skeleton).positions())
    inverses[:, 3, 3] = 1.0
    return inverses.swapaxes(1, 2).reshape(joints, 16).astype(np.float32)
