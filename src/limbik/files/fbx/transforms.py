"""The local transforms of FBX's nodes: pivots, offsets, rotations before and after, six orders, and how scales inherit.

A node's place in its parent's frame is, from left to right,

    T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹

translations T (Lcl Translation), rotation offset and pivot; rotations PreRotation, R (Lcl Rotation, in the node's
order), PostRotation; scaling offset and pivot, and scales S (Lcl Scaling).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.files.fbx.scene import Properties
from limbik.rotations import from_euler, inverse, multiply, rotate, to_euler, to_matrices

# The rotation about the last axis of an order's name is applied last: "xyz" turns about x first.
ORDERS = ("xyz", "xzy", "yzx", "yxz", "zxy", "zyx", "xyz")
INHERIT_RRSS, INHERIT_RSRS, INHERIT_RRS = range(3)
ONES = (1.0, 1.0, 1.0)
MIN_SCALE = 1e-12  # scales nearer to zero cannot be undone
SAME_SCALE = 1e-6  # ratio of scales that are the same along all axes


class Node(NamedTuple):
    """What a node's local transform consists of beside what may be animated."""

    order: str
    before: Array  # (4,) PreRotation
    after: Array  # (4,) the inverse of PostRotation
    rotation_offset: Array
    rotation_pivot: Array
    scaling_offset: Array
    scaling_pivot: Array
    inherits: int
    values: dict[str, Array]  # of what may be animated: where it is not


def node_of(properties: Properties) -> Node:
    """The transform that a node's properties describe."""
    order = properties.whole("RotationOrder", 0)
    before, after = (euler("xyz", properties.vector(name)) for name in ("PreRotation", "PostRotation"))
    return Node(
        ORDERS[order] if 0 <= order < len(ORDERS) else "xyz",
        before,
        inverse(after),
        properties.vector("RotationOffset"),
        properties.vector("RotationPivot"),
        properties.vector("ScalingOffset"),
        properties.vector("ScalingPivot"),
        properties.whole("InheritType", INHERIT_RRSS),
        {
            "Lcl Translation": properties.vector("Lcl Translation"),
            "Lcl Rotation": properties.vector("Lcl Rotation"),
            "Lcl Scaling": properties.vector("Lcl Scaling", ONES),
        },
    )


def euler(order: str, degrees: Array) -> Array:
    """The rotations (..., 4) by angles (..., 3) about x, y and z, applied one after the other in an order."""
    # Turns about a frame's own axes in one order are turns about the parent's in the other.
    turns = order[::-1]
    angles = np.moveaxis(np.radians(degrees), -1, 0)
    return np.moveaxis(from_euler(turns, angles[["xyz".index(axis) for axis in turns]]), 0, -1)


def euler_angles(order: str, rotations: Array) -> Array:
    """The angles (..., 3), degrees about x, y and z, that `euler` turns into these rotations (..., 4)."""
    turns = order[::-1]
    found = np.degrees(to_euler(turns, rotations))
    return found[..., [turns.index(axis) for axis in "xyz"]]


def local_transform(node: Node, values: dict[str, Array]) -> tuple[Array, Array, Array]:
    """Translations (..., 3), rotations (..., 4) and scales (..., 3) of a node from its animated values."""
    scales = values["Lcl Scaling"]
    rotations = multiply(multiply(node.before, euler(node.order, values["Lcl Rotation"])), node.after)
    within = node.scaling_offset + node.scaling_pivot - scales * node.scaling_pivot - node.rotation_pivot
    shifts = node.rotation_offset + node.rotation_pivot + rotate(rotations, within)
    return values["Lcl Translation"] + shifts, rotations, scales


def inherited_scales(parents: list[int], inherits: list[int], rotations: Array, scales: Array) -> Array:
    """Scales (frames, joints, 3) that give with plain inheritance what nodes have with their own kinds of it.

    Exact where such scales are the same along all axes; otherwise the axes keep their lengths.
    """
    found = scales.copy()
    for joint, (parent, kind) in enumerate(zip(parents, inherits, strict=True)):
        if parent < 0 or kind == INHERIT_RSRS:
            continue
        above = scales[:, parent]
        if kind == INHERIT_RRS:
            found[:, joint] = scales[:, joint] / _safe(_seen_from(rotations[:, joint], above))
        elif np.any(np.abs(above - above[:, :1]) > SAME_SCALE * np.abs(above[:, :1])):
            found[:, joint] = scales[:, joint] * above / _safe(_seen_from(rotations[:, joint], above))
    return found


def _seen_from(rotations: Array, scales: Array) -> Array:
    """How scales (frames, 3) along a parent's axes stretch the axes of its child, (frames, 3)."""
    return np.linalg.norm(scales[:, :, None] * to_matrices(rotations), axis=-2)


def _safe(scales: Array) -> Array:
    return np.where(np.abs(scales) > MIN_SCALE, scales, 1.0)
