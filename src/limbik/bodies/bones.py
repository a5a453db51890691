"""Bones as solid shapes: what a skeleton looks like when there is no body to show."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.rotations import normalized
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton

SIDES = 8
# As in a tree, a bone's cross-section grows with all that hangs from it: trunks are stout and fingers are thin.
THICKNESS = 0.037  # radius² over this² is the length of what a bone carries, itself included, times the figure's size
THINNEST, THICKEST = 0.006, 0.045  # radius over the figure's size
BALL = 1.12  # radius of the ball at a joint over that of the bones there
ALONE = 1.0  # metres: the size of a figure that has none, being a single joint


class Shapes(NamedTuple):
    """A mesh that follows a skeleton.

    positions: (n, 3), in the world at rest. normals: (n, 3), unit. joints: (n,), which one each vertex follows.
    triangles: (m, 3), of vertex numbers, counter-clockwise from outside.
    """

    positions: Array
    normals: Array
    joints: Array
    triangles: Array


def shapes_of(skeleton: Skeleton) -> Shapes:
    """A tapered bone from each joint to each of its children, and a ball at each joint; none for a stem."""
    places = Pose.rest(skeleton).positions()
    size = float(np.max(np.ptp(places, axis=0))) or ALONE
    child = np.flatnonzero(skeleton.parents >= 0)
    parent = skeleton.parents[child]
    length = np.linalg.norm(places[child] - places[parent], axis=-1)
    stem = _stem(skeleton)
    there = (length > 1e-6 * size) & ~stem[parent]
    child, parent, length = child[there], parent[there], length[there]
    beyond = _carried(skeleton, places)[child]
    radii = THICKNESS * np.sqrt(size * np.stack([beyond + length, beyond], axis=-1))
    radii = np.clip(radii, THINNEST * size, THICKEST * size)
    balls = np.full(len(skeleton), THINNEST * size)
    np.maximum.at(balls, parent, BALL * radii[:, 0])
    np.maximum.at(balls, child, BALL * radii[:, 1])
    shown = np.flatnonzero(~stem)
    return capsules(
        start=np.concatenate([places[parent], places[shown]]),
        end=np.concatenate([places[child], places[shown]]),
        radii=np.concatenate([radii, np.stack([balls, balls], axis=-1)[shown]]),
        joints=np.concatenate([parent, shown]),
    )


def _stem(skeleton: Skeleton) -> Array:
    """(joints,) bool: the joints above the first that branches.

    They place the figure, often from the floor, and are no part of its body; a chain that never branches is all body.
    """
    stem = np.zeros(len(skeleton), bool)
    for root in skeleton.roots:
        way = [root]
        while len(skeleton.children[way[-1]]) == 1:
            way.append(skeleton.children[way[-1]][0])
        if skeleton.children[way[-1]]:
            stem[way[:-1]] = True
    return stem


def _carried(skeleton: Skeleton, places: Array) -> Array:
    """(joints,): the length of all bones that hang from each joint."""
    total = np.zeros(len(skeleton))
    for joint in range(len(skeleton) - 1, -1, -1):
        parent = skeleton.parents[joint]
        if parent >= 0:
            total[parent] += total[joint] + np.linalg.norm(places[joint] - places[parent])
    return total


def capsules(start: Array, end: Array, radii: Array, joints: Array, sides: int = SIDES) -> Shapes:
    """Round-ended cones between points (n, 3), with radii (n, 2) at each end; balls where the points are the same."""
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
    return Shapes(
        positions.reshape(-1, 3), normals.reshape(-1, 3), np.repeat(joints, vertices), triangles.reshape(-1, 3)
    )


def ball(sides: int) -> Shapes:
    """A ball of radius 1 about the origin, so that its normals are its positions."""
    middle = np.zeros((1, 3))
    found = capsules(middle, middle, np.ones((1, 2)), np.zeros(1, int), sides)
    a, b, c = (found.positions[corner] for corner in found.triangles.T)
    # Between its ends a capsule has a band, which here has no extent.
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
    """The triangles of a capsule, (m, 3)."""
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
