"""Vectors of three components: the algebra that the limbs need, safe from overflow down to subnormal numbers."""

from typing import TypeVar

from limbik.formulas.operations import (
    EPSILON,
    GROW,
    LARGE_SQUARE,
    NAN,
    SHRINK,
    SMALL_SQUARE,
    Real,
    Truth,
    Vector,
    barrier,
    outside,
    rare_case,
    sqrt,
    where,
)

Numbers = TypeVar("Numbers")


def dot(a: Vector, b: Vector) -> Real:
    """Scalar product."""
    ax, ay, az = a
    bx, by, bz = b
    return ax * bx + ay * by + az * bz


def cross(a: Vector, b: Vector) -> Vector:
    """Right-handed vector product."""
    ax, ay, az = a
    bx, by, bz = b
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


def combine(p: Real, a: Vector, q: Real, b: Vector) -> Vector:
    """p·a + q·b."""
    ax, ay, az = a
    bx, by, bz = b
    return p * ax + q * bx, p * ay + q * by, p * az + q * bz


def along(start: Vector, distance: Real, direction: Vector) -> Vector:
    """Start + distance·direction."""
    sx, sy, sz = start
    dx, dy, dz = direction
    return sx + distance * dx, sy + distance * dy, sz + distance * dz


def scale(k: Real, a: Vector) -> Vector:
    """k·a."""
    ax, ay, az = a
    return k * ax, k * ay, k * az


def choose(condition: Truth, a: Vector, b: Vector) -> Vector:
    """`a` where the condition holds, else `b`."""
    ax, ay, az = a
    bx, by, bz = b
    return where(condition, ax, bx), where(condition, ay, by), where(condition, az, bz)


def not_finite(a: Vector) -> Truth:
    """Whether any component is NaN or infinite."""
    ax, ay, az = a
    return ax * 0.0 + ay * 0.0 + az * 0.0 != 0.0


def nan_where(invalid: Truth, value: Numbers) -> Numbers:
    """A number, or nested tuples of them, all NaN where the row is invalid."""
    if isinstance(value, tuple):
        return tuple(nan_where(invalid, part) for part in value)  # type: ignore[return-value]
    return where(invalid, NAN, value)  # type: ignore[return-value, arg-type]


def unit(a: Vector) -> tuple[Vector, Real]:
    """Direction and length of `a`; the zero vector has length 0 and direction (0, 0, 0).

    Its rare cases include a length of 0, NaN and infinity, so formulas that use it need not test for these.
    """
    x, y, z = a
    square = x * x + y * y + z * z
    if rare_case(outside(square, SMALL_SQUARE, LARGE_SQUARE)):
        large = square > LARGE_SQUARE
        small = square < SMALL_SQUARE
        factor = barrier(where(large, SHRINK, where(small, GROW, 1.0)))
        x = x * factor
        y = y * factor
        z = z * factor
        length = sqrt(x * x + y * y + z * z)
        inverse = 1.0 / where(length > 0.0, length, 1.0)
        length = length / factor
    else:
        length = sqrt(square)
        inverse = 1.0 / length
    return (x * inverse, y * inverse, z * inverse), length


def upward_normal(axis: Vector) -> Vector:
    """The unit vector perpendicular to the unit `axis` that points most upward (+y); +z where the axis is vertical."""
    x, y, z = axis
    (along_x, _, along_z), level = unit((x, 0.0, z))  # safe where the squares of x and z would underflow
    if rare_case():  # `unit` looks out for a length of 0
        vertical = level == 0.0
        return where(vertical, 0.0, -y * along_x), level, where(vertical, 1.0, -y * along_z)
    return -y * along_x, level, -y * along_z


def reject(a: Vector, axis: Vector) -> Vector:
    """The part of `a` perpendicular to the unit `axis`.

    Computed twice: where `a` is nearly parallel to the axis, rounding in the first pass would tilt the small remainder.
    """
    b = along(a, -dot(a, axis), axis)
    return along(b, -dot(b, axis), axis)


def perpendicular_toward(axis: Vector, preferred: Vector) -> tuple[Vector, Truth]:
    """The unit vector perpendicular to the unit `axis` and nearest to `preferred`, and where it is undetermined.

    It is undetermined where `preferred` is zero or parallel to the axis to within rounding; `upward_normal(axis)` is
    returned there.
    """
    direction, _ = unit(preferred)
    side, size = unit(reject(direction, axis))
    free: Truth = False
    if rare_case(size < 16.0 * EPSILON):
        free = size < 16.0 * EPSILON
        side = choose(free, upward_normal(axis), side)
    return side, free
