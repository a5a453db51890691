"""Rotations as arrays of unit quaternions, (..., 4) in xyzw order; every function broadcasts over leading axes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from limbik.arrays import Array
from limbik.engines import numpy_engine
from limbik.engines.trace import record
from limbik.formulas import quaternions, vectors

IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])
IDENTITY.flags.writeable = False


def components(array: Array) -> Any:
    """The trailing axis as a tuple, the form in which formulas take vectors and quaternions."""
    return tuple(np.moveaxis(array, -1, 0))


def multiply(p: Array, q: Array) -> Array:
    """The product p·q, (..., 4): q in p's frame, or first q, then p, in the world's."""
    product: Any = quaternions.multiply(components(p), components(q))
    return np.stack(product, axis=-1)


def inverse(q: Array) -> Array:
    """The rotation back, (..., 4); q has unit length."""
    return q * np.array([-1.0, -1.0, -1.0, 1.0])


def rotate(q: Array, v: Array) -> Array:
    """Vectors (..., 3) turned by rotations (..., 4)."""
    turned: Any = quaternions.rotate(components(q), components(v))
    return np.stack(turned, axis=-1)


def normalized(v: Array) -> Array:
    """Vectors, or quaternions, of length one; a zero vector stays zero."""
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    return v / np.where(length > 0.0, length, 1.0)


def reject(v: Array, axis: Array) -> Array:
    """The parts of vectors (..., 3) perpendicular to unit axes (..., 3)."""
    part: Any = vectors.reject(components(v), components(axis))
    return np.stack(part, axis=-1)


def continuous(q: Array) -> Array:
    """The same rotations with signs chosen so that neighbours along axis 0 lie in one hemisphere."""
    flips = np.sum(q[1:] * q[:-1], axis=-1) < 0.0
    signs = np.where(np.logical_xor.accumulate(flips, axis=0), -1.0, 1.0)
    return np.concatenate([q[:1], q[1:] * signs[..., None]])


def slerp(p: Array, q: Array, t: Any) -> Array:
    """The rotation at fraction t (...) of the shorter arc from p to q."""
    t = np.asarray(t)[..., None]
    cosine = np.sum(p * q, axis=-1, keepdims=True)
    q = np.where(cosine < 0.0, -q, q)
    angle = 2.0 * np.arctan2(np.linalg.norm(q - p, axis=-1), np.linalg.norm(q + p, axis=-1))[..., None]
    sine = np.sin(angle)
    tiny = sine < 1e-9
    safe = np.where(tiny, 1.0, sine)
    before = np.where(tiny, 1.0 - t, np.sin((1.0 - t) * angle) / safe)
    after = np.where(tiny, t, np.sin(t * angle) / safe)
    return normalized(before * p + after * q)


@cache
def _axes_function() -> Any:
    trace = record(quaternions.from_axes, {"x": 3, "y": 3, "z": 3}, {}, rare=True)
    return numpy_engine.function(trace, np.dtype(np.float64), None)


def from_axes(x: Array, y: Array, z: Array) -> Array:
    """The rotations that take the world's axes to orthonormal ones x, y and z.

    Components come first, for speed: the axes are (3, ...), the result is (4, ...), xyzw.
    """
    return np.array(_axes_function()(*x, *y, *z))


def from_matrices(m: Array) -> Array:
    """Quaternions (..., 4) of rotation matrices (..., 3, 3) that take columns from the local frame to the world."""
    columns = np.moveaxis(m, (-1, -2), (0, 1))
    return normalized(np.moveaxis(from_axes(*columns), 0, -1))


def to_matrices(q: Array) -> Array:
    """Rotation matrices (..., 3, 3) whose columns are the turned axes."""
    return np.stack([rotate(q, axis) for axis in np.eye(3)], axis=-1)


def about(axis: Any, angle: Any) -> Array:
    """Turns by angles (...), in radians, about unit axes (..., 3)."""
    half = 0.5 * np.asarray(angle, dtype=float)[..., None]
    axis = np.asarray(axis, dtype=float)
    shape = np.broadcast_shapes(half.shape[:-1], axis.shape[:-1])
    parts = np.broadcast_to(axis * np.sin(half), (*shape, 3)), np.broadcast_to(np.cos(half), (*shape, 1))
    return np.concatenate(parts, axis=-1)


def logarithm(q: Array) -> Array:
    """Rotation vectors (..., 3), radians, of turns (..., 4), by the shorter way."""
    q = np.where(q[..., 3:] < 0.0, -q, q)
    sine = np.linalg.norm(q[..., :3], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., 3:])
    return q[..., :3] * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 2.0)


def exponential(v: Array) -> Array:
    """Turns (..., 4) of rotation vectors (..., 3)."""
    return about(normalized(v), np.linalg.norm(v, axis=-1))


def from_euler(order: str, angles: Array) -> Array:
    """Turns about a frame's own axes one after the other: an order of three different ones, such as "zyx".

    angles: (3, ...), radians, in that order. Components come first, for speed: the result is (4, ...), xyzw.
    """
    (a, b, c), (u, v, w) = np.sin(0.5 * angles), np.cos(0.5 * angles)
    i, j, k = ("xyz".index(axis) for axis in order)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0  # an even order of axes, or an odd one
    av, bu, uv, ab, last = a * v, b * u, u * v, sign * a * b, sign * c
    q = np.empty((4, *a.shape))
    q[i] = av * w + bu * last
    q[j] = bu * w - av * last
    q[k] = uv * c + ab * w
    q[3] = uv * w - ab * c
    return q


def to_euler(order: str, q: Array) -> Array:
    """Angles (..., 3), in radians, of `from_euler`'s turns, of rotations (..., 4).

    Where the middle angle is a right angle (gimbal lock) the last angle is taken as zero.
    """
    i, j, k = ("xyz".index(letter) for letter in order)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    m = to_matrices(q)
    cosine = np.hypot(m[..., i, i], m[..., i, j])
    middle = np.arctan2(sign * m[..., i, k], cosine)
    locked = cosine < 1e-7
    first = np.where(
        locked,
        np.arctan2(sign * m[..., k, j], m[..., j, j]),
        np.arctan2(-sign * m[..., j, k], m[..., k, k]),
    )
    last = np.where(locked, 0.0, np.arctan2(-sign * m[..., i, j], m[..., i, i]))
    return np.stack([first, middle, last], axis=-1)


def shortest_arc(a: Array, b: Array, spare: Array) -> Array:
    """The turn that takes directions a (..., 3) to b about the axis square to both.

    Where they are opposite that axis is free, and `spare` (..., 3), a direction, is turned about as far as it is square
    to a.
    """
    a, b = normalized(a), normalized(b)
    cosine = np.sum(a * b, axis=-1, keepdims=True)
    axis = np.cross(a, b)
    square = normalized(reject(spare, a))
    opposite = cosine < -1.0 + 1e-14
    q = np.concatenate([np.where(opposite, square, axis), np.where(opposite, 0.0, 1.0 + cosine)], axis=-1)
    return normalized(q)
