"""Rotations as arrays of unit quaternions, (..., 4) in xyzw order; every function broadcasts over leading axes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, ParamSpec

import numpy as np

from limbik.arguments import shown
from limbik.arrays import Array
from limbik.engines import numpy_engine
from limbik.engines.trace import record
from limbik.errors import ArgumentError
from limbik.formulas import quaternions, vectors

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["IDENTITY", "about", "from_matrices", "inverse", "multiply", "rotate", "slerp", "to_matrices"]

P = ParamSpec("P")
IDENTITY = np.array([0.0, 0.0, 0.0, 1.0])
IDENTITY.flags.writeable = False


def _check_arguments(function: Callable[P, Array]) -> Callable[P, Array]:
    """A function that takes anything array-like, and raises an ArgumentError where shapes or types do not fit."""

    @wraps(function)
    def checking(*args: P.args, **options: P.kwargs) -> Array:
        try:
            called: Any = function
            return called(*map(np.asarray, args), **{name: np.asarray(value) for name, value in options.items()})
        except (ValueError, TypeError, IndexError):
            passed = ", ".join(map(shown, (*args, *options.values())))
            wanted = "arrays whose trailing axes are as documented and whose leading axes broadcast"
            raise ArgumentError(f"rotations.{function.__name__}", passed, wanted) from None

    return checking


def components(array: ArrayLike) -> Any:
    """The trailing axis as a tuple: formulas take vectors and quaternions in this form."""
    values = np.asarray(array)
    return tuple(values[..., k] for k in range(values.shape[-1]))  # faster than np.moveaxis


def _stack_components(parts: Any) -> Array:
    """The inverse of `components`, for arrays of one shape; less to do than in np.stack."""
    joined = np.empty((*parts[0].shape, len(parts)), parts[0].dtype)
    for k, part in enumerate(parts):
        joined[..., k] = part
    return joined


@_check_arguments
def multiply(p: ArrayLike, q: ArrayLike) -> Array:
    """The product p·q: rotates by q first, then by p.

    Args:
        p, q: (..., 4) unit quaternions, xyzw.

    Returns:
        (..., 4) unit quaternions, xyzw.

    Raises:
        ArgumentError: Shapes do not fit.
    """
    return _stack_components(quaternions.multiply(components(p), components(q)))


@_check_arguments
def inverse(q: ArrayLike) -> Array:
    """The inverse rotations.

    Args:
        q: (..., 4) unit quaternions, xyzw.

    Returns:
        (..., 4) unit quaternions, xyzw.

    Raises:
        ArgumentError: The shape does not fit.
    """
    return np.asarray(q) * np.array([-1.0, -1.0, -1.0, 1.0])


@_check_arguments
def rotate(q: ArrayLike, v: ArrayLike) -> Array:
    """Rotates vectors.

    Args:
        q: (..., 4) unit quaternions, xyzw.
        v: (..., 3) vectors.

    Returns:
        (..., 3) the rotated vectors.

    Raises:
        ArgumentError: Shapes do not fit.
    """
    return _stack_components(quaternions.rotate(components(q), components(v)))


def normalized(v: Array) -> Array:
    """Unit vectors or quaternions; zero vectors stay zero."""
    length = np.sqrt(np.einsum("...i,...i", v, v))[..., None]  # less to do than in np.linalg.norm
    return v / np.where(length > 0.0, length, 1.0)


def reject(v: Array, axis: Array) -> Array:
    """The parts of vectors (..., 3) perpendicular to unit axes (..., 3)."""
    return _stack_components(vectors.reject(components(v), components(axis)))


def continuous(q: Array) -> Array:
    """Rotations with signs chosen so that neighbours along axis 0 lie in one hemisphere."""
    flips = np.sum(q[1:] * q[:-1], axis=-1) < 0.0
    signs = np.where(np.logical_xor.accumulate(flips, axis=0), -1.0, 1.0)
    return np.concatenate([q[:1], q[1:] * signs[..., None]])


@_check_arguments
def slerp(p: ArrayLike, q: ArrayLike, t: ArrayLike) -> Array:
    """Spherical linear interpolation along the shorter arc.

    Args:
        p: (..., 4) unit quaternions, xyzw, at t = 0.
        q: (..., 4) unit quaternions, xyzw, at t = 1.
        t: (...) fractions of the way.

    Returns:
        (..., 4) unit quaternions, xyzw.

    Raises:
        ArgumentError: Shapes do not fit.
    """
    p, q, t = np.asarray(p), np.asarray(q), np.asarray(t)[..., None]
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


@_check_arguments
def from_matrices(m: ArrayLike) -> Array:
    """Quaternions of rotation matrices.

    Args:
        m: (..., 3, 3) rotation matrices, whose columns are the rotated axes.

    Returns:
        (..., 4) unit quaternions, xyzw.

    Raises:
        ArgumentError: The shape does not fit.
    """
    columns = np.moveaxis(np.asarray(m), (-1, -2), (0, 1))
    return normalized(np.moveaxis(from_axes(*columns), 0, -1))


@_check_arguments
def to_matrices(q: ArrayLike) -> Array:
    """Rotation matrices of quaternions.

    Args:
        q: (..., 4) unit quaternions, xyzw.

    Returns:
        (..., 3, 3) matrices, whose columns are the rotated axes.

    Raises:
        ArgumentError: The shape does not fit.
    """
    return np.stack([rotate(q, axis) for axis in np.eye(3)], axis=-1)


@_check_arguments
def about(axis: ArrayLike, angle: ArrayLike) -> Array:
    """Rotations about axes.

    Args:
        axis: (..., 3) unit vectors.
        angle: (...) angles, radians, right-handed.

    Returns:
        (..., 4) unit quaternions, xyzw.

    Raises:
        ArgumentError: Shapes do not fit.
    """
    half = 0.5 * np.asarray(angle, dtype=float)
    turned = np.asarray(axis, dtype=float) * np.sin(half)[..., None]
    result = np.empty((*turned.shape[:-1], 4))
    result[..., :3], result[..., 3] = turned, np.cos(half)
    return result


def logarithm(q: Array) -> Array:
    """Rotation vectors (..., 3), radians, of rotations (..., 4), along the shorter arc."""
    q = np.where(q[..., 3:] < 0.0, -q, q)
    sine = np.linalg.norm(q[..., :3], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(sine, q[..., 3:])
    return q[..., :3] * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 2.0)


def exponential(v: Array) -> Array:
    """Rotations (..., 4) of rotation vectors (..., 3), radians."""
    return about(normalized(v), np.linalg.norm(v, axis=-1))


def from_euler(order: str, angles: Array) -> Array:
    """Rotations about a frame's own axes one after the other, in an order of three different axes such as "zyx".

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
    """The angles (..., 3), radians, of `from_euler` for rotations (..., 4).

    Where the middle angle is a right angle (gimbal lock) the last angle is taken as zero.
    """
    i, j, k = ("xyz".index(letter) for letter in order)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    m = to_matrices(q)
    cosine = np.hypot(m[..., i, i], m[..., i, j])
    middle = np.arctan2(sign * m[..., i, k], cosine)
    locked = cosine < 1e-7
    turned = np.arctan2(sign * m[..., k, j], m[..., j, j])
    first = np.where(locked, turned, np.arctan2(-sign * m[..., j, k], m[..., k, k]))
    last = np.where(locked, 0.0, np.arctan2(-sign * m[..., i, j], m[..., i, i]))
    return np.stack([first, middle, last], axis=-1)


def shortest_arc(a: Array, b: Array, spare: Array) -> Array:
    """The rotations that take directions a (..., 3) to b about the axis perpendicular to both.

    For opposite directions the axis is the part of `spare` (..., 3), a direction, that is perpendicular to a.
    """
    a, b = normalized(a), normalized(b)
    cosine = np.sum(a * b, axis=-1, keepdims=True)
    axis = np.cross(a, b)
    square = normalized(reject(spare, a))
    opposite = cosine < -1.0 + 1e-14
    q = np.concatenate([np.where(opposite, square, axis), np.where(opposite, 0.0, 1.0 + cosine)], axis=-1)
    return normalized(q)
