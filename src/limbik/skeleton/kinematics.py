"""Forward kinematics: from each joint's place in its parent's frame to its place in the world."""

from __future__ import annotations

import numpy as np

from limbik.skeleton.rotations import Array, multiply, rotate, to_matrices


def forward(parents: Array, rotations: Array, translations: Array, scales: Array | None) -> tuple[Array, Array]:
    """World positions (..., joints, 3) and rotations (..., joints, 4) from local ones.

    Scales are a parent's business: they stretch what hangs from it, and a child of a joint that is stretched unevenly
    is sheared, as in glTF. World rotations leave scales out.
    """
    joints = len(parents)
    world = np.array(np.broadcast_to(rotations, (*rotations.shape[:-2], joints, 4)))
    positions = np.array(np.broadcast_to(translations, (*world.shape[:-1], 3)))
    frames = None if scales is None else np.empty((*world.shape[:-1], 3, 3))
    for joint in range(joints):
        parent = parents[joint]
        if parent >= 0:
            turn = world[..., parent, :]
            world[..., joint, :] = multiply(turn, rotations[..., joint, :])
            offset = translations[..., joint, :]
            moved = rotate(turn, offset) if frames is None else (frames[..., parent, :, :] @ offset[..., None])[..., 0]
            positions[..., joint, :] = positions[..., parent, :] + moved
        if frames is not None and scales is not None:
            own = to_matrices(rotations[..., joint, :]) * scales[..., joint, None, :]
            frames[..., joint, :, :] = own if parent < 0 else frames[..., parent, :, :] @ own
    return positions, world
