"""The rotation of a joint that looks at a target, without transcendental functions except for a limit of the turn."""

from limbik.formulas.operations import EPSILON, Quaternion, Real, Vector, cos, maximum, sin, sqrt, where
from limbik.formulas.quaternions import half_angle, multiply, rotate
from limbik.formulas.vectors import along, choose, combine, cross, dot, perpendicular_toward, reject, scale, unit


def shortest_turn(before: Vector, after: Vector, spare: Vector) -> Quaternion:
    """The rotation that takes one unit vector to another by the smallest turn.

    For opposite vectors, half a turn about the part of `spare` perpendicular to them.
    """
    cosine = dot(before, after)
    opposite = cosine < -1.0 + 64.0 * EPSILON
    sideways, _ = perpendicular_toward(before, spare)
    ax, ay, az = choose(opposite, sideways, cross(before, after))
    aw = where(opposite, 0.0, 1.0 + cosine)
    inverse = 1.0 / sqrt(ax * ax + ay * ay + az * az + aw * aw)
    return ax * inverse, ay * inverse, az * inverse, aw * inverse


def sight_line(ahead: Vector, offset: Vector, distance: Real) -> Vector:
    """The direction, in the joint's frame, of the point that the joint sees at a distance from its centre.

    The line of sight leaves the joint at `offset` along `ahead`; where it does not come as near, its nearest point.
    """
    forward = dot(offset, ahead)
    room = distance * distance - (dot(offset, offset) - forward * forward)
    gap = maximum(sqrt(maximum(room, 0.0)) - forward, 0.0)
    seen, size = unit(along(offset, gap, ahead))
    return choose(size == 0.0, ahead, seen)


def roll_toward(line: Vector, above: Vector, pole: Vector) -> Quaternion:
    """The turn about the unit `line` that brings `above` nearest to the pole; none where that is undetermined."""
    direction, _ = unit(pole)
    now = reject(above, line)
    wanted = reject(direction, line)
    cosine = dot(now, wanted)
    sine = dot(cross(now, wanted), line)
    size = sqrt(cosine * cosine + sine * sine)
    free = size < 256.0 * EPSILON
    size = where(free, 1.0, size)
    half_cosine, half_sine = half_angle(where(free, 1.0, cosine / size), where(free, 0.0, sine / size))
    return (*scale(half_sine, line), half_cosine)


def limited_turn(turn: Quaternion, largest: Real) -> Quaternion:
    """The turn, or as much of it as the largest angle allows, in radians."""
    x, y, z, w = turn
    sign = where(w < 0.0, -1.0, 1.0)
    x, y, z, w = sign * x, sign * y, sign * z, sign * w
    sine = sqrt(x * x + y * y + z * z)
    most = cos(0.5 * largest)
    beyond = (w < most) & (sine > 0.0)
    factor = where(beyond, sin(0.5 * largest) / where(beyond, sine, 1.0), 1.0)
    return x * factor, y * factor, z * factor, where(beyond, most, w)


def aimed_rotation(
    rotation: Quaternion,
    position: Vector,
    target: Vector,
    axis: Vector,
    up_axis: Vector,
    offset: Vector,
    pole: Vector,
    max_angle: tuple[Real],
    offset_sight: bool,
    rolled: bool,
    limited: bool,
) -> Quaternion:
    """The world rotation of a joint that looks at the target, turned from `rotation` as little as possible.

    `axis` and `up_axis` are directions in the joint's frame: where it looks, and what stays up. `offset`, where the
    line of sight begins in that frame, is read where `offset_sight`; the pole, towards which `up_axis` is rolled, where
    `rolled`; the largest turn, in radians, where `limited`. A target on the joint leaves the rotation as it is.
    """
    ahead, _ = unit(axis)
    above, _ = unit(up_axis)
    onward, distance = unit(combine(1.0, target, -1.0, position))
    seen = sight_line(ahead, offset, distance) if offset_sight else ahead
    before, _ = unit(rotate(rotation, seen))
    onward = choose(distance == 0.0, before, onward)
    turn = shortest_turn(before, onward, rotate(rotation, above))
    if rolled:
        turn = multiply(roll_toward(onward, rotate(multiply(turn, rotation), above), pole), turn)
    if limited:
        turn = limited_turn(turn, max_angle[0])
    return multiply(turn, rotation)
