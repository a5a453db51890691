"""Judges the angles of robot limbs: a forward kinematics that shares nothing with limbik's, compiled, for many rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from limbik.robots.screws import ScrewChain

Array = np.ndarray[Any, Any]


def forward(chain: ScrewChain, angles: Array) -> tuple[Array, Array]:
    """The tip's position (rows, 3) and rotation matrix (rows, 3, 3) for angles (rows, n)."""
    position, matrix = np.empty((len(angles), 3)), np.empty((len(angles), 3, 3))
    _forward(chain.axes, chain.points, chain.position, _matrix(chain.rotation), angles, position, matrix)
    return position, matrix


def errors(chain: ScrewChain, angles: Array, position: Array, matrix: Array, oriented: bool) -> Array:
    """How far the tip is from its target, (rows,): metres, or radians where that is more and `oriented`."""
    there, turned = forward(chain, angles)
    miss = np.linalg.norm(there - position, axis=1)
    # Of two rotations whose matrices differ by little, that difference is √2 of the angle.
    return np.maximum(miss, np.sqrt(0.5 * np.sum((turned - matrix) ** 2, axis=(1, 2)))) if oriented else miss


def quaternions(matrix: Array) -> Array:
    """Quaternions xyzw of rotation matrices, (rows, 4)."""
    from scipy.spatial.transform import Rotation

    return Rotation.from_matrix(matrix).as_quat()


def _matrix(q: Array) -> Array:
    x, y, z, w = q / np.linalg.norm(q)
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * skew + 2 * skew @ skew


@njit(cache=False)
def _forward(
    axes: Array, points: Array, tip: Array, home: Array, angles: Array, position: Array, matrix: Array
) -> None:
    """Joint after joint from the tip to the base: each turns what comes after it about its axis (Rodrigues)."""
    for row in range(len(angles)):
        frame = np.empty((4, 3))  # the tip's position, and its three axes
        frame[0] = tip
        for k in range(3):
            frame[k + 1] = home[:, k]
        for joint in range(len(axes) - 1, -1, -1):
            a, b, c = axes[joint]
            cosine, sine = np.cos(angles[row, joint]), np.sin(angles[row, joint])
            for k in range(4):
                shift = 1.0 if k == 0 else 0.0
                x = frame[k, 0] - shift * points[joint, 0]
                y = frame[k, 1] - shift * points[joint, 1]
                z = frame[k, 2] - shift * points[joint, 2]
                along = (1.0 - cosine) * (a * x + b * y + c * z)
                frame[k, 0] = cosine * x + sine * (b * z - c * y) + along * a + shift * points[joint, 0]
                frame[k, 1] = cosine * y + sine * (c * x - a * z) + along * b + shift * points[joint, 1]
                frame[k, 2] = cosine * z + sine * (a * y - b * x) + along * c + shift * points[joint, 2]
        for k in range(3):
            position[row, k] = frame[0, k]
            for axis in range(3):
                matrix[row, k, axis] = frame[axis + 1, k]
