"""A creature as a solid: its bones, and round segments of its body about them."""

from __future__ import annotations

import numpy as np

from limbik.bodies.bones import Shapes, ball, shapes_of
from limbik.gait.creature import Creature
from limbik.rotations import rotate
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton

SIDES = 20
ROUND = 1.15  # how much longer than its box an egg is in each direction: nearly as much fits in


def body_of(creature: Creature, skeleton: Skeleton) -> Shapes:
    """The creature's bones and, for each segment of its body, an egg as large as its box."""
    bones, body = shapes_of(skeleton), creature.body
    positions, rotations = Pose.rest(skeleton).world()
    egg = ball(SIDES)
    size = 0.5 * ROUND * np.array([body.width, body.thickness, body.length])
    parts = [bones]
    vertices = len(bones.positions)
    for joint in range(body.segments):
        # The first segment has its joint in its middle, the others where they hang from the one before.
        middle = np.array([0.0, 0.0, -0.5 * body.length if joint else 0.0])
        there = positions[joint] + rotate(rotations[joint], middle + size * egg.positions)
        parts.append(Shapes(there, egg.normals, np.full(len(there), joint), egg.triangles + vertices))
        vertices += len(there)
    return Shapes(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))
