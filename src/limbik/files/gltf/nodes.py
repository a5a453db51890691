"""The node tree of a document: which nodes are joints, their order, and their rest pose."""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.files.gltf.document import Document, JsonObject
from limbik.rotations import IDENTITY, from_matrices, normalized

REST_VALUES: dict[str, tuple[float, ...]] = {
    "translation": (0.0, 0.0, 0.0),
    "rotation": (0.0, 0.0, 0.0, 1.0),
    "scale": (1.0, 1.0, 1.0),
}
MAX_NUMBER = float(np.finfo(np.float32).max)  # numbers of glTF are single precision


@dataclass(frozen=True, eq=False)
class Joints:
    """The nodes of a skeleton, parents before their children, and their local rest pose in the file's unit."""

    nodes: list[int]  # the number of each joint's node
    names: tuple[str, ...]
    parents: Array  # of each joint, among the joints
    skinned: Array  # (joints,) bool, which ones move a skin
    translations: Array  # (joints, 3)
    rotations: Array  # (joints, 4) xyzw
    scales: Array  # (joints, 3)


def joints_of(document: Document, animated: set[int]) -> Joints:
    """The joints of all skins, the animated nodes, and their ancestors; without a skin all nodes of the scene."""
    nodes = document.arrays["nodes"]
    if not nodes:
        raise document.fault("nodes", "are missing; expected a figure to animate")
    parents = _parents(document)
    scene = scene_roots(document)
    order = _depth_first(document, parents, scene)
    skinned = {
        joint
        for number, skin in enumerate(document.arrays["skins"])
        for joint in document.wholes(skin, "joints", f"skins[{number}]", below=len(nodes))
    }
    wanted = _with_ancestors(skinned | animated, parents)
    if not skinned:  # not only what is animated: a joint that stands still in one clip moves in the next
        wanted = _with_ancestors(wanted | _with_descendants(scene, parents, order), parents) or set(order)
    chosen = [node for node in order if node in wanted]
    number = {node: joint for joint, node in enumerate(chosen)} | {-1: -1}
    names = tuple(name_of(nodes[node], f"node_{node}") for node in chosen)
    above = np.array([number[parents[node]] for node in chosen])
    return Joints(chosen, names, above, np.array([node in skinned for node in chosen]), *_rest(document, chosen))


def name_of(owner: JsonObject, otherwise: str = "") -> str:
    """The name of a node or an animation; JSON can hold lone surrogates, which no terminal prints."""
    name = owner.get("name")
    return name.encode("utf-8", "replace").decode() if isinstance(name, str) and name else otherwise


def _parents(document: Document) -> list[int]:
    nodes = document.arrays["nodes"]
    parents = [-1] * len(nodes)
    for number, node in enumerate(nodes):
        if "children" in node:
            for child in document.wholes(node, "children", f"nodes[{number}]", below=len(nodes)):
                if parents[child] >= 0:
                    raise document.fault(f"nodes[{child}]", f"is a child of nodes {parents[child]} and {number}")
                parents[child] = number
    return parents


def scene_roots(document: Document) -> list[int]:
    """The nodes that the default scene shows."""
    scenes = document.arrays["scenes"]
    if not scenes:
        return []
    number = document.whole(document.content, "scene", "glTF", default=0, below=len(scenes))
    return document.wholes(scenes[number], "nodes", f"scenes[{number}]", below=len(document.arrays["nodes"]))


def _depth_first(document: Document, parents: list[int], scene: list[int]) -> list[int]:
    """All nodes, each after its parent and in the file's order, those of the scene first."""
    nodes = document.arrays["nodes"]
    roots = [node for node, parent in enumerate(parents) if parent < 0]
    first = {node: place for place, node in reversed(list(enumerate(scene)))}
    roots.sort(key=lambda node: first.get(node, len(scene)))
    order, waiting = [], roots[::-1]
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting.extend(nodes[node].get("children", ())[::-1])
    if len(order) < len(nodes):  # every node has at most one parent: nodes that no root leads to form a cycle
        lost = min(set(range(len(nodes))) - set(order))
        raise document.fault(f"nodes[{lost}]", "is among its own ancestors, or below a node that is")
    return order


def _with_ancestors(chosen: set[int], parents: list[int]) -> set[int]:
    found: set[int] = set()
    for node in chosen:
        while node >= 0 and node not in found:
            found.add(node)
            node = parents[node]  # noqa: PLW2901
    return found


def _with_descendants(chosen: list[int], parents: list[int], order: list[int]) -> set[int]:
    found = set(chosen)
    for node in order:
        if parents[node] in found:
            found.add(node)
    return found


def _rest(document: Document, chosen: list[int]) -> tuple[Array, Array, Array]:
    nodes = document.arrays["nodes"]
    translations, rotations, scales = (
        _vectors(document, chosen, [nodes[node].get(path, rest) for node in chosen], path, len(rest))
        for path, rest in REST_VALUES.items()
    )
    rotations = unit_quaternions(rotations)
    solid = [joint for joint, node in enumerate(chosen) if "matrix" in nodes[node]]
    if solid:
        of = [chosen[joint] for joint in solid]
        flat = _vectors(document, of, [nodes[node]["matrix"] for node in of], "matrix", 16)
        matrices = flat.reshape(-1, 4, 4).swapaxes(1, 2)  # columns come first in the file
        translations[solid] = matrices[:, :3, 3]
        rotations[solid], scales[solid] = decompose(matrices[:, :3, :3])
    return translations, rotations, scales


def _vectors(document: Document, chosen: list[int], found: list[Any], key: str, width: int) -> Array:
    for node, vector in zip(chosen, found, strict=True):
        if not (
            type(vector) in (list, tuple)
            and len(vector) == width
            and all(type(x) in (float, int) and -MAX_NUMBER <= x <= MAX_NUMBER for x in vector)
        ):
            place = f"nodes[{node}].{key}"
            raise document.fault(place, f"is {reprlib.repr(vector)}; expected {width} numbers of single precision")
    return np.array(found, float).reshape(len(found), width)


def unit_quaternions(q: Array) -> Array:
    """Unit quaternions (..., 4); the identity where one is zero."""
    unit = normalized(q)
    return np.where(np.any(unit != 0.0, axis=-1, keepdims=True), unit, IDENTITY)


def decompose(matrices: Array) -> tuple[Array, Array]:
    """Rotations and scales of matrices (..., 3, 3), the closest where they shear; a reflection negates the first."""
    size = np.max(np.abs(matrices), axis=(-2, -1), keepdims=True)
    axes = matrices / np.where(size > 0.0, size, 1.0)
    mirror = np.where(np.linalg.det(normalized(axes.swapaxes(-1, -2))) < 0.0, -1.0, 1.0)
    axes[..., 0] *= mirror[..., None]
    turn = _nearest_rotation(axes)
    for _ in range(10):  # converges for sheared matrices, and leaves others unchanged
        turn = _nearest_rotation(axes * np.sum(turn * axes, axis=-2, keepdims=True))
    scales = np.sum(turn * axes, axis=-2) * size[..., 0]
    scales[..., 0] *= mirror
    return from_matrices(turn), scales


def _nearest_rotation(matrices: Array) -> Array:
    left, _, right = np.linalg.svd(matrices)
    left[..., :, 2] *= np.where(np.linalg.det(left @ right) < 0.0, -1.0, 1.0)[..., None]
    return left @ right
