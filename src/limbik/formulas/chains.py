"""Forward kinematics of serial chains: from joint angles or rotations to joint positions."""

from limbik.formulas.operations import Pair, Quaternion, Real, Vector, cos, sin
from limbik.formulas.quaternions import forward_axis, multiply, rotate, turn_x, turn_y, turn_z
from limbik.formulas.vectors import along


def turn_about(q: Quaternion, axis: str, angle: Real) -> Quaternion:
    """`q` followed by a rotation about one of its own axes, "x", "y" or "z"."""
    cosine = cos(0.5 * angle)
    sine = sin(0.5 * angle)
    if axis == "x":
        return turn_x(q, cosine, sine)
    if axis == "y":
        return turn_y(q, cosine, sine)
    return turn_z(q, cosine, sine)


def next_joint(start: Vector, length: Real, rotation: Quaternion) -> Vector:
    """The far end of a link with this world rotation."""
    return along(start, length, forward_axis(rotation))


def next_planar_joint(start: Pair, length: Real, angle: Real) -> Pair:
    """The far end of a link at this absolute angle in the plane."""
    x, y = start
    return x + length * cos(angle), y + length * sin(angle)


def child_rotation(parent: Quaternion, local: Quaternion) -> Quaternion:
    """The world rotation of a link, from its parent's and its own relative to the parent."""
    return multiply(parent, local)


def child_position(parent: Vector, rotation: Quaternion, offset: Vector) -> Vector:
    """The world position of a joint, from its parent's position and rotation and its offset in the parent's frame."""
    px, py, pz = parent
    x, y, z = rotate(rotation, offset)
    return px + x, py + y, pz + z


def moved_frame(
    place: Vector, turn: Quaternion, offset: Vector, rest: Quaternion, axis: Vector, motion: Vector
) -> tuple[Vector, Quaternion]:
    """A frame's world position and rotation, from its parent's (place and turn), and how a joint moves it.

    Offset and rest are its position and rotation in the parent's frame before it moves. It slides along its own axis by
    the first number of `motion`, and turns about it by an angle whose half has the second as cosine, the third as sine.
    """
    slide, cosine, sine = motion
    x, y, z = axis
    before = multiply(turn, rest)
    start = child_position(place, turn, offset)
    return along(start, slide, rotate(before, axis)), multiply(before, (x * sine, y * sine, z * sine, cosine))
