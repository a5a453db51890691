"""The bodies of the figures in a clip, each kept once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from limbik.arrays import Array
from limbik.bodies.body import Body
from limbik.bodies.mannequin import mannequin
from limbik.skeleton.clip import Clip
from limbik.skeleton.skeleton import Skeleton


class BodySet:
    """Bodies of one or several clips.

    own_body: returns the body of the file that a clip was loaded from, or None (default: none has one).
    """

    def __init__(self, own_body: Callable[[Clip], Body | None] = lambda clip: None) -> None:
        self.bodies: list[Body] = []  # found so far
        self._own_body = own_body
        self._known: dict[object, int] = {}

    def groups(self, clip: Clip) -> list[tuple[int, list[Array]]]:
        """The figures of a clip by body: the body's index, and the joint numbers (n,) of each figure that has it.

        A clip with a body of its own file is one figure. Otherwise each tree of joints is a figure, with the clip's
        body (`clip.body`) if it has one, else a mannequin or bones.
        """
        own = self._own_body(clip)
        if own is not None:
            return [(self._index(id(own), lambda: own), [np.arange(len(clip.skeleton))])]
        figures, body = trees(clip.skeleton), clip.body
        if body is not None and all(len(joints) == len(body.skins[0].joints) for joints in figures):
            return [(self._index(id(body), lambda: body), figures)]
        found: dict[int, list[Array]] = {}
        for joints in figures:
            found.setdefault(self._mannequin(_part(clip.skeleton, joints)), []).append(joints)
        return list(found.items())

    def _mannequin(self, skeleton: Skeleton) -> int:
        """The index of the body of a figure without one; where its root rests makes no difference."""
        arrays = skeleton.parents, skeleton.translations[1:], skeleton.rotations, skeleton.scales
        key = tuple(array.tobytes() for array in arrays)
        return self._index(key, lambda: mannequin(skeleton))

    def _index(self, key: object, body: Callable[[], Body]) -> int:
        if key not in self._known:
            self._known[key] = len(self.bodies)
            self.bodies.append(body())
        return self._known[key]


def trees(skeleton: Skeleton) -> list[Array]:
    """The joint numbers (n,) of each tree, its root first."""
    root = np.arange(len(skeleton))
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            root[joint] = root[parent]
    order = np.argsort(root, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(root[order])) + 1)


def parents_in(skeleton: Skeleton, joints: Array) -> Array:
    """The parents of the joints of a tree, as indices into `joints`; -1 for its root."""
    return np.where(skeleton.parents[joints] < 0, -1, np.searchsorted(joints, skeleton.parents[joints]))


def _part(skeleton: Skeleton, joints: Array) -> Skeleton:
    """A tree as a skeleton of its own."""
    return Skeleton(
        names=tuple(skeleton.names[joint] for joint in joints),
        parents=parents_in(skeleton, joints),
        translations=skeleton.translations[joints],
        rotations=skeleton.rotations[joints],
        scales=skeleton.scales[joints],
    )
