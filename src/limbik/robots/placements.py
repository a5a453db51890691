"""Positions and rotations of a robot's file on plain numbers, one element at a time; quaternions are xyzw."""

from __future__ import annotations

from math import atan2, cos, hypot, sin, sqrt
from typing import Any, NamedTuple

from limbik.formulas import quaternions, vectors

Vector3 = tuple[float, ...]
Quaternion4 = tuple[float, ...]  # xyzw
ZERO: Vector3 = (0.0, 0.0, 0.0)
NO_ROTATION: Quaternion4 = (0.0, 0.0, 0.0, 1.0)
MIN_DIRECTION_LENGTH = 1e-14  # shorter vectors have no direction, as in MuJoCo


class Placement(NamedTuple):
    """A position and a rotation in a parent's frame."""

    position: Vector3 = ZERO
    rotation: Quaternion4 = NO_ROTATION


def unit(v: tuple[float, ...]) -> tuple[float, ...] | None:
    """The vector or quaternion with length 1; None where it has no direction."""
    length = hypot(*v)
    return tuple(part / length for part in v) if length > MIN_DIRECTION_LENGTH else None


def multiply(p: Quaternion4, q: Quaternion4) -> Quaternion4:
    """The product p·q."""
    product: Any = quaternions.multiply(p, q)  # type: ignore[arg-type]
    return product


def rotate(q: Quaternion4, v: Vector3) -> Vector3:
    """The rotated vector."""
    turned: Any = quaternions.rotate(q, v)  # type: ignore[arg-type]
    return turned


def compose(outer: Placement, inner: Placement) -> Placement:
    """The placement `inner`, given in the frame of `outer`, in the frame in which `outer` is given."""
    moved = rotate(outer.rotation, inner.position)
    position = tuple(a + b for a, b in zip(outer.position, moved, strict=True))
    return Placement(position, multiply(outer.rotation, inner.rotation))


def invert(placement: Placement) -> Placement:
    """The placement of the parent's frame in the frame that is placed."""
    x, y, z, w = placement.rotation
    back = (-x, -y, -z, w)
    return Placement(tuple(-part for part in rotate(back, placement.position)), back)


def about(axis: Vector3, angle: float) -> Quaternion4:
    """The rotation about a unit vector, right-handed; radians."""
    sine = sin(0.5 * angle)
    return (*(sine * part for part in axis), cos(0.5 * angle))


def from_sequence(sequence: str, angles: tuple[float, ...]) -> Quaternion4:
    """Three rotations, radians, about "x", "y" or "z": lower case turns with the frame, upper case stays fixed."""
    rotation = NO_ROTATION
    for letter, angle in zip(sequence, angles, strict=True):
        turn = about(tuple(float(letter.lower() == axis) for axis in "xyz"), angle)
        rotation = multiply(rotation, turn) if letter.islower() else multiply(turn, rotation)
    return rotation


def from_z_axis(direction: Vector3) -> Quaternion4 | None:
    """The shortest rotation that takes +z to a direction; None for a zero vector."""
    axis = unit(direction)
    if axis is None:
        return None
    x, y, z = axis
    across = unit((-y, x, 0.0)) or (1.0, 0.0, 0.0)
    return about(across, atan2(hypot(x, y), z))


def from_xy_axes(numbers: tuple[float, ...]) -> Quaternion4 | None:
    """The rotation to an x axis (first three numbers) and a y axis, made perpendicular to it; None where parallel."""
    x = unit(numbers[:3])
    if x is None:
        return None
    y = numbers[3:]
    along = sum(a * b for a, b in zip(x, y, strict=True))
    y = unit(tuple(b - along * a for a, b in zip(x, y, strict=True)))
    if y is None:
        return None
    z: Any = vectors.cross(x, y)  # type: ignore[arg-type]
    return _from_axes(x, y, z)


def _from_axes(x: Vector3, y: Vector3, z: Vector3) -> Quaternion4:
    """The rotation to three orthonormal axes, by its largest component."""
    squares = (
        1.0 + x[0] - y[1] - z[2],
        1.0 - x[0] + y[1] - z[2],
        1.0 - x[0] - y[1] + z[2],
        1.0 + x[0] + y[1] + z[2],
    )
    rows = (
        (squares[0], x[1] + y[0], z[0] + x[2], y[2] - z[1]),
        (x[1] + y[0], squares[1], y[2] + z[1], z[0] - x[2]),
        (z[0] + x[2], y[2] + z[1], squares[2], x[1] - y[0]),
        (y[2] - z[1], z[0] - x[2], x[1] - y[0], squares[3]),
    )
    best = max(range(4), key=squares.__getitem__)
    factor = 0.5 / sqrt(squares[best])
    found = unit(tuple(part * factor for part in rows[best]))
    return found or NO_ROTATION
