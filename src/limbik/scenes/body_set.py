"""What figures look like: the body of the document that a clip came from, or else one of simple bones."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.files.gltf.body_document import figure_of
from limbik.files.gltf.body_reader import Body, body_in
from limbik.files.gltf.gltf_reader import GltfSource, own_source
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton


class Bodies:
    """Bodies, each kept once.

    all: each of them. pictures: those that they are painted with, the bytes of their files.
    """

    def __init__(self) -> None:
        self.all: list[Body] = []
        self.pictures: list[bytes] = []
        self._known: dict[object, int] = {}

    def groups(self, clip: Clip) -> list[tuple[int, list[Array]]]:
        """Bodies, and for each the figures that have it: the joints of each figure, (n,).

        What came with a body of its own is one figure; else every tree of joints is.
        """
        own = self._own(clip)
        if own is not None:
            return [(own, [np.arange(len(clip.skeleton))])]
        found: dict[int, list[Array]] = {}
        for joints in trees(clip.skeleton):
            found.setdefault(self._bones(_part(clip.skeleton, joints)), []).append(joints)
        return list(found.items())

    def _own(self, clip: Clip) -> int | None:
        """The body of the document that the clip came from, where that has one and the joints are still the same."""
        source = own_source(clip)
        if source is None:
            return None
        key = id(source.document)
        return self._known[key] if key in self._known else self._add(key, source)

    def _bones(self, skeleton: Skeleton) -> int:
        """A body of bones; where the root rests makes no difference to it."""
        arrays = skeleton.parents, skeleton.translations[1:], skeleton.rotations, skeleton.scales
        key = tuple(array.tobytes() for array in arrays)
        if key not in self._known:
            rest = Pose.rest(skeleton)
            still = Clip(skeleton, rest.rotations[None], rest.translations[None])
            self._add(key, figure_of(still))
        return self._known[key]

    def _add(self, key: object, source: GltfSource) -> int | None:
        body = body_in(source, self.pictures)
        if body is None:
            return None
        self._known[key] = len(self.all)
        self.all.append(body)
        return self._known[key]


def trees(skeleton: Skeleton) -> list[Array]:
    """The joints of each tree, (n,), its root first."""
    root = np.arange(len(skeleton))
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            root[joint] = root[parent]
    order = np.argsort(root, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(root[order])) + 1)


def parents_in(skeleton: Skeleton, joints: Array) -> Array:
    """The parents of the joints of a tree, as numbers among them; -1 for its root."""
    return np.where(skeleton.parents[joints] < 0, -1, np.searchsorted(joints, skeleton.parents[joints]))


def _part(skeleton: Skeleton, joints: Array) -> Skeleton:
    """A tree on its own."""
    return Skeleton(
        names=tuple(skeleton.names[joint] for joint in joints),
        parents=parents_in(skeleton, joints),
        translations=skeleton.translations[joints],
        rotations=skeleton.rotations[joints],
        scales=skeleton.scales[joints],
    )
