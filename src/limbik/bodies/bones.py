"""A figure drawn as bones: tapered capsules with spheres at the joints, for clips without a body of their own."""

from __future__ import annotations

import numpy as np

from limbik.arrays import Array
from limbik.bodies.capsules import RestMesh, capsules
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton

# As in a tree, the cross-section of a bone grows with everything beyond it: trunks are stout, fingers thin.
THICKNESS = 0.037  # radius = THICKNESS · √(length of the bone and all bones beyond it · size of the figure)
THINNEST, THICKEST = 0.006, 0.045  # radius over the figure's size
JOINT_RADIUS = 1.12  # radius of the sphere at a joint over that of the bones there
LONE_JOINT_SIZE = 1.0  # metres: the size of a figure of a single joint


def bone_mesh(skeleton: Skeleton) -> RestMesh:
    """A tapered bone from each joint to each of its children, and a sphere at each joint.

    Joints above the first one that branches only place the figure and get neither.
    """
    places = Pose.rest(skeleton).positions()
    size = float(np.max(np.ptp(places, axis=0))) or LONE_JOINT_SIZE
    child = np.flatnonzero(skeleton.parents >= 0)
    parent = skeleton.parents[child]
    length = np.linalg.norm(places[child] - places[parent], axis=-1)
    stem = _stem(skeleton)
    there = (length > 1e-6 * size) & ~stem[parent]
    child, parent, length = child[there], parent[there], length[there]
    beyond = _length_beyond(skeleton, places)[child]
    radii = THICKNESS * np.sqrt(size * np.stack([beyond + length, beyond], axis=-1))
    radii = np.clip(radii, THINNEST * size, THICKEST * size)
    spheres = np.full(len(skeleton), THINNEST * size)
    np.maximum.at(spheres, parent, JOINT_RADIUS * radii[:, 0])
    np.maximum.at(spheres, child, JOINT_RADIUS * radii[:, 1])
    shown = np.flatnonzero(~stem)
    return capsules(
        start=np.concatenate([places[parent], places[shown]]),
        end=np.concatenate([places[child], places[shown]]),
        radii=np.concatenate([radii, np.stack([spheres, spheres], axis=-1)[shown]]),
        joints=np.concatenate([parent, shown]),
    )


def _stem(skeleton: Skeleton) -> Array:
    """(joints,) bool: the joints above the first that branches.

    They place the figure, often from the floor, and are not part of its body. A chain that never branches has none.
    """
    stem = np.zeros(len(skeleton), bool)
    for root in skeleton.roots:
        way = [root]
        while len(skeleton.children[way[-1]]) == 1:
            way.append(skeleton.children[way[-1]][0])
        if skeleton.children[way[-1]]:
            stem[way[:-1]] = True
    return stem


def _length_beyond(skeleton: Skeleton, places: Array) -> Array:
    """(joints,): the total length of all bones below each joint."""
    total = np.zeros(len(skeleton))
    for joint in range(len(skeleton) - 1, -1, -1):
        parent = skeleton.parents[joint]
        if parent >= 0:
            total[parent] += total[joint] + np.linalg.norm(places[joint] - places[parent])
    return total
