"""Subproblems 1, 3 and 4 of Paden and Kahan: one turn about a known axis, in the least-squares forms of Elias and Wen.

A turn is the pair (cosine, sine) of its angle, so nothing here needs a transcendental function. Subproblem 2, two turns
that bring one vector onto another, is subproblem 4 followed by subproblem 1.
"""

from limbik.formulas.operations import SMALL_SQUARE, Real, Vector, maximum, minimum, sqrt, where
from limbik.formulas.vectors import along, combine, cross, dot

Turn = tuple[Real, Real]  # cosine and sine


def turn_vector(axis: Vector, turn: Turn, v: Vector) -> Vector:
    """The vector turned about the unit axis."""
    c, s = turn
    x, y, z = combine(c, v, s, cross(axis, v))
    return along((x, y, z), (1.0 - c) * dot(axis, v), axis)


def turn_vector_z(turn: Turn, v: Vector) -> Vector:
    """The vector turned about the z axis."""
    c, s = turn
    x, y, z = v
    return c * x - s * y, s * x + c * y, z


def inverse_turn(turn: Turn) -> Turn:
    """The turn back."""
    c, s = turn
    return c, -s


def compose_turns(first: Turn, second: Turn) -> Turn:
    """Two turns about one axis, one after the other."""
    c, s = first
    d, t = second
    return c * d - s * t, s * d + c * t


def part_across(axis: Vector, v: Vector) -> Vector:
    """The part of a vector perpendicular to the unit axis."""
    return along(v, -dot(axis, v), axis)


def subtract(a: Vector, b: Vector) -> Vector:
    """A − b."""
    return combine(1.0, a, -1.0, b)


def subproblem_1(axis: Vector, start: Vector, end: Vector) -> Turn:
    """The turn about the axis that brings `start` nearest to `end`; none where one of them lies on the axis."""
    start, end = part_across(axis, start), part_across(axis, end)
    return unit_turn(dot(start, end), dot(axis, cross(start, end)))


def subproblem_1_z(start: Vector, end: Vector) -> Turn:
    """Subproblem 1 about the z axis."""
    x, y, _ = start
    p, q, _ = end
    return unit_turn(x * p + y * q, x * q - y * p)


def unit_turn(c: Real, s: Real) -> Turn:
    """The turn whose cosine and sine have this ratio; none where both are 0."""
    square = c * c + s * s
    somewhere = square > SMALL_SQUARE
    inverse = 1.0 / sqrt(where(somewhere, square, 1.0))
    return where(somewhere, c * inverse, 1.0), s * inverse


def subproblem_3_z(moved: Vector, offset: Vector, square: Real, sign: Real) -> tuple[Turn, Real]:
    """Subproblem 3 about the z axis, where only x and y count: |offset + R·moved|² = square."""
    x, y, _ = moved
    p, q, _ = offset
    a, b = p * x + q * y, q * x - p * y
    return _level_turn(a, b, 0.5 * (square - (x * x + y * y) - (p * p + q * q)), sign)


def subproblem_3(axis: Vector, moved: Vector, offset: Vector, square: Real, sign: Real) -> tuple[Turn, Real]:
    """The turn that makes |offset + R·moved|² equal to `square`, as far as possible; see `subproblem_4`."""
    height = 0.5 * (square - dot(moved, moved) - dot(offset, offset))
    return subproblem_4(axis, moved, offset, height, sign)


def subproblem_4(axis: Vector, moved: Vector, normal: Vector, height: Real, sign: Real) -> tuple[Turn, Real]:
    """The turn that brings `moved` to a height along `normal`, normal · R·moved = height, as far as possible.

    `sign` = ±1 selects one of the two. The second result is what the height lacks: it is too high where positive.
    """
    a, b = _amplitudes(axis, moved, normal)
    wanted = height - dot(axis, normal) * dot(axis, moved)
    return _level_turn(a, b, wanted, sign)


def subproblem_4_z(axis: Vector, moved: Vector, height: Real, sign: Real) -> tuple[Turn, Real]:
    """Subproblem 4 with the z axis as normal."""
    x, y, z = axis
    p, q, r = moved
    lift = z * dot(axis, moved)
    return _level_turn(r - lift, x * q - y * p, height - lift, sign)


def _level_turn(a: Real, b: Real, wanted: Real, sign: Real) -> tuple[Turn, Real]:
    """The turn with a·cosine + b·sine = wanted, as far as possible, and what that lacks."""
    radius = sqrt(a * a + b * b)
    reached = minimum(maximum(wanted, -radius), radius)
    side = sqrt(maximum((radius - reached) * (radius + reached), 0.0))
    return _turn(a, b, reached, side * sign), wanted - reached


def subproblem_4_of_vector(
    axis: Vector, moved: Vector, normal: Vector, wanted: Vector, sign: Real
) -> tuple[Turn, Real]:
    """Subproblem 4 with the height of the vector `wanted`, as long as `moved`, onto which another turn will bring it.

    The second result is negative where no turn reaches that height. Exact to rounding where `wanted` is nearly parallel
    to the normal too; the root of a small difference of heights is not.
    """
    a, b = _amplitudes(axis, moved, normal)
    tilt = dot(axis, normal)
    height = dot(normal, wanted)
    level = height - tilt * dot(axis, moved)
    # The volume spanned by normal, axis and R·moved, squared, by Gram's determinant.
    lever, arm = cross(normal, wanted), cross(normal, axis)
    second = dot(normal, normal) * dot(axis, moved) - height * tilt
    square = dot(lever, lever) * dot(arm, arm) - second * second
    side = sqrt(maximum(square, 0.0)) * sign
    return unit_turn(a * level - b * side, b * level + a * side), minimum(square, 0.0)


def _amplitudes(axis: Vector, moved: Vector, normal: Vector) -> tuple[Real, Real]:
    """The factors of cosine and sine in normal · R·moved."""
    return dot(normal, part_across(axis, moved)), dot(normal, cross(axis, moved))


def _turn(a: Real, b: Real, level: Real, side: Real) -> Turn:
    """The turn with a·cosine + b·sine = level, where a² + b² = level² + side²; none where that is 0."""
    square = a * a + b * b
    somewhere = square > SMALL_SQUARE
    inverse = 1.0 / where(somewhere, square, 1.0)
    return where(somewhere, (a * level - b * side) * inverse, 1.0), (b * level + a * side) * inverse
