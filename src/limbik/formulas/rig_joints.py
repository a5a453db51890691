"""Joints of a rig: the rotation of one that looks at a target, and those of a limb that reach one, whatever its axes.

A limb turns from its old direction to the new one by the shortest turn, then bends in its own plane; each joint turns
by as much as its link. Nothing is transcendental but the limit of a look's turn.
"""

from limbik.formulas.elementary import smoothstep
from limbik.formulas.operations import EPSILON, Quaternion, Real, Vector, cos, maximum, minimum, sin, sqrt, where
from limbik.formulas.quaternions import from_axes, half_angle, multiply, rotate
from limbik.formulas.three_link import HANDOVER_SINE
from limbik.formulas.two_link import two_link_pose, two_link_rotations
from limbik.formulas.vectors import along, choose, combine, cross, dot, perpendicular_toward, reject, scale, unit

OVEREXTENSION_SINE = 0.6  # sine of the bend the wrong way (37°) up to which a limb counts as overextended, not as bent


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


# --- limbs


def conjugate(q: Quaternion) -> Quaternion:
    """The inverse of a unit quaternion."""
    x, y, z, w = q
    return -x, -y, -z, w


def bend_axis(root: Vector, middle: Vector, end: Vector, rotation: Quaternion) -> Vector:
    """The axis about which the second link turns from the first, times the sine of the bend, in the first's frame."""
    first, _ = unit(combine(1.0, middle, -1.0, root))
    second, _ = unit(combine(1.0, end, -1.0, middle))
    return rotate(conjugate(rotation), cross(first, second))


def certain_hinge(first: Vector, second: Vector, usual: Vector) -> Vector:
    """The hinge of two unit links, which fades into the usual one near a straight limb: see `bending.hinges`."""
    own = cross(first, second)
    _, size = unit(own)
    t = minimum(maximum(maximum(dot(own, usual), size - OVEREXTENSION_SINE) / HANDOVER_SINE, 0.0), 1.0)
    certain = smoothstep(t)
    return combine(certain, own, HANDOVER_SINE * (1.0 - certain), usual)


def link_frame(direction: Vector, hinge: Vector) -> Quaternion:
    """The rotation with +z along a unit link and +x as near to the hinge as that allows."""
    x, _ = perpendicular_toward(direction, hinge)
    return from_axes(x, cross(direction, x), direction)


def reached_limb(
    root: Vector,
    middle: Vector,
    end: Vector,
    first_rotation: Quaternion,
    second_rotation: Quaternion,
    first_parent: Quaternion,
    second_parent: Quaternion,
    end_parent: Quaternion,
    usual: Vector,
    target: Vector,
    pole: Vector,
    end_rotation: Quaternion,
    poled: bool,
    turned: bool,
) -> tuple[Quaternion, ...]:
    """The local rotations of a limb's first two joints and, where `turned`, of its end.

    Positions and rotations are in the world; `usual` is the usual hinge in the first joint's frame. `pole` is read
    where `poled`, `end_rotation` where `turned`.
    """
    links = combine(1.0, middle, -1.0, root), combine(1.0, end, -1.0, middle)
    (first, first_length), (second, second_length) = unit(links[0]), unit(links[1])
    hinge = certain_hinge(first, second, rotate(first_rotation, usual))
    chord, length = unit(combine(1.0, end, -1.0, root))
    aim = choose(length < 1e-9 * first_length, first, chord)
    new, distance = unit(combine(1.0, target, -1.0, root))
    side = pole
    if not poled:
        across, _ = perpendicular_toward(aim, hinge)
        swing = shortest_turn(chord, choose(distance > 0.0, new, chord), hinge)
        side = rotate(swing, cross(aim, across))
    lengths, whole, none = (first_length, second_length), (0.0, 1.0), (1.0, 0.0)
    plain = {"softened": False, "twisted": False, "fixed_frame": False}
    pose = two_link_pose(lengths, whole, target, side, root, none, (1.0, 1.0), (1.0, 1.0), aim, **plain)
    turns = [
        multiply(after, conjugate(link_frame(link, hinge)))
        for after, link in zip(two_link_rotations(pose), (first, second), strict=True)
    ]
    upper = multiply(conjugate(first_parent), multiply(turns[0], first_rotation))
    lower = multiply(conjugate(multiply(turns[0], second_parent)), multiply(turns[1], second_rotation))
    if not turned:
        return upper, lower
    return upper, lower, multiply(conjugate(multiply(turns[1], end_parent)), end_rotation)
