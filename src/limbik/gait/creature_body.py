"""What a creature looks like: its bones, and an ellipsoid around each segment of its trunk."""

from __future__ import annotations

import numpy as np

from limbik.bodies.body import Body, rigid_body
from limbik.bodies.bones import bone_mesh
from limbik.bodies.capsules import RestMesh, ellipsoid, joined
from limbik.gait.creature import Creature
from limbik.rotations import rotate
from limbik.skeleton.pose import Pose
from limbik.skeleton.skeleton import Skeleton

TRUNK_SIDES = 16
ROUNDNESS = 1.15  # size of an ellipsoid over that of the segment's box, so that it holds nearly as much
# Segments of a flexible spine overlap, so that they look like one body with a waist.
OVERLAP, WAIST = 1.75, 0.86


def creature_body(creature: Creature, skeleton: Skeleton) -> Body:
    """The body of one creature.

    Args:
        creature: the creature.
        skeleton: its joints, those of the trunk first.
    """
    return rigid_body(skeleton, creature_mesh(creature, skeleton))


def creature_mesh(creature: Creature, skeleton: Skeleton) -> RestMesh:
    """The body's mesh in the rest pose."""
    trunk = creature.body
    positions, rotations = Pose.rest(skeleton).world()
    flexible = trunk.spine == "flexible" and trunk.segments > 1
    size = 0.5 * ROUNDNESS * np.array([trunk.width, trunk.thickness, trunk.length * (OVERLAP if flexible else 1.0)])
    meshes = [bone_mesh(skeleton)]
    for joint in range(trunk.segments):
        inner = flexible and 0 < joint < trunk.segments - 1
        shape = ellipsoid(size * np.array([WAIST, WAIST, 1.0]) if inner else size, TRUNK_SIDES)
        # The joint of the first segment is at its centre; the others hang from the end of the one before.
        centre = np.array([0.0, 0.0, -0.5 * trunk.length if joint else 0.0])
        there = positions[joint] + rotate(rotations[joint], centre + shape.positions)
        normals = rotate(rotations[joint], shape.normals)
        meshes.append(RestMesh(there, normals, np.full(len(there), joint), shape.triangles))
    return joined(meshes)
