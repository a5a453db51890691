"""Vectors of three components: the algebra that the limbs need, safe from overflow down to subnormal numbers."""

from typing import TypeVar

from limbik.formulas.operations import (
    EPSILON,
    GROW,
    LARGE_SQUARE,
    NAN,
    SHRINK,
    SMALL_SQUARE,
    Boolean,
    Real,
    Vector,
    absolute,
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


def choose(condition: Boolean, a: Vector, b: Vector) -> Vector:
    """`a` where the condition holds, else `b`."""
    ax, ay, az = a
    bx, by, bz = b
    return where(condition, ax, bx), where(condition, ay, by), where(condition, az, bz)


def not_finite(a: Vector) -> Boolean:
    """Whether any component is NaN or infinite."""
    ax, ay, az = a
    return ax * 0.0 + ay * 0.0 + az * 0.0 != 0.0


def nan_where(invalid: Boolean, value: Numbers) -> Numbers:
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


def length(a: Vector) -> Real:
    """The length of `a`, as that of `unit`. Zero is no rare case: it is how far something turned that stands still."""
    x, y, z = a
    square = x * x + y * y + z * z
    if rare_case(outside(square, SMALL_SQUARE, LARGE_SQUARE) & (absolute(x) + absolute(y) + absolute(z) != 0.0)):
        return unit(a)[1]
    return sqrt(square)


def _unit_level(x: Real, z: Real) -> tuple[Real, Real, Real]:
    """Direction and length of (x, z), part of a unit vector: as `unit`, but squares cannot overflow."""
    square = x * x + z * z
    if rare_case(square < SMALL_SQUARE):
        factor = barrier(where(square < SMALL_SQUARE, GROW, 1.0))
        x = x * factor
        z = z * factor
        length = sqrt(x * x + z * z)
        inverse = 1.0 / where(length > 0.0, length, 1.0)
        return x * inverse, z * inverse, length / factor
    length = sqrt(square)
    inverse = 1.0 / length
    return x * inverse, z * inverse, length


def upward_normal(axis: Vector) -> Vector:
    """The unit vector perpendicular to the unit `axis` that points most upward (+y); +z where the axis is vertical."""
    x, y, z = axis
    along_x, along_z, level = _unit_level(x, z)
    if rare_case():  # covered by the condition of `_unit_level`
        vertical = level == 0.0
        return where(vertical, 0.0, -y * along_x), level, where(vertical, 1.0, -y * along_z)
    return -y * along_x, level, -y * along_z


def reject(a: Vector, axis: Vector) -> Vector:
    """The part of `a` perpendicular to the unit `axis`.

    Computed twice: where `a` is nearly parallel to the axis, rounding in the first pass would tilt the small remainder.
    """
    b = along(a, -dot(a, axis), axis)
    return along(b, -dot(b, axis), axis)


def perpendicular_toward(axis: Vector, preferred: Vector) -> tuple[Vector, Boolean]:
    """The unit vector perpendicular to the unit `axis` and nearest to `preferred`, and where it is undetermined.

    It is undetermined where `preferred` is zero or parallel to the axis to within rounding; `upward_normal(axis)` is
    returned there.
    """
    direction, _ = unit(preferred)
    rx, ry, rz = reject(direction, axis)
    x, y, z = barrier(rx), barrier(ry), barrier(rz)  # computed again, small differences would not be of unit length
    square = x * x + y * y + z * z
    if rare_case(square < 256.0 * EPSILON * EPSILON):
        free = square < 256.0 * EPSILON * EPSILON
        return _upward_or(free, axis, (x, y, z), square), free
    inverse = 1.0 / sqrt(square)
    return (x * inverse, y * inverse, z * inverse), False


def _upward_or(upward: Boolean, axis: Vector, a: Vector, square: Real) -> Vector:
    """`upward_normal(axis)` where that is wanted, else the direction of `a`, whose square is given.

    Only one of them is needed: they share the square root and the division, which take most of the time.
    """
    x, y, z = axis
    ax, ay, az = a
    small = x * x + z * z < SMALL_SQUARE
    factor = barrier(where(small, GROW, 1.0))
    x = x * factor
    z = z * factor
    length = sqrt(where(upward, x * x + z * z, square))
    vertical = length == 0.0
    inverse = 1.0 / where(vertical, 1.0, length)
    level = length * where(small, SHRINK, 1.0)
    return (
        where(upward, where(vertical, 0.0, -y * (x * inverse)), ax * inverse),
        where(upward, level, ay * inverse),
        where(upward, where(vertical, 1.0, -y * (z * inverse)), az * inverse),
    )
