"""A limb of a posed rig: the local rotations that bring its end to a target, whatever the axes of its bones.

The limb turns from its old direction to the new one by the shortest turn, then bends in its own plane; each joint turns
by as much as its link.
"""

from limbik.formulas.aiming import shortest_turn
from limbik.formulas.elementary import smoothstep
from limbik.formulas.operations import Quaternion, Vector, maximum, minimum
from limbik.formulas.quaternions import from_axes, multiply, rotate
from limbik.formulas.three_link import HANDOVER_SINE
from limbik.formulas.two_link import two_link_pose, two_link_rotations
from limbik.formulas.vectors import choose, combine, cross, dot, perpendicular_toward, unit

OVEREXTENSION_SINE = 0.6  # sine of the bend the wrong way (37°) up to which a limb counts as overextended, not as bent


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
