"""FABRIK and CCD as published, for many targets at once: what chains are compared with. No code of limbik's.

A. Aristidou and J. Lasenby, FABRIK: A fast, iterative solver for the inverse kinematics problem, Graphical Models 73
(2011). L.-C. T. Wang and C. C. Chen, A combined optimization method for solving the inverse kinematics problem of
mechanical manipulators, IEEE Transactions on Robotics and Automation 7 (1991).
"""

import numpy as np


def fabrik(joints, target, tolerance=1e-3, most=100):
    """Joints (rows, N + 1, 3) whose tips are at targets (rows, 3), and the number of iterations of each row."""
    joints = np.array(joints, float)
    lengths = np.linalg.norm(np.diff(joints, axis=1), axis=-1)
    total = lengths.sum(-1)
    root = joints[:, 0].copy()
    links = lengths.shape[1]
    steps = np.zeros(len(joints), int)
    away = target - root
    far = np.linalg.norm(away, axis=-1) > total
    straight = away[far] / np.linalg.norm(away[far], axis=-1, keepdims=True)
    joints[far, 1:] = root[far, None] + np.cumsum(lengths[far], -1)[..., None] * straight[:, None]
    active = ~far
    for _ in range(most):
        miss = np.linalg.norm(joints[:, -1] - target, axis=-1)
        active &= miss > tolerance * total
        if not active.any():
            break
        steps[active] += 1
        p, d = joints[active], lengths[active]
        p[:, -1] = target[active]
        for k in range(links - 1, -1, -1):  # forward reaching
            p[:, k] = _at(p[:, k + 1], p[:, k], d[:, k])
        p[:, 0] = root[active]
        for k in range(links):  # backward reaching
            p[:, k + 1] = _at(p[:, k], p[:, k + 1], d[:, k])
        joints[active] = p
    return joints, steps


def _at(start, toward, distance):
    way = toward - start
    size = np.linalg.norm(way, axis=-1, keepdims=True)
    return start + way / np.maximum(size, 1e-300) * distance[:, None]


def ccd(joints, target, tolerance=1e-3, most=100):
    """As `fabrik`: from the last joint to the first, each turns the tip towards the target."""
    joints = np.array(joints, float)
    total = np.linalg.norm(np.diff(joints, axis=1), axis=-1).sum(-1)
    steps = np.zeros(len(joints), int)
    active = np.ones(len(joints), bool)
    for _ in range(most):
        active &= np.linalg.norm(joints[:, -1] - target, axis=-1) > tolerance * total
        if not active.any():
            break
        steps[active] += 1
        p, goal = joints[active], target[active]
        for k in range(p.shape[1] - 2, -1, -1):
            tip, way = p[:, -1] - p[:, k], goal - p[:, k]
            p[:, k + 1 :] = p[:, k, None] + _turned(p[:, k + 1 :] - p[:, k, None], tip, way)
        joints[active] = p
    return joints, steps


def _turned(vectors, old, new):
    """Vectors (rows, n, 3) turned by the rotations that take directions to others (Rodrigues)."""
    old, new = (one / np.maximum(np.linalg.norm(one, axis=-1, keepdims=True), 1e-300) for one in (old, new))
    axis = np.cross(old, new)
    sine, cosine = np.linalg.norm(axis, axis=-1), np.sum(old * new, axis=-1)
    axis = (axis / np.maximum(sine, 1e-300)[:, None])[:, None]
    along = np.sum(vectors * axis, -1, keepdims=True) * axis
    sine, cosine = sine[:, None, None], cosine[:, None, None]
    return vectors * cosine + np.cross(axis, vectors) * sine + along * (1 - cosine)
