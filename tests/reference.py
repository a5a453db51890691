"""An independent reference: SciPy's rotations and plain vector algebra. Shares no code with limbik's formulas."""

import numpy as np
from scipy.spatial.transform import Rotation

TOLERANCE = {"float64": 1e-12, "float32": 2e-6}  # of the limb's reach


def random_directions(rng, *shape):
    vectors = rng.normal(size=(*shape, 3))
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def chain_joints(lengths, angles, origin=(0.0, 0.0, 0.0), lean=None):
    """Joints of the chain Ry Rz Rx (Rx ...) of +z links, by SciPy; `lean` turns the last link about its own y."""
    angles = np.asarray(angles, float)
    flat = angles.reshape(-1, angles.shape[-1])
    turn = Rotation.from_euler("YZX", flat[:, :3])
    joints = [np.broadcast_to(np.asarray(origin, float), (*angles.shape[:-1], 3)).reshape(-1, 3)]
    lengths = np.broadcast_to(np.asarray(lengths, float), (len(flat), np.shape(lengths)[-1]))
    for k in range(lengths.shape[1]):
        if k > 0:
            turn = turn * Rotation.from_euler("X", flat[:, [2 + k]])
        if lean is not None and k == lengths.shape[1] - 1:
            turn = turn * Rotation.from_euler("Y", np.broadcast_to(lean, angles.shape[:-1]).reshape(-1, 1))
        joints.append(joints[-1] + turn.apply([0, 0, 1.0]) * lengths[:, [k]])
    return np.stack(joints, 1).reshape(*angles.shape[:-1], lengths.shape[1] + 1, 3)


def planar_joints(lengths, angles, origin=(0.0, 0.0)):
    angles = np.cumsum(np.asarray(angles, float), -1)
    steps = np.stack([np.cos(angles), np.sin(angles)], -1) * np.asarray(lengths, float)[..., None]
    start = np.broadcast_to(np.asarray(origin, float), (*angles.shape[:-1], 2))[..., None, :]
    return np.concatenate([start, start + np.cumsum(steps, -2)], -2)


def link_lengths(joints):
    return np.linalg.norm(np.diff(np.asarray(joints, float), axis=-2), axis=-1)


def turn(rotations, vector):
    """Vectors turned by quaternions (..., 4), xyzw."""
    q = np.asarray(rotations, float)
    vectors = np.tile(np.asarray(vector, float), (q.size // 4, 1))
    return Rotation.from_quat(q.reshape(-1, 4)).apply(vectors).reshape(*q.shape[:-1], 3)


def angle_between(a, b):
    return np.arctan2(np.linalg.norm(np.cross(a, b), axis=-1), np.sum(a * b, -1))
