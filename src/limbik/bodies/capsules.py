"""Capsules and spheres as meshes, and the bones of a skeleton made of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.rotations import normalized
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton

CAPSULE_SIDES = 8
# As in a tree, the cross-section of a bone grows with everything beyond it: trunks are stout, fingers thin.
BONE_THICKNESS = 0.037  # radius = BONE_THICKNESS · √(length of the bone and all bones beyond it · size of the figure)
MIN_BONE_RADIUS, MAX_BONE_RADIUS = 0.006, 0.045  # radius over the figure's size
JOINT_RADIUS_RATIO = 1.12  # radius of the sphere at a joint over that of the bones there
LONE_JOINT_METRES = 1.0  # the size of a figure of a single joint


class RestMesh(NamedTuple):
    """A mesh in the rest pose, each vertex of which follows one joint."""

    positions: Array  # (n, 3), in the world
    normals: Array  # (n, 3), unit
    joints: Array  # (n,) joint numbers
    triangles: Array  # (m, 3) vertex indices, counter-clockwise from outside


def capsules(start: Array, end: Array, radii: Array, joints: Array, sides: int = CAPSULE_SIDES) -> RestMesh:
    """Tapered capsules between points (n, 3) with radii (n, 2) at their ends; a sphere where both points coincide."""
    directions, ends = _template(sides)
    axis = normalized(end - start)
    axis[~axis.any(axis=-1)] = (0.0, 1.0, 0.0)
    aside = np.eye(3)[np.argmin(np.abs(axis), axis=-1)]
    across = normalized(np.cross(axis, aside))
    frame = np.stack([across, np.cross(axis, across), axis], axis=-1)
    normals = np.einsum("nij,vj->nvi", frame, directions)
    centres = np.where(ends[:, None] == 0, start[:, None], end[:, None])
    positions = centres + normals * radii[:, ends, None]
    vertices = len(directions)
    triangles = _triangles(sides)[None] + vertices * np.arange(len(start))[:, None, None]
    return RestMesh(
        positions.reshape(-1, 3), normals.reshape(-1, 3), np.repeat(joints, vertices), triangles.reshape(-1, 3)
    )


def sphere(sides: int) -> RestMesh:
    """A sphere of radius 1 about the origin."""
    middle = np.zeros((1, 3))
    found = capsules(middle, middle, np.ones((1, 2)), np.zeros(1, int), sides)
    a, b, c = (found.positions[corner] for corner in found.triangles.T)
    # The band between the two ends of the capsule is degenerate here.
    return found._replace(triangles=found.triangles[np.linalg.norm(np.cross(b - a, c - a), axis=-1) > 1e-9])


def _template(sides: int) -> tuple[Array, Array]:
    """Directions (v, 3) of a capsule's vertices from the centre of their end, and which end (v,): pole, rings, pole."""
    parts = sides // 4
    below = np.linspace(-0.5, 0.0, parts + 1)[1:] * np.pi
    latitude = np.repeat(np.concatenate([below, -below[::-1]]), sides)
    longitude = np.tile(np.arange(sides) * 2.0 * np.pi / sides, 2 * parts)
    around = np.cos(longitude) * np.cos(latitude), np.sin(longitude) * np.cos(latitude), np.sin(latitude)
    directions = np.concatenate([[[0.0, 0.0, -1.0]], np.stack(around, axis=-1), [[0.0, 0.0, 1.0]]])
    return directions, np.repeat([0, 1], 1 + parts * sides)


def _triangles(sides: int) -> Array:
    k = np.arange(sides)
    after = (k + 1) % sides
    rings = 2 * (sides // 4)
    first, last = 0, rings * sides + 1
    found = [np.stack([np.full(sides, first), 1 + after, 1 + k], axis=-1)]
    for ring in range(1, last - sides, sides):
        found.append(np.stack([ring + k, ring + after, ring + sides + after], axis=-1))
        found.append(np.stack([ring + k, ring + sides + after, ring + sides + k], axis=-1))
    found.append(np.stack([np.full(sides, last), last - sides + k, last - sides + after], axis=-1))
    return np.concatenate(found)


def bone_mesh(skeleton: Skeleton) -> RestMesh:
    """A tapered bone from each joint to each of its children, and a sphere at each joint.

    Joints above the first one that branches only place the figure and get neither.
    """
    places = Pose.rest(skeleton).positions()
    size = float(np.max(np.ptp(places, axis=0))) or LONE_JOINT_METRES
    child = np.flatnonzero(skeleton.parents >= 0)
    parent = skeleton.parents[child]
    length = np.linalg.norm(places[child] - places[parent], axis=-1)
    stem = _stem(skeleton)
    there = (length > 1e-6 * size) & ~stem[parent]
    child, parent, length = child[there], parent[there], length[there]
    beyond = _length_beyond(skeleton, places)[child]
    radii = BONE_THICKNESS * np.sqrt(size * np.stack([beyond + length, beyond], axis=-1))
    radii = np.clip(radii, MIN_BONE_RADIUS * size, MAX_BONE_RADIUS * size)
    spheres = np.full(len(skeleton), MIN_BONE_RADIUS * size)
    np.maximum.at(spheres, parent, JOINT_RADIUS_RATIO * radii[:, 0])
    np.maximum.at(spheres, child, JOINT_RADIUS_RATIO * radii[:, 1])
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
