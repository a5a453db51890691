"""The shape of a foot from the mesh that follows it, which shows what joints do not, such as the toe of a boot."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from limbik.arrays import Array
from limbik.files.gltf.body_reader import own_body
from limbik.rotations import inverse, rotate
from limbik.skeleton.clip import Clip
from limbik.skeleton.pose import Pose

MIN_FOLLOWING_WEIGHT = 0.5  # of a vertex that belongs to a foot
MIN_VERTICES = 8  # of a foot: fewer show no shape
MAX_SHOE_HEIGHT_LEG_LENGTHS = 0.12  # above the sole: what is higher, such as the leg of a boot, does not count


class FootShape(NamedTuple):
    """The extent of a foot that stands flat, from its ankle, in metres."""

    under: float  # from the ankle down to the sole
    front: float  # to the tip of the toes or of the shoe
    rear: Array  # (3,) the end of the heel, in the ankle's frame


def foot_vertices(clip: Clip, ankle: int) -> Array | None:
    """The vertices (n, 3) that follow an ankle and what hangs from it, in the ankle's frame; None without a mesh.

    They are those of the rest pose.
    """
    body = own_body(clip)
    if body is None:
        return None
    skeleton = clip.skeleton
    follows = np.array(
        [joint == ankle or ankle in skeleton.ancestors(joint) for joint in range(len(skeleton))] + [False]
    )
    positions, rotations = Pose.rest(skeleton).world()
    found = []
    for skin in body.skins:
        for part in body.meshes[skin.mesh]:
            joints = np.asarray(skin.joints)[part.joints]  # -1 for what does not move
            some = np.sum(follows[joints] * part.weights, axis=1) > MIN_FOLLOWING_WEIGHT
            if some.any():
                matrices, joint, weight = skin.inverses[part.joints[some]], joints[some], part.weights[some]
                local = np.einsum("nkij,nj->nki", matrices[..., :3], part.positions[some]) + matrices[..., 3]
                world = positions[joint] + rotate(rotations[joint], local)
                found.append(np.sum(weight[..., None] * world, axis=1) / np.sum(weight, axis=1)[:, None])
    if sum(map(len, found)) < MIN_VERTICES:
        return None
    return rotate(inverse(rotations[ankle]), np.concatenate(found) - positions[ankle])


def foot_shape(clip: Clip, ankle: int, up: Array, forward: Array, leg: float) -> FootShape | None:
    """The shape of the mesh that follows an ankle; None without one.

    up, forward: (3,) directions in the ankle's frame when the foot stands flat. leg: the leg's length in metres.
    """
    vertices = foot_vertices(clip, ankle)
    if vertices is None:
        return None
    heights, ahead = vertices @ up, vertices @ forward
    low = heights < heights.min() + MAX_SHOE_HEIGHT_LEG_LENGTHS * leg
    return FootShape(-float(heights.min()), float(ahead[low].max()), vertices[low][np.argmin(ahead[low])])
