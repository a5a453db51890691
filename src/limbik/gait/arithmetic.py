"""Small formulas that the stages share."""

from __future__ import annotations

from math import pi

from limbik.formulas.elementary import approach, smoothstep
from limbik.formulas.operations import Boolean, Pair, Real, Vector, floor, maximum, minimum, sqrt, where
from limbik.formulas.vectors import dot, scale

TINY = 1e-9  # the least of what is divided by: metres, or metres per second


def opposite(condition: Boolean) -> Boolean:
    """Whether a condition does not hold."""
    return where(condition, 0.0, 1.0) > 0.5


def truth(value: Boolean) -> Real:
    """1 where a condition holds, else 0."""
    return where(value, 1.0, 0.0)


def either(condition: Boolean, yes: Pair, no: Pair) -> Pair:
    """One pair, or another."""
    return where(condition, yes[0], no[0]), where(condition, yes[1], no[1])


def seen_from(sine: Real, cosine: Real, x: Real, z: Real) -> Pair:
    """A vector of the world to the left and ahead of something whose yaw has that sine and cosine."""
    return x * cosine - z * sine, x * sine + z * cosine


def in_world(sine: Real, cosine: Real, left: Real, ahead: Real) -> Pair:
    """The opposite: x and z of a vector to the left and ahead."""
    return left * cosine + ahead * sine, ahead * cosine - left * sine


def clamped(value: Real, low: Real, high: Real) -> Real:
    """A value within bounds."""
    return minimum(maximum(value, low), high)


def eased(t: Real) -> Real:
    """From 0 to 1, level at both ends, as t goes from 0 to 1."""
    return smoothstep(clamped(t, 0.0, 1.0))


def wrapped(angle: Real) -> Real:
    """An angle within half a turn; half a turn is one to the left."""
    return angle + (2.0 * pi) * floor(0.5 - angle * (0.5 / pi))


def fading(rate: Real, seconds: Real) -> Real:
    """What is left of a gap after some seconds, closed at a rate: e^(-rate·seconds), alike in all languages."""
    return 1.0 - approach(rate * seconds)


def length_of(x: Real, z: Real) -> Real:
    """The length of a vector along the ground."""
    return sqrt(x * x + z * z)


def unit(v: Vector, floor_square: float = 1e-30) -> Vector:
    """A vector of length 1, for vectors that are neither huge nor tiny."""
    square = dot(v, v)
    return scale(1.0 / sqrt(square + floor_square if floor_square else square), v)
