"""A creature as a solid: its bones, and round segments of its body about them."""

from __future__ import annotations

import numpy as np

from limbik.files.gltf.bones import Shapes, shapes_of
from limbik.gait.creature import Creature
from limbik.skeleton.pose import Pose
from limbik.skeleton.rotations import Array, rotate
from limbik.skeleton.skeleton import Skeleton

RINGS, SIDES = 12, 20
ROUND = 1.15  # how much longer than its box an egg is in each direction: nearly as much fits in


def body_of(creature: Creature, skeleton: Skeleton) -> Shapes:
    """The creature's bones and, for each segment of its body, an egg as large as its box."""
    bones, body = shapes_of(skeleton), creature.body
    positions, rotations = Pose.rest(skeleton).world()
    ball, triangles = _ball()
    size = 0.5 * ROUND * np.array([body.width, body.thickness, body.length])
    parts = [bones]
    vertices = len(bones.positions)
    for joint in range(body.segments):
        # The first segment has its joint in its middle, the others where they hang from the one before.
        middle = np.array([0.0, 0.0, -0.5 * body.length if joint else 0.0])
        there = positions[joint] + rotate(rotations[joint], middle + size * ball)
        parts.append(Shapes(there, ball, np.full(len(ball), joint), triangles + vertices))
        vertices += len(ball)
    return Shapes(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _ball() -> tuple[Array, Array]:
    """A ball's vertices, (n, 3), unit, poles at ±z, and its triangles, (m, 3), counter-clockwise from outside."""
    latitude = np.pi * np.arange(1, RINGS)[:, None] / RINGS
    longitude = 2.0 * np.pi * np.arange(SIDES) / SIDES
    around = np.cos(longitude) * np.sin(latitude), np.sin(longitude) * np.sin(latitude), np.cos(latitude)
    rings = np.stack(np.broadcast_arrays(*around), axis=-1).reshape(-1, 3)
    vertices = np.concatenate([rings, [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]])
    side, top, bottom = np.arange(SIDES), len(vertices) - 2, len(vertices) - 1
    after = (side + 1) % SIDES
    triangles = [np.stack([np.full(SIDES, top), side, after], axis=-1)]
    for k in range(0, SIDES * (RINGS - 2), SIDES):
        triangles.append(np.stack([k + side, k + SIDES + side, k + after], axis=-1))
        triangles.append(np.stack([k + after, k + SIDES + side, k + SIDES + after], axis=-1))
    last = SIDES * (RINGS - 2)
    triangles.append(np.stack([np.full(SIDES, bottom), last + after, last + side], axis=-1))
    return vertices, np.concatenate(triangles)
